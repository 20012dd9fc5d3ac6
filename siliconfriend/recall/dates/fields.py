"""The fields of a date in words, and the day on which the words were said."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Literal

from dateutil.relativedelta import relativedelta

from siliconfriend.recall.dates.calendar import DAY, UNITS, DateSpan, months_from, one_day

Side = Literal["ahead", "behind", "rather behind"]
"""Side of today on which a date lies; "rather behind" of two that are far away."""

AROUND = 15  # days within which a remembered day counts as around a date that is asked for
SLIP, QUARTER, THIRD = 3, 92, 122  # days to a day told without its year: `Calendar._told`


@dataclass(frozen=True, slots=True)
class DateFields:
    """Fields of a date in words; None, 0 or empty if unspecified."""

    year: int | None = None  # two digits: the latest that is over or soon to come
    last_year: int | None = None
    year_offset: int | None = None  # from this year: 去年 is -1
    month: int | None = None
    last_month: int | None = None
    day: int | None = None
    last_day: int | None = None
    ends_in_month: bool = False  # "28 to 5 December": the month is that of the last day
    weekday: int | None = None  # Monday is 0
    weekend: bool = False
    season: int | None = None  # its first month
    holiday: str = ""
    last_holiday: str = ""
    around: bool = False  # the days around the holiday too
    lunar: int | None = None  # month of the lunar calendar
    third: int | None = None  # early 0, middle 1, late 2
    half: int | None = None  # the first or second of a year; 0 beside a number: and a half
    decade: int = 0
    back: int = 0  # days before today
    unit: str = ""
    number: int = 0  # how many units; 0 a few, -2 two or three
    which: int | None = None  # this 0, last -1, next 1
    nth: int = 0  # talk, week or weekday of a month, quarter; last -1
    between: tuple[int, int] = (0, 0)  # vague days back, furthest and nearest
    side: str = ""  # before, after or of the day they stand beside
    to_come: bool = False  # no date unless the words look ahead
    either_order: bool = False  # 3/12 is 12 March or 3 December

    @property
    def is_bare_day(self) -> bool:
        """True for a day without its month: "on the 20th", 15号."""
        named = self.month or self.lunar or self.unit or self.nth
        return self.day is not None and not named and self.year is None

    @property
    def is_bare_weekday(self) -> bool:
        """True for a weekday without its week or date: "on Tuesday", 周二."""
        named = self.unit or self.nth or self.month or self.day
        return self.weekday is not None and self.which is None and not named

    @property
    def names_month(self) -> bool:
        """True if the date names a month or holiday that a bare day may belong to."""
        return bool(self.month or self.holiday or self.day or self.unit == "month")

    @property
    def period(self) -> relativedelta | None:
        """Time after which days of the same name come again; None where the words say which."""
        if self.year is not None or self.year_offset is not None or self.which is not None:
            return None
        if self.is_bare_day:
            return UNITS["month"].length
        if self.weekday is not None and not self.nth:
            return UNITS["week"].length
        return UNITS["year"].length if self.month or self.holiday else None


NO_FIELDS = DateFields()


@dataclass(frozen=True, slots=True)
class Calendar:
    """The day of the words, and the remembered and planned days around it.

    Attributes:
        today: the person's day the words were said on.
        days: the days there are memories of, ascending.
        planned: days to come of which something was told, ascending.
        is_statement: the words do not ask for what was; a day without its year is soon or ahead.
        side: the side of today that the words look to.
    """

    today: date
    days: Sequence[date] = ()
    planned: Sequence[date] = ()
    is_statement: bool = False
    side: Side | None = None

    @property
    def looks_ahead(self) -> bool:
        """True if the words look ahead, or are a statement without past tense."""
        return self.side == "ahead" if self.side else self.is_statement

    def span(self, unit: str, offset: int) -> DateSpan:
        """Return this day, week, month or year (0), the last (-1), the next (1)."""
        day = self.today + UNITS[unit].length * offset
        if unit == "week":
            monday = day - day.weekday() * DAY
            return DateSpan(monday, monday + 6 * DAY)
        if unit == "month":
            return months_from(day.year, day.month)
        return months_from(day.year, 1, 12) if unit == "year" else one_day(day)

    def choose(self, make: Callable[[int], DateSpan], numbers: Iterable[int]) -> DateSpan | None:
        """Choose among the same days of some years or months, the latest of which is first.

        Of a statement: see :meth:`_told`. Of a question: what was told at that time, else what is
        planned or soon, else the latest that has begun. ``make`` raises ValueError where there is
        no such day.
        """
        candidates = []
        for number in numbers:
            with suppress(ValueError, OverflowError):
                candidates.append(make(number))
        past = [span for span in candidates if span.first <= self.today]
        coming = [span for span in reversed(candidates) if span.last >= self.today]
        latest, following = next(iter(past), None), next(iter(coming), None)
        if self.is_statement:
            return self._told(latest, following)
        planned = [
            span for span in coming if _within(self.planned, max(span.first, self.today), span.last)
        ]
        if self.side == "ahead" and planned:
            return planned[0]
        told_of = (
            span for span in past if span.told_after and self.remembers(span, 0, span.told_after)
        )
        around = (span for span in past if self.remembers(span, AROUND, AROUND))
        found = next(told_of, None) or next(around, None)
        if found or self.side == "behind":
            return found or latest
        soon = [
            span for span in coming if self.days and 0 < (span.first - self.today).days <= AROUND
        ]
        return next(iter(planned or soon or past), None)

    def _told(self, latest: DateSpan | None, following: DateSpan | None) -> DateSpan | None:
        """Choose between the latest and the following such days of a statement.

        The nearest of them, unless the sentence clearly says the other side and the nearest is not
        a few days off. None where both are plausible, far away on both sides.
        """
        if latest is None or following is None or latest == following:
            return latest or following
        back, on = (self.today - latest.last).days, (following.first - self.today).days
        nearest, distance = (latest, back) if back < on else (following, on)
        if self.side == "rather behind":
            return nearest if distance <= QUARTER else latest
        if self.side:
            meant = following if self.side == "ahead" else latest
            return nearest if distance <= SLIP else meant
        if distance <= QUARTER:
            return nearest
        # An appointment is told before its day; a month far away may be either.
        return following if following.length == 1 else nearest if distance <= THIRD else None

    def remembers(self, span: DateSpan, before: int = 0, after: int = 0) -> bool:
        """Return True if there are memories of a span, or so many days before or after it."""
        return _within(self.days, span.first - before * DAY, span.last + after * DAY)


def _within(days: Sequence[date], first: date, last: date) -> bool:
    at = bisect_left(days, first)
    return at < len(days) and days[at] <= last


def part_of(span: DateSpan, fields: DateFields) -> DateSpan:
    """Return the half or third of whole months that is said; about ten days of a single month."""
    which, of = (fields.third, 3) if fields.half is None else (fields.half, 2)
    months = round(span.length / 30.4)
    if which is None or not months:
        return span
    if months > 1:
        start = span.first + relativedelta(months=months // of * which)
        return months_from(start.year, start.month, months // of)
    start = span.first.replace(day=1 + 10 * which)
    return DateSpan(start, span.last if which == 2 else start + 9 * DAY)
