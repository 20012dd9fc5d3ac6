"""Characters: what they fold to, which are Chinese, and which language they make a text."""

from __future__ import annotations

import re
import unicodedata

from siliconfriend.texts import Language

HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""The Chinese characters, as the inside of a character class of a regular expression."""

_CHINESE = re.compile(rf"[{HAN}]")
_CHINESE_RUN = re.compile(rf"[{HAN}]+")
_LATIN_WORD = re.compile(r"[A-Za-z]+")


def fold(text: str) -> str:
    """The text without differences of letter case and width (NFKC, case folded)."""
    return unicodedata.normalize("NFKC", text).casefold()


def is_chinese(text: str) -> bool:
    """True if a word or text has Chinese characters."""
    return _CHINESE.search(text) is not None


def chinese_runs(text: str) -> list[str]:
    """The longest stretches of Chinese characters of a text, in order."""
    return _CHINESE_RUN.findall(text)


def language_of(text: str, otherwise: Language = "en") -> Language:
    """Detect the language: Chinese if there are more Chinese characters than Latin words.

    A title or a brand in Latin letters leaves a Chinese sentence Chinese. ``otherwise`` is
    returned where the text has neither.
    """
    chinese, latin = len(_CHINESE.findall(text)), len(_LATIN_WORD.findall(text))
    if not chinese and not latin:
        return otherwise
    return "cn" if chinese > latin else "en"
