"""What a place to keep memory must do, whichever it is.

Every method names the scope: there is no call that reads or writes across people.
All writing goes through :meth:`MemoryStore.update`, which shows the newest memory to
a function under that scope's lock and writes the changes it returns. Such a function
must be quick and must never call a model; what a model was asked is compared with the
memory as it is *then* (by hash or id), and a stale answer returns no changes.
One contract suite (``tests/memory/test_store_contract.py``) runs over every store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from siliconfriend.memory.changes import Change
from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.memory.scope import Scope

Decide = Callable[[PersonMemory], Iterable[Change]]
"""Given the newest memory, the changes to write; called under the lock."""


class MemoryStore(Protocol):
    """Keeps every person's memory with every companion."""

    def scopes(self) -> list[Scope]:
        """Every scope that has a memory, sorted by person and companion."""
        ...

    def unreadable(self) -> list[str]:
        """Names of what is kept but cannot be read as anybody's memory, sorted."""
        ...

    def exists(self, scope: Scope) -> bool:
        """Whether the scope has a memory."""
        ...

    def create(self, scope: Scope, profile: Profile) -> PersonMemory:
        """Begin a memory; one that exists already is returned unchanged."""
        ...

    def load(self, scope: Scope) -> PersonMemory:
        """The newest snapshot, with what other processes wrote.

        Raises:
            UnknownPerson: nothing is remembered of them.
            DamagedMemory: it cannot be read whole; what could be saved was set aside.
        """
        ...

    def update(self, scope: Scope, decide: Decide) -> PersonMemory:
        """Write what ``decide`` returns and give back the memory after it; durable on return.

        Raises:
            UnknownPerson: nothing is remembered of them.
            MemoryBusy: another process held the lock for longer than 30 s.
        """
        ...

    def fold(self, scope: Scope) -> None:
        """Bring the store into its tidy resting form; changes nothing that is remembered."""
        ...

    def rewrite(self, scope: Scope) -> None:
        """Write everything anew: nothing of the store keeps words the memory no longer has.

        Backups and what was set aside go with them. An ``Erase`` does this by itself.

        Raises:
            UnknownPerson: nothing is remembered of them.
        """
        ...

    def delete(self, scope: Scope) -> None:
        """Remove everything of the scope for good, caches and backups with it."""
        ...
