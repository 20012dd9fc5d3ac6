"""The only ways memory changes, as values.

Each change *sets* something and never says "one more", so applying it twice does
nothing twice: that is what lets a journal be replayed after a crash and a night be
run again. ``apply`` copies the one day it touches and shares the rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.identity import place_of
from siliconfriend.memory.records import (
    Day,
    DayPersonality,
    DaySummary,
    Overall,
    PersonMemory,
    Profile,
    Turn,
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
class PutTrace:
    """Set the forgetting state of one memory and leave its words alone."""

    id: str
    trace: Trace


@dataclass(frozen=True, slots=True)
class Erase:
    """Remove turns for good and keep their ids so that nothing brings them back."""

    ids: tuple[str, ...]


Change = (
    PutProfile
    | PutTurn
    | PutSummary
    | PutPersonality
    | PutOverallHistory
    | PutOverallPersonality
    | PutTrace
    | Erase
)


def apply(memory: PersonMemory, change: Change) -> PersonMemory:
    """The memory after one change; the memory given stays as it was."""
    match change:
        case PutProfile(profile):
            return replace(memory, profile=profile)
        case PutTurn(turn):
            return memory if turn.id in memory.erased else _with_turn(memory, turn)
        case PutSummary(date, summary):
            return _with_day(memory, replace(_day(memory, date), summary=summary))
        case PutPersonality(date, personality):
            return _with_day(memory, replace(_day(memory, date), personality=personality))
        case PutOverallHistory(overall):
            return replace(memory, overall_history=overall)
        case PutOverallPersonality(overall):
            return replace(memory, overall_personality=overall)
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


def _with_turn(memory: PersonMemory, turn: Turn) -> PersonMemory:
    day = _day(memory, turn.date)
    if not day.turns or turn.position > day.turns[-1].position:
        turns: tuple[Turn, ...] = (*day.turns, turn)
    else:
        others = (it for it in day.turns if it.id != turn.id)
        turns = tuple(sorted((*others, turn), key=lambda it: it.position))
    return _with_day(memory, replace(day, turns=turns))


def _with_trace(memory: PersonMemory, identifier: str, trace: Trace) -> PersonMemory:
    found = memory.find(identifier)
    if isinstance(found, Turn):
        return _with_turn(memory, replace(found, trace=trace))
    if isinstance(found, DaySummary):
        return apply(memory, PutSummary(found.date, replace(found, trace=trace)))
    return memory


def _without(memory: PersonMemory, ids: tuple[str, ...]) -> PersonMemory:
    gone = frozenset(ids)
    touched = {place.date for identifier in ids if (place := place_of(identifier)) is not None}
    days = dict(memory.days)
    for date in touched & days.keys():
        day = days[date]
        days[date] = replace(day, turns=tuple(it for it in day.turns if it.id not in gone))
    return replace(memory, days=days, erased=memory.erased | gone)
