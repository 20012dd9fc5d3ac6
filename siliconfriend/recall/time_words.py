"""Format days and times, for people, for a prompt, and behind words that name a day.

The older a memory, the coarser its time: to the minute on its day, to the hour for a week, the part
of the day for a month, then the day alone. Ages count the person's calendar days. Words such as
"last night" are followed by their day, since they would mean another one later.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Literal
from zoneinfo import ZoneInfo

from siliconfriend.clock import day_of
from siliconfriend.recall.dates import find_dates_said_on
from siliconfriend.texts import Language, lookup, text

Part = Literal["early", "morning", "afternoon", "evening"]

HOURS_UNTIL, PARTS_UNTIL = 7, 30
"""The oldest ages, in days, at which the hour and the part of the day are still written."""

LONGEST_SPAN = 7  # days of a span that is written out, where it is no month, season or year

LONGEST_MONTHS = 184
"""Days of whole months that are written out; what is longer and no year is "a year ago"."""


def humanize_day(day: date, today: date, language: Language, *, alone: bool = False) -> str:
    """Name a day for the middle of a sentence: "yesterday", "on 28 April", 4月28日.

    ``alone`` gives the bare name, "28 April".
    """
    near = {0: "today", -1: "yesterday", 1: "tomorrow"}
    key = near.get((day - today).days)
    if key is None:
        key = "this_year" if day.year == today.year else "other_year"
        key = f"alone_{key}" if alone else key
    return text("times", f"days.{key}", language, **_parts(day, language))


def humanize_moment(moment: datetime, language: Language) -> str:
    """Name a local moment in full: day of the week, date and time."""
    parts = _parts(moment.date(), language)
    return text("times", "days.moment", language, time=f"{moment:%H:%M}", **parts)


def format_time(
    day: date, moment: datetime | None, *, now: datetime, zone: ZoneInfo, language: Language
) -> str:
    """Write the date of a memory and as much of its time as its age leaves.

    Args:
        day: the person's day it belongs to.
        moment: when it was said, aware; None where only the day is known.
        now: the moment it is read, aware.
        zone: the person's time zone.
        language: whose words are used.
    """
    if moment is None:
        return day.isoformat()
    local = moment.astimezone(zone)
    age = (day_of(now, zone) - local.date()).days
    if age > PARTS_UNTIL:
        return day.isoformat()
    if age <= 0:
        key = "minute"
    else:
        key = "hour" if age <= HOURS_UNTIL else f"parts.{part_of_day(local.hour)}"
    values = {"date": day.isoformat(), "time": f"{local:%H:%M}", "hour": local.hour}
    return text("times", key, language, **values)


def part_of_day(hour: int) -> Part:
    """Return the part of the day of an hour (0-23): 4-6 early, 6-12, 12-18, else evening."""
    if 4 <= hour < 6:
        return "early"
    if 6 <= hour < 12:
        return "morning"
    return "afternoon" if 12 <= hour < 18 else "evening"


# A prompt formats a memory to see how long it is, and again to hold it.
@lru_cache(maxsize=4096)
def annotate_dates(words: str, day: date, language: Language) -> str:
    """Add the days that are meant to the dates in words the person said on ``day``.

    None behind what means the day itself ("today") or names its year.
    """
    done, rest = [], words
    for span in find_dates_said_on(words, day):
        days = format_span(span.first, span.last, language)
        if span.vague or span.has_year or not days or span.first == span.last == day:
            continue
        before, found, after = rest.partition(span.words.rstrip(". "))
        if found:
            done += [before, text("times", "dated", language, words=found, days=days)]
            rest = after
    return "".join([*done, rest])


def format_span(first: date, last: date, language: Language) -> str:
    """Write days as a date, a year, months or from one day to another; empty where that is vague.

    A day is ``2026-02-21``, a month ``2026-02``, a year ``2026``, a season ``2025-06 to 2025-08``.
    """
    if first == last:
        return first.isoformat()
    length = (last - first + timedelta(days=1)).days
    are_months = first.day == 1 and last.day == monthrange(last.year, last.month)[1]
    if are_months and first.month == 1 and last.month == 12 and length <= 366:
        return first.isoformat()[:4]
    if are_months and length <= LONGEST_MONTHS:
        ends = first.isoformat()[:7], last.isoformat()[:7]
        if ends[0] == ends[1]:
            return ends[0]
    elif length <= LONGEST_SPAN:
        ends = first.isoformat(), last.isoformat()
    else:
        return ""
    return text("times", "span", language, first=ends[0], last=ends[1])


def _parts(day: date, language: Language) -> dict[str, object]:
    words = lookup("times", "days", language)
    return {
        "year": day.year,
        "month": words["months"][day.month - 1],
        "day": day.day,
        "weekday": words["weekdays"][day.weekday()],
    }
