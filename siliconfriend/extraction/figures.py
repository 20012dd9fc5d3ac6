"""What of a text can be compared whatever its language: numbers, days, names, and yes or no.

Vectors pass by all of these: "3 May" and 五月四号 lie nearer than many true pairs. So they must
agree before anything else is asked.
"""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

from siliconfriend.language.characters import fold
from siliconfriend.recall.dates import dates_said
from siliconfriend.recall.dates.chinese_meanings import chinese_number

_LATIN_NAME = re.compile(r"(?<![A-Za-z])[A-Z][a-z]+")
_DIGITS = re.compile(r"\d+")
_NUMERAL = re.compile(r"[一二两三四五六七八九十]+(?=[月日号岁年点时只个条次天])")
_MONTHS = (
    *("january jan", "february feb", "march mar", "april apr", "may", "june jun"),
    *("july jul", "august aug", "september sep sept", "october oct", "november nov"),
    "december dec",
)
_ONES = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve"),
)
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    *("tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth"),
    *("seventeenth", "eighteenth", "nineteenth", "twentieth"),
)
_TENS = {"twenty": 20, "thirty": 30}
_ENGLISH = {
    **{
        name: number
        for names in (_MONTHS, _ONES, _ORDINALS)
        for number, both in enumerate(names, start=1)
        for name in both.split()
        if name != "one"  # mostly a pronoun
    },
    **_TENS,
    "thirtieth": 30,
}
_ORDINAL = re.compile(
    rf"\b(?:(?P<tens>twenty|thirty)[- ])?(?P<ones>{'|'.join(_ORDINALS)})\b|\bthirtieth\b",
    re.IGNORECASE,
)
_LEAP_YEAR = date(2024, 6, 1)
_NEGATIVE = re.compile(
    r"n't\b|\b(?:not|never|no|without|dislikes?|hates?|can't|cannot|detests?|stopped|quit)\b"
    r"|[不没无别]|讨厌|戒",
    re.IGNORECASE,
)


def says_no(text: str) -> bool:
    """Whether a text denies something, dislike included."""
    return _NEGATIVE.search(text) is not None


@lru_cache(maxsize=4096)
def numbers(text: str) -> frozenset[int]:
    """The numbers in a text, months by their number, in digits or words of both languages."""
    plain = fold(_ORDINAL.sub(_in_digits, text))
    found = {int(it) for it in _DIGITS.findall(plain)}
    found.update(_ENGLISH[it] for it in re.findall(r"[a-z]+", plain) if it in _ENGLISH)
    found.update(chinese_number(it) for it in _NUMERAL.findall(plain))
    return frozenset(found)


@lru_cache(maxsize=4096)
def month_and_day(text: str) -> tuple[int, int] | None:
    """The day of a year that a text names, the day 0 where it names a month; None where neither.

    "The fourth of May" and 五月四号 are (5, 4); "in three days" is no day of a year.
    """
    plain = re.sub(
        r"(?<=\d(?:st|nd|rd|th)) of (?=[a-z])", " ", _ORDINAL.sub(_in_digits, text), flags=re.I
    )
    for said in dates_said(plain, _LEAP_YEAR):
        if not said.relative and said.part_of_day is None and said.length <= 31:
            if said.length == 1:
                return said.first.month, said.first.day
            return (said.first.month, 0) if said.length >= 28 else None
    return None


@lru_cache(maxsize=4096)
def names(text: str) -> frozenset[str]:
    """Words with a capital in a text, folded, without months; a sentence's first word counts."""
    found = (fold(it) for it in _LATIN_NAME.findall(text))
    return frozenset(it for it in found if it not in _ENGLISH and it not in ("i", "the", "a"))


def _in_digits(found: re.Match[str]) -> str:
    """An ordinal as 1st, 2nd, 31st."""
    if found["ones"] is None:
        return "30th"
    number = (
        _TENS.get((found["tens"] or "").lower(), 0) + _ORDINALS.index(found["ones"].lower()) + 1
    )
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10 if number not in (11, 12, 13) else 0, "th")
    return f"{number}{ending}"
