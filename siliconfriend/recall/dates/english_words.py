"""The words English dates are made of. Months and weekdays are ``python-dateutil``'s own tables."""

from __future__ import annotations

from dateutil import parser

from siliconfriend.recall.dates.almanac import PartOfDay, Third

INFO = parser.parserinfo()
MONTH_NAMES = [name.lower() for names in INFO.MONTHS for name in names]
NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
NUMBERS |= {"seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12}
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
ORDINALS |= {"sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10}
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
OFFSETS = {"this": 0, "the": 0, "last": -1, "past": -1, "previous": -1, "next": 1, "coming": 1}
PARTS: dict[str, PartOfDay] = {
    "early morning": "morning",
    "morning": "morning",
    "lunchtime": "afternoon",
    "noon": "afternoon",
    "afternoon": "afternoon",
    "evening": "evening",
    "night": "evening",
    "midnight": "evening",
}
THIRDS: dict[str, Third] = {
    "early": 0,
    "beginning": 0,
    "start": 0,
    "mid": 1,
    "middle": 1,
    "midst": 1,
    "late": 2,
    "end": 2,
}
FEASTS = {
    "new year's eve": (12, 31),
    "new year's day": (1, 1),
    "valentine's day": (2, 14),
    "halloween": (10, 31),
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "christmas": (12, 25),
}
