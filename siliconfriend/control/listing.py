"""List memories with their retention, as the terminal, the page and JSON show them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.clock import day_of
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.forgetting.prospect import Prospect, prospect
from siliconfriend.memory.knowledge import Event, Fact, Insight, Topic
from siliconfriend.memory.records import Memory, PersonMemory, Turn, kind_of


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """A memory and its prospect at one moment.

    Attributes:
        last_recalled: the person's day of the last recall, its creation if there was none.
        brought_on: the day an export of other talks brought it here, from which it fades.
    """

    memory: Memory
    prospect: Prospect
    last_recalled: date
    brought_on: date | None
    zone: ZoneInfo
    heat: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the row as ``memories list --json`` gives it."""
        record, outlook = self.memory, self.prospect
        return {
            "id": record.id,
            "kind": kind_of(record),
            "date": record.date,
            "turn": record.position if isinstance(record, Turn) else None,
            "text": words_of(record),
            "state": outlook.state,
            "strength": outlook.strength,
            "unit_days": outlook.unit_days,
            "retention": outlook.retention,
            "last_recalled": self.last_recalled.isoformat(),
            "brought_on": self.brought_on.isoformat() if self.brought_on else None,
            "pinned": record.trace.pinned,
            "unkept": isinstance(record, Turn) and record.unkept,
            "dims_on": outlook.dims_on.isoformat() if outlook.dims_on else None,
            "archived_on": outlook.archived_on.isoformat() if outlook.archived_on else None,
            **detail_fields(record, self.zone),
            **({} if self.heat is None else {"heat": round(self.heat, 2)}),
        }


def memory_rows(
    memory: PersonMemory, policy: ForgettingPolicy, now: datetime
) -> Iterator[MemoryRow]:
    """List a row for every memory, oldest day first."""
    for record in memory.memories():
        yield memory_row(memory, record, policy, now)


def memory_row(
    memory: PersonMemory, record: Memory, policy: ForgettingPolicy, now: datetime
) -> MemoryRow:
    """Work out the row of one memory of a person."""
    zone = memory.profile.zone
    outlook = prospect(
        record.trace,
        kind=kind_of(record),
        identifier=record.id,
        now=now,
        policy=policy,
        zone=zone,
        mentions=memory.mentions(record),
    )
    brought = record.trace.brought
    brought_on = day_of(brought, zone) if brought else None
    hot = None
    if isinstance(record, Topic):
        from siliconfriend.extraction.topics import heat  # loads numpy

        hot = heat(record, now)
    return MemoryRow(record, outlook, day_of(record.trace.last_recall, zone), brought_on, zone, hot)


def words_of(memory: Memory) -> str:
    """Return the words of a memory: of a turn, what both said, a line each."""
    if isinstance(memory, Turn):
        return "\n".join(part for part in (memory.query, memory.response) if part)
    return memory.text


def detail_fields(record: Memory, zone: ZoneInfo) -> dict[str, Any]:
    """Return the fields of its kind, with ``from_ids`` for all that was made from something.

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
            found |= {"key_words": list(record.key_words), "visits": record.visits}
            found |= {"overviews": [it.overview for it in record.talks if it.overview]}
        case Insight():
            found |= {"question": record.question, "depth": record.depth}
    return found


def superseded_facts(fact: Fact, memory: PersonMemory) -> list[Fact]:
    """Return the facts whose place this one took, or took over from them, oldest first."""
    gone, found = {fact.id}, list[Fact]()
    while fresh := [it for it in memory.facts() if it.superseded_by in gone and it.id not in gone]:
        gone.update(it.id for it in fresh)
        found += fresh
    return sorted(found, key=lambda it: (it.last, it.date, it.position))
