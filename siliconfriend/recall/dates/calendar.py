"""Calendar arithmetic relative to the day that words are said on.

A date said in words means something only against a day: the day the question is asked,
or the day a turn was said. Every resolver asks a :class:`Calendar`, so that
"last week" and 上周 can never come to mean different days. Weeks begin on Monday. A third of
a month is its days 1-10, 11-20 and 21 to the end, in both languages.
"""

from __future__ import annotations

from bisect import bisect_left
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from dateutil.relativedelta import relativedelta

PartOfDay = Literal["morning", "afternoon", "evening"]
Unit = Literal["day", "week", "month", "year"]
Third = Literal[0, 1, 2]
Half = Literal[0, 1]
Side = Literal["before", "after", "of"]

AROUND = 15
"""Days within which a remembered day counts as around a date: half a month, since "May 4" of a
year in which they talked all through April and May means that year, talked on the 4th or not."""

TOLD_AFTER = 3
"""Days after a feast on which it is still told of: what happened on New Year's Eve is told on New
Year's Day at the earliest."""

YEARS_AHEAD = 20
"""So far ahead a year of two digits may lie; people tell of their parents' youth more often."""

NEAR = 31
"""So many days from today a day is near enough to be meant, where only another one is likelier by
its words: who is sore from the race on 6 September does not speak of next year's a week later."""

LEAP_CYCLE = 8
"""How many years without the 29th of February can follow each other at most, and one more."""


@dataclass(frozen=True, slots=True)
class DateRange:
    """Days, both inclusive.

    Attributes:
        first, last: of the days.
        part: the part of the day where the words say it.
        told_after: how many days after them they are still told of, as feasts are.
        vague: the words only say about when ("recently").
        is_talk: the words name a conversation of that day, and nothing else that happened on it.
        others: days before them that the same words name as well ("the last two Christmases").
    """

    first: date
    last: date
    part: PartOfDay | None = None
    told_after: int = 0
    vague: bool = False
    is_talk: bool = False
    others: tuple[DateRange, ...] = ()

    @property
    def length(self) -> int:
        """How many days."""
        return (self.last - self.first).days + 1

    def third(self, which: Third) -> DateRange:
        """The early, middle or late third of a month, season or year; of shorter spans the whole."""
        days = (self.last - self.first).days
        if 31 < days < 100:
            start = self.first + relativedelta(months=which)
            return DateRange(start, start + relativedelta(months=1, days=-1))
        if days > 31:
            start = self.first + relativedelta(months=4 * which)
            return DateRange(start, start + relativedelta(months=4, days=-1))
        if days < 27:
            return self
        start = self.first.replace(day=1 + 10 * which)
        return DateRange(start, self.last if which == 2 else start + timedelta(days=9))

    def later(self, *, weeks: int) -> DateRange:
        """The same days so many weeks later; earlier for a negative number."""
        return DateRange(self.first + timedelta(weeks=weeks), self.last + timedelta(weeks=weeks))

    def half(self, which: Half) -> DateRange:
        """The first or the second half of a year."""
        start = self.first + relativedelta(months=6 * which)
        return DateRange(start, start + relativedelta(months=6, days=-1))


def one_day(day: date, part: PartOfDay | None = None) -> DateRange:
    """A single day."""
    return DateRange(day, day, part)


def whole_month(year: int, month: int) -> DateRange:
    """All days of a month; ValueError where there is no such month."""
    return DateRange(date(year, month, 1), date(year, month, monthrange(year, month)[1]))


def whole_year(year: int) -> DateRange:
    """All days of a year; ValueError where there is no such year."""
    return DateRange(date(year, 1, 1), date(year, 12, 31))


def three_months(year: int, first_month: int) -> DateRange:
    """Three months from ``first_month``: the seasons of the northern half, winter from December."""
    start = date(year, first_month, 1)
    return DateRange(start, start + relativedelta(months=3, days=-1))


def months_from_to(year: int, month: int, last_month: int) -> DateRange:
    """From a month of a year to the next of another: May to July, November to February."""
    last_year = year if last_month >= month else year + 1
    return DateRange(date(year, month, 1), whole_month(last_year, last_month).last)


@dataclass(frozen=True, slots=True)
class Calendar:
    """The day words are said on, and the days there are memories of.

    Attributes:
        today: the person's day the words were said on.
        days: the days they have memories of, ascending.
        nearest: a date without its year is the one nearest to ``today``, as in something
            just said ("the exam is on May 4"), and not one that is remembered.
        ahead: it is the next one to come, as in "What have I planned for May?".
        behind: it is the last one that has begun, as in "On May 4 I flew to Oslo".
        doubtful: that is only likely; a day near today is meant all the same.
        planned: days to come of which something was told, ascending. One of them is meant where
            no such day behind is remembered.
        may_come: it is one of them first of all, as in "What is on May 4?".
        beside: the days that are meant are those beside what recurs ("the week after Easter"): which
            Easter it is follows from them.
    """

    today: date
    days: tuple[date, ...] = ()
    nearest: bool = False
    ahead: bool = False
    behind: bool = False
    doubtful: bool = False
    planned: tuple[date, ...] = ()
    may_come: bool = False
    beside: Callable[[DateRange], DateRange] | None = None

    def named(self, make: Callable[[int], DateRange]) -> Callable[[int], DateRange]:
        """What recurs, as it is named here: itself, or the days beside it that are meant."""
        beside = self.beside
        return make if beside is None else lambda number: beside(make(number))

    def back(self, number: int, unit: Unit) -> date:
        """The day ``number`` units before today; after it for a negative number."""
        steps = {
            "day": relativedelta(days=number),
            "week": relativedelta(weeks=number),
            "month": relativedelta(months=number),
            "year": relativedelta(years=number),
        }
        return self.today - steps[unit]

    def ago(self, number: int, unit: Unit) -> DateRange:
        """``number`` units ago, good to half a unit: "two weeks ago" is that day and 3 around it."""
        slack = {"day": 0, "week": 3, "month": 15, "year": 182}[unit]
        middle = self.back(number, unit)
        last = min(middle + timedelta(days=slack), self.today) if number >= 0 else middle
        return DateRange(middle - timedelta(days=slack), last)

    def between(self, furthest: int, nearest: int, unit: Unit = "day") -> DateRange:
        """From ``furthest`` to ``nearest`` units before today."""
        return DateRange(self.back(furthest, unit), self.back(nearest, unit))

    def full_year(self, year: int) -> int:
        """A year of two digits as the latest that is over or soon to come; others as they are."""
        if year >= 100:
            return year
        year += self.today.year // 100 * 100
        if year > self.today.year + YEARS_AHEAD:
            return year - 100
        return year + 100 if year <= self.today.year + YEARS_AHEAD - 100 else year

    def week(self, offset: int) -> DateRange:
        """Monday to Sunday of this week (0), the last (-1), the next (1)."""
        monday = self.today - timedelta(days=self.today.weekday()) + timedelta(weeks=offset)
        return DateRange(monday, monday + timedelta(days=6))

    def month(self, offset: int) -> DateRange:
        """This month (0), the last (-1), the next (1)."""
        day = self.today + relativedelta(months=offset)
        return whole_month(day.year, day.month)

    def year(self, offset: int) -> DateRange:
        """This year (0), the last (-1), the next (1)."""
        return whole_year(self.today.year + offset)

    def own_year(self, back: int | None) -> DateRange:
        """This year, or the one up to today where it is counted back; in January the last, up to today."""
        if self.ahead:
            return self.year(0)
        if self.today.month == 1:
            return DateRange(self.year(-1).first, self.today)
        return DateRange(self.back(back, "year"), self.today) if back else self.year(0)

    def span(self, unit: Unit, offset: int) -> DateRange:
        """The day, week, month or year that lies ``offset`` of them from today's."""
        if unit == "day":
            day = self.today + timedelta(days=offset)
            return DateRange(day, day)
        return {"week": self.week, "month": self.month, "year": self.year}[unit](offset)

    def begun(self, unit: Unit, which: Third) -> DateRange:
        """The third of this month or year, or of the last one where this one's has yet to begin."""
        this = self.span(unit, 0).third(which)
        if self.nearest or this.first <= self.today:
            return this
        return self.span(unit, -1).third(which)

    def weekday(self, number: int) -> DateRange:
        """The latest such weekday before today; Monday is 0. In what was just said, the nearest.

        Where it is said to lie ahead, the next one after today.
        """
        behind = (self.today.weekday() - number - 1) % 7 + 1
        if self.ahead or (self.nearest and behind > 3 and not self.behind):
            return one_day(self.today + timedelta(days=(number - self.today.weekday() - 1) % 7 + 1))
        return one_day(self.today - timedelta(days=behind))

    def last_weekday(self, number: int) -> DateRange:
        """The latest such weekday before today, or that of last week where only it is remembered."""
        latest = self.today - timedelta(days=(self.today.weekday() - number - 1) % 7 + 1)
        of_last_week = self.week(-1).first + timedelta(days=number)
        return one_day(of_last_week if self._only(of_last_week, latest) else latest)

    def weekend(self, offset: int | None) -> DateRange:
        """Saturday and Sunday of the week at ``offset``; None: the latest that has begun."""
        if offset is None:
            offset = 0 if self.today.weekday() >= 5 else -1
        sunday = self.week(offset).last
        return DateRange(sunday - timedelta(days=1), sunday)

    def in_year(self, make: Callable[[int], DateRange]) -> DateRange | None:
        """A date without its year: the latest not after today that has memories around it.

        Where none has, one ahead of which something was told, or that is only days ahead, or the
        latest not after today. ``make`` gives the days in a year and raises ValueError for a year that
        lacks them.
        """
        oldest = min(self.today.year, self.days[0].year if self.days else self.today.year)
        newest = self.today.year + (LEAP_CYCLE if self.ahead else 1)
        years = range(newest, max(oldest - LEAP_CYCLE, 1) - 1, -1)
        candidates = list(_possible(make, years))
        nearest = min(candidates, key=self._distance, default=None)
        if self.doubtful and nearest is not None and self._distance(nearest) <= NEAR:
            return nearest
        return self._choose(candidates)

    def in_month(self, number: int) -> DateRange | None:
        """A day of the month without its month, chosen as :meth:`in_year` chooses the year."""
        oldest = self.days[0] if self.days else self.today
        count = (self.today.year - oldest.year) * 12 + self.today.month - oldest.month

        def make(offset: int) -> DateRange:
            month = self.month(offset)
            return one_day(month.first.replace(day=number))

        return self._choose(list(_possible(self.named(make), range(1, -max(count, 0) - 3, -1))))

    def talk(self, number: int) -> DateRange | None:
        """The day of the first (1), second … talk; the last before today (-1)."""
        if number > 0:
            return one_day(self.days[number - 1]) if number <= len(self.days) else None
        before = bisect_left(self.days, self.today)
        return one_day(self.days[before - 1]) if before else None

    def _choose(self, candidates: list[DateRange]) -> DateRange | None:
        """The one of some days of different years or months that is meant.

        A feast is first of all one of which something was told at its time: nobody who asks for
        Shrove Tuesday means the one of which nothing was said.
        """
        past = [span for span in candidates if span.first <= self.today]
        if self.ahead:
            coming = [span for span in candidates if span.last >= self.today]
            return min(coming, key=self._distance, default=None)
        if self.behind and self.nearest:
            return next(iter(past), None)
        if not self.nearest:
            planned = [span for span in reversed(candidates) if self._plans(span)]
            if self.may_come and planned:
                return planned[0]
            for span in past:
                if span.told_after and self._remembers_telling(span):
                    return span
            for span in past:
                if self._remembers(span, AROUND):
                    return span
            if self.behind:
                return next(iter(past), None)
            ahead = candidates if self.days else []
            soon = [span for span in ahead if 0 < (span.first - self.today).days <= AROUND]
            return next(iter(planned or soon or past), None)
        return min(candidates, key=self._distance, default=None)

    def _remembers(self, span: DateRange, around: int = 0) -> bool:
        at = bisect_left(self.days, span.first - timedelta(days=around))
        return at < len(self.days) and self.days[at] <= span.last + timedelta(days=around)

    def _plans(self, span: DateRange) -> bool:
        at = bisect_left(self.planned, max(span.first, self.today))
        return at < len(self.planned) and self.planned[at] <= span.last

    def _remembers_telling(self, span: DateRange) -> bool:
        at = bisect_left(self.days, span.first)
        until = span.last + timedelta(days=span.told_after)
        return at < len(self.days) and self.days[at] <= until

    def _only(self, this: date, other: date) -> bool:
        return self._remembers(one_day(this)) and not self._remembers(one_day(other))

    def _distance(self, span: DateRange) -> int:
        if span.first <= self.today <= span.last:
            return 0
        return min(abs((span.first - self.today).days), abs((span.last - self.today).days))


def _possible(make: Callable[[int], DateRange], numbers: Iterable[int]) -> Iterator[DateRange]:
    for number in numbers:
        try:
            yield make(number)
        except (ValueError, OverflowError):
            continue
