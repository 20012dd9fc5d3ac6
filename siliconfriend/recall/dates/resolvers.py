"""Which days the slots of a date mean: one resolver for each kind of date, for both languages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import TypeVar

from dateutil.relativedelta import relativedelta

from siliconfriend.recall.dates.calendar import (
    TOLD_AFTER,
    Calendar,
    DateRange,
    Unit,
    months_from_to,
    one_day,
    three_months,
    whole_month,
    whole_year,
)
from siliconfriend.recall.dates.feasts import days_from_to, days_of, lunar_day, lunar_month
from siliconfriend.recall.dates.slots import Slots

SATURDAY, SUNDAY = 5, 6

T = TypeVar("T")

MOST_FEASTS = 10
"""So many feasts "the last two Christmases" may be of; more are years rather than days."""

FEW: dict[Unit, tuple[int, int]] = {
    "day": (10, 2),
    "week": (42, 14),
    "month": (183, 61),
    "year": (2192, 731),
}
"""The days that "a few" units ago (几天前) may lie back: two units to six, of days to ten, since
a few days ago is said of anything that is not yet counted in weeks."""


# dates of a calendar


def month_and_day(slots: Slots, calendar: Calendar) -> DateRange | None:
    """May 4, 2023-05-04, 去年5月4日, April 27-29: days of a month that is named."""
    month, day = _required(slots.month), _required(slots.day)
    last = slots.last_day or day
    return _in_named_year(
        slots, calendar, lambda year: DateRange(date(year, month, day), date(year, month, last))
    )


def month(slots: Slots, calendar: Calendar) -> DateRange | None:
    """In April, April 2023, last May, 去年十二月, 4月下旬."""
    number = _required(slots.month)
    return _in_named_year(slots, calendar, lambda year: _third(whole_month(year, number), slots))


def months(slots: Slots, calendar: Calendar) -> DateRange | None:
    """From May to July, between November and February, 从五月到七月."""
    first, last = _required(slots.month), _required(slots.last_month)
    return _in_named_year(slots, calendar, lambda year: months_from_to(year, first, last))


def year(slots: Slots, calendar: Calendar) -> DateRange | None:
    """In 2022, early 2023, 去年, 今年初, 去年下半年."""
    return _in_named_year(slots, calendar, lambda year: _third(whole_year(year), slots))


def own_year(slots: Slots, calendar: Calendar) -> DateRange | None:
    """My year, 我这一年; told, "that made my year" is of no days."""
    return None if calendar.nearest else calendar.own_year(slots.number)


def years(slots: Slots, calendar: Calendar) -> DateRange:
    """From 2019 to 2021."""
    first, last = _required(slots.year), _required(slots.last_year)
    full = calendar.full_year
    return DateRange(whole_year(full(first)).first, whole_year(full(last)).last)


def season(slots: Slots, calendar: Calendar) -> DateRange | None:
    """Last summer, two summers ago, late in the summer of 2022, 前年夏天."""
    first_month = _required(slots.season)
    return _in_named_year(
        slots, calendar, lambda year: _third(three_months(year, first_month), slots)
    )


def feast(slots: Slots, calendar: Calendar) -> DateRange | None:
    """At Christmas, over Easter, last Halloween, 去年国庆, 中秋."""
    name = _required(slots.feast)
    return _in_named_year(
        slots,
        calendar,
        lambda year: replace(days_of(name, year, holiday=slots.holiday), told_after=TOLD_AFTER),
    )


def last_feasts(slots: Slots, calendar: Calendar) -> DateRange | None:
    """The last two Christmases, 前三个春节: that of each year. What is told of several is of no day."""
    number = _required(slots.number)
    if calendar.nearest or not 0 < number <= MOST_FEASTS:
        return None
    found = [feast(replace(slots, which=-back), calendar) for back in range(number, 0, -1)]
    *others, last = [days for days in found if days is not None]
    return replace(last, others=tuple(others))


def feasts(slots: Slots, calendar: Calendar) -> DateRange | None:
    """Between Christmas and New Year, 从除夕到元宵."""
    first, last = _required(slots.feast), _required(slots.last_feast)
    return _in_named_year(slots, calendar, lambda year: days_from_to(first, last, year))


def turn_of_year(slots: Slots, calendar: Calendar) -> DateRange:
    """See in 2025: the night in which the year begins."""
    begins = whole_year(calendar.full_year(_required(slots.year))).first
    return replace(DateRange(begins - timedelta(days=1), begins), told_after=TOLD_AFTER)


def lunar(slots: Slots, calendar: Calendar) -> DateRange | None:
    """农历八月十五, 正月初五, 腊月: a day of the lunar calendar, or a month of it."""
    month, day = _required(slots.lunar_month), slots.day
    if day is None:
        return _in_named_year(slots, calendar, lambda year: lunar_month(year, month))
    return _in_named_year(
        slots,
        calendar,
        lambda year: replace(one_day(lunar_day(year, month, day)), told_after=TOLD_AFTER),
    )


def nth_of_month(slots: Slots, calendar: Calendar) -> DateRange | None:
    """The first week of August, the last weekend in May, the second Sunday of June, 八月第一周."""
    number, nth = _required(slots.month), _required(slots.nth)
    return _in_named_year(
        slots, calendar, lambda year: _nth_in(whole_month(year, number), nth, slots)
    )


def _nth_in(month: DateRange, nth: int, slots: Slots) -> DateRange:
    """The nth week, weekend or weekday of a month; ValueError where it has none."""
    first = month.first if nth > 0 else month.last - timedelta(days=6)
    named = SATURDAY if slots.weekend else slots.weekday
    if named is not None:
        first += timedelta(days=(named - first.weekday()) % 7)
    first += timedelta(weeks=max(nth - 1, 0))
    if first > month.last:
        msg = f"no such week: {nth}"
        raise ValueError(msg)
    days = 2 if slots.weekend else 7 if named is None else 1
    return DateRange(first, first + timedelta(days=days - 1))


def quarter(slots: Slots, calendar: Calendar) -> DateRange | None:
    """Q2, the third quarter of 2024, 第一季度."""
    nth = _required(slots.nth)
    nth = 4 if nth < 0 else nth
    return _in_named_year(slots, calendar, lambda year: months_from_to(year, 3 * nth - 2, 3 * nth))


def decade(slots: Slots, calendar: Calendar) -> DateRange:
    """In the nineties, in the late 1980s, 九十年代初."""
    first = calendar.full_year(_required(slots.decade))
    last = first + 9
    if slots.third is not None:
        first += 3 * slots.third
        last = first + 3
    return DateRange(whole_year(first).first, whole_year(last).last)


def month_to_come(slots: Slots, calendar: Calendar) -> DateRange | None:
    """By December, come October: a month only where it lies ahead."""
    return month(slots, calendar) if calendar.ahead or calendar.may_come else None


def day_of_month(slots: Slots, calendar: Calendar) -> DateRange | None:
    """On the 27th, 27号."""
    return calendar.in_month(_required(slots.day))


# days beside others


def names_days_beside(slots: Slots) -> bool:
    """True if words next to a day name others by it; "the morning of 5 May" names a part of it."""
    is_week = slots.weekend or (slots.part is None and slots.unit in (None, "week"))
    return slots.side is not None and (slots.side != "of" or is_week)


def beside(days: DateRange, slots: Slots) -> DateRange:
    """The day before Christmas Eve, two weeks after Easter, the weekend of 14 June, 国庆前一天.

    The week before Easter is the seven days before it, the second week before it the seven before
    those; the week of a day is the one it lies in.
    """
    number, unit = slots.number or 1, slots.unit or "day"
    monday = days.first - timedelta(days=days.first.weekday())
    if slots.weekend:
        weekend = DateRange(monday + timedelta(days=SATURDAY), monday + timedelta(days=SUNDAY))
        while slots.side == "before" and weekend.last >= days.first:
            weekend = weekend.later(weeks=-1)
        while slots.side == "after" and weekend.first <= days.last:
            weekend = weekend.later(weeks=1)
        return weekend
    if slots.side == "of":
        return DateRange(monday, monday + timedelta(days=SUNDAY))
    length = {
        "day": relativedelta(days=1),
        "week": relativedelta(weeks=1),
        "month": relativedelta(months=1),
        "year": relativedelta(years=1),
    }[unit]
    if slots.side == "before":
        first = days.first - length * number
    else:
        first = days.last + timedelta(days=1) + length * (number - 1)
    return DateRange(first, first + length - timedelta(days=1), slots.part)


# days counted from today


def days_back(slots: Slots, calendar: Calendar) -> DateRange:
    """Yesterday, last night, this morning, 昨天, 前晚."""
    return one_day(calendar.back(slots.days_back, "day"), slots.part)


def weekday(slots: Slots, calendar: Calendar) -> DateRange:
    """On Tuesday, last Tuesday, next Friday, 周三; the weekend, 周末."""
    if slots.weekend:
        return calendar.weekend(slots.which)
    number = _required(slots.weekday)
    if slots.which is None:
        return calendar.weekday(number)
    if slots.which < -1:
        latest = calendar.last_weekday(number).first
        return one_day(latest + timedelta(weeks=slots.which + 1))
    if slots.which < 0:
        return calendar.last_weekday(number)
    if slots.which == 0:
        return one_day(calendar.week(0).first + timedelta(days=number))
    ahead = (number - calendar.today.weekday() - 1) % 7 + 1
    return one_day(calendar.today + timedelta(days=ahead))


def weekday_after_next(slots: Slots, calendar: Calendar) -> DateRange:
    """The Friday after next."""
    return one_day(weekday(replace(slots, which=1), calendar).first + timedelta(weeks=1))


def weekday_weeks_ago(slots: Slots, calendar: Calendar) -> DateRange:
    """三个星期前的周日: a weekday of the week that lies so many back."""
    week = replace(slots, which=-_required(slots.number), unit="week")
    return offset_unit(week, calendar)


def years_ago_today(slots: Slots, calendar: Calendar) -> DateRange:
    """Two years ago today, 去年今天, 前年的昨天."""
    years = slots.number if slots.number is not None else -_required(slots.year_offset)
    day = calendar.back(slots.days_back, "day")
    return one_day(day - relativedelta(years=years))


def ahead_if_to_come(slots: Slots, calendar: Calendar) -> DateRange | None:
    """In two weeks, 三周后: so far ahead, unless it is told of what is over."""
    is_told = calendar.nearest and not calendar.behind
    return ahead(slots, calendar) if is_told or calendar.ahead or calendar.may_come else None


def offset_unit(slots: Slots, calendar: Calendar) -> DateRange:
    """This week, early last year, Tuesday of last week, 上周一, 上上周末, 上月5号."""
    which = _required(slots.which)
    if slots.weekend:
        return calendar.weekend(which)
    span = calendar.span(_required(slots.unit), which)
    if slots.weekday is not None:
        return one_day(span.first + timedelta(days=slots.weekday))
    if slots.day is not None:
        return one_day(span.first.replace(day=slots.day))
    return _third(span, slots)


def half_year(slots: Slots, calendar: Calendar) -> DateRange:
    """In the first half of the year, 下半年: this year's, or the last one's while it has yet to begin."""
    this = calendar.year(0).half(_required(slots.half))
    if calendar.nearest or calendar.ahead or this.first <= calendar.today:
        return this
    return calendar.year(-1).half(_required(slots.half))


def third_of_unit(slots: Slots, calendar: Calendar) -> DateRange:
    """At the beginning of the month, 年底."""
    return calendar.begun(_required(slots.unit), _required(slots.third))


def ago(slots: Slots, calendar: Calendar) -> DateRange:
    """Two weeks ago, 两周前."""
    return calendar.ago(_required(slots.number), _required(slots.unit))


def few_ago(slots: Slots, calendar: Calendar) -> DateRange:
    """A few days ago, 几天前."""
    return replace(calendar.between(*FEW[_required(slots.unit)]), vague=True)


def couple_ago(slots: Slots, calendar: Calendar) -> DateRange:
    """A couple of weeks ago: two or three; seven or eight years ago, 七八年前."""
    unit: Unit = _required(slots.unit)
    number = slots.number or 2
    return DateRange(calendar.ago(number + 1, unit).first, calendar.ago(number, unit).last)


def ago_and_half(slots: Slots, calendar: Calendar) -> DateRange:
    """A year and a half ago, 两年半前."""
    return calendar.ago(12 * _required(slots.number) + 6, "month")


def ahead(slots: Slots, calendar: Calendar) -> DateRange:
    """Three days from now, 再过三天."""
    return one_day(calendar.back(-_required(slots.number), _required(slots.unit)))


def past(slots: Slots, calendar: Calendar) -> DateRange:
    """In the last two weeks, over the past few days, 最近两周, 近几个月."""
    unit: Unit = _required(slots.unit)
    if slots.number is None:
        return calendar.between(FEW[unit][0], 0)
    return DateRange(calendar.back(slots.number, unit), calendar.today)


def coming(slots: Slots, calendar: Calendar) -> DateRange:
    """In the coming weeks, over the next two months, 接下来几周."""
    unit: Unit = _required(slots.unit)
    if slots.number is None:
        return calendar.between(0, -FEW[unit][0])
    return calendar.between(0, -slots.number, unit)


def rest(slots: Slots, calendar: Calendar) -> DateRange:
    """Later this year, the rest of the month, 今年接下来."""
    return DateRange(calendar.today, calendar.span(_required(slots.unit), 0).last)


def stretch(slots: Slots, calendar: Calendar) -> DateRange:
    """Recently, the other day, 前几天."""
    return replace(calendar.between(*_required(slots.stretch)), vague=True)


# talks


def talk(slots: Slots, calendar: Calendar) -> DateRange | None:
    """Our first conversation, the last time we talked, 我们第一次聊天."""
    found = calendar.talk(slots.nth or 1)
    return None if found is None else replace(found, is_talk=True)


def _required(value: T | None) -> T:
    """A slot that the form's pattern always fills."""
    assert value is not None
    return value


def _third(whole: DateRange, slots: Slots) -> DateRange:
    if slots.half is not None:
        return whole.half(slots.half)
    return whole if slots.third is None else whole.third(slots.third)


def _in_named_year(
    slots: Slots, calendar: Calendar, make: Callable[[int], DateRange]
) -> DateRange | None:
    """What recurs every year, in the year that is named: exactly, relatively or not at all.

    "Last May" is the last that is over, "the May before last" and "two Mays ago" the one before
    it, "next May" the first that has not begun.
    """
    this_year, make = calendar.today.year, calendar.named(make)
    if slots.year is not None:
        return make(calendar.full_year(slots.year))
    if slots.year_offset is not None:
        return make(this_year + slots.year_offset)
    if slots.which is None:
        return calendar.in_year(make)
    if slots.which == 0:
        return make(this_year)
    this = make(this_year)
    if slots.which > 0:
        return this if this.first > calendar.today else make(this_year + 1)
    at = this_year
    while this.last >= calendar.today:
        at -= 1
        this = make(at)
    return this if slots.which == -1 else make(at + slots.which + 1)
