"""A person of a MemoryBank file as a memory, and a memory as such a person.

The two directions belong together: what one reads the other writes back with the same
meaning, so that a bank can pass through here and be used by its own programs again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.clock import noon_of
from siliconfriend.forgetting.trace import Trace
from siliconfriend.language.self_harm import speaks_of_self_harm
from siliconfriend.memory.days import overall_history_inputs, overall_personality_inputs
from siliconfriend.memory.documents import state_fields
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.input_hash import day_inputs
from siliconfriend.memory.memorybank_file import OWN, BankPerson, BankText, BankTurn
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import (
    Day,
    DayPersonality,
    DaySummary,
    Overall,
    PersonMemory,
    Profile,
    Turn,
)
from siliconfriend.memory.scope import Scope


def import_memorybank(person: BankPerson, scope: Scope, profile: Profile) -> PersonMemory:
    """Convert a person of a MemoryBank file to a memory of ``scope``.

    A turn stands at its index in the file. Only its day is known, which counts as noon.
    Derived texts carry the hash of what they rest on, so that they are not due again.
    """
    zone = profile.zone
    dates = sorted({*person.history, *person.summaries, *person.personalities})
    days = {}
    for it in dates:
        turns = tuple(
            _turn(turn, scope, it, position, zone)
            for position, turn in enumerate(person.history.get(it, ()))
        )
        day = Day(it, turns)
        made = Provenance(
            "import", profile.created, tuple(turn.id for turn in turns), day_inputs(day)
        )
        summary = person.summaries.get(it)
        personality = person.personalities.get(it)
        days[it] = replace(
            day,
            summary=_summary(summary, scope, it, made, zone) if summary else None,
            personality=_personality(personality, it, made) if personality else None,
        )
    brought = replace(profile, meta_information=person.meta_information, extra=person.extra)
    memory = PersonMemory(brought, days)
    made = Provenance("import", profile.created)
    if person.overall_history:
        made = replace(made, inputs=overall_history_inputs(memory))
        memory = replace(memory, overall_history=Overall(person.overall_history, made))
    if person.overall_personality:
        made = replace(made, inputs=overall_personality_inputs(memory))
        memory = replace(memory, overall_personality=Overall(person.overall_personality, made))
    return memory


def export_memorybank(memory: PersonMemory) -> dict[str, Any]:
    """A bank of this one person, ``{name: {...}}``, with archived turns too.

    Strength and last recall stand only where they are not what MemoryBank assumes. What knows a
    turn of other talks again stands in a field of our own, which other programs do not read.
    """
    profile, days = memory.profile, memory.kept().days.values()
    person: dict[str, Any] = {
        "name": profile.name,
        "summary": {day.date: _summary_form(day.summary, profile) for day in days if day.summary},
        "personality": {
            day.date: _personality_form(day.personality) for day in days if day.personality
        },
        "overall_history": memory.overall_history.text if memory.overall_history else "",
        "history": {
            day.date: list(_turn_forms(day, profile))
            for day in days
            if day.turns or not (day.summary or day.personality)
        },
        "meta_information": dict(profile.meta_information),
    }
    if memory.overall_personality is not None:
        person["overall_personality"] = memory.overall_personality.text
    for key, value in profile.extra.items():
        if key == "name" or not person.get(key):
            person[key] = value
    return {profile.name: person}


def _turn(turn: BankTurn, scope: Scope, day: str, position: int, zone: ZoneInfo) -> Turn:
    return Turn(
        id=memory_id(scope, "turn", day, position),
        date=day,
        position=position,
        query=turn.query,
        response=turn.response,
        time=None,
        trace=replace(_trace(day, turn.strength, turn.last_recall, zone), brought=turn.brought),
        origin="import",
        distress=speaks_of_self_harm(turn.query),
        sources=turn.sources,
        extra=turn.extra,
    )


def _summary(
    summary: BankText, scope: Scope, day: str, made: Provenance, zone: ZoneInfo
) -> DaySummary:
    return DaySummary(
        id=memory_id(scope, "day", day, 0),
        date=day,
        text=summary.text,
        trace=_trace(day, summary.strength, summary.last_recall, zone),
        provenance=made,
        extra=summary.extra,
    )


def _personality(personality: BankText, day: str, made: Provenance) -> DayPersonality:
    return DayPersonality(day, personality.text, made, **personality.parts, extra=personality.extra)


def _trace(day: str, strength: float, last_recall: str | None, zone: ZoneInfo) -> Trace:
    """A trace with this strength and last recall: the recall is counted in the strength."""
    created = noon_of(date.fromisoformat(day), zone)
    if last_recall is None or last_recall <= day:
        return Trace(created, first_strength=strength)
    recall = noon_of(date.fromisoformat(last_recall), zone)
    return Trace(created, first_strength=strength - 1, recalls=(recall,))


def _turn_forms(day: Day, profile: Profile) -> Iterator[Mapping[str, Any]]:
    for turn in day.turns:
        words = {"query": turn.query, "response": turn.response}
        state = state_fields(turn.trace, day.date, profile)
        yield {**words, **state, **_own_fields(turn), **turn.extra}


def _own_fields(turn: Turn) -> dict[str, Any]:
    own: dict[str, Any] = {"sources": list(turn.sources)} if turn.sources else {}
    if turn.trace.brought is not None:
        own["brought"] = turn.trace.brought.isoformat()
    return {OWN: own} if own else {}


def _summary_form(summary: DaySummary, profile: Profile) -> Mapping[str, Any]:
    state = state_fields(summary.trace, summary.date, profile)
    return {"content": summary.text, **state, **summary.extra}


def _personality_form(personality: DayPersonality) -> str | Mapping[str, Any]:
    if not personality.extra:
        return personality.text
    parts = {name: getattr(personality, name) for name in ("traits", "mood", "strategy")}
    named = {name: value for name, value in parts.items() if value}
    return {"content": personality.text, **named, **personality.extra}
