"""When a memory was told, for a way to forget that counts each telling."""

from __future__ import annotations

from datetime import date, datetime

from siliconfriend.clock import noon_of
from siliconfriend.memory.identity import place_of
from siliconfriend.memory.knowledge import Fact, Topic
from siliconfriend.memory.records import Memory, PersonMemory, Turn


def told(record: Memory, memory: PersonMemory) -> tuple[datetime, ...]:
    """The moments of the turns that tell a fact or are about a topic, oldest first.

    A turn that is gone counts at noon of its day. Everything else is told once: empty.
    """
    if not isinstance(record, Fact | Topic):
        return ()
    found = []
    for identifier in record.provenance.from_ids:
        turn = memory.find(identifier)
        if isinstance(turn, Turn):
            found.append(turn.trace.created)
        elif (place := place_of(identifier)) is not None:
            found.append(noon_of(date.fromisoformat(place.date), memory.profile.zone))
    return tuple(sorted(found))
