"""Turns that the person asked not to remember (``unkept``): "don't remember this", 别记这个.

They are marked at once, recalled and summed up no more, and removed by the next night; until then it
can be taken back.
"""

from __future__ import annotations

from siliconfriend.language.message import Covered, read_message
from siliconfriend.memory.days import outlines
from siliconfriend.memory.records import PersonMemory


def opt_out_of(message: str, memory: PersonMemory, day: str) -> frozenset[Covered]:
    """Find the opt-out that covers a message: its own, or one that announced it just before."""
    found = read_message(message).opts_out
    last = memory.days[day].turns[-1:] if day in memory.days else ()
    is_announced = any(turn.unkept and "next" in read_message(turn.query).opts_out for turn in last)
    return found or frozenset[Covered](("this",) if is_announced else ())


def unkept_ids(memory: PersonMemory) -> list[str]:
    """Return the turns that are marked, oldest first."""
    dates = [date for date, outline in outlines(memory.days) if outline.left_alone]
    return [turn.id for date in dates for turn in memory.days[date].turns if turn.unkept]
