"""Which of the two languages a text is in."""

from __future__ import annotations

import re

from siliconfriend.texts import Language

_CHINESE = re.compile(r"[\u3400-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")


def language_of(text: str, otherwise: Language = "en") -> Language:
    """Chinese where it has more Chinese characters than Latin words, else English.

    A title or a brand in Latin letters leaves a Chinese sentence Chinese. ``otherwise`` where
    the text has neither.
    """
    chinese, latin = len(_CHINESE.findall(text)), len(_LATIN_WORD.findall(text))
    if not chinese and not latin:
        return otherwise
    return "cn" if chinese > latin else "en"
