"""What English words for days mean: the weekdays, seasons, parts and counts of them, as values.

The forms of words they stand in are in :mod:`siliconfriend.recall.dates.english`.
"""

from __future__ import annotations

import re

from siliconfriend.language.numbers import MONTHS, ORDINALS, ordinals_to_digits, parse_number
from siliconfriend.recall.dates.calendar import Half, PartOfDay, Third
from siliconfriend.recall.dates.feast_words import feast_in_english
from siliconfriend.recall.dates.slots import Reader

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
WHICH = {"this": 0, "last": -1, "past": -1, "previous": -1, "next": 1, "coming": 1}
YEARS = {"last year": -1, "this year": 0, "next year": 1, "year before last": -2}
HALVES: dict[str, Half] = {"first": 0, "second": 1}
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
DECADES = {
    "thirties": 1930,
    "forties": 1940,
    "fifties": 1950,
    "sixties": 1960,
    "seventies": 1970,
    "eighties": 1980,
    "nineties": 1990,
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


def _years_from_now(words: str) -> int:
    """How many years from this one: last year is -1, two years ago -2."""
    plain = " ".join(words.removeprefix("the ").split())
    if plain in YEARS:
        return YEARS[plain]
    count = re.sub(r"\s+years?\s+(?:ago|back|earlier)$", "", plain)
    if count in ("a", "an"):
        return -1
    return -2 if "couple" in count else -parse_number(count)


def _decade(words: str) -> int:
    """The first year of the nineties, the 90s, the 2010s."""
    if words in DECADES:
        return DECADES[words]
    year = int(words.lstrip("'’"))
    return year if year >= 100 else 1900 + year


def _times_ago(words: str) -> int:
    """The one of "last summer", "the summer before last" (-2), "three summers ago" (-3)."""
    if words in WHICH:
        return WHICH[words]
    return -2 if "before" in words or "couple" in words else -parse_number(words)


READERS: dict[str, Reader] = {
    "year": int,
    "last_year": int,
    "year_offset": _years_from_now,
    "month": lambda words: int(words) if words.isdecimal() else MONTHS[words],
    "last_month": MONTHS.__getitem__,
    "day": lambda words: int(re.sub(r"\D", "", ordinals_to_digits(words))),
    "last_day": int,
    "weekday": lambda words: WEEKDAYS.index(words[:3]),
    "weekend": bool,
    "season": SEASONS.__getitem__,
    "feast": feast_in_english,
    "last_feast": feast_in_english,
    "holiday": bool,
    "part": PARTS.__getitem__,
    "third": THIRDS.__getitem__,
    "half": HALVES.__getitem__,
    "decade": _decade,
    "side": str,
    "unit": str,
    "number": lambda words: 1 if words in ("a", "an") else parse_number(words),
    "which": _times_ago,
    "nth": lambda words: (
        -1
        if words in ("last", "previous")
        else ORDINALS[words]
        if words in ORDINALS
        else int(words)
    ),
}
"""What the named groups of the patterns hold, as the values of slots."""
