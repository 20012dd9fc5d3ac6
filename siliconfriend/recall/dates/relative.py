"""Resolvers of days counted from today, and of days beside others.

Their docstrings give examples of the words.
"""

from dataclasses import replace
from datetime import date

from dateutil.relativedelta import SA, relativedelta

from siliconfriend.recall.dates.calendar import DAY, UNITS, WEEK, DateSpan, one_day
from siliconfriend.recall.dates.fields import Calendar, DateFields, part_of

FEW, FEW_DAYS = 6, 10  # most that "a few" units are, and a few days; at least two
WEDNESDAY, SATURDAY = 2, 5


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
    found = part_of(span, fields)
    if fields.which is None and not calendar.is_statement and found.first > calendar.today:
        return part_of(calendar.span(fields.unit or "year", -1), fields)
    return found


def _weekend(which: int | None, calendar: Calendar) -> DateSpan:
    """The weekend of a week; without ``which`` the latest that has begun, ahead the next.

    Where a statement leaves the side open, it is neither for sure. "This weekend" may be over until
    Tuesday.
    """
    is_this = calendar.side == "ahead" or calendar.today.weekday() >= SATURDAY
    is_open = which is None and calendar.is_statement and calendar.side is None and not is_this
    is_over = calendar.side == "behind" and calendar.today.weekday() < WEDNESDAY
    if which is None or (which == 0 and is_over):
        which = 0 if is_this else -1
    sunday = calendar.span("week", which).last
    return DateSpan(sunday - DAY, sunday, vague=is_open)


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
