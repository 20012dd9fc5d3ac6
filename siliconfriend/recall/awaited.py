"""Awaited: what speaks of days that are yet to come, told before them.

An exam told of in February and never again must not have faded before it comes in June; so a
forgetting pass asks here before it archives anything. It needs no index, and a night of people who
said nothing need not load one.
"""

from __future__ import annotations

from datetime import date, timedelta
from zoneinfo import ZoneInfo

from siliconfriend.memory.records import Memory
from siliconfriend.recall.spoken_times import spoken_times

LONGEST = timedelta(days=31)
"""The longest span that is a plan: "in August" is one, "next year" is not."""

AHEAD = timedelta(days=365)
"""How far ahead of its telling a plan may lie."""

AFTERWARDS = timedelta(days=7)
"""How long after its last day one may still be asked how it went."""


def is_awaited(memory: Memory, zone: ZoneInfo, today: date) -> bool:
    """True if a memory speaks of days ahead of its telling that were not over a week ago.

    Args:
        memory: of other kinds than turns and events, none is.
        zone: the person's, for the moment of an event.
        today: the person's day.
    """
    told = date.fromisoformat(memory.date)
    if today > told + AHEAD + LONGEST + AFTERWARDS:
        return False
    return any(
        told < it.first <= told + AHEAD
        and it.last - it.first < LONGEST
        and today <= it.last + AFTERWARDS
        for it in spoken_times(memory, zone)
    )
