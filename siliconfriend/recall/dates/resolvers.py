"""Resolvers: the days that what a date says means, one for each kind of date, for both languages."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Literal

from dateutil.relativedelta import SA, relativedelta

from siliconfriend.recall.dates.calendar import (
    DAY,
    UNITS,
    WEEK,
    DateSpan,
    feast_in,
    lunar_day,
    lunar_month,
    months_from,
    one_day,
)

Side = Literal["ahead", "behind"]

AROUND = 15  # days within which a remembered day counts as around a date that is asked for
QUARTER, MONTH = 92, 31  # days ahead, else behind, within which a day told without its year lies
YEARS_AHEAD = 20  # how many years ahead a year of two digits may lie
LEAP_CYCLE = 8  # most years from one 29 February to the next
MONTHS_BACK = 24  # months back in which a day without its month is looked for
FEW, FEW_DAYS = 6, 10  # most that "a few" units are, and a few days; at least two
MOST_FEASTS, SATURDAY = 10, 5
TOLD_AFTER = 3  # days after a feast on which it is still told of


@dataclass(frozen=True, slots=True)
class Said:
    """Fields of a date in words; None, else 0 or an empty text, for those not said."""

    year: int | None = None  # two digits: the latest that is over or soon to come
    last_year: int | None = None
    year_offset: int | None = None  # from this year: 去年 is -1
    month: int | None = None
    last_month: int | None = None
    day: int | None = None
    last_day: int | None = None
    weekday: int | None = None  # Monday is 0
    weekend: bool = False
    season: int | None = None  # its first month
    feast: str = ""
    last_feast: str = ""
    holiday: bool = False  # the days around the feast too
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


UNSAID = Said()


@dataclass(frozen=True, slots=True)
class Calendar:
    """The day words are said on, and what is known of the days around it.

    Attributes:
        today: the person's day the words were said on.
        days: the days there are memories of, ascending.
        planned: days to come of which something was told, ascending.
        told: the words do not ask for what was; a day without its year is near or ahead.
        side: the side of today that the words look to.
    """

    today: date
    days: Sequence[date] = ()
    planned: Sequence[date] = ()
    told: bool = False
    side: Side | None = None

    @property
    def looks_ahead(self) -> bool:
        """True if the words look ahead, or tell without saying that it is over."""
        return self.side == "ahead" if self.side else self.told

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

        Told: on the side that the sentence says, else within a quarter, else just over, else
        ahead. Asked for: what was told at that time, else what is planned or soon, else the
        latest that has begun. ``make`` raises ValueError where there is no such day.
        """
        candidates = []
        for number in numbers:
            with suppress(ValueError, OverflowError):
                candidates.append(make(number))
        past = [span for span in candidates if span.first <= self.today]
        coming = [span for span in reversed(candidates) if span.last >= self.today]
        latest, following = next(iter(past), None), next(iter(coming), None)
        if self.told:
            is_soon = following and (following.first - self.today).days <= QUARTER
            is_just_over = latest and (self.today - latest.last).days <= MONTH
            is_over = not self.side and is_just_over and not is_soon
            return latest if is_over or self.side == "behind" else following
        planned = [it for it in coming if _within(self.planned, max(it.first, self.today), it.last)]
        if self.side == "ahead" and planned:
            return planned[0]
        told_of = (it for it in past if it.told_after and self.remembers(it, 0, it.told_after))
        around = (it for it in past if self.remembers(it, AROUND, AROUND))
        found = next(told_of, None) or next(around, None)
        if found or self.side == "behind":
            return found or latest
        soon = [it for it in coming if self.days and 0 < (it.first - self.today).days <= AROUND]
        return next(iter(planned or soon or past), None)

    def remembers(self, span: DateSpan, before: int = 0, after: int = 0) -> bool:
        """Return True if there are memories of a span, or so many days before or after it."""
        return _within(self.days, span.first - before * DAY, span.last + after * DAY)


def _within(days: Sequence[date], first: date, last: date) -> bool:
    at = bisect_left(days, first)
    return at < len(days) and days[at] <= last


def _cut(whole: DateSpan, said: Said) -> DateSpan:
    """The half or third of whole months that is said; about ten days of a single one."""
    which, of = (said.third, 3) if said.half is None else (said.half, 2)
    months = round(whole.length / 30.4)
    if which is None or not months:
        return whole
    if months > 1:
        start = whole.first + relativedelta(months=months // of * which)
        return months_from(start.year, start.month, months // of)
    start = whole.first.replace(day=1 + 10 * which)
    return DateSpan(start, whole.last if which == 2 else start + 9 * DAY)


# what recurs


def recurring(said: Said, calendar: Calendar) -> DateSpan | None:
    """A month, day, season, feast or quarter in the year that is named, else in the one meant.

    4/28 and 28.04 are the same day; one without its month (27号) is of the month meant.
    """
    this_year = calendar.today.year
    if said.month is None and said.lunar is None and (day := said.day) is not None:
        return calendar.choose(
            lambda offset: one_day(calendar.span("month", offset).first.replace(day=day)),
            range(1, -MONTHS_BACK, -1),
        )
    if said.day and said.month and said.month > 12:
        said = replace(said, month=said.day, day=said.month)
    make = partial(_in_year, said)
    if said.year is not None:
        limit = this_year + YEARS_AHEAD
        year = said.year if said.year >= 100 else limit - (limit - said.year) % 100
        return replace(make(year), last=make(said.last_year or year).last)
    if said.year_offset is not None:
        return make(this_year + said.year_offset)
    if said.which is None:
        oldest = min([this_year, *(day.year for day in calendar.days[:1])])
        years = range(this_year + LEAP_CYCLE, max(oldest - LEAP_CYCLE, 1) - 1, -1)
        return calendar.choose(make, years)
    this = make(this_year)
    if said.which == 0:
        return this
    if said.which > 0:
        return this if this.first > calendar.today else make(this_year + 1)
    years = range(this_year, this_year + said.which - 2, -1)  # a winter ends in the next year
    over = [span for span in map(make, years) if span.last < calendar.today]
    return over[-said.which - 1]


def _in_year(said: Said, year: int) -> DateSpan:
    if said.feast:
        found = feast_in(said.feast, year, holiday=said.holiday)
        if not said.last_feast:
            return replace(found, told_after=TOLD_AFTER)
        end = feast_in(said.last_feast, year).last
        later = end if end >= found.first else feast_in(said.last_feast, year + 1).last
        return DateSpan(found.first, later)
    if said.lunar is not None:
        if said.day is None:
            return lunar_month(year, said.lunar)
        return replace(one_day(lunar_day(year, said.lunar, said.day)), told_after=TOLD_AFTER)
    if said.season is not None:
        return _cut(months_from(year, said.season, 3), said)
    if said.month is None:
        if said.unit != "quarter":
            return _cut(months_from(year, 1, 12), said)
        return months_from(year, 10 if said.nth < 0 else 3 * said.nth - 2, 3)
    if said.nth:
        return _nth_in(months_from(year, said.month), said)
    if said.last_month is not None:
        return months_from(year, said.month, (said.last_month - said.month) % 12 + 1)
    if said.day is not None:
        last = date(year, said.month, said.last_day or said.day)
        return DateSpan(date(year, said.month, said.day), last)
    return _cut(months_from(year, said.month), said)


def _nth_in(month: DateSpan, said: Said) -> DateSpan:
    first = month.first if said.nth > 0 else month.last - 6 * DAY
    named = SATURDAY if said.weekend else said.weekday
    if named is not None:
        first += (named - first.weekday()) % 7 * DAY
    first += max(said.nth - 1, 0) * WEEK
    if first > month.last:
        raise ValueError(said.nth)
    return DateSpan(first, first + (1 if said.weekend else 6 if named is None else 0) * DAY)


def last_feasts(said: Said, calendar: Calendar) -> tuple[DateSpan, ...]:
    """Return the last two Christmases: that of each year; told, they are of no day."""
    number = 0 if calendar.told else min(said.number, MOST_FEASTS)
    found = [recurring(replace(said, which=-back), calendar) for back in range(number, 0, -1)]
    return tuple(days for days in found if days is not None)


def decade(said: Said, _: Calendar) -> DateSpan:
    """In the nineties, in the late 1980s, 九十年代初."""
    first = said.decade + (1900 if said.decade < 100 else 0)
    start, years = (first, 9) if said.third is None else (first + 3 * said.third, 3)
    return DateSpan(date(start, 1, 1), date(start + years, 12, 31))


def talk(said: Said, calendar: Calendar) -> DateSpan | None:
    """Our first conversation, 上次聊天."""
    number = said.nth or 1
    at = number - 1 if number > 0 else bisect_left(calendar.days, calendar.today) - 1
    is_known = 0 <= at < len(calendar.days)
    return replace(one_day(calendar.days[at]), is_talk=True) if is_known else None


# days counted from today


def back(said: Said, calendar: Calendar) -> DateSpan:
    """Today, last night, 大前天, two years ago today: so many days before today, and years from it."""
    years = UNITS["year"].length * (said.year_offset or 0)
    return one_day(calendar.today - said.back * DAY + years)


def unit(said: Said, calendar: Calendar) -> DateSpan:
    """This week, early last year, Tuesday of last week, 上月5号, 年底, 下半年.

    The end of the month or year is this one's, or where it has yet to begin the last one's.
    """
    if said.weekend:
        return _weekend(said.which, calendar)
    if said.weekday is not None and not said.unit:
        return one_day(_weekday(said.weekday, said.which, calendar))
    span = calendar.span(said.unit or "year", said.which or 0)
    if said.weekday is not None:
        return one_day(span.first + said.weekday * DAY)
    if said.day is not None:
        return one_day(span.first.replace(day=said.day))
    found = _cut(span, said)
    if said.which is None and not calendar.told and found.first > calendar.today:
        return _cut(calendar.span(said.unit or "year", -1), said)
    return found


def _weekend(which: int | None, calendar: Calendar) -> DateSpan:
    """The weekend of a week; without ``which`` the latest that has begun, ahead the next."""
    if which is None:
        is_this = calendar.side == "ahead" or calendar.today.weekday() >= SATURDAY
        which = 0 if is_this else -1
    sunday = calendar.span("week", which).last
    return DateSpan(sunday - DAY, sunday)


def _weekday(number: int, which: int | None, calendar: Calendar) -> date:
    """On Tuesday: the latest or the next; last Tuesday: the latest, else the one remembered."""
    today = calendar.today
    following = today + ((number - today.weekday() - 1) % 7 + 1) * DAY
    latest = today - ((today.weekday() - number - 1) % 7 + 1) * DAY
    if which is None:
        return following if calendar.looks_ahead else latest
    of_week = calendar.span("week", -1 if which < 0 else 0).first + number * DAY
    if which == 0:
        return of_week
    if which > 0:
        return following + (which - 1) * WEEK
    is_other = calendar.remembers(one_day(of_week)) and not calendar.remembers(one_day(latest))
    return (of_week if is_other else latest) + (which + 1) * WEEK


def own_year(said: Said, calendar: Calendar) -> DateSpan | None:
    """My year, 我这一年; in January the last, up to today. Told, "you made my year" is of no days."""
    if calendar.told:
        return None
    if calendar.today.month == 1:
        return DateSpan(calendar.span("year", -1).first, calendar.today)
    return past(said, calendar) if said.number else calendar.span("year", 0)


def _time(said: Said) -> relativedelta:
    """Two weeks, half a year, a month and a half; the most that a few or two or three may be."""
    of = UNITS[said.unit]
    if said.half is not None:
        return of.length * said.number + of.half
    number = said.number or (FEW_DAYS if said.unit == "day" else FEW)
    return of.length * (number if number > 0 else 1 - number)


def ago(said: Said, calendar: Calendar) -> DateSpan:
    """Two weeks ago, a few days ago, a couple of years ago, 两年半前: that day and half a unit around it."""
    slack = UNITS[said.unit].half
    if said.half is not None:
        slack = UNITS["month" if said.unit == "year" else "week"].half
    elif said.number == 0:
        nearest = calendar.today - 2 * UNITS[said.unit].length
        return DateSpan(calendar.today - _time(said), nearest, vague=True)
    elif said.number < 0:
        nearest = ago(replace(said, number=-said.number), calendar).last
        return DateSpan(calendar.today - _time(said) - slack, nearest)
    middle = calendar.today - _time(said)
    return DateSpan(middle - slack, min(middle + slack, calendar.today))


def past(said: Said, calendar: Calendar) -> DateSpan:
    """In the last two weeks, over the past few days, 近几个月."""
    return DateSpan(calendar.today - _time(said), calendar.today)


def coming(said: Said, calendar: Calendar) -> DateSpan:
    """In the coming weeks, over the next two months, 接下来几周."""
    return DateSpan(calendar.today, calendar.today + _time(said))


def ahead(said: Said, calendar: Calendar) -> DateSpan:
    """Three days from now, in two weeks, 再过三天."""
    return one_day(calendar.today + _time(said))


def rest(said: Said, calendar: Calendar) -> DateSpan:
    """Later this year, the rest of the month, 今年接下来."""
    return DateSpan(calendar.today, calendar.span(said.unit, 0).last)


def vague(said: Said, calendar: Calendar) -> DateSpan:
    """Recently, the other day, 前几天."""
    furthest, nearest = (calendar.today - number * DAY for number in said.between)
    return DateSpan(furthest, nearest, vague=True)


# days beside others


def beside(days: DateSpan, said: Said) -> DateSpan | None:
    """The day before Christmas Eve, two weeks after Easter, the weekend of 14 June, 国庆前一天.

    None for what names no other days: "the morning of 5 May".
    """
    monday = days.first - days.first.weekday() * DAY
    if said.weekend:
        saturday = monday + SATURDAY * DAY
        if said.side == "before":
            saturday = days.first + relativedelta(days=-2, weekday=SA(-1))
        elif said.side == "after":
            saturday = days.last + relativedelta(days=1, weekday=SA)
        return DateSpan(saturday, saturday + DAY)
    if said.side == "of":
        return DateSpan(monday, monday + 6 * DAY) if said.unit in ("", "week") else None
    number, length = said.number or 1, UNITS[said.unit or "day"].length
    first = days.last + DAY + length * (number - 1)
    if said.side == "before":
        first = days.first - length * number
    return DateSpan(first, first + length - DAY)
