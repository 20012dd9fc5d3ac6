"""Resolvers of recurring dates (day, month, season, holiday), and of conversations.

Their docstrings give examples of the words.
"""

from bisect import bisect_left
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import partial

from dateutil.relativedelta import relativedelta

from siliconfriend.recall.dates.calendar import (
    DAY,
    UNITS,
    WEEK,
    DateSpan,
    holiday_in,
    lunar_day,
    lunar_month,
    months_from,
    one_day,
)
from siliconfriend.recall.dates.fields import QUARTER, Calendar, DateFields, part_of

YEARS_AHEAD = 20  # how many years ahead a year of two digits may lie
LEAP_CYCLE = 8  # most years from one 29 February to the next
MONTHS_BACK = 24  # months back in which a day without its month is looked for
SHIFTS = 5  # most periods by which an end of a range moves
MOST_HOLIDAYS, SATURDAY = 10, 5
TOLD_AFTER = 3  # days after a holiday in which it is still mentioned


def recurring(fields: DateFields, calendar: Calendar) -> DateSpan | None:
    """A month, day, season, holiday or quarter in the year that is named, else in the one meant.

    4/28 and 28.04 are the same day; one without its month (27号) is of the month meant.
    """
    this_year = calendar.today.year
    if fields.month is None and fields.lunar is None and (day := fields.day) is not None:
        if calendar.is_statement:
            return _bare_day(day, calendar)
        return calendar.choose(
            lambda offset: one_day(calendar.span("month", offset).first.replace(day=day)),
            range(1, -MONTHS_BACK, -1),
        )
    if fields.day and fields.month and fields.month > 12:
        fields = replace(fields, month=fields.day, day=fields.month)
    if fields.either_order and calendar.is_statement and fields.month != fields.day:
        return _in_either_order(fields, calendar)
    make = partial(_in_year, fields)
    if fields.year is not None:
        limit = this_year + YEARS_AHEAD
        year = fields.year if fields.year >= 100 else limit - (limit - fields.year) % 100
        return replace(make(year), last=make(fields.last_year or year).last)
    if fields.year_offset is not None:
        return make(this_year + fields.year_offset)
    if fields.which is None:
        oldest = min([this_year, *(day.year for day in calendar.days[:1])])
        years = range(this_year + LEAP_CYCLE, max(oldest - LEAP_CYCLE, 1) - 1, -1)
        return calendar.choose(make, years)
    this = make(this_year)
    if fields.which == 0:
        return this
    if fields.which > 0:
        return this if this.first > calendar.today else make(this_year + 1)
    years = range(this_year, this_year + fields.which - 2, -1)  # a winter ends in the next year
    over = [span for span in map(make, years) if span.last < calendar.today]
    return over[-fields.which - 1]


def _in_either_order(fields: DateFields, calendar: Calendar) -> DateSpan | None:
    """Return the day that 3/12 means if only one reading is near; else None, or 12 March of a year."""
    swapped = replace(fields, month=fields.day, day=fields.month)
    readings = (replace(one, either_order=False) for one in (fields, swapped))
    days = [recurring(one, calendar) for one in readings if one.month and one.month <= 12]
    near = [
        day
        for day in days
        if day and abs((day.first - calendar.today).days) <= (QUARTER if len(days) > 1 else 366)
    ]
    if len(near) == 1:
        return near[0]
    return None if fields.year is None else next(iter(days), None)


def _bare_day(number: int, calendar: Calendar) -> DateSpan | None:
    """Return the last such day of a month where the words look back, else the next."""
    days = _days_of_months(number, calendar.today, 3)
    if not calendar.looks_ahead:
        return one_day(max(day for day in days if day <= calendar.today))
    return one_day(min(day for day in days if day >= calendar.today))


def _days_of_months(number: int, around: date, months: int) -> list[date]:
    """Return the days with a number in the months around a day, those that exist."""
    found = []
    for offset in range(-months, months + 1):
        with suppress(ValueError, OverflowError):
            found.append((around.replace(day=1) + relativedelta(months=offset)).replace(day=number))
    return found


def nearest_day(number: int, near: DateSpan, weekday: int | None = None) -> date | None:
    """Return the day of a month nearest to some days, on a weekday if given; None for none."""
    days = _days_of_months(number, near.first, 1)
    fitting = [day for day in days if weekday in (None, day.weekday())]
    return min(
        fitting,
        key=lambda day: (max(near.first - day, day - near.last, 0 * DAY), -day.toordinal()),
        default=None,
    )


def shift(
    days: DateSpan,
    period: relativedelta,
    *,
    at_least: date | None = None,
    at_most: date | None = None,
) -> DateSpan:
    """Move recurring days to the first that begin after ``at_least``, or the last up to ``at_most``."""
    moved = {}
    with suppress(ValueError, OverflowError):
        for number in range(-SHIFTS, SHIFTS + 1):
            first = days.first + period * number
            moved[first] = replace(days, first=first, last=days.last + period * number)
    if at_least is not None:
        later = [first for first in moved if first > at_least]
        return moved[min(later)] if later else days
    earlier = [first for first in moved if at_most is not None and first <= at_most]
    return moved[max(earlier)] if earlier else days


def _in_year(fields: DateFields, year: int) -> DateSpan:
    if fields.holiday:
        found = holiday_in(fields.holiday, year, around=fields.around)
        if not fields.last_holiday:
            return replace(found, told_after=TOLD_AFTER)
        end = holiday_in(fields.last_holiday, year).last
        later = end if end >= found.first else holiday_in(fields.last_holiday, year + 1).last
        return DateSpan(found.first, later)
    if fields.lunar is not None:
        if fields.day is None:
            return lunar_month(year, fields.lunar)
        return replace(one_day(lunar_day(year, fields.lunar, fields.day)), told_after=TOLD_AFTER)
    if fields.season is not None:
        return part_of(months_from(year, fields.season, 3), fields)
    if fields.month is None:
        if fields.unit != "quarter":
            return part_of(months_from(year, 1, 12), fields)
        return months_from(year, 10 if fields.nth < 0 else 3 * fields.nth - 2, 3)
    if fields.nth:
        return _nth_in(months_from(year, fields.month), fields)
    if fields.last_month is not None:
        return months_from(year, fields.month, (fields.last_month - fields.month) % 12 + 1)
    if fields.day is not None:
        first = date(year, fields.month, fields.day)
        last = first.replace(day=fields.last_day or fields.day)
        if last < first and fields.ends_in_month:
            first -= UNITS["month"].length
        return DateSpan(first, last if last >= first else last + UNITS["month"].length)
    return part_of(months_from(year, fields.month), fields)


def _nth_in(month: DateSpan, fields: DateFields) -> DateSpan:
    first = month.first if fields.nth > 0 else month.last - 6 * DAY
    named = SATURDAY if fields.weekend else fields.weekday
    if named is not None:
        first += (named - first.weekday()) % 7 * DAY
    first += max(fields.nth - 1, 0) * WEEK
    if first > month.last:
        raise ValueError(fields.nth)
    return DateSpan(first, first + (1 if fields.weekend else 6 if named is None else 0) * DAY)


def last_holidays(fields: DateFields, calendar: Calendar) -> tuple[DateSpan, ...]:
    """Return the last two Christmases: that of each year; of a statement none."""
    number = 0 if calendar.is_statement else min(fields.number, MOST_HOLIDAYS)
    found = [recurring(replace(fields, which=-back), calendar) for back in range(number, 0, -1)]
    return tuple(days for days in found if days is not None)


def decade(fields: DateFields, _: Calendar) -> DateSpan:
    """In the nineties, in the late 1980s, 九十年代初."""
    first = fields.decade + (1900 if fields.decade < 100 else 0)
    start, years = (first, 9) if fields.third is None else (first + 3 * fields.third, 3)
    return DateSpan(date(start, 1, 1), date(start + years, 12, 31))


def talk(fields: DateFields, calendar: Calendar) -> DateSpan | None:
    """Our first conversation, 上次聊天."""
    number = fields.nth or 1
    at = number - 1 if number > 0 else bisect_left(calendar.days, calendar.today) - 1
    is_known = 0 <= at < len(calendar.days)
    return replace(one_day(calendar.days[at]), is_talk=True) if is_known else None
