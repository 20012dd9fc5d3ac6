"""Resolvers: the days that what a date says means, one for each kind of date, for both languages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TypeVar

from dateutil.relativedelta import relativedelta

from siliconfriend.recall.dates.calendar import (
    DAY,
    UNITS,
    WEEK,
    Calendar,
    DateSpan,
    feast_in,
    lunar_day,
    lunar_month,
    months_from,
    one_day,
)

T = TypeVar("T")

MOST_FEASTS, SATURDAY = 10, 5
TOLD_AFTER = 3  # days after a feast on which it is still told of


@dataclass(frozen=True, slots=True)
class Said:
    """Fields of a date in words; None for those not said."""

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
    feast: str | None = None
    last_feast: str | None = None
    holiday: bool = False  # the days around the feast too
    lunar: int | None = None  # month of the lunar calendar
    third: int | None = None  # early 0, middle 1, late 2
    half: int | None = None  # the first or second of a year; 0 beside a number: and a half
    decade: int | None = None
    back: int = 0  # days before today
    unit: str | None = None
    number: int | None = None  # how many units; 0 a few, -2 two or three
    which: int | None = None  # this 0, last -1, next 1
    nth: int | None = None  # talk, week or weekday of a month, quarter; last -1
    between: tuple[int, int] | None = None  # vague days back, furthest and nearest
    side: str | None = None  # before, after or of the day they stand beside
    to_come: bool = False  # no date unless the words look ahead


UNSAID = Said()


def _required(value: T | None) -> T:
    """Return a field that the form's pattern always fills."""
    if value is None:
        raise ValueError
    return value


def _cut(whole: DateSpan, said: Said) -> DateSpan:
    if said.half is not None:
        return whole.cut(said.half, 2)
    return whole if said.third is None else whole.cut(said.third, 3)


# what recurs


def recurring(said: Said, calendar: Calendar) -> DateSpan | None:
    """A month, day, season, feast or quarter in the year that is named, else in the one meant.

    A day without its month (27号) is of the one meant.
    """
    if said.day is not None and said.month is None and said.lunar is None:
        return calendar.in_month(said.day)

    def make(year: int) -> DateSpan:
        return _in_year(said, year)

    this_year = calendar.today.year
    if said.year is not None:
        first, last = (
            calendar.full_year(year) for year in (said.year, said.last_year or said.year)
        )
        return DateSpan(make(first).first, make(last).last) if last > first else make(first)
    if said.year_offset is not None:
        return make(this_year + said.year_offset)
    if said.which is None:
        return calendar.in_year(make)
    this = make(this_year)
    if said.which == 0:
        return this
    if said.which > 0:
        return this if this.first > calendar.today else make(this_year + 1)
    at = this_year
    while this.last >= calendar.today:
        at -= 1
        this = make(at)
    return make(at + said.which + 1)


def _in_year(said: Said, year: int) -> DateSpan:
    if said.feast is not None:
        found = feast_in(said.feast, year, holiday=said.holiday)
        if said.last_feast is None:
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
        nth = _required(said.nth)
        return months_from(year, 10 if nth < 0 else 3 * nth - 2, 3)
    if said.nth is not None:
        return _nth_in(months_from(year, said.month), said.nth, said)
    if said.last_month is not None:
        return months_from(year, said.month, (said.last_month - said.month) % 12 + 1)
    if said.day is not None:
        last = date(year, said.month, said.last_day or said.day)
        return DateSpan(date(year, said.month, said.day), last)
    return _cut(months_from(year, said.month), said)


def _nth_in(month: DateSpan, nth: int, said: Said) -> DateSpan:
    first = month.first if nth > 0 else month.last - 6 * DAY
    named = SATURDAY if said.weekend else said.weekday
    if named is not None:
        first += (named - first.weekday()) % 7 * DAY
    first += max(nth - 1, 0) * WEEK
    if first > month.last:
        raise ValueError(nth)
    return DateSpan(first, first + (1 if said.weekend else 6 if named is None else 0) * DAY)


def numeric(said: Said, calendar: Calendar) -> DateSpan | None:
    """4/28/2023, 28.04.2023: the month first unless it cannot be one."""
    if _required(said.month) > 12:
        said = replace(said, month=said.day, day=said.month)
    return recurring(said, calendar)


def last_feasts(said: Said, calendar: Calendar) -> tuple[DateSpan, ...]:
    """Return the last two Christmases: that of each year; told, they are of no day."""
    number = 0 if calendar.told else min(_required(said.number), MOST_FEASTS)
    found = [recurring(replace(said, which=-back), calendar) for back in range(number, 0, -1)]
    return tuple(days for days in found if days is not None)


def decade(said: Said, _: Calendar) -> DateSpan:
    """In the nineties, in the late 1980s, 九十年代初."""
    first = _required(said.decade)
    first += 1900 if first < 100 else 0
    start, years = (first, 9) if said.third is None else (first + 3 * said.third, 3)
    return DateSpan(date(start, 1, 1), date(start + years, 12, 31))


def talk(said: Said, calendar: Calendar) -> DateSpan | None:
    """Our first conversation, 上次聊天."""
    return calendar.talk(said.nth or 1)


# days counted from today


def back(said: Said, calendar: Calendar) -> DateSpan:
    """Today, last night, 大前天, two years ago today: so many days before today, and years from it."""
    years = UNITS["year"].length * (said.year_offset or 0)
    return one_day(calendar.back(said.back) + years)


def unit(said: Said, calendar: Calendar) -> DateSpan:
    """This week, early last year, Tuesday of last week, on Tuesday, the weekend, 上月5号, 年底, 下半年.

    The end of the month or year is this one's, or where it has yet to begin the last one's.
    """
    if said.weekend:
        return calendar.weekend(said.which)
    if said.weekday is not None and said.unit is None:
        return calendar.weekday(said.weekday, said.which)
    span = calendar.span(said.unit or "year", said.which or 0)
    if said.weekday is not None:
        return one_day(span.first + said.weekday * DAY)
    if said.day is not None:
        return one_day(span.first.replace(day=said.day))
    found = _cut(span, said)
    is_begun = calendar.told or calendar.asks_ahead or found.first <= calendar.today
    if said.which is None and not is_begun:
        return _cut(calendar.span(said.unit or "year", -1), said)
    return found


def own_year(said: Said, calendar: Calendar) -> DateSpan | None:
    """My year, 我这一年; in January the last, up to today. Told, "you made my year" is of no days."""
    if calendar.told or calendar.asks_ahead:
        return None if calendar.told else calendar.span("year", 0)
    if calendar.today.month == 1:
        return DateSpan(calendar.span("year", -1).first, calendar.today)
    return past(said, calendar) if said.number else calendar.span("year", 0)


def _time(said: Said) -> relativedelta:
    """Two weeks, half a year, a month and a half; the most that a few may be."""
    of = UNITS[_required(said.unit)]
    if said.half is not None:
        return of.length * (said.number or 0) + of.half
    return of.length * said.number if said.number else relativedelta(days=of.few[0])


def ago(said: Said, calendar: Calendar) -> DateSpan:
    """Two weeks ago, a few days ago, a couple of years ago, 两年半前: that day and half a unit around it."""
    number, of = said.number or 0, UNITS[_required(said.unit)]
    if said.half is not None:
        of = UNITS["month" if said.unit == "year" else "week"]
    elif number == 0:
        furthest, nearest = of.few
        return DateSpan(calendar.back(furthest), calendar.back(nearest), vague=True)
    elif number < 0:
        first, last = (ago(replace(said, number=it), calendar) for it in (1 - number, -number))
        return DateSpan(first.first, last.last)
    middle = calendar.today - _time(said)
    return DateSpan(middle - of.slack * DAY, min(middle + of.slack * DAY, calendar.today))


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
    return DateSpan(calendar.today, calendar.span(_required(said.unit), 0).last)


def vague(said: Said, calendar: Calendar) -> DateSpan:
    """Recently, the other day, 前几天."""
    furthest, nearest = _required(said.between)
    return DateSpan(calendar.back(furthest), calendar.back(nearest), vague=True)


# days beside others


def beside(days: DateSpan, said: Said) -> DateSpan | None:
    """The day before Christmas Eve, two weeks after Easter, the weekend of 14 June, 国庆前一天.

    None for what names no other days: "the morning of 5 May".
    """
    if said.side is None or (
        said.side == "of" and not said.weekend and said.unit not in (None, "week")
    ):
        return None
    number, length = said.number or 1, UNITS[said.unit or "day"].length
    monday = days.first - days.first.weekday() * DAY
    if said.weekend:
        saturday = monday + SATURDAY * DAY
        while said.side == "before" and saturday + DAY >= days.first:
            saturday -= WEEK
        while said.side == "after" and saturday <= days.last:
            saturday += WEEK
        return DateSpan(saturday, saturday + DAY)
    if said.side == "of":
        return DateSpan(monday, monday + 6 * DAY)
    if said.side == "before":
        first = days.first - length * number
    else:
        first = days.last + DAY + length * (number - 1)
    return DateSpan(first, first + length - DAY)
