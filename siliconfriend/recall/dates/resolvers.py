"""Which days the slots of a date mean: one resolver for each kind of date, for both languages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import TypeVar

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

T = TypeVar("T")

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


def day_of_month(slots: Slots, calendar: Calendar) -> DateRange | None:
    """On the 27th, 27号."""
    return calendar.in_month(_required(slots.day))


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
    if slots.which < 0:
        return calendar.last_weekday(number)
    if slots.which == 0:
        return one_day(calendar.week(0).first + timedelta(days=number))
    ahead = (number - calendar.today.weekday() - 1) % 7 + 1
    return one_day(calendar.today + timedelta(days=ahead))


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
    """A couple of weeks ago: two or three."""
    unit: Unit = _required(slots.unit)
    return DateRange(calendar.ago(3, unit).first, calendar.ago(2, unit).last)


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
    this_year = calendar.today.year
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
