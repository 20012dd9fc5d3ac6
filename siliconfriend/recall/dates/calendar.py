"""Days and calendar arithmetic relative to the day on which words are said.

Weeks begin on Monday. A third of a month is its days 1-10, 11-20 and 21 to the end. Holidays stand in
``holidays.toml``; Easter is dateutil's (Western), lunar days and solar terms are borax's (1900 to 2100).
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, lru_cache
from importlib import resources
from typing import Any, NamedTuple

from borax.calendars.lunardate import LCalendars, LunarDate, TermUtils
from dateutil import relativedelta as delta
from dateutil.easter import easter
from dateutil.relativedelta import relativedelta

DAY, WEEK = timedelta(days=1), timedelta(weeks=1)


class Unit(NamedTuple):
    """Length of a unit, and the tolerance around "two weeks ago": about half a unit."""

    length: relativedelta
    half: relativedelta


UNITS: Mapping[str, Unit] = {
    "day": Unit(relativedelta(days=1), relativedelta()),
    "week": Unit(relativedelta(weeks=1), relativedelta(days=3)),
    "fortnight": Unit(relativedelta(weeks=2), relativedelta(days=3)),
    "month": Unit(relativedelta(months=1), relativedelta(days=15)),
    "year": Unit(relativedelta(years=1), relativedelta(months=6)),
    "decade": Unit(relativedelta(years=10), relativedelta(years=5)),
}


@dataclass(frozen=True, slots=True)
class DateSpan:
    """Days that a text names.

    Attributes:
        first, last: the days, both inclusive, of the person's calendar.
        words: as in the text (NFKC).
        relative: the days follow from the day on which the words were said.
        has_year: the words say which year, in four figures.
        told_after: days after the span in which a holiday is still mentioned.
        vague: the words only say about when ("recently").
        is_talk: the words name only a conversation of that day.
    """

    first: date
    last: date
    words: str = ""
    relative: bool = False
    has_year: bool = False
    told_after: int = 0
    vague: bool = False
    is_talk: bool = False

    @property
    def length(self) -> int:
        """Count the days."""
        return (self.last - self.first).days + 1


def one_day(day: date) -> DateSpan:
    """Return a single day."""
    return DateSpan(day, day)


def months_from(year: int, month: int, count: int = 1) -> DateSpan:
    """Return a span of whole months; ValueError for an invalid month."""
    start = date(year, month, 1)
    return DateSpan(start, start + relativedelta(months=count - 1, day=31))


@cache
def load_table(name: str) -> Mapping[str, Any]:
    """Load a table of this folder: ``holidays``, or the grammar of a language."""
    source = resources.files(__package__).joinpath(f"{name}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


@cache
def holiday_patterns(language: str) -> Mapping[str, str]:
    """Map the pattern of a holiday's words in a language to the holiday's name."""
    return {
        row[language].replace("'", "['’]?").replace(" ?", r"\s?").replace(" ", r"\s+"): name
        for name, row in load_table("holidays").items()
        if language in row
    }


@lru_cache(maxsize=1024)
def holiday_named(words: str, language: str) -> str:
    """Find the holiday that words name; a condition on what follows them is met already."""
    return next(
        name
        for pattern, name in holiday_patterns(language).items()
        if re.fullmatch(pattern.replace("(?=", "(?:$|"), words, re.IGNORECASE)
    )


@lru_cache(maxsize=4096)
def holiday_in(name: str, year: int, *, around: bool = False) -> DateSpan:
    """Return the days of a holiday in a year, or of the time around it; ValueError for none."""
    row = load_table("holidays")[name]
    before, after = row.get("around", (1, 1)) if around else row.get("days", (0, 0))
    day = _day_of(row["when"], year)
    return DateSpan(day - before * DAY, day + after * DAY)


def _day_of(when: str, year: int) -> date:
    kind, *rest = when.split()
    if kind[0].isdecimal():
        return date(year, int(kind[:2]), int(kind[3:]))
    later = DAY * int(rest[-1]) if rest[-1][0] in "+-" else 0 * DAY
    found: date
    if kind == "easter":
        found = easter(year)
    elif kind == "term":
        found = TermUtils.nth_term_day(year, TermUtils.name2index(rest[0]))
    elif kind == "lunar":
        month, number = map(int, rest[0].split("-"))
        found = lunar_day(year - (rest[-1] == "last"), month, number)
    else:
        nth, weekday = int(kind[2:]), getattr(delta, kind[:2])
        to_day = relativedelta(day=1 if nth > 0 else 31, weekday=weekday(nth))
        found = date(year, int(rest[0]), 1) + to_day
    return found + later


def lunar_day(year: int, month: int, day: int) -> date:
    """Return a day of a lunar year, no leap month; ValueError where there is none."""
    found: date = LunarDate(year, month, day).to_solar_date()
    return found


def lunar_month(year: int, month: int) -> DateSpan:
    """Return a month of a lunar year, no leap month."""
    length: int = LCalendars.ndays(year, month)
    return DateSpan(lunar_day(year, month, 1), lunar_day(year, month, length))
