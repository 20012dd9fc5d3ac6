"""One edit of a memory: the changes of its block, and the rows that they write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from siliconfriend.memory.changes import Change, apply_all
from siliconfriend.memory.days import changed_dates
from siliconfriend.memory.documents import (
    NO_DATE,
    Document,
    decode_record,
    encode_record,
    parts_of,
    parts_without_date,
)
from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.memory.rows import DayRow, ScopeRows, State
from siliconfriend.memory.snapshots import Snapshot


class Edit:
    """The changes of one :meth:`MemoryStore.edit` block.

    Attributes:
        memory: the newest memory, as it was when the block began.
        changes: what was added so far, in order.
    """

    def __init__(self, memory: PersonMemory) -> None:
        self.memory = memory
        self.changes: list[Change] = []
        self._after: PersonMemory | None = None

    def add(self, *changes: Change) -> None:
        """Add changes, to be written in this order when the block ends.

        Raises:
            RuntimeError: the block has ended, so they would be lost.
        """
        if self._after is not None:
            msg = "changes are added inside the block of an edit"
            raise RuntimeError(msg)
        self.changes += changes

    @property
    def memory_after(self) -> PersonMemory:
        """The memory with the changes in it, once they are durable.

        Raises:
            RuntimeError: the block has not ended, or it ended with an error.
        """
        if self._after is None:
            msg = "the memory after an edit is known when its block has ended"
            raise RuntimeError(msg)
        return self._after

    def finish(self, memory_after: PersonMemory) -> None:
        """Called by the store when the changes are durable."""
        self._after = memory_after


@dataclass(slots=True)
class EditPlan:
    """What one edit writes; ``put`` and ``gone`` are documents and ids that go, by date."""

    state: State
    days: dict[str, DayRow] = field(default_factory=dict)
    put: dict[str, list[Document]] = field(default_factory=dict)
    gone: dict[str, list[str]] = field(default_factory=dict)
    erased: frozenset[str] = frozenset()

    def write(self, rows: ScopeRows) -> None:
        """Write the rows."""
        rows.put_state(self.state)
        rows.put_erased(self.erased)
        rows.put_days(self.days)
        for date, documents in self.put.items():
            rows.put_documents(date, documents)
        for date, names in self.gone.items():
            rows.remove_documents(date, names)


def plan_edit(before: Snapshot, changes: Sequence[Change]) -> EditPlan:
    """Plan the rows that changes write.

    Raises:
        ValueError: a record could not be read back.
    """
    old = before.memory
    after = apply_all(old, changes)
    state = State.new(old.sequence + len(changes))
    state = replace(state, epoch=before.state.epoch, days=len(after.days) + 1)
    plan = EditPlan(state, erased=after.erased - old.erased)
    for date in changed_dates(old.days, after.days):
        there = parts_of(old.days[date]) if date in old.days else ()
        _plan_date(plan, date, there, parts_of(after.days[date]), after.profile)
    known, rest = list(parts_without_date(old)), list(parts_without_date(after))
    if plan.erased or known != rest:
        _plan_date(plan, NO_DATE, known, rest, after.profile, extra=len(after.erased))
    return plan


def _plan_date(
    plan: EditPlan,
    date: str,
    known: Iterable[tuple[str, str, Any]],
    parts: Iterable[tuple[str, str, Any]],
    profile: Profile,
    extra: int = 0,
) -> None:
    there, put = {name: record for name, _, record in known}, []
    parts = list(parts)
    for name, kind, record in parts:
        if there.pop(name, None) is not record:
            data = encode_record(record, profile)
            decode_record(kind, data, date)
            put.append((name, kind, data))
    plan.put[date], plan.gone[date] = put, sorted(there)
    plan.days[date] = DayRow(plan.state.sequence, len(parts) + extra)
