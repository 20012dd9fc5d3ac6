"""Resolvers: turn the fields of a date into days, one for each kind of date, for both languages.

Their docstrings give examples of the words.
"""

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
    holiday_in,
    lunar_day,
    lunar_month,
    months_from,
    one_day,
)

Side = Literal["ahead", "behind", "rather behind"]
"""Side of today on which a date lies; "rather behind" of two that are far away."""

AROUND = 15  # days within which a remembered day counts as around a date that is asked for
SLIP, QUARTER, THIRD = (
    3,
    92,
    122,
)  # days from today to a day told without its year: see `Calendar._told`
YEARS_AHEAD = 20  # how many years ahead a year of two digits may lie
LEAP_CYCLE = 8  # most years from one 29 February to the next
MONTHS_BACK = 24  # months back in which a day without its month is looked for
FEW, FEW_DAYS = 6, 10  # most that "a few" units are, and a few days; at least two
SHIFTS = 5  # most periods by which an end of a range moves
MOST_HOLIDAYS, SATURDAY = 10, 5
TOLD_AFTER = 3  # days after a holiday on which it is still told of


@dataclass(frozen=True, slots=True)
class DateFields:
    """What a date in words says; None, 0 or empty where it does not say it."""

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

    @property
    def is_bare_day(self) -> bool:
        """True for a day of a month that is not said: "on the 20th", 15号."""
        named = self.month or self.lunar or self.unit or self.nth
        return self.day is not None and not named and self.year is None

    @property
    def names_month(self) -> bool:
        """True if a month, a day of one or a holiday is said, so that a bare day may be of it."""
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
    """The day words are said on, and what is known of the days around it.

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
        """True if the words look ahead, or tell without saying that it is over."""
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

    def _told(self, latest: DateSpan | None, following: DateSpan | None) -> DateSpan | None:
        """Choose between the latest and the following such days of a statement.

        The nearest of them, unless the sentence clearly says the other side. None where both are
        plausible: far away on both sides, or where the nearest is a few days off on the wrong side.
        """
        if latest is None or following is None or latest == following:
            return latest or following
        back, on = (self.today - latest.last).days, (following.first - self.today).days
        nearest, distance = (latest, back) if back < on else (following, on)
        if self.side == "rather behind":
            return nearest if distance <= QUARTER else latest
        if self.side:
            meant = following if self.side == "ahead" else latest
            return meant if meant is nearest or distance > SLIP else None
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


def _cut(span: DateSpan, fields: DateFields) -> DateSpan:
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


# what recurs


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
        return _cut(months_from(year, fields.season, 3), fields)
    if fields.month is None:
        if fields.unit != "quarter":
            return _cut(months_from(year, 1, 12), fields)
        return months_from(year, 10 if fields.nth < 0 else 3 * fields.nth - 2, 3)
    if fields.nth:
        return _nth_in(months_from(year, fields.month), fields)
    if fields.last_month is not None:
        return months_from(year, fields.month, (fields.last_month - fields.month) % 12 + 1)
    if fields.day is not None:
        first = date(year, fields.month, fields.day)
        last = first.replace(day=fields.last_day or fields.day)
        return DateSpan(first, last if last >= first else last + UNITS["month"].length)
    return _cut(months_from(year, fields.month), fields)


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


# days counted from today


def back(fields: DateFields, calendar: Calendar) -> DateSpan:
    """Today, last night, 大前天, two years ago today: so many days before today, and years from it."""
    years = UNITS["year"].length * (fields.year_offset or 0)
    return one_day(calendar.today - fields.back * DAY + years)


def unit(fields: DateFields, calendar: Calendar) -> DateSpan:
    """This week, early last year, Tuesday of last week, 上月5号, 年底, 下半年.

    The end of the month or year is this one's, or where it has yet to begin the last one's.
    """
    if fields.weekend:
        return _weekend(fields.which, calendar)
    if fields.weekday is not None and not fields.unit:
        return one_day(_weekday(fields.weekday, fields.which, calendar))
    span = calendar.span(fields.unit or "year", fields.which or 0)
    if fields.weekday is not None:
        day = span.first + fields.weekday * DAY
        is_weekend = fields.which == 0 and calendar.today.weekday() >= SATURDAY
        return one_day(
            day + WEEK if is_weekend and day < calendar.today and calendar.looks_ahead else day
        )
    if fields.day is not None:
        return one_day(span.first.replace(day=fields.day))
    found = _cut(span, fields)
    if fields.which is None and not calendar.is_statement and found.first > calendar.today:
        return _cut(calendar.span(fields.unit or "year", -1), fields)
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
        # "This Friday" said at the weekend is the one to come, unless it is told as over.
        return following if of_week < today and calendar.looks_ahead else of_week
    if which > 0:
        return following + (which - 1) * WEEK
    is_other = calendar.remembers(one_day(of_week)) and not calendar.remembers(one_day(latest))
    return (of_week if is_other else latest) + (which + 1) * WEEK


def weekday_ahead(fields: DateFields, calendar: Calendar) -> DateSpan:
    """A week on Monday, Friday fortnight, two Fridays from now."""
    following = _weekday(fields.weekday or 0, 1, calendar)
    weeks = fields.number or (2 if fields.unit == "fortnight" else 1)
    return one_day(following + (weeks - bool(fields.nth)) * WEEK)


def own_year(fields: DateFields, calendar: Calendar) -> DateSpan | None:
    """My year, 我这一年; in January the last, up to today. Of a statement none: "you made my year"."""
    if calendar.is_statement:
        return None
    if calendar.today.month == 1:
        return DateSpan(calendar.span("year", -1).first, calendar.today)
    return past(fields, calendar) if fields.number else calendar.span("year", 0)


def _time(fields: DateFields) -> relativedelta:
    """Two weeks, half a year, a month and a half; the most that a few or two or three may be."""
    of = UNITS[fields.unit]
    if fields.half is not None:
        return of.length * fields.number + of.half
    number = fields.number or (FEW_DAYS if fields.unit == "day" else FEW)
    return of.length * (number if number > 0 else 1 - number)


def ago(fields: DateFields, calendar: Calendar) -> DateSpan:
    """Two weeks ago, a few days ago, a couple of years ago, 两年半前: that day and half a unit around it."""
    slack = UNITS[fields.unit].half
    if fields.half is not None:
        slack = UNITS["month" if fields.unit == "year" else "week"].half
    elif fields.number == 0:
        nearest = calendar.today - 2 * UNITS[fields.unit].length
        return DateSpan(calendar.today - _time(fields), nearest, vague=True)
    elif fields.number < 0:
        nearest = ago(replace(fields, number=-fields.number), calendar).last
        return DateSpan(calendar.today - _time(fields) - slack, nearest)
    middle = calendar.today - _time(fields)
    return DateSpan(middle - slack, min(middle + slack, calendar.today))


def past(fields: DateFields, calendar: Calendar) -> DateSpan:
    """In the last two weeks, over the past few days, 近几个月."""
    return DateSpan(calendar.today - _time(fields), calendar.today)


def coming(fields: DateFields, calendar: Calendar) -> DateSpan:
    """In the coming weeks, over the next two months, 接下来几周."""
    return DateSpan(calendar.today, calendar.today + _time(fields))


def ahead(fields: DateFields, calendar: Calendar) -> DateSpan:
    """Three days from now, in two weeks, 再过三天."""
    return one_day(calendar.today + _time(fields))


def rest(fields: DateFields, calendar: Calendar) -> DateSpan:
    """Later this year, the rest of the month, 今年接下来."""
    return DateSpan(calendar.today, calendar.span(fields.unit, 0).last)


def vague(fields: DateFields, calendar: Calendar) -> DateSpan:
    """Recently, the other day, 前几天."""
    furthest, nearest = (calendar.today - number * DAY for number in fields.between)
    return DateSpan(furthest, nearest, vague=True)


# days beside others


def beside(days: DateSpan, fields: DateFields) -> DateSpan | None:
    """The day before Christmas Eve, two weeks after Easter, the weekend of 14 June, 国庆前一天.

    None for what names no other days: "the morning of 5 May".
    """
    monday = days.first - days.first.weekday() * DAY
    if fields.weekend:
        saturday = monday + SATURDAY * DAY
        if fields.side == "before":
            saturday = days.first + relativedelta(days=-2, weekday=SA(-1))
        elif fields.side == "after":
            saturday = days.last + relativedelta(days=1, weekday=SA)
        return DateSpan(saturday, saturday + DAY)
    if fields.side == "of":
        return DateSpan(monday, monday + 6 * DAY) if fields.unit in ("", "week") else None
    number, length = fields.number or 1, UNITS[fields.unit or "day"].length
    first = days.last + DAY + length * (number - 1)
    if fields.side == "before":
        first = days.first - length * number
    return DateSpan(first, first + length - DAY)
