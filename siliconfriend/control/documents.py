"""The JSON documents of people, memories and recalls, as every door gives them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.characters.companions import companion_name
from siliconfriend.clock import day_of
from siliconfriend.config import Settings
from siliconfriend.control.dependents import dependents_of
from siliconfriend.control.listing import superseded_facts, words_of
from siliconfriend.memory.knowledge import Fact, FactGroup
from siliconfriend.memory.records import Memory, PersonMemory, Turn, kind_of
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.memory_lines import MemoryLines, sections_of
from siliconfriend.recall.results import Recalled, RecallResult

FACT_GROUPS: dict[str, tuple[FactGroup, ...]] = {
    "you": ("attributes", "scenes"),
    "relations": ("relations",),
    "us": ("companion",),
    "around": ("named", "general"),
    "promises": ("promises",),
}
"""The groups of facts in the order of their headings, each with those of the facts themselves."""

MOST_FACTS = 50
"""Facts of a group that are shown, the last told first; all of them are among the memories."""


def grouped_facts(memory: PersonMemory) -> Iterator[tuple[str, Fact]]:
    """Yield the active facts, group by group, each with its group in :data:`FACT_GROUPS`."""
    facts = [fact for fact in memory.facts() if fact.is_active]
    facts.sort(key=lambda fact: (fact.last or fact.date, fact.id), reverse=True)
    for name, groups in FACT_GROUPS.items():
        for fact in [fact for fact in facts if fact.group in groups][:MOST_FACTS]:
            yield name, fact


def memory_details(memory: PersonMemory, scope: Scope, record: Memory) -> dict[str, Any]:
    """Return the fields of ``memories show --json`` beside those of its row in the list."""
    made_by, from_ids = (
        (record.replied_by, ())
        if isinstance(record, Turn)
        else (record.provenance.made_by, record.provenance.from_ids)
    )
    resting = dependents_of(memory, scope, [record.id])
    return {
        "created": record.trace.created.isoformat(),
        "importance": record.trace.importance,
        "made_by": made_by,
        "recalled_on": [day_of(it, memory.profile.zone).isoformat() for it in record.trace.recalls],
        "from_ids": list(from_ids),
        "derived": [it.id for it in resting if it.id != record.id],
        "used_by": [
            turn.id for turn in memory.turns() if record.id in {used.id for used in turn.used}
        ],
        "history": [
            {"id": fact.id, "text": fact.text, "first": fact.first, "last": fact.last}
            for fact in (superseded_facts(record, memory) if isinstance(record, Fact) else ())
        ],
    }


def recall_document(
    scope: Scope, recollection: RecallResult, memory: PersonMemory, settings: Settings
) -> dict[str, Any]:
    """Return the document that ``recall --json`` prints."""
    zone, language = memory.profile.zone, memory.profile.language
    lines = MemoryLines(memory, companion_name(settings, scope.companion, language))
    return {
        "user": scope.person,
        "companion": scope.companion,
        "query": recollection.query,
        "recipe": recollection.recipe,
        "now": recollection.now.astimezone(zone).isoformat(),
        "memories": [recalled_json(it, zone) for it in recollection.memories],
        "facts": [recalled_json(it, zone) | _fact_fields(it.memory) for it in recollection.facts],
        "sections": dict(
            sections_of((*recollection.facts, *recollection.memories), lines, recollection.now)
        ),
        "timings_ms": dict(recollection.timings_ms),
        "unembedded": recollection.unembedded,
    }


def recalled_json(recalled: Recalled, zone: ZoneInfo) -> dict[str, Any]:
    """One memory of a recall, with the parts of its score."""
    memory = recalled.memory
    said_at = memory.time if isinstance(memory, Turn) else None
    return {
        "id": memory.id,
        "kind": kind_of(memory),
        "date": memory.date,
        "time": said_at.astimezone(zone).strftime("%H:%M:%S") if said_at else None,
        "turn": memory.position if isinstance(memory, Turn) else None,
        "text": words_of(memory),
        "score": recalled.score,
        "parts": dict(recalled.parts),
        "state": recalled.state,
        "strength": recalled.strength,
        "retention": recalled.retention,
    }


def _fact_fields(memory: Memory) -> dict[str, Any]:
    names = ("entity", "entity_type", "aspect", "key_word", "first", "last")
    return {name: getattr(memory, name) for name in names}
