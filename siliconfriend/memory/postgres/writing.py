"""Write what an edit added, once and never twice, also where the connection breaks in the middle.

Who sent a commit and was not answered does not know whether it was made. The rows do: the lock says
when the broken transaction has ended, and the numbers and bytes of the lines whose they are. What
was not written and whose place nobody took is written then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from psycopg import Error

from siliconfriend.errors import StoreError
from siliconfriend.memory import lines
from siliconfriend.memory.changes import Change, Erase, apply_all
from siliconfriend.memory.postgres.database_errors import is_lost
from siliconfriend.memory.postgres.scope_rows import ScopeRows, new_segment
from siliconfriend.memory.postgres.snapshots import Snapshot, rest_of
from siliconfriend.memory.records import PersonMemory


@dataclass(frozen=True, slots=True)
class Update:
    """The lines of one edit.

    Attributes:
        lines: as they are written.
        memory: after them.
        segment: of the log that begins behind them, where they erase; else None.
    """

    lines: Sequence[bytes]
    memory: PersonMemory
    segment: int | None


def plan_update(memory: PersonMemory, changes: Sequence[Change]) -> Update:
    """The lines of some changes to a memory.

    Raises:
        ValueError: one of them could not be read back.
    """
    data = lines.encode(changes, memory.sequence)
    read = [line.change for line in lines.decode(data)]
    after = replace(apply_all(memory, read), sequence=memory.sequence + len(read))
    is_erasing = any(isinstance(it, Erase) for it in read)
    return Update(data.splitlines(keepends=True), after, new_segment() if is_erasing else None)


def write_update(rows: ScopeRows, before: Snapshot, update: Update) -> Snapshot:
    """Write an update under the memory's lock; the snapshot after it."""
    rows.append(before.memory.sequence, update.lines)
    state = replace(
        before.state,
        sequence=update.memory.sequence,
        log_bytes=before.state.log_bytes + sum(map(len, update.lines)),
    )
    after = replace(before, memory=update.memory, state=state, last=update.lines[-1])
    return after if update.segment is None else rewrite(rows, after, update.segment)


def rewrite(rows: ScopeRows, snapshot: Snapshot, segment: int) -> Snapshot:
    """Leave no row that holds words which the memory has no more."""
    state = rows.rewrite(snapshot.state, rest_of(snapshot, rows.scope), segment)
    return replace(snapshot, state=state, rested=snapshot.memory.days, last=None)


def write_again(
    rows: ScopeRows, before: Snapshot, update: Update, check: Callable[[], None]
) -> Snapshot | None:
    """Write an update under the lock unless it is there; None where it is, among others perhaps.

    ``check`` raises where it may not be written any more.

    Raises:
        StoreError: it is not, and others wrote since, so that it no longer fits.
    """
    found = rows.state_and_lines(before.memory.sequence + 1)
    if found is None:
        raise StoreError("edit_not_written", name=rows.scope.person)
    state, behind = found
    if update.segment is not None and state.segment == update.segment:
        return None
    if state.segment == before.state.segment:
        if [line for _, line in behind[: len(update.lines)]] == list(update.lines):
            return None
        if state.sequence == before.memory.sequence:
            check()
            return write_update(rows, replace(before, state=state), update)
    raise StoreError("edit_not_written", name=rows.scope.person)


def was_lost(error: Exception) -> bool:
    """True of an error that was raised because the connection broke."""
    return isinstance(error.__cause__, Error) and is_lost(error.__cause__)
