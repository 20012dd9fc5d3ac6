"""Resolvers: the days that what a date says means, one for each kind of date, for both languages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TypeVar

from siliconfriend.recall.dates.calendar import (
    STEPS,
    TOLD_AFTER,
    Calendar,
    DateSpan,
    PartOfDay,
    feast_in,
    lunar_day,
    lunar_month,
    months_from,
    one_day,
    whole_year,
)

T = TypeVar("T")

# days that "a few" units ago may lie back, from furthest to nearest
FEW = {"day": (10, 2), "week": (42, 14), "month": (183, 61), "year": (2192, 731)}
FEW |= {"fortnight": (84, 28), "decade": (21915, 7305)}
MOST_FEASTS, SATURDAY = 10, 5


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
    part: PartOfDay | None = None
    third: int | None = None  # early 0, middle 1, late 2
    half: int | None = None
    decade: int | None = None
    back: int = 0  # days before today
    unit: str | None = None
    number: int | None = None  # how many units; 0 a few, -2 two or three
    which: int | None = None  # this 0, last -1, next 1
    nth: int | None = None  # talk, week or weekday of a month, quarter; last -1
    between: tuple[int, int] | None = None  # vague days back, furthest and nearest
    side: str | None = None  # before, after or of the day they stand beside


UNSAID = Said()


def _required(value: T | None) -> T:
    """Return a field that the form's pattern always fills."""
    if value is None:
        raise ValueError
    return value


def _cut(whole: DateSpan, said: Said) -> DateSpan:
    if said.half is not None:
        return whole.half(said.half)
    return whole if said.third is None else whole.third(said.third)


# what recurs every year


def recurring(said: Said, calendar: Calendar) -> DateSpan | None:
    """A month, day, season, feast or quarter in the year that is named, else in the one meant."""

    def make(year: int) -> DateSpan:
        found = _in_year(said, year)
        return calendar.beside(found) if calendar.beside else found

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
        if said.unit == "quarter":
            nth = _required(said.nth)
            return months_from(year, 10 if nth < 0 else 3 * nth - 2, 3)
        return _cut(whole_year(year), said)
    if said.nth is not None:
        return _nth_in(months_from(year, said.month), said.nth, said)
    if said.last_month is not None:
        return months_from(year, said.month, (said.last_month - said.month) % 12 + 1)
    if said.day is not None:
        last = date(year, said.month, said.last_day or said.day)
        return DateSpan(date(year, said.month, said.day), last)
    return _cut(months_from(year, said.month), said)


def _nth_in(month: DateSpan, nth: int, said: Said) -> DateSpan:
    """Return the nth week, weekend or weekday of a month; ValueError where it has none."""
    first = month.first if nth > 0 else month.last - timedelta(days=6)
    named = SATURDAY if said.weekend else said.weekday
    if named is not None:
        first += timedelta(days=(named - first.weekday()) % 7)
    first += timedelta(weeks=max(nth - 1, 0))
    if first > month.last:
        raise ValueError(nth)
    return DateSpan(first, first + timedelta(days=1 if said.weekend else 6 if named is None else 0))


def numeric(said: Said, calendar: Calendar) -> DateSpan | None:
    """4/28/2023, 28.04.2023: the month first unless it cannot be one."""
    month, day = _required(said.month), _required(said.day)
    if month > 12:
        said = replace(said, month=day, day=month)
    return recurring(said, calendar)


def to_come(said: Said, calendar: Calendar) -> DateSpan | None:
    """By December, come October: only where it lies ahead."""
    is_ahead = calendar.side == "ahead" or calendar.asks_ahead or calendar.told
    return recurring(said, calendar) if is_ahead else None


def last_feasts(said: Said, calendar: Calendar) -> tuple[DateSpan, ...]:
    """Return the last two Christmases: that of each year; told, they are of no day."""
    number = 0 if calendar.told else min(_required(said.number), MOST_FEASTS)
    found = [recurring(replace(said, which=-back), calendar) for back in range(number, 0, -1)]
    return tuple(days for days in found if days is not None)


def decade(said: Said, calendar: Calendar) -> DateSpan:
    """In the nineties, in the late 1980s, 九十年代初."""
    first = calendar.full_year(_required(said.decade))
    start = first + 3 * (said.third or 0)
    return DateSpan(date(start, 1, 1), date(first + 9 if said.third is None else start + 3, 12, 31))


def own_year(said: Said, calendar: Calendar) -> DateSpan | None:
    """My year, 我这一年; in January the last, up to today. Told, "you made my year" is of no days."""
    if calendar.told or calendar.asks_ahead:
        return None if calendar.told else calendar.span("year", 0)
    if calendar.today.month == 1:
        return DateSpan(calendar.span("year", -1).first, calendar.today)
    return calendar.between(said.number, 0, "year") if said.number else calendar.span("year", 0)


def day_of_month(said: Said, calendar: Calendar) -> DateSpan | None:
    """On the 27th, 27号."""
    return calendar.in_month(_required(said.day))


def talk(said: Said, calendar: Calendar) -> DateSpan | None:
    """Our first conversation, 上次聊天."""
    return calendar.talk(said.nth or 1)


# days counted from today


def back(said: Said, calendar: Calendar) -> DateSpan:
    """Today, last night, 大前天: ``number`` days before today."""
    return one_day(calendar.back(said.back, "day"), said.part)


def weekday(said: Said, calendar: Calendar) -> DateSpan:
    """On Tuesday, last Tuesday, next Friday; the weekend."""
    if said.weekend:
        return calendar.weekend(said.which)
    number, which = _required(said.weekday), said.which
    if which is None:
        return calendar.weekday(number)
    if which == 0:
        return one_day(calendar.span("week", 0).first + timedelta(days=number))
    if which < 0:
        return one_day(calendar.last_weekday(number).first + timedelta(weeks=which + 1))
    days = (number - calendar.today.weekday() - 1) % 7 + 1
    return one_day(calendar.today + timedelta(days=days, weeks=which - 1))


def unit(said: Said, calendar: Calendar) -> DateSpan:
    """This week, early last year, Tuesday of last week, 上周一, 上月5号, 三个星期前的周日."""
    which = _required(said.which)
    if said.weekend:
        return calendar.weekend(which)
    span = calendar.span(_required(said.unit), which)
    if said.weekday is not None:
        return one_day(span.first + timedelta(days=said.weekday))
    if said.day is not None:
        return one_day(span.first.replace(day=said.day))
    return _cut(span, said)


def begun(said: Said, calendar: Calendar) -> DateSpan:
    """At the end of the month, 年底, 下半年: this one's, or where it has yet to begin the last one's."""
    name = said.unit or "year"
    this = _cut(calendar.span(name, 0), said)
    is_this = calendar.told or calendar.asks_ahead or this.first <= calendar.today
    return this if is_this else _cut(calendar.span(name, -1), said)


def ago(said: Said, calendar: Calendar) -> DateSpan:
    """Two weeks ago, a few days ago, a couple of years ago, 两年半前."""
    number, name = _required(said.number), _required(said.unit)
    if said.half is not None:  # half a year, or one and a half
        return calendar.ago(12 * number + 6, "month") if name == "year" else calendar.ago(2, "week")
    if number == 0:
        return replace(calendar.between(*FEW[name]), vague=True)
    if number < 0:
        first = calendar.ago(1 - number, name).first
        return DateSpan(first, calendar.ago(-number, name).last)
    return calendar.ago(number, name)


def today_ago(said: Said, calendar: Calendar) -> DateSpan:
    """Two years ago today, 前年的昨天: ``year_offset`` years from today or from yesterday."""
    return one_day(calendar.back(said.back, "day") + STEPS["year"] * (said.year_offset or 0))


def past(said: Said, calendar: Calendar) -> DateSpan:
    """In the last two weeks, over the past few days, 近几个月."""
    name = _required(said.unit)
    if said.half is not None:
        return calendar.between(12 * (said.number or 0) + 6, 0, "month")
    if not said.number:
        return calendar.between(FEW[name][0], 0)
    return calendar.between(said.number, 0, name)


def coming(said: Said, calendar: Calendar) -> DateSpan:
    """In the coming weeks, over the next two months, 接下来几周."""
    number, name = said.number, _required(said.unit)
    if said.half is not None:
        half = {"week": (-4, "day"), "month": (-15, "day"), "year": (-6, "month")}[name]
        days = calendar.back(-(number or 0), name)
        return DateSpan(calendar.today, days - STEPS[half[1]] * half[0])
    return calendar.between(0, -number, name) if number else calendar.between(0, -FEW[name][0])


def ahead(said: Said, calendar: Calendar) -> DateSpan | None:
    """Three days from now, 再过三天."""
    if said.half is not None:
        return one_day(coming(said, calendar).last)
    return one_day(calendar.back(-_required(said.number), _required(said.unit)))


def ahead_if_to_come(said: Said, calendar: Calendar) -> DateSpan | None:
    """In two weeks, 三周后: so far ahead, unless it is told of what is over."""
    side = calendar.side or ("ahead" if calendar.told or calendar.asks_ahead else None)
    return ahead(said, calendar) if side == "ahead" else None


def rest(said: Said, calendar: Calendar) -> DateSpan:
    """Later this year, the rest of the month, 今年接下来."""
    return DateSpan(calendar.today, calendar.span(_required(said.unit), 0).last)


def vague(said: Said, calendar: Calendar) -> DateSpan:
    """Recently, the other day, 前几天."""
    return replace(calendar.between(*_required(said.between)), vague=True)


# days beside others


def names_days_beside(said: Said) -> bool:
    """True if words next to a day name others by it; "the morning of 5 May" names a part of it."""
    is_week = said.weekend or (said.part is None and said.unit in (None, "week"))
    return said.side is not None and (said.side != "of" or is_week)


def beside(days: DateSpan, said: Said) -> DateSpan:
    """The day before Christmas Eve, two weeks after Easter, the weekend of 14 June, 国庆前一天."""
    number, name = said.number or 1, said.unit or "day"
    week, day = timedelta(weeks=1), timedelta(days=1)
    monday = days.first - timedelta(days=days.first.weekday())
    if said.weekend:
        saturday = monday + timedelta(days=SATURDAY)
        while said.side == "before" and saturday + day >= days.first:
            saturday -= week
        while said.side == "after" and saturday <= days.last:
            saturday += week
        return DateSpan(saturday, saturday + day)
    if said.side == "of":
        return DateSpan(monday, monday + timedelta(days=6))
    length = STEPS[name]
    if said.side == "before":
        first = days.first - length * number
    else:
        first = days.last + day + length * (number - 1)
    return DateSpan(first, first + length - day, said.part)
