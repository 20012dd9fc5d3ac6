"""A quick look for English text that may name a day, before all forms of words are tried on it.

Most of what is said names none, and trying each form costs most of a millisecond. One of these
words stands in every date; a form that needs none of them would never be found.
"""

from __future__ import annotations

import re

from siliconfriend.language.numbers import MONTHS, ORDINALS
from siliconfriend.recall.dates.feast_words import ENGLISH

_UNITS = "second|minute|hour|day|week|month|year|night|morning|afternoon|evening|weekend|fortnight"
_SEASONS = "spring|summer|autumn|fall|winter"
_ALONE = r"tonight|tomorrow|recently|lately|of\s+late|ago|a\s+while|(?:from|just)\s+now"
_WEEKDAYS = r"(?-i:Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri|Sat|Sun)\b"
_FEASTS = "|".join(ENGLISH).replace(" ", r"\s+")
_TALKS = rf"(?:last|previous|{'|'.join(ORDINALS)})\b|each\s+other"

MAY_NAME_A_DAY = re.compile(
    rf"\d|day|(?:thir|for|fif|six|seven|eigh|nine)ties|\b(?:(?:{'|'.join(MONTHS)})\b|(?:{_UNITS}|{_SEASONS})s?\b|(?:{_ALONE})\b"
    rf"|{_WEEKDAYS}|{_FEASTS}|{_TALKS})",
    re.IGNORECASE,
)
