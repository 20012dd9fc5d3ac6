"""Fold characters, find Chinese ones, and detect the language of a text."""

from __future__ import annotations

import re
import unicodedata

from siliconfriend.texts import Language

HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Chinese characters, as the inside of a character class of a regular expression."""

_CHINESE = re.compile(rf"[{HAN}]")
_CHINESE_RUN = re.compile(rf"[{HAN}]+")
_LATIN_WORD = re.compile(r"[A-Za-z]+")


def fold(text: str) -> str:
    """Fold letter case and width (NFKC, case folded)."""
    return unicodedata.normalize("NFKC", text).casefold()


def is_chinese(text: str) -> bool:
    """Return True if a text has Chinese characters."""
    return _CHINESE.search(text) is not None


def chinese_runs(text: str) -> list[str]:
    """Return the runs of Chinese characters of a text, in order."""
    return _CHINESE_RUN.findall(text)


def language_of(text: str, otherwise: Language = "en") -> Language:
    """Detect the language: Chinese if there are more Chinese characters than Latin words.

    Return ``otherwise`` for a text with neither.
    """
    chinese, latin = len(_CHINESE.findall(text)), len(_LATIN_WORD.findall(text))
    if not chinese and not latin:
        return otherwise
    return "cn" if chinese > latin else "en"
