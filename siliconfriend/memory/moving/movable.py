"""The interface of a store that memories can be moved out of or into."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

from siliconfriend.memory.moving.note import MoveNote
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import Edit, MemoryStore


class MovableStore(MemoryStore, Protocol):
    """A store that other stores can be moved into, and that can be moved out."""

    def edit(self, scope: Scope, *, move: str = "") -> AbstractContextManager[Edit]:
        """As :meth:`MemoryStore.edit`.

        Args:
            scope: whose memory.
            move: the id of the move that makes the change, which may change what others may not.

        Raises:
            MemoryElsewhere: the memory is arriving or has moved, and this is another's change.
        """
        ...

    @property
    def keeps_keys(self) -> bool:
        """True if what is encrypted with a person's own key can be kept so."""
        ...

    def move_note(self, scope: Scope) -> MoveNote | None:
        """The note of a move beside a memory, also where the memory itself is not there yet."""
        ...

    def key(self, scope: Scope) -> bytes | None:
        """The key that a memory is encrypted with, as ``key.json`` holds it; None for none."""
        ...

    def place(
        self,
        scope: Scope,
        memory: PersonMemory,
        *,
        key: bytes | None,
        note: MoveNote,
        over: MoveNote | None,
    ) -> None:
        """Write a whole memory as it is, with its number, in the place of a copy of the same one.

        Stopped at any moment it leaves nothing, or something that ``note`` stands beside.

        Args:
            scope: whose memory.
            memory: what is written.
            key: what encrypts it.
            note: what stands beside it from then on.
            over: what must stand there now; None where nothing may be there.

        Raises:
            MemoryElsewhere: something else is there; nothing was changed.
        """
        ...
