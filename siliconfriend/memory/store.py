"""The protocol of a memory store: what a place to keep memory must do, whichever it is.

Every method names the scope: there is no call that reads or writes across people.
All writing goes through :meth:`MemoryStore.edit`, a block that sees the newest memory under
that scope's lock and whose changes are written when it ends. The block must be quick and must
never call a model; what a model was asked is compared with the memory as it is *then* (by
hash or id), and a stale answer adds no changes.
One contract suite (``tests/memory/test_store_contract.py``) runs over every store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from siliconfriend.memory.changes import Change
from siliconfriend.memory.moving.note import MoveNote
from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.memory.scope import Scope


@dataclass(frozen=True, slots=True)
class Repair:
    """What a repair saved and what it did not.

    Attributes:
        lost: how many changes are gone; None where what was said last is gone and nobody
            knows how much that is.
        is_doubtful: the file it rests on was changed by something else than this program,
            and was taken as it is.
        turns: how many turns are there now.
        until: the day of the last of them; empty where there is none.
        files: names of the files that were damaged or missing.
        kept: those that were damaged, as they were.
    """

    lost: int | None
    is_doubtful: bool
    turns: int
    until: str
    files: tuple[str, ...]
    kept: tuple[Path, ...]

    @property
    def is_whole(self) -> bool:
        """True if nothing is lost or doubtful."""
        return self.lost == 0 and not self.is_doubtful


Log = Callable[[int], "Sequence[Change] | None"]
"""Gives the changes behind a number; None where they are no longer kept one by one."""


class Edit:
    """The changes of one :meth:`MemoryStore.edit` block.

    Attributes:
        memory: the newest memory, as it was when the block began.
        changes: what was added so far, in order.
        note: what stands beside the memory of a move; set in the block, it is written behind
            the changes.
    """

    def __init__(
        self, memory: PersonMemory, note: MoveNote | None = None, log: Log | None = None
    ) -> None:
        self.memory = memory
        self.changes: list[Change] = []
        self.note = note
        self._log = log
        self._after: PersonMemory | None = None

    def changes_after(self, sequence: int) -> Sequence[Change] | None:
        """What changed between a number and the newest memory; None where that is not kept.

        Raises:
            DamagedMemory: it is kept and cannot be read.
        """
        return None if self._log is None else self._log(sequence)

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


class RecalledStore(Protocol):
    """What recall needs of a store: reading memories, and strengthening what was recalled."""

    def load(self, scope: Scope) -> PersonMemory:
        """The newest snapshot, with what other processes wrote.

        Raises:
            UnknownPerson: nothing is remembered of them.
            DamagedMemory: it cannot be read whole; nothing was changed.
        """
        ...

    def edit(self, scope: Scope) -> AbstractContextManager[Edit]:
        """Hold the scope's lock for a block, then write the changes it added.

        When the block ends they are durable, all of them; when it raises, none is written.

        Raises:
            UnknownPerson: nothing is remembered of them.
            MemoryBusy: another process held the lock for longer than 30 s.
            RuntimeError: the block calls the store for the same scope.
            ValueError: a change could not be read back; none is written.
        """
        ...


class MemoryStore(RecalledStore, Protocol):
    """Keeps every person's memory with every companion."""

    def folder(self, scope: Scope) -> Path | None:
        """Where caches of the scope may lie, to be deleted with it; None to keep none on disk."""
        ...

    def rows(self, scope: Scope) -> Iterable[tuple[str, bytes]]:
        """All that is kept of the scope elsewhere than in files, with the name of its place.

        By searching it an erasing is proved; nothing where all lies under the data directory.
        """
        ...

    def scopes(self) -> list[Scope]:
        """Every scope that has a memory, sorted by person and companion."""
        ...

    def unreadable(self) -> list[str]:
        """Names of what is kept but cannot be read as anybody's memory, sorted."""
        ...

    def exists(self, scope: Scope) -> bool:
        """True if the scope has a memory."""
        ...

    def create(self, scope: Scope, profile: Profile) -> PersonMemory:
        """Begin a memory; one that exists already is returned unchanged."""
        ...

    def fold(self, scope: Scope, *, least_share: float = 0.0) -> None:
        """Bring the store into its tidy resting form; changes nothing that is remembered.

        Args:
            scope: whose memory.
            least_share: only where what is new takes at least this part of what rests.
        """
        ...

    def rewrite(self, scope: Scope) -> None:
        """Write everything anew: nothing of the store keeps words the memory no longer has.

        Backups and what was set aside go with them. An ``Erase`` does this by itself.

        Raises:
            UnknownPerson: nothing is remembered of them.
        """
        ...

    def repair(self, scope: Scope) -> Repair | None:
        """Put a damaged memory right from what is left of it; None where nothing is damaged.

        What was damaged is kept beside it as it was.

        Raises:
            UnknownPerson: nothing is remembered of them.
            DamagedMemory: there is nothing to build on; nothing was changed.
        """
        ...

    def delete(self, scope: Scope) -> None:
        """Remove everything of the scope for good, caches and backups with it."""
        ...
