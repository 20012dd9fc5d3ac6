"""Memory that ends with the program: for tests, for trying things out, for evaluation."""

from __future__ import annotations

from siliconfriend.errors import UnknownPerson
from siliconfriend.memory.database import Database, SQLiteDatabase
from siliconfriend.memory.schema import MEMORY
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore


class InMemoryStore(MemoryStore):
    """The store over SQLite databases in memory, one for each scope."""

    def __init__(self) -> None:
        super().__init__()
        self._databases: dict[Scope, SQLiteDatabase] = {}

    def scopes(self) -> list[Scope]:
        """Return every scope that has a memory, sorted by person and companion."""
        return sorted(self._databases)

    def database(self, scope: Scope, *, begin: bool = False) -> Database:
        """Return the database of a memory, or with ``begin`` the one in which it may begin."""
        if scope not in self._databases:
            if not begin:
                raise UnknownPerson("unknown_person", name=scope.person)
            self._databases[scope] = SQLiteDatabase(None, MEMORY)
        return self._databases[scope]

    def delete(self, scope: Scope) -> None:
        """Forget the scope for good."""
        super().delete(scope)
        self._databases.pop(scope).close()
