"""Format when something was said, in words that grow coarser as it grows older (dynamic memory, part 7).

A friend knows what was said at ten past three this afternoon, and of last month only that
it was an evening. Ages are counted in the person's calendar days, never in hours: what was
said at 23:50 is a day old twenty minutes later. Where only the day is known, no time of day
is ever made up.

What was said of another day than its own has two: the day it was told on, which formatting puts
above it, and the day that it means, which stands behind the words for it. A reader who has only
one of them takes a plan for what happened, or the day of telling for that of the journey.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, datetime
from functools import lru_cache
from typing import Literal
from zoneinfo import ZoneInfo

from siliconfriend.clock import day_of
from siliconfriend.recall.dates import find_dates_said_on
from siliconfriend.texts import Language, text

Step = Literal["minute", "hour", "part", "day"]
Part = Literal["early", "morning", "afternoon", "evening"]

HOURS_UNTIL = 7
PARTS_UNTIL = 30
"""The oldest ages, in days, at which the hour and the part of the day are still given."""


def part_of_day(hour: int) -> Part:
    """The part an hour (0-23) lies in: 4-6 early, 6-12 morning, 12-18 afternoon, else evening.

    Dynamic memory counts everything from 18 to 6 as evening; but whoever is up at half past
    five began a day, and "in the evening" of that date would be sixteen hours off.
    """
    if 4 <= hour < 6:
        return "early"
    if 6 <= hour < 12:
        return "morning"
    return "afternoon" if 12 <= hour < 18 else "evening"


def step_of(age: int) -> Step:
    """How finely a moment ``age`` calendar days ago is formatted; one still to come as if today."""
    if age <= 0:
        return "minute"
    if age <= HOURS_UNTIL:
        return "hour"
    return "part" if age <= PARTS_UNTIL else "day"


def format_time(
    day: date, moment: datetime | None, *, now: datetime, zone: ZoneInfo, language: Language
) -> str:
    """Format the date of a memory and as much of its time as its age leaves.

    Args:
        day: the person's day it belongs to.
        moment: when it was said, aware; None where only the day is known.
        now: the moment it is read, aware.
        zone: the person's time zone.
        language: whose words are used.
    """
    if moment is None:
        return text("recall_time", "day", language, date=day.isoformat())
    local = moment.astimezone(zone)
    step = step_of((day_of(now, zone) - local.date()).days)
    key = f"parts.{part_of_day(local.hour)}" if step == "part" else step
    return text(
        "recall_time",
        key,
        language,
        date=day.isoformat(),
        time=f"{local:%H:%M}",
        hour=local.hour,
    )


LONGEST_SPAN = 7
"""Days of a span that is written out beside the words for it, where it is no month, season or
year; "recently" stays "recently"."""

LONGEST_MONTHS = 184
"""Days of whole months that are written out; what is longer and no year is "a year ago"."""

_FULL_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|[零〇一二三四五六七八九]{4}年")


# A prompt formats a memory to see how long it is, and again to hold it.
@lru_cache(maxsize=4096)
def annotate_dates(words: str, day: date, language: Language) -> str:
    """Add to words said on ``day`` the days that their dates meant.

    Read a month later, "I watched it last night" would else be about last night, and "on 3 March"
    about the wrong year. What is said of the day itself ("today") stands under its date already,
    and a date with its year needs no other.
    """
    done, rest = [], words
    for span in find_dates_said_on(words, day):
        days = format_span(span.first, span.last, language)
        if span.vague or not days or span.first == span.last == day:
            continue
        if not span.relative and _FULL_YEAR.search(span.words):
            continue
        before, found, after = rest.partition(span.words.rstrip(". "))
        if found:
            done += [before, text("recall_time", "dated", language, words=found, days=days)]
            rest = after
    return "".join([*done, rest])


def format_span(first: date, last: date, language: Language) -> str:
    """Format days as a date, a year, months or from one day to another; empty where that is vague.

    A day is ``2026-02-21``, a month ``2026-02``, a year ``2026``, a season ``2025-06 to 2025-08``.
    """
    if first == last:
        return first.isoformat()
    length = (last - first).days + 1
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
    return text("recall_time", "span", language, first=ends[0], last=ends[1])
