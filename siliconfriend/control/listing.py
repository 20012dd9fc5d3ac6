"""Build rows and JSON documents of memories, recalls and forgetting policies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from zoneinfo import ZoneInfo

from siliconfriend.clock import day_of
from siliconfriend.config import Settings
from siliconfriend.control.dependents import dependents_of
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.forgetting.prospect import Prospect, prospect
from siliconfriend.memory.knowledge import Event, Fact, FactGroup, Insight, Topic
from siliconfriend.memory.records import DaySummary, Memory, PersonMemory, Turn, kind_of
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language, text

if TYPE_CHECKING:
    from siliconfriend.recall.results import Recalled, RecallResult

FACT_GROUPS: dict[str, tuple[FactGroup, ...]] = {
    "you": ("attributes", "scenes"),
    "relations": ("relations",),
    "us": ("companion",),
    "around": ("named", "general"),
    "promises": ("promises",),
}
"""The groups of facts in display order, each with the fact groups that it includes."""
MOST_FACTS = 50
"""Maximum number of facts shown per group, latest first."""

_ABOUT = ("entity", "entity_type", "aspect", "key_word", "first", "last")
_FIELDS: dict[type[Memory], tuple[str, ...]] = {
    Fact: (*_ABOUT, "said_by", "superseded_by", "true_from", "true_until", "doubted_by", "topic"),
    DaySummary: ("checked",),
    Event: ("place", "scene", "key_words", "triple", "insight", "superseded_by"),
    Topic: ("key_words", "visits"),
    Insight: ("question",),
}
"""Record fields copied unchanged into JSON."""


class MemoryRow(NamedTuple):
    """A memory and its predicted forgetting at one moment.

    ``is_likely`` is False for search results with an estimated probability below 0.5.
    """

    memory: Memory
    prospect: Prospect
    zone: ZoneInfo
    now: datetime
    is_likely: bool = True

    def to_json(self) -> dict[str, Any]:
        """Return the row as ``memories list --json`` gives it.

        ``last_recalled`` is the day of the last recall, or of creation without a recall.
        ``brought_on`` is the day of an import, from which the memory fades.
        """
        record, outlook, trace = self.memory, self.prospect, self.memory.trace
        brought = day_of(trace.brought, self.zone) if trace.brought else None
        found: dict[str, Any] = {
            "id": record.id,
            "kind": kind_of(record),
            "date": record.date,
            "turn": record.position if isinstance(record, Turn) else None,
            "text": record.text,
            **_fields_of(outlook, ("state", "strength", "unit_days", "retention")),
            "last_recalled": day_of(trace.last_recall, self.zone).isoformat(),
            "brought_on": brought and brought.isoformat(),
            "pinned": trace.pinned,
            "unkept": isinstance(record, Turn) and record.unkept,
            "dims_on": outlook.dims_on and outlook.dims_on.isoformat(),
            "archived_on": outlook.archived_on and outlook.archived_on.isoformat(),
            "likely": self.is_likely,
        }
        if not isinstance(record, Turn):
            found["from_ids"] = list(record.provenance.from_ids)
        for name, value in _fields_of(record, _FIELDS.get(type(record), ())).items():
            found[name] = list(value) if isinstance(value, tuple) else value
        if isinstance(record, Event):
            found["time"] = record.time and record.time.astimezone(self.zone).isoformat()
        if isinstance(record, Topic):
            from siliconfriend.extraction.topics import heat  # loads numpy

            found["overviews"] = [talk.overview for talk in record.talks if talk.overview]
            found["heat"] = round(heat(record, self.now), 2)
        return found


def memory_row(
    memory: PersonMemory, record: Memory, policy: ForgettingPolicy, now: datetime
) -> MemoryRow:
    """Compute the row of one memory of a person."""
    outlook = prospect(
        record.trace,
        kind=kind_of(record),
        identifier=record.id,
        now=now,
        policy=policy,
        zone=memory.profile.zone,
        mentions=memory.mentions(record),
    )
    return MemoryRow(record, outlook, memory.profile.zone, now)


def memory_details(memory: PersonMemory, record: Memory) -> dict[str, Any]:
    """Return the additional fields of ``memories show --json``.

    ``history`` lists the facts that this fact superseded, directly or transitively, oldest first.
    """
    gone, history = {record.id}, list[Fact]()
    while fresh := [
        fact for fact in memory.facts() if fact.superseded_by in gone and fact.id not in gone
    ]:
        gone.update(fact.id for fact in fresh)
        history += fresh
    history.sort(key=lambda fact: (fact.last, fact.date, fact.position))
    used = ((turn.id, {source.id for source in turn.used}) for turn in memory.turns())
    return {
        "created": record.trace.created.isoformat(),
        "importance": record.trace.importance,
        "made_by": record.replied_by if isinstance(record, Turn) else record.provenance.made_by,
        "recalled_on": [
            day_of(moment, memory.profile.zone).isoformat() for moment in record.trace.recalls
        ],
        "from_ids": [] if isinstance(record, Turn) else list(record.provenance.from_ids),
        "derived": [made.id for made in dependents_of(memory, [record.id]) if made.id != record.id],
        "used_by": [id_ for id_, ids in used if record.id in ids],
        "history": [_fields_of(fact, ("id", "text", "first", "last")) for fact in history],
    }


def active_facts(memory: PersonMemory) -> list[Fact]:
    """Return the currently true facts, latest mention first."""
    facts = [fact for fact in memory.facts() if fact.is_active]
    return sorted(facts, key=lambda fact: (fact.last or fact.date, fact.id), reverse=True)


def grouped_facts(memory: PersonMemory) -> Iterator[tuple[str, Fact]]:
    """Yield the active facts with their group, in the order of :data:`FACT_GROUPS`."""
    facts = active_facts(memory)
    for name, groups in FACT_GROUPS.items():
        for fact in [fact for fact in facts if fact.group in groups][:MOST_FACTS]:
            yield name, fact


def recall_document(
    scope: Scope, found: RecallResult, memory: PersonMemory, settings: Settings
) -> dict[str, Any]:
    """Return the document that ``recall --json`` prints."""
    from siliconfriend.characters.companions import companion_name
    from siliconfriend.recall.memory_lines import MemoryLines, sections_of

    zone, language = memory.profile.zone, memory.profile.language
    lines = MemoryLines(memory, companion_name(settings, scope.companion, language))
    return {
        "user": scope.person,
        "companion": scope.companion,
        "query": found.query,
        "recipe": found.recipe,
        "now": found.now.astimezone(zone).isoformat(),
        "memories": [_recalled(recalled, zone) for recalled in found.memories],
        "facts": [_recalled(fact, zone) | _fields_of(fact.memory, _ABOUT) for fact in found.facts],
        "sections": dict(sections_of(found, lines)),
        "timings_ms": dict(found.timings_ms),
        "unembedded": found.unembedded,
    }


def _recalled(recalled: Recalled, zone: ZoneInfo) -> dict[str, Any]:
    memory = recalled.memory
    said_at = memory.time if isinstance(memory, Turn) else None
    own = {"said": memory.query, "replied": memory.response} if isinstance(memory, Turn) else {}
    return {
        "id": memory.id,
        "kind": kind_of(memory),
        "date": memory.date,
        "time": said_at.astimezone(zone).strftime("%H:%M:%S") if said_at else None,
        "turn": memory.position if isinstance(memory, Turn) else None,
        "text": memory.text,
        **own,
        "parts": dict(recalled.parts),
        "relevant": recalled.is_likely,
        **_fields_of(recalled, ("score", "state", "strength", "retention")),
    }


def _fields_of(record: object, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(record, name) for name in names}


def formula(policy: ForgettingPolicy, language: Language) -> str:
    """Format name, formula and unit as one line."""
    shown: Mapping[str, str] = {kind: f"{round(days, 1):g}" for kind, days in policy.units.items()}
    if policy.clean_up is not None:
        shown = policy.clean_up.shown()
    return text("forgetting", f"formula.{policy.name}", language, **shown)


def ids_with_metadata(memory: PersonMemory, metadata: Mapping[str, Any]) -> set[str]:
    """Return the ids of turns with these metadata, and of records derived only from such turns."""
    found = {
        turn.id
        for turn in memory.turns()
        if all(
            name in turn.metadata and turn.metadata[name] == value
            for name, value in metadata.items()
        )
    }
    for record in memory.memories():
        made_from = () if isinstance(record, Turn) else record.provenance.from_ids
        if made_from and found.issuperset(made_from):
            found.add(record.id)
    return found
