"""The rows of a memory that is moved here or away: its note, its log, and placing it whole."""

from __future__ import annotations

from collections.abc import Sequence

from siliconfriend.errors import DamagedMemory, MemoryElsewhere
from siliconfriend.memory import lines
from siliconfriend.memory.changes import Change
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.moving.note import MoveNote, decode_note, encode_note
from siliconfriend.memory.postgres.scope_rows import ScopeRows, State
from siliconfriend.memory.postgres.snapshots import Snapshot, rest_of
from siliconfriend.memory.records import PersonMemory


def note_of(rows: ScopeRows) -> MoveNote | None:
    """The note of rows that are locked; None where the memory was never moved.

    Raises:
        DamagedMemory: it is not what was written.
    """
    if rows.note is None:
        return None
    try:
        return decode_note(rows.note)
    except Unreadable as error:
        details = {"name": rows.scope.person, "path": "siliconfriend.scope.note"}
        raise DamagedMemory("move_note_unreadable", **details, cause=error) from error


def changes_after(rows: ScopeRows, state: State, sequence: int) -> Sequence[Change] | None:
    """The changes behind a number; None where the log no longer has all of them.

    Raises:
        DamagedMemory: a line is not what was written.
    """
    found = rows.lines(sequence + 1)
    if len(found) != state.sequence - sequence:
        return None
    try:
        return [it.change for it in lines.decode(b"".join(line for _, line in found))]
    except Unreadable as error:
        name = rows.scope.person
        raise DamagedMemory("memory_row_unreadable", name=name, cause=error) from error


def place_memory(
    rows: ScopeRows, memory: PersonMemory, note: MoveNote, over: MoveNote | None, *, place: str
) -> None:
    """Write a whole memory at rest, with its number, over what ``over`` stands beside.

    Raises:
        MemoryElsewhere: something else is there; ``place`` is its name for people.
    """
    if rows.exists() and over is not None and note_of(rows) == over:
        rows.delete()
    state = rows.begin_at(memory.sequence)
    if state is None:
        raise MemoryElsewhere("move_taken", name=rows.scope.person, other=place)
    rows.rest(state, rest_of(Snapshot(memory, state, {}, None), rows.scope))
    rows.write_note(encode_note(note))
