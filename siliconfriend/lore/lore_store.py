"""A companion's lore seen as a store, so that recall finds in it as in anyone's memory.

It only reads. There is no way from here to write, so no recall can strengthen lore and no
night can put it away.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from siliconfriend.errors import UnknownPerson
from siliconfriend.lore.companion_files import CompanionFolder
from siliconfriend.memory.failures import told_plainly
from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import Edit

Signature = tuple[int, int, int]


class LoreStore:
    """One companion's lore as a :class:`~siliconfriend.memory.store.MemoryStore` of one scope.

    A snapshot is kept until the file changes, since an index knows days by their identity.

    Args:
        home: the data directory.
        companion: whose lore.

    Raises:
        UnknownPerson: from every method that takes a scope which is not this lore's.
        DamagedMemory, StoreError, ConfigurationError: from ``load``, where it cannot be read.
    """

    def __init__(self, home: Path, companion: str) -> None:
        self.files = CompanionFolder(home, companion)
        self._home = home
        self._guard = threading.Lock()
        self._read: tuple[Signature, PersonMemory] | None = None

    def folder(self, scope: Scope) -> Path:
        """Where the files are; the cache lies beside them."""
        self._check(scope)
        return self.files.path

    def scopes(self) -> list[Scope]:
        """The one scope, where there is lore."""
        return [self.files.scope] if self.exists(self.files.scope) else []

    def unreadable(self) -> list[str]:
        """Nothing: what cannot be read raises when it is loaded."""
        return []

    def exists(self, scope: Scope) -> bool:
        """Whether anything was ever added to the lore."""
        return scope == self.files.scope and self.files.lore.exists()

    def load(self, scope: Scope) -> PersonMemory:
        """The newest lore, with what other processes wrote."""
        self._check(scope)
        with self._guard, told_plainly(self._home):
            signature = _signature(self.files.lore)
            if self._read is not None and self._read[0] == signature:
                return self._read[1]
            lore = self.files.read_lore() if signature is not None else None
            if signature is None or lore is None:
                raise UnknownPerson("companion_unknown", name=self.files.name)
            self._read = (signature, lore)
            return lore

    def create(self, scope: Scope, profile: Profile) -> PersonMemory:
        """Nobody's memory can begin here: what there is, if it is this scope's."""
        return self.load(scope)

    @contextmanager
    def edit(self, scope: Scope) -> Iterator[Edit]:
        """Changes nothing, whatever is added."""
        edit = Edit(self.load(scope))
        yield edit
        edit.finish(edit.memory)

    def fold(self, scope: Scope) -> None:
        """Nothing to tidy."""
        self._check(scope)

    def rewrite(self, scope: Scope) -> None:
        """Nothing older is kept."""
        self._check(scope)

    def delete(self, scope: Scope) -> None:
        """Removes nothing: companions are deleted as companions."""
        self._check(scope)

    def _check(self, scope: Scope) -> None:
        if scope != self.files.scope:
            raise UnknownPerson("unknown_person", name=scope.person)


def _signature(path: Path) -> Signature | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return (found.st_ino, found.st_mtime_ns, found.st_size)
