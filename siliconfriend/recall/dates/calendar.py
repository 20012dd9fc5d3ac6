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
from typing import Any, Literal

from borax.calendars.lunardate import LCalendars, LunarDate, TermUtils
from dateutil import relativedelta as delta
from dateutil.easter import easter
from dateutil.relativedelta import relativedelta

PartOfDay = Literal["morning", "afternoon", "evening"]
Side = Literal["ahead", "behind"]

AROUND = 15  # days within which a remembered day counts as around a date that is asked for
QUARTER, MONTH = (
    92,
    31,
)  # days ahead, else behind, within which a day that was told without its year lies
TOLD_AFTER = 3  # days after a feast on which it is still told of
YEARS_AHEAD = 20  # how many years ahead a year of two digits may lie
LEAP_CYCLE = 8  # most years from one 29 February to the next

STEPS: Mapping[str, relativedelta] = {
    "day": relativedelta(days=1),
    "week": relativedelta(weeks=1),
    "fortnight": relativedelta(weeks=2),
    "month": relativedelta(months=1),
    "year": relativedelta(years=1),
    "decade": relativedelta(years=10),
}
SLACK = {
    "day": 0,
    "week": 3,
    "fortnight": 3,
    "month": 15,
    "year": 182,
    "decade": 182,
}  # of "two weeks ago"

_YEAR = re.compile(
    r"(?<!\d)(?:19|20)\d\d(?!\d)|[零〇一二三四五六七八九]{4}年|\byears?\b|[去今明后前]年"
)


@dataclass(frozen=True, slots=True)
class DateSpan:
    """Days that a text names.

    Attributes:
        first, last: the days, both inclusive, of the person's calendar.
        part_of_day: ``morning``, ``afternoon`` or ``evening`` where the text says it.
        words: as they stand in the text (in NFKC).
        relative: the days follow from the day on which the words were said.
        told_after: how many days after them they are still told of, as feasts are.
        vague: the words only say about when ("recently").
        is_talk: they name a conversation of that day, and nothing else that happened on it.
    """

    first: date
    last: date
    part_of_day: PartOfDay | None = None
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

    def third(self, which: int) -> DateSpan:
        """Return the early, middle or late third of a month, season or year."""
        days = self.length - 1
        if days > 31:
            months = 1 if days < 100 else 4
            start = self.first + relativedelta(months=months * which)
            return DateSpan(start, start + relativedelta(months=months, days=-1))
        if days < 27:
            return self
        start = self.first.replace(day=1 + 10 * which)
        return DateSpan(start, self.last if which == 2 else start + timedelta(days=9))

    def half(self, which: int) -> DateSpan:
        """Return the first or second half of a year."""
        return months_from(self.first.year, 1 + 6 * which, 6)


def one_day(day: date, part: PartOfDay | None = None) -> DateSpan:
    """Return a single day."""
    return DateSpan(day, day, part)


def months_from(year: int, month: int, count: int = 1) -> DateSpan:
    """Return so many whole months; ValueError where there is no such month."""
    start = date(year, month, 1)
    end = start + relativedelta(months=count - 1)
    return DateSpan(start, end.replace(day=monthrange(end.year, end.month)[1]))


def whole_year(year: int) -> DateSpan:
    """Return all days of a year; ValueError where there is no such year."""
    return DateSpan(date(year, 1, 1), date(year, 12, 31))


# feasts


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
    return DateSpan(day - timedelta(days=before), day + timedelta(days=after))


def _day_of(when: str, year: int) -> date:
    kind, *rest = when.split()
    later = timedelta(days=int(rest[-1]) if len(rest) > 1 and rest[-1] != "last" else 0)
    if kind == "easter":
        sunday: date = easter(year)
        return sunday + timedelta(days=int(rest[0]))
    if kind == "term":
        day: date = TermUtils.nth_term_day(year, TermUtils.name2index(rest[0]))
        return day
    if kind == "lunar":
        month, number = map(int, rest[0].split("-"))
        return lunar_day(year - (rest[-1] == "last"), month, number) + later
    if kind[0].isdecimal():
        return date(year, int(kind[:2]), int(kind[3:]))
    nth = int(kind[2:])
    weekday = getattr(delta, kind[:2])(nth)
    first: date = date(year, int(rest[0]), 1) + relativedelta(
        day=1 if nth > 0 else 31, weekday=weekday
    )
    return first + later


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
        side: the side of today that the words look to.
        beside: replaces days that recur by those beside them ("the week after Easter").
    """

    today: date
    days: tuple[date, ...] = ()
    planned: tuple[date, ...] = ()
    told: bool = False
    asks_ahead: bool = False
    side: Side | None = None
    beside: Callable[[DateSpan], DateSpan] | None = None

    def back(self, number: int, unit: str) -> date:
        """Return the day ``number`` units before today; after it for a negative number."""
        moved: date = self.today - STEPS[unit] * number
        return moved

    def ago(self, number: int, unit: str) -> DateSpan:
        """Return the days "two weeks ago" may mean: that day and half a unit around it."""
        slack, middle = timedelta(days=SLACK[unit]), self.back(number, unit)
        return DateSpan(middle - slack, min(middle + slack, self.today))

    def between(self, furthest: int, nearest: int, unit: str = "day") -> DateSpan:
        """Return the days from ``furthest`` to ``nearest`` units before today."""
        return DateSpan(self.back(furthest, unit), self.back(nearest, unit))

    def full_year(self, year: int) -> int:
        """Complete a year of two digits to the latest that is over or soon to come."""
        if year >= 100:
            return year
        limit = self.today.year + YEARS_AHEAD
        return limit - (limit - year) % 100

    def span(self, unit: str, offset: int) -> DateSpan:
        """Return this day, week, month or year (0), the last (-1), the next (1)."""
        day = self.today + STEPS[unit] * offset
        if unit == "week":
            monday = day - timedelta(days=day.weekday())
            return DateSpan(monday, monday + timedelta(days=6))
        if unit == "month":
            return months_from(day.year, day.month)
        return whole_year(self.today.year + offset) if unit == "year" else one_day(day)

    def weekend(self, offset: int | None) -> DateSpan:
        """Return the weekend of a week; None: the latest that has begun, ahead the next."""
        if offset is None:
            began = self.today.weekday() >= 5
            offset = 0 if began or self.asks_ahead or self.side == "ahead" else -1
        sunday = self.span("week", offset).last
        return DateSpan(sunday - timedelta(days=1), sunday)

    def weekday(self, number: int) -> DateSpan:
        """Return the latest such weekday before today, Monday 0; told of no past, the next one."""
        days = (number - self.today.weekday() - 1) % 7 + 1
        is_ahead = self.asks_ahead or self.side == "ahead" or (self.told and self.side is None)
        is_today = days == 7
        return one_day(self.today + timedelta(days=days if is_ahead else days - 7 - 7 * is_today))

    def last_weekday(self, number: int) -> DateSpan:
        """Return the latest such weekday, or that of last week where only it is remembered."""
        latest = self.today - timedelta(days=(self.today.weekday() - number - 1) % 7 + 1)
        other = self.span("week", -1).first + timedelta(days=number)
        only_other = self._remembers(one_day(other)) and not self._remembers(one_day(latest))
        return one_day(other if only_other else latest)

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
            day = one_day(self.span("month", offset).first.replace(day=number))
            return self.beside(day) if self.beside else day

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
        if self.told and self.side == "behind":
            return latest
        if self.told:
            if following and (following.first - self.today).days <= QUARTER:
                return following
            return latest if latest and (self.today - latest.last).days <= MONTH else following
        planned = [span for span in coming if self._plans(span)]
        if self.side == "ahead" and planned:
            return planned[0]
        for span in past:
            if span.told_after and self._remembers(span, 0, span.told_after):
                return span
        for span in past:
            if self._remembers(span, AROUND, AROUND):
                return span
        if self.side == "behind":
            return latest
        soon = [
            span for span in coming if self.days and 0 < (span.first - self.today).days <= AROUND
        ]
        return next(iter(planned or soon or past), None)

    def _remembers(self, span: DateSpan, before: int = 0, after: int = 0) -> bool:
        at = bisect_left(self.days, span.first - timedelta(days=before))
        return at < len(self.days) and self.days[at] <= span.last + timedelta(days=after)

    def _plans(self, span: DateSpan) -> bool:
        at = bisect_left(self.planned, max(span.first, self.today))
        return at < len(self.planned) and self.planned[at] <= span.last


def _possible(make: Callable[[int], DateSpan], numbers: Iterable[int]) -> Iterator[DateSpan]:
    for number in numbers:
        try:
            yield make(number)
        except (ValueError, OverflowError):
            continue
