"""What a kind of memory has beside its words, as JSON: whom a fact is about, where it was."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.memory.knowledge import Event, Fact, Topic
from siliconfriend.memory.records import Insight, Memory, PersonMemory, Turn


def details(record: Memory, zone: ZoneInfo) -> dict[str, Any]:
    """The fields of its kind, with ``from_ids`` for all that was made from something.

    ``time`` of an event is in the person's ``zone``. Of a turn there are none.
    """
    if isinstance(record, Turn):
        return {}
    found: dict[str, Any] = {"from_ids": list(record.provenance.from_ids)}
    match record:
        case Fact():
            names = ("entity", "entity_type", "aspect", "key_word", "first", "last", "said_by")
            found |= {name: getattr(record, name) for name in (*names, "superseded_by", "topic")}
        case Event():
            time = None if record.time is None else record.time.astimezone(zone).isoformat()
            found |= {"time": time, "place": record.place, "scene": record.scene}
            found |= {"key_words": list(record.key_words), "insight": record.insight}
        case Topic():
            found |= {"key_words": list(record.key_words)}
            found |= {"overviews": [it.overview for it in record.talks if it.overview]}
        case Insight():
            found |= {"question": record.question, "depth": record.depth}
    return found


def history_of(fact: Fact, memory: PersonMemory) -> list[Fact]:
    """The facts whose place this one took, or took over from them, oldest first."""
    gone, found = {fact.id}, list[Fact]()
    while fresh := [it for it in memory.facts() if it.superseded_by in gone and it.id not in gone]:
        gone.update(it.id for it in fresh)
        found += fresh
    return sorted(found, key=lambda it: (it.last, it.date, it.position))
