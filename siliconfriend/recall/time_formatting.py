"""Format when something was said, in words that grow coarser as it grows older (dynamic memory, part 7).

A friend knows what was said at ten past three this afternoon, and of last month only that
it was an evening. Ages are counted in the person's calendar days, never in hours: what was
said at 23:50 is a day old twenty minutes later. Where only the day is known, no time of day
is ever made up.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal
from zoneinfo import ZoneInfo

from siliconfriend.clock import day_of
from siliconfriend.recall.dates import DateSpan, find_dates_said_on, may_be_relative
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
"""Days of a span that is written out beside the words for it; "recently" stays "recently"."""


def annotate_dates(words: str, day: date, language: Language) -> str:
    """Add to words said on ``day`` the days that their relative dates meant.

    Read a month later, "I watched it last night" would else be about last night. What is
    said of the day itself ("today") stands under its date already.
    """
    done, rest = [], words
    for span in find_dates_said_on(words, day) if may_be_relative(words) else ():
        if not span.relative or span.length > LONGEST_SPAN or span.first == span.last == day:
            continue
        before, found, after = rest.partition(span.words)
        if found:
            days = _days(span, language)
            done += [before, text("recall_time", "dated", language, words=found, days=days)]
            rest = after
    return "".join([*done, rest])


def _days(span: DateSpan, language: Language) -> str:
    if span.first == span.last:
        return span.first.isoformat()
    return text("recall_time", "span", language, first=span.first, last=span.last)
