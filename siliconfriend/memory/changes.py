"""Changes of a memory, as values.

Each change *sets* something, so that applying it twice does nothing twice. ``apply`` returns a new
memory, which copies the one day it touches and shares the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.days import with_days
from siliconfriend.memory.identity import parse_memory_id
from siliconfriend.memory.records import (
    LISTS,
    Context,
    Day,
    DayPersonality,
    DaySummary,
    Derived,
    PersonMemory,
    Turn,
    kind_of,
    listed,
    with_listed,
)


class Change:
    """Something that is set in a memory."""

    __slots__ = ()

    def apply(self, memory: PersonMemory) -> PersonMemory:
        """Return the memory after the change."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class PutTurn(Change):
    """Set a turn, new or changed. A turn that was erased stays erased."""

    turn: Turn

    def apply(self, memory: PersonMemory) -> PersonMemory:
        return _with_record(memory, self.turn)


@dataclass(frozen=True, slots=True)
class PutDerived(Change):
    """Set an insight, event, fact or topic, new or changed. One that was erased stays erased."""

    record: Derived

    def apply(self, memory: PersonMemory) -> PersonMemory:
        return _with_record(memory, self.record)


@dataclass(frozen=True, slots=True)
class PutSummary(Change):
    """Set a day's summary, or with None take it away to be made again."""

    date: str
    summary: DaySummary | None

    def apply(self, memory: PersonMemory) -> PersonMemory:
        return _with_day(memory, replace(_day(memory, self.date), summary=self.summary))


@dataclass(frozen=True, slots=True)
class PutPersonality(Change):
    """Set a day's personality, or with None take it away to be made again."""

    date: str
    personality: DayPersonality | None

    def apply(self, memory: PersonMemory) -> PersonMemory:
        return _with_day(memory, replace(_day(memory, self.date), personality=self.personality))


@dataclass(frozen=True, slots=True)
class _PutField(Change):
    """Set a field of the memory itself, or with None take it away to be made again."""

    name: ClassVar[str]
    value: Any

    def apply(self, memory: PersonMemory) -> PersonMemory:
        return replace(memory, **{self.name: self.value})


class PutProfile(_PutField):
    """Set who the person is."""

    name = "profile"


class PutOverallHistory(_PutField):
    """Set the overall history."""

    name = "overall_history"


class PutOverallPersonality(_PutField):
    """Set the overall personality."""

    name = "overall_personality"


class PutReflection(_PutField):
    """Set what was last reflected on; after None it is reflected on again."""

    name = "last_reflection"


@dataclass(frozen=True, slots=True)
class PutContext(Change):
    """Set how far turns are on their way out of the talk that goes on; unknown ids are none."""

    ids: tuple[str, ...]
    context: Context

    def apply(self, memory: PersonMemory) -> PersonMemory:
        for identifier in self.ids:
            found = memory.find(identifier)
            if isinstance(found, Turn) and found.context != self.context:
                memory = _with_record(memory, replace(found, context=self.context))
        return memory


@dataclass(frozen=True, slots=True)
class PutTrace(Change):
    """Set the forgetting state of one memory and leave its words alone."""

    id: str
    trace: Trace

    def apply(self, memory: PersonMemory) -> PersonMemory:
        found = memory.find(self.id)
        if found is None:
            return memory
        if isinstance(found, DaySummary):
            return PutSummary(found.date, replace(found, trace=self.trace)).apply(memory)
        return _with_record(memory, replace(found, trace=self.trace))


@dataclass(frozen=True, slots=True)
class Erase(Change):
    """Remove turns and derived records for good, and keep their ids so that nothing brings them back."""

    ids: tuple[str, ...]

    def apply(self, memory: PersonMemory) -> PersonMemory:
        gone = frozenset(self.ids)
        places = (parse_memory_id(identifier) for identifier in self.ids)
        touched = {place.date for place in places if place is not None}
        changed: dict[str, Day] = {}
        for date in touched & memory.days.keys():
            day = memory.days[date]
            for kind in LISTS:
                kept = [record for record in listed(day, kind) if record.id not in gone]
                day = with_listed(day, kind, kept)
            changed[date] = day
        days = _changed(memory.days, changed)
        return replace(memory, days=days, erased=memory.erased | gone)


def apply_all(memory: PersonMemory, changes: Iterable[Change]) -> PersonMemory:
    """Return the memory after all changes, in their order; many cost hardly more than one."""
    several = list(changes)
    if len(several) == 1:
        return several[0].apply(memory)
    draft = _Draft(memory.days)
    memory = replace(memory, days=draft)
    for change in several:
        memory = change.apply(memory)
    return replace(memory, days=with_days(draft.before, draft.changed))


class _Draft(Mapping[str, Day]):
    """Days among which some are set in place, since nobody else has seen them yet.

    Attributes:
        before: the days as they were.
        changed: those that were set since.
    """

    def __init__(self, before: Mapping[str, Day]) -> None:
        self.before = before
        self.changed: dict[str, Day] = {}

    def __getitem__(self, date: str) -> Day:
        return self.changed[date] if date in self.changed else self.before[date]

    def __iter__(self) -> Iterator[str]:
        return iter({**dict.fromkeys(self.before), **dict.fromkeys(self.changed)})

    def __len__(self) -> int:
        return len(self.before.keys() | self.changed.keys())


def _day(memory: PersonMemory, date: str) -> Day:
    return memory.days.get(date) or Day(date)


def _with_day(memory: PersonMemory, day: Day) -> PersonMemory:
    days = _changed(memory.days, {day.date: day})
    return memory if days is memory.days else replace(memory, days=days)


def _changed(days: Mapping[str, Day], changed: Mapping[str, Day]) -> Mapping[str, Day]:
    if not isinstance(days, _Draft):
        return with_days(days, changed)
    days.changed |= changed
    return days


def _with_record(memory: PersonMemory, record: Turn | Derived) -> PersonMemory:
    if record.id in memory.erased:
        return memory
    day, kind = _day(memory, record.date), kind_of(record)
    return _with_day(memory, with_listed(day, kind, _put(listed(day, kind), record)))


def _put(there: Sequence[Turn | Derived], record: Turn | Derived) -> tuple[Turn | Derived, ...]:
    """Return the records by position with this one among them, in place of the one with its id."""
    if not there or record.position > there[-1].position:
        return (*there, record)
    others = (other for other in there if other.id != record.id)
    return tuple(sorted((*others, record), key=lambda it: it.position))
