"""The only ways memory changes, as values.

Each change *sets* something and never says "one more", so applying it twice does
nothing twice: that is what lets a journal be replayed after a crash and a night be
run again. ``apply`` copies the one day it touches and shares the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.identity import place_of
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import (
    LISTS,
    Context,
    Day,
    DayPersonality,
    DaySummary,
    Derived,
    Overall,
    PersonMemory,
    Profile,
    Turn,
    kind_of,
    listed,
    with_listed,
)


@dataclass(frozen=True, slots=True)
class PutProfile:
    """Set who the person is."""

    profile: Profile


@dataclass(frozen=True, slots=True)
class PutTurn:
    """Set a turn, new or changed. A turn that was erased stays erased."""

    turn: Turn


@dataclass(frozen=True, slots=True)
class PutSummary:
    """Set a day's summary, or with None take it away to be made again."""

    date: str
    summary: DaySummary | None


@dataclass(frozen=True, slots=True)
class PutPersonality:
    """Set a day's personality, or with None take it away to be made again."""

    date: str
    personality: DayPersonality | None


@dataclass(frozen=True, slots=True)
class PutOverallHistory:
    """Set the overall history, or with None take it away to be made again."""

    overall: Overall | None


@dataclass(frozen=True, slots=True)
class PutOverallPersonality:
    """Set the overall personality, or with None take it away to be made again."""

    overall: Overall | None


@dataclass(frozen=True, slots=True)
class PutDerived:
    """Set an insight, event, fact or topic, new or changed. One that was erased stays erased."""

    record: Derived


@dataclass(frozen=True, slots=True)
class PutContext:
    """Set how far turns are on their way out of the talk that goes on; unknown ids are none."""

    ids: tuple[str, ...]
    context: Context


@dataclass(frozen=True, slots=True)
class PutReflection:
    """Set what was last reflected on, or with None nothing, so that it is reflected on again."""

    reflection: Provenance | None


@dataclass(frozen=True, slots=True)
class PutTrace:
    """Set the forgetting state of one memory and leave its words alone."""

    id: str
    trace: Trace


@dataclass(frozen=True, slots=True)
class Erase:
    """Remove turns and what stands in lists beside them for good and keep their ids so that nothing brings them back."""

    ids: tuple[str, ...]


Change = (
    PutProfile
    | PutTurn
    | PutSummary
    | PutPersonality
    | PutOverallHistory
    | PutOverallPersonality
    | PutDerived
    | PutContext
    | PutReflection
    | PutTrace
    | Erase
)


def apply(memory: PersonMemory, change: Change) -> PersonMemory:
    """The memory after one change; the memory given stays as it was."""
    match change:
        case PutProfile(profile):
            return replace(memory, profile=profile)
        case PutTurn(turn):
            return memory if turn.id in memory.erased else _with(memory, turn)
        case PutSummary(date, summary):
            return _with_day(memory, replace(_day(memory, date), summary=summary))
        case PutPersonality(date, personality):
            return _with_day(memory, replace(_day(memory, date), personality=personality))
        case PutOverallHistory(overall):
            return replace(memory, overall_history=overall)
        case PutOverallPersonality(overall):
            return replace(memory, overall_personality=overall)
        case PutDerived(record):
            return memory if record.id in memory.erased else _with(memory, record)
        case PutContext(ids, context):
            return _with_context(memory, ids, context)
        case PutReflection(reflection):
            return replace(memory, last_reflection=reflection)
        case PutTrace(identifier, trace):
            return _with_trace(memory, identifier, trace)
        case Erase(ids):
            return _without(memory, ids)


def apply_all(memory: PersonMemory, changes: Iterable[Change]) -> PersonMemory:
    """The memory after all changes, in their order; many cost hardly more than one."""
    several = list(changes)
    if len(several) == 1:
        return apply(memory, several[0])
    memory = replace(memory, days=_Draft(memory.days))
    for change in several:
        memory = apply(memory, change)
    return replace(memory, days=dict(sorted(memory.days.items())))


class _Draft(dict[str, Day]):
    """Days that nobody else has seen yet, so that they can be set in place."""


def _day(memory: PersonMemory, date: str) -> Day:
    return memory.days.get(date) or Day(date)


def _with_day(memory: PersonMemory, day: Day) -> PersonMemory:
    if isinstance(memory.days, _Draft):
        memory.days[day.date] = day
        return memory
    days = {**memory.days, day.date: day}
    is_in_order = day.date in memory.days or not memory.days or day.date > list(memory.days)[-1]
    return replace(memory, days=days if is_in_order else dict(sorted(days.items())))


def _with(memory: PersonMemory, record: Turn | Derived) -> PersonMemory:
    day = _day(memory, record.date)
    kind = kind_of(record)
    return _with_day(memory, with_listed(day, kind, _put(listed(day, kind), record)))


def _with_context(memory: PersonMemory, ids: tuple[str, ...], context: Context) -> PersonMemory:
    for identifier in ids:
        found = memory.find(identifier)
        if isinstance(found, Turn) and found.context != context:
            memory = _with(memory, replace(found, context=context))
    return memory


def _put(there: Sequence[Turn | Derived], record: Turn | Derived) -> tuple[Turn | Derived, ...]:
    """The records by position with this one among them, in place of the one with its id."""
    if not there or record.position > there[-1].position:
        return (*there, record)
    others = (it for it in there if it.id != record.id)
    return tuple(sorted((*others, record), key=lambda it: it.position))


def _with_trace(memory: PersonMemory, identifier: str, trace: Trace) -> PersonMemory:
    found = memory.find(identifier)
    if isinstance(found, DaySummary):
        return apply(memory, PutSummary(found.date, replace(found, trace=trace)))
    return memory if found is None else _with(memory, replace(found, trace=trace))


def _without(memory: PersonMemory, ids: tuple[str, ...]) -> PersonMemory:
    gone = frozenset(ids)
    touched = {place.date for identifier in ids if (place := place_of(identifier)) is not None}
    days = dict(memory.days)
    for date in touched & days.keys():
        for kind in LISTS:
            there = listed(days[date], kind)
            days[date] = with_listed(days[date], kind, [it for it in there if it.id not in gone])
    return replace(memory, days=days, erased=memory.erased | gone)
