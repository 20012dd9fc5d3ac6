"""Days and calendar arithmetic relative to the day on which words are said.

Weeks begin on Monday. A third of a month is its days 1-10, 11-20 and 21 to the end. Feasts stand in
``feasts.toml``; Easter is dateutil's (Western), lunar days and solar terms are borax's (1900 to 2100).
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache, lru_cache
from importlib import resources
from typing import Any, Literal, NamedTuple

from borax.calendars.lunardate import LCalendars, LunarDate, TermUtils
from dateutil import relativedelta as delta
from dateutil.easter import easter
from dateutil.relativedelta import relativedelta

Side = Literal["ahead", "behind"]

AROUND = 15  # days within which a remembered day counts as around a date that is asked for
QUARTER, MONTH = 92, 31  # days ahead, else behind, within which a day told without its year lies
YEARS_AHEAD = 20  # how many years ahead a year of two digits may lie
LEAP_CYCLE = 8  # most years from one 29 February to the next
DAY, WEEK = timedelta(days=1), timedelta(weeks=1)


class Unit(NamedTuple):
    """Length of a unit and of half of it, days of slack of "two weeks ago", and "a few" in days."""

    length: relativedelta
    half: relativedelta
    slack: int
    few: tuple[int, int]


UNITS: Mapping[str, Unit] = {
    "day": Unit(relativedelta(days=1), relativedelta(), 0, (10, 2)),
    "week": Unit(relativedelta(weeks=1), relativedelta(days=4), 3, (42, 14)),
    "fortnight": Unit(relativedelta(weeks=2), relativedelta(weeks=1), 3, (84, 28)),
    "month": Unit(relativedelta(months=1), relativedelta(days=15), 15, (183, 61)),
    "year": Unit(relativedelta(years=1), relativedelta(months=6), 182, (2192, 731)),
    "decade": Unit(relativedelta(years=10), relativedelta(years=5), 182, (21915, 7305)),
}

_YEAR = re.compile(
    r"(?<!\d)(?:19|20)\d\d(?!\d)|[零〇一二三四五六七八九]{4}年|\byears?\b|[去今明后前]年"
)


@dataclass(frozen=True, slots=True)
class DateSpan:
    """Days that a text names.

    Attributes:
        first, last: the days, both inclusive, of the person's calendar.
        words: as they stand in the text (in NFKC).
        relative: the days follow from the day on which the words were said.
        told_after: how many days after them they are still told of, as feasts are.
        vague: the words only say about when ("recently").
        is_talk: they name a conversation of that day, and nothing else that happened on it.
    """

    first: date
    last: date
    words: str = ""
    relative: bool = False
    told_after: int = 0
    vague: bool = False
    is_talk: bool = False

    @property
    def has_year(self) -> bool:
        """True if the words say which year, or follow from the day they were said on."""
        return self.relative or _YEAR.search(self.words) is not None

    @property
    def length(self) -> int:
        """Count the days."""
        return (self.last - self.first).days + 1

    def cut(self, which: int, of: int) -> DateSpan:
        """Return a half or a third (0, 1, …) of whole months; ten days of a single one."""
        months = round(self.length / 30.4)
        if months > 1:
            start = self.first + relativedelta(months=months // of * which)
            return months_from(start.year, start.month, months // of)
        if not months:
            return self
        start = self.first.replace(day=1 + 10 * which)
        return DateSpan(start, self.last if which == 2 else start + 9 * DAY)


def one_day(day: date) -> DateSpan:
    """Return a single day."""
    return DateSpan(day, day)


def months_from(year: int, month: int, count: int = 1) -> DateSpan:
    """Return so many whole months; ValueError where there is no such month."""
    start = date(year, month, 1)
    end = start + relativedelta(months=count - 1)
    return DateSpan(start, end.replace(day=monthrange(end.year, end.month)[1]))


@cache
def feasts() -> Mapping[str, Mapping[str, Any]]:
    """Load the table of feasts."""
    source = resources.files(__package__).joinpath("feasts.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


@cache
def feast_patterns(language: str) -> Mapping[str, str]:
    """Map the pattern of a feast's words in a language to the feast's name."""
    return {
        row[language].replace("'", "['’]?").replace(" ?", r"\s?").replace(" ", r"\s+"): name
        for name, row in feasts().items()
        if language in row
    }


@lru_cache(maxsize=1024)
def feast_named(words: str, language: str) -> str:
    """Find the feast that words name; a condition on what follows them is met already."""
    return next(
        name
        for pattern, name in feast_patterns(language).items()
        if re.fullmatch(pattern.replace("(?=", "(?:$|"), words, re.IGNORECASE)
    )


@lru_cache(maxsize=4096)
def feast_in(name: str, year: int, *, holiday: bool = False) -> DateSpan:
    """Return the days of a feast, or of its holiday, in a year; ValueError where it has none."""
    row = feasts()[name]
    before, after = row.get("holiday", (1, 1)) if holiday else row.get("days", (0, 0))
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
        nth = int(kind[2:])
        weekday = getattr(delta, kind[:2])(nth)
        found = date(year, int(rest[0]), 1) + relativedelta(
            day=1 if nth > 0 else 31, weekday=weekday
        )
    return found + later


def lunar_day(year: int, month: int, day: int) -> date:
    """Return a day of a lunar year, no leap month; ValueError where there is none."""
    found: date = LunarDate(year, month, day).to_solar_date()
    return found


def lunar_month(year: int, month: int) -> DateSpan:
    """Return a month of a lunar year, no leap month."""
    length: int = LCalendars.ndays(year, month)
    return DateSpan(lunar_day(year, month, 1), lunar_day(year, month, length))


@dataclass(frozen=True, slots=True)
class Calendar:
    """The day words are said on, and what is known of the days around it.

    Attributes:
        today: the person's day the words were said on.
        days: the days there are memories of, ascending.
        planned: days to come of which something was told, ascending.
        told: the words tell something and ask nothing; a day without its year is near or ahead.
        asks_ahead: they ask for what is to come.
        side: the side of today that the words look to.
    """

    today: date
    days: tuple[date, ...] = ()
    planned: tuple[date, ...] = ()
    told: bool = False
    asks_ahead: bool = False
    side: Side | None = None

    @property
    def looks_ahead(self) -> bool:
        """True if the words look ahead, or tell without saying that it is over."""
        return self.side == "ahead" if self.side else self.told or self.asks_ahead

    def back(self, number: int, unit: str = "day") -> date:
        """Return the day ``number`` units before today; after it for a negative number."""
        moved: date = self.today - UNITS[unit].length * number
        return moved

    def full_year(self, year: int) -> int:
        """Complete a year of two digits to the latest that is over or soon to come."""
        if year >= 100:
            return year
        limit = self.today.year + YEARS_AHEAD
        return limit - (limit - year) % 100

    def span(self, unit: str, offset: int) -> DateSpan:
        """Return this day, week, month or year (0), the last (-1), the next (1)."""
        day = self.back(-offset, unit)
        if unit == "week":
            monday = day - day.weekday() * DAY
            return DateSpan(monday, monday + 6 * DAY)
        if unit == "month":
            return months_from(day.year, day.month)
        return months_from(day.year, 1, 12) if unit == "year" else one_day(day)

    def weekend(self, offset: int | None) -> DateSpan:
        """Return the weekend of a week; None: the latest that has begun, ahead the next."""
        if offset is None:
            is_ahead = self.asks_ahead or self.side == "ahead" or self.today.weekday() >= 5
            offset = 0 if is_ahead else -1
        sunday = self.span("week", offset).last
        return DateSpan(sunday - DAY, sunday)

    def weekday(self, number: int, which: int | None) -> DateSpan:
        """Return a weekday, Monday 0: without ``which`` the latest before today or the next.

        The last (-1) is the latest, or that of last week where only it is remembered.
        """
        following = self.today + ((number - self.today.weekday() - 1) % 7 + 1) * DAY
        latest = self.today - ((self.today.weekday() - number - 1) % 7 + 1) * DAY
        if which is None:
            return one_day(following if self.asks_ahead or self.looks_ahead else latest)
        if which == 0:
            return one_day(self.span("week", 0).first + number * DAY)
        if which > 0:
            return one_day(following + (which - 1) * WEEK)
        other = self.span("week", -1).first + number * DAY
        only_other = self._remembers(one_day(other)) and not self._remembers(one_day(latest))
        return one_day((other if only_other else latest) + (which + 1) * WEEK)

    def in_year(self, make: Callable[[int], DateSpan]) -> DateSpan | None:
        """Choose the year of days that recur; ``make`` raises ValueError where a year lacks them."""
        oldest = min(self.today.year, self.days[0].year if self.days else self.today.year)
        newest = self.today.year + (LEAP_CYCLE if self.side == "ahead" else 1)
        years = range(newest, max(oldest - LEAP_CYCLE, 1) - 1, -1)
        return self._choose(list(_possible(make, years)))

    def in_month(self, number: int) -> DateSpan | None:
        """Choose the month of a day that names none."""
        oldest = self.days[0] if self.days else self.today
        count = (self.today.year - oldest.year) * 12 + self.today.month - oldest.month

        def make(offset: int) -> DateSpan:
            return one_day(self.span("month", offset).first.replace(day=number))

        return self._choose(list(_possible(make, range(1, -max(count, 0) - 3, -1))))

    def talk(self, number: int) -> DateSpan | None:
        """Return the day of the first (1), second ... talk; the last before today (-1)."""
        at = number - 1 if number > 0 else bisect_left(self.days, self.today) - 1
        found = 0 <= at < len(self.days)
        return replace(one_day(self.days[at]), is_talk=True) if found else None

    def _choose(self, candidates: list[DateSpan]) -> DateSpan | None:
        """Choose among the same days of different years or months, the latest of which is first.

        Asked for: what was told at that time, else what is planned or soon, else the latest that has
        begun. Told: on the side that the sentence says, else within a quarter, else ahead.
        """
        past = [span for span in candidates if span.first <= self.today]
        coming = [span for span in reversed(candidates) if span.last >= self.today]
        latest, following = next(iter(past), None), next(iter(coming), None)
        if self.asks_ahead or (self.told and self.side == "ahead"):
            return following
        if self.told:
            is_soon = following and (following.first - self.today).days <= QUARTER
            is_just_over = latest and (self.today - latest.last).days <= MONTH
            is_behind = self.side == "behind" or (is_just_over and not is_soon)
            return latest if is_behind else following
        planned = [span for span in coming if self._plans(span)]
        if self.side == "ahead" and planned:
            return planned[0]
        told_of = (it for it in past if it.told_after and self._remembers(it, 0, it.told_after))
        around = (it for it in past if self._remembers(it, AROUND, AROUND))
        found = next(told_of, None) or next(around, None)
        if found or self.side == "behind":
            return found or latest
        soon = [it for it in coming if self.days and 0 < (it.first - self.today).days <= AROUND]
        return next(iter(planned or soon or past), None)

    def _remembers(self, span: DateSpan, before: int = 0, after: int = 0) -> bool:
        at = bisect_left(self.days, span.first - before * DAY)
        return at < len(self.days) and self.days[at] <= span.last + after * DAY

    def _plans(self, span: DateSpan) -> bool:
        at = bisect_left(self.planned, max(span.first, self.today))
        return at < len(self.planned) and self.planned[at] <= span.last


def _possible(make: Callable[[int], DateSpan], numbers: Iterable[int]) -> Iterator[DateSpan]:
    for number in numbers:
        try:
            yield make(number)
        except (ValueError, OverflowError):
            continue
