"""Move memories from one store to another while people talk, and prove that they are the same.

Each memory is copied whole while nobody is held, then what was said meanwhile is written behind it,
and every record is read back from the other store and compared. Only when all of them stand there
are they handed over, one after the other: under the memory's lock the last changes are written and
compared, and from then on the old copy refuses changes and the new one takes them. Nothing is
deleted. Killed at any moment, the notes in both stores say where to go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from siliconfriend.errors import (
    DamagedMemory,
    MemoryBusy,
    MemoryElsewhere,
    SiliconFriendError,
    StoreError,
    UnknownPerson,
    UnopenableMemory,
)
from siliconfriend.memory.changes import Change
from siliconfriend.memory.lazy_days import changed_dates
from siliconfriend.memory.moving.fingerprint import Fingerprint, differences, fingerprint
from siliconfriend.memory.moving.movable import MovableStore
from siliconfriend.memory.moving.note import MoveNote
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import Edit

Step = Literal["copy", "hand over"]
Progress = Callable[[Step, Scope, int, int], None]
"""Called before each memory with what is done to it, how many are done, and of how many."""

_TIMES = 5
"""How often a memory is read again that others put to rest twice while it was read."""

_OF_ONE = (DamagedMemory, MemoryBusy, MemoryElsewhere, UnknownPerson, UnopenableMemory)
"""Errors of one person's memory, which keep nobody else's from being moved."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of moving one memory.

    Attributes:
        scope: whose.
        records: how many records are the same in both stores.
        sequence: number of the last change in them.
        digest: SHA-256 over all of them.
        was_moved: an earlier run had moved it.
        error: why it was not moved; None where it was.
    """

    scope: Scope
    records: int = 0
    sequence: int = 0
    digest: str = ""
    was_moved: bool = False
    error: SiliconFriendError | None = None


@dataclass(frozen=True, slots=True)
class _Copied:
    """A copy that was found equal.

    Attributes:
        note: of the memory, in the store it is moved out of.
        memory: as it was when it was compared.
        prints: its hashes.
    """

    note: MoveNote
    memory: PersonMemory
    prints: Fingerprint


class Mover:
    """Moves memories from one store to another.

    Args:
        source: where they are.
        target: where they go.
        read_back: the same as ``target``, opened once more, so that what is compared was read
            from there and not remembered from writing it.
        source_name, target_name: the two for people, without a password.
        progress: told of every step.
    """

    def __init__(
        self,
        source: MovableStore,
        target: MovableStore,
        read_back: MovableStore,
        *,
        source_name: str,
        target_name: str,
        progress: Progress = lambda _step, _scope, _done, _total: None,
    ) -> None:
        self._source = source
        self._target = target
        self._read_back = read_back
        self._source_name = source_name
        self._target_name = target_name
        self._progress = progress

    def move(self, scopes: Sequence[Scope]) -> list[Outcome]:
        """Move these memories; one that cannot be moved keeps nobody else's from it.

        Raises:
            SiliconFriendError: a store cannot be reached or written; run again, it goes on.
        """
        failed: dict[Scope, Outcome] = {}
        for number, scope in enumerate(scopes):
            self._progress("copy", scope, number, len(scopes))
            with _personal(scope, failed):
                self._copy_again(scope)
        done: dict[Scope, Outcome] = {}
        for number, scope in enumerate(scopes):
            self._progress("hand over", scope, number, len(scopes))
            if scope not in failed:
                with _personal(scope, failed):
                    done[scope] = self._hand_over(scope)
        return [done.get(scope) or failed[scope] for scope in scopes]

    def check(self, scopes: Sequence[Scope]) -> list[Outcome]:
        """Check that memories can be moved, as far as that can be known without writing; errors as ``move``."""
        failed: dict[Scope, Outcome] = {}
        found: dict[Scope, Outcome] = {}
        for scope in scopes:
            with _personal(scope, failed):
                memory = self._source.load(scope)
                note, there = self._source.move_note(scope), self._target.move_note(scope)
                if note is not None and note.standing == "moved":
                    found[scope] = self._moved_before(scope, note, there)
                else:
                    self._check_place(scope, note, there, memory.sequence)
                    prints = fingerprint(memory)
                    found[scope] = Outcome(scope, prints.records, prints.sequence, prints.digest)
        return [found.get(scope) or failed[scope] for scope in scopes]

    def remove_orphans(self) -> list[Scope]:
        """Delete copies that were begun of memories which were deleted since; gives whose."""
        gone = []
        for scope in self._target.scopes():
            note = self._target.move_note(scope)
            if note is None or (note.standing, note.other) != ("arriving", self._source_name):
                continue
            if not self._source.exists(scope):
                self._target.delete(scope)
                gone.append(scope)
        return gone

    def _copy_again(self, scope: Scope) -> _Copied | None:
        """As :meth:`_copy`, anew where what was being read was put away meanwhile."""
        for _ in range(_TIMES):
            try:
                return self._copy(scope)
            except StoreError as error:
                if error.key != "memory_moved_on":
                    raise
        return self._copy(scope)

    def _copy(self, scope: Scope) -> _Copied | None:
        """Make an equal copy, or take up one that was begun; None for what has moved already."""
        note, there = self._source.move_note(scope), self._target.move_note(scope)
        if note is not None and note.standing == "moved":
            return None
        memory = self._source.load(scope)
        self._check_place(scope, note, there, memory.sequence)
        if note is None:
            note = self._begin(scope)
        prints = fingerprint(memory)
        if there is not None and _is_verified(there, prints) and self._has_key(scope):
            return _Copied(note, memory, prints)
        copied = self._bring(scope, note) or self._bring(scope, note, anew=True)
        if copied is None:
            raise self._unequal(scope, self._source.load(scope))
        self._verify(scope, copied)
        return copied

    def _begin(self, scope: Scope) -> MoveNote:
        note = MoveNote.new()
        with self._source.edit(scope) as edit:
            edit.note = edit.note or note
        return edit.note

    def _bring(self, scope: Scope, note: MoveNote, *, anew: bool = False) -> _Copied | None:
        """Write what the copy lacks and read it back; None where it is not equal then."""
        at = None if anew or not self._has_key(scope) else self._sequence_there(scope)
        with self._source.edit(scope) as edit:
            memory = edit.memory
            changes = None if at is None else edit.changes_after(at)
        self._write(scope, note, memory, changes)
        prints = fingerprint(memory)
        is_equal = fingerprint(self._read_back.load(scope)) == prints
        return _Copied(note, memory, prints) if is_equal else None

    def _write(
        self, scope: Scope, note: MoveNote, memory: PersonMemory, changes: Sequence[Change] | None
    ) -> None:
        """Write the changes behind the copy that is there; all of the memory where they are None."""
        if changes is None:
            over, key = self._target.move_note(scope), self._source.key(scope)
            arriving = note.arriving(self._source_name)
            self._target.place(scope, memory, key=key, note=arriving, over=over)
        elif changes:
            with self._target.edit(scope, move=note.id) as edit:
                edit.add(*changes)

    def _hand_over(self, scope: Scope) -> Outcome:
        """Write and compare the last changes under the lock, close the old copy, open the new one."""
        copied, note = self._copy_again(scope), self._source.move_note(scope)
        assert note is not None  # the copy has it
        if copied is None:
            outcome = self._moved_before(scope, note, self._target.move_note(scope))
        else:
            with self._source.edit(scope) as edit:
                prints = self._catch_up(scope, copied, edit)
                note = note.verified(prints.sequence, prints.records, prints.digest)
                edit.note = note.moved(self._target_name)
            outcome = Outcome(scope, prints.records, prints.sequence, prints.digest)
        with self._target.edit(scope, move=note.id) as opening:
            opening.note = note.opened()
        return outcome

    def _catch_up(self, scope: Scope, copied: _Copied, edit: Edit) -> Fingerprint:
        """The fingerprint of the copy with the last changes in it; only days that changed are read."""
        memory, has_key = edit.memory, self._has_key(scope)
        if memory.sequence == copied.memory.sequence and has_key:
            return copied.prints
        changes = edit.changes_after(copied.memory.sequence) if has_key else None
        self._write(scope, copied.note, memory, changes)
        changed = changed_dates(copied.memory.days, memory.days)
        prints = fingerprint(memory, copied.prints, changed)
        known = None if changes is None else copied.prints
        if fingerprint(self._read_back.load(scope), known, changed) != prints:
            raise self._unequal(scope, memory)
        self._verify(scope, _Copied(copied.note, memory, prints))
        return prints

    def _verify(self, scope: Scope, copied: _Copied) -> None:
        """Write down beside the copy what was compared."""
        prints, note = copied.prints, copied.note.arriving(self._source_name)
        with self._target.edit(scope, move=note.id) as edit:
            edit.note = note.verified(prints.sequence, prints.records, prints.digest)

    def _check_place(
        self, scope: Scope, note: MoveNote | None, there: MoveNote | None, sequence: int
    ) -> None:
        """Refuse a place that holds something else than an older copy of the same memory.

        Also one that would keep in plain what is encrypted.
        """
        if not self._target.keeps_keys and self._source.key(scope) is not None:
            raise self._refused("move_encrypted", scope)
        if there is None:
            if self._target.exists(scope):
                raise self._refused("move_taken", scope)
            return
        if note is None or note.id != there.id:
            raise self._refused("move_taken", scope)
        newest = max(there.sequence, self._sequence_there(scope) or 0)
        if there.standing == "open" or newest > sequence:
            raise self._refused("move_newer", scope)

    def _moved_before(self, scope: Scope, note: MoveNote, there: MoveNote | None) -> Outcome:
        """The outcome of an earlier run, which may have been stopped before it opened the new copy."""
        if there is not None and there.id == note.id:
            is_verified = (there.sequence, there.digest) == (note.sequence, note.digest)
            is_whole = there.standing == "arriving" and is_verified
            if there.standing == "open" or (is_whole and note.other == self._target_name):
                return Outcome(scope, note.records, note.sequence, note.digest, was_moved=True)
        raise self._refused("memory_moved", scope, other=note.other)

    def _sequence_there(self, scope: Scope) -> int | None:
        """The number of the last change in the copy; None where there is none that can be read."""
        try:
            return self._target.load(scope).sequence
        except (DamagedMemory, UnknownPerson):
            return None

    def _has_key(self, scope: Scope) -> bool:
        return self._source.key(scope) == self._target.key(scope)

    def _unequal(self, scope: Scope, memory: PersonMemory) -> MemoryElsewhere:
        found = differences(memory, self._read_back.load(scope))
        return self._refused("move_unequal", scope, count=len(found), places=", ".join(found[:5]))

    def _refused(self, key: str, scope: Scope, **details: object) -> MemoryElsewhere:
        details = {"name": scope.person, "other": self._target_name, **details}
        return MemoryElsewhere(key, **details)


def _is_verified(note: MoveNote, prints: Fingerprint) -> bool:
    found = (prints.sequence, prints.digest)
    return note.standing == "arriving" and (note.sequence, note.digest) == found


@contextmanager
def _personal(scope: Scope, failed: dict[Scope, Outcome]) -> Iterator[None]:
    """Keep an error of this one memory; let pass what would meet everybody."""
    try:
        yield
    except _OF_ONE as error:
        failed[scope] = Outcome(scope, error=error)
    except StoreError as error:
        if error.key != "memory_locked":
            raise
        failed[scope] = Outcome(scope, error=error)
