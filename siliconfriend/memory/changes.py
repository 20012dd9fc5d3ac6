"""Changes of a memory, as values.

Each change sets a value and is idempotent. Applying changes returns a new memory that copies the
changed days and shares the rest.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Generic, TypeVar

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.codec import (
    NO_DATE,
    EncodedRecord,
    Form,
    Unreadable,
    day_of_parts,
    decode_record,
    encode_record,
    parts_of,
    parts_without_date,
    rest_of_parts,
)
from siliconfriend.memory.days import changed_dates
from siliconfriend.memory.records import (
    LISTS,
    Day,
    DayPersonality,
    DaySummary,
    Derived,
    Memory,
    PersonMemory,
    QueueState,
    Turn,
    kind_of,
    listed,
    next_position,
)
from siliconfriend.memory.rows import DayRow, MemoryState, ScopeRows
from siliconfriend.memory.scope import parse_memory_id

_Record = TypeVar("_Record", bound=Turn | Derived)
_Text = TypeVar("_Text", bound=DaySummary | DayPersonality)


class MemoryDraft:
    """A mutable draft of a memory."""

    def __init__(self, memory: PersonMemory) -> None:
        self._before = memory
        self._days: dict[str, Day] = {}
        self.fields: dict[str, Any] = {}
        self._erased: frozenset[str] = memory.erased

    def day(self, date: str) -> Day:
        """Return the current day; an empty day if the date has none."""
        return self._days.get(date) or self._before.days.get(date) or Day(date)

    def find(self, identifier: str) -> Memory | None:
        """Return the current record with this id, or None."""
        place = parse_memory_id(identifier)
        if place is None or place.date not in self._days:
            return self._before.find(identifier)
        memories = self._days[place.date].memories()
        return next((memory for memory in memories if memory.id == identifier), None)

    def next_position(self, date: str, kind: str) -> int:
        """Return the next free position of a day; positions of erased memories are never reused."""
        return next_position(self.day(date), kind, self._erased)

    def put(self, record: Memory) -> None:
        """Insert or replace a record of its day, unless the record was erased."""
        if isinstance(record, DaySummary):
            self.put_in_day(record.date, summary=record)
        elif record.id not in self._erased:
            name = LISTS[kind_of(record)]
            there = listed(self.day(record.date), kind_of(record))
            self.put_in_day(record.date, **{name: _with(there, record)})

    def put_in_day(self, date: str, **fields: Any) -> None:
        """Set fields of a day."""
        self._days[date] = replace(self.day(date), **fields)

    def erase(self, ids: Sequence[str]) -> None:
        """Remove records, and keep their ids as erased."""
        self._erased |= frozenset(ids)
        places = map(parse_memory_id, ids)
        for date in {place.date for place in places if place is not None}:
            if date in self._days or date in self._before.days:
                day = self.day(date)
                for kind, name in LISTS.items():
                    kept = (record for record in listed(day, kind) if record.id not in self._erased)
                    self.put_in_day(date, **{name: tuple(kept)})

    def finish(self) -> PersonMemory:
        """Return the changed memory."""
        days = _with_days(self._before.days, self._days)
        return replace(self._before, days=days, erased=self._erased, **self.fields)


def _with_days(days: Mapping[str, Day], changed: Mapping[str, Day]) -> Mapping[str, Day]:
    return dict(sorted({**days, **changed}.items())) if changed else days


def _with(there: Sequence[Turn | Derived], record: Turn | Derived) -> tuple[Turn | Derived, ...]:
    """Insert a record by position, or replace the record with its id."""
    if not there or record.position > there[-1].position:
        return (*there, record)
    others = (other for other in there if other.id != record.id)
    return tuple(sorted((*others, record), key=lambda other: other.position))


class Change:
    """A change of a memory."""

    __slots__ = ()

    def set_in(self, draft: MemoryDraft) -> None:
        """Apply the change to a draft."""
        raise NotImplementedError

    def apply(self, memory: PersonMemory) -> PersonMemory:
        """Return the memory after the change."""
        return apply_all(memory, (self,))


@dataclass(frozen=True, slots=True)
class _PutRecord(Change, Generic[_Record]):
    record: _Record

    def set_in(self, draft: MemoryDraft) -> None:
        draft.put(self.record)


class PutTurn(_PutRecord[Turn]):
    """Insert or replace a turn. An erased turn stays erased."""


class PutDerived(_PutRecord[Derived]):
    """Insert or replace an insight, event, fact or topic. An erased record stays erased."""


@dataclass(frozen=True, slots=True)
class _PutInDay(Change, Generic[_Text]):
    name: ClassVar[str]
    date: str
    text: _Text | None

    def set_in(self, draft: MemoryDraft) -> None:
        draft.put_in_day(self.date, **{self.name: self.text})


class PutSummary(_PutInDay[DaySummary]):
    """Set a day's summary, or remove it with None so that the night rewrites it."""

    name = "summary"


class PutPersonality(_PutInDay[DayPersonality]):
    """Set a day's personality, or remove it with None so that the night rewrites it."""

    name = "personality"


@dataclass(frozen=True, slots=True)
class PutField(Change):
    """Set the profile, an overall text or the last reflection; None removes the text."""

    name: str
    value: Any

    def set_in(self, draft: MemoryDraft) -> None:
        draft.fields[self.name] = self.value


@dataclass(frozen=True, slots=True)
class PutContext(Change):
    """Set the place of turns in the current conversation; unknown ids are ignored."""

    ids: tuple[str, ...]
    context: QueueState

    def set_in(self, draft: MemoryDraft) -> None:
        for found in map(draft.find, self.ids):
            if isinstance(found, Turn) and found.context != self.context:
                draft.put(replace(found, context=self.context))


@dataclass(frozen=True, slots=True)
class PutTrace(Change):
    """Set the forgetting state of one memory without changing its words."""

    id: str
    trace: Trace

    def set_in(self, draft: MemoryDraft) -> None:
        found = draft.find(self.id)
        if found is not None:
            draft.put(replace(found, trace=self.trace))


@dataclass(frozen=True, slots=True)
class Erase(Change):
    """Remove records permanently, and keep their ids so that no import restores them."""

    ids: tuple[str, ...]

    def set_in(self, draft: MemoryDraft) -> None:
        draft.erase(self.ids)


def apply_all(memory: PersonMemory, changes: Iterable[Change]) -> PersonMemory:
    """Apply the changes in order and return the memory."""
    draft = MemoryDraft(memory)
    for change in changes:
        change.set_in(draft)
    return draft.finish()


class Edit:
    """The changes of one :meth:`MemoryStore.edit` block.

    Attributes:
        memory: the newest memory when the block began.
        changes: changes added so far, in order.
    """

    def __init__(self, memory: PersonMemory) -> None:
        self.memory = memory
        self.changes: list[Change] = []
        self._after: PersonMemory | None = None

    def add(self, *changes: Change) -> None:
        """Add changes, to be written in order when the block ends; RuntimeError after its end."""
        if self._after is not None:
            msg = "changes are added inside the block of an edit"
            raise RuntimeError(msg)
        self.changes += changes

    @property
    def memory_after(self) -> PersonMemory:
        """The changed memory; RuntimeError before the changes are durable."""
        if self._after is None:
            msg = "the memory after an edit is known when its block has ended"
            raise RuntimeError(msg)
        return self._after

    def finish(self, memory_after: PersonMemory) -> None:
        """Mark the changes as durable; called by the store."""
        self._after = memory_after


@dataclass(slots=True)
class EditPlan:
    """The rows of one edit, and the memory after it as it will be read back.

    ``put`` and ``gone`` map dates to written documents and removed ids.
    """

    memory: PersonMemory
    state: MemoryState
    erased: frozenset[str]
    days: dict[str, DayRow] = field(default_factory=dict)
    put: dict[str, list[EncodedRecord]] = field(default_factory=dict)
    gone: dict[str, list[str]] = field(default_factory=dict)

    def write(self, rows: ScopeRows) -> None:
        """Write the rows."""
        rows.put_state(self.state)
        rows.put_erased(self.erased)
        rows.put_days(self.days)
        for date, documents in self.put.items():
            rows.put_documents(date, documents)
            rows.remove_documents(date, self.gone[date])


def plan_edit(old: PersonMemory, epoch: str, changes: Sequence[Change]) -> EditPlan:
    """Plan the rows that changes write; ValueError if a record cannot be read back."""
    after = apply_all(old, changes)
    state = MemoryState.new(old.sequence + len(changes))
    state = state._replace(epoch=epoch, days=len(after.days) + 1)
    plan = EditPlan(after, state, after.erased - old.erased)
    parts = {
        date: (parts_of(old.days.get(date) or Day(date)), parts_of(after.days[date]))
        for date in changed_dates(old.days, after.days)
    }
    known, rest = list(parts_without_date(old)), list(parts_without_date(after))
    if plan.erased or known != rest:
        parts[NO_DATE] = iter(known), iter(rest)
    days, fields = dict[str, Day](), Form()
    for date, (before, now) in parts.items():
        there, put, kept = {name: record for name, _, record in before}, [], []
        for name, kind, record in now:
            read = record
            if there.pop(name, None) is not record:
                data = encode_record(record, after.profile)
                try:
                    read = decode_record(kind, data, date)
                except Unreadable as error:
                    raise ValueError(f"{kind} {name}: {error}") from error
                put.append((name, kind, data))
            kept.append((kind, read))
        plan.put[date], plan.gone[date] = put, sorted(there)
        count = len(kept) + (0 if date else len(after.erased))
        plan.days[date] = DayRow(state.sequence, count, state.last_edit)
        if date:
            days[date] = day_of_parts(date, kept)
        else:
            fields = rest_of_parts(kept)
    written = _with_days(after.days, days)
    plan.memory = replace(after, days=written, sequence=state.sequence, **fields)
    return plan
