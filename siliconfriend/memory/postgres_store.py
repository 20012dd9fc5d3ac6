"""Memory in PostgreSQL: for many people, many processes, many machines."""

from __future__ import annotations

from siliconfriend.errors import DamagedMemory
from siliconfriend.memory.damage import Salvage, rebuild
from siliconfriend.memory.database import Database
from siliconfriend.memory.postgresql import PostgresDatabase
from siliconfriend.memory.rows import TABLES, ScopeRows
from siliconfriend.memory.schema import MEMORY
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.seal import Sealer
from siliconfriend.memory.store import MemoryStore, Repair
from siliconfriend.texts import Language


class PostgresStore(MemoryStore):
    """The store over one PostgreSQL database.

    Args:
        database: where the rows are.
        language: of the warnings it logs.

    Attributes:
        shared: the database as given.
    """

    def __init__(self, database: PostgresDatabase, *, language: Language = "en") -> None:
        super().__init__(language=language, wait=database.wait)
        database.require(MEMORY)
        self.shared = database

    def scopes(self) -> list[Scope]:
        """Return every scope that has a memory, sorted by person and companion."""
        with self.shared.transaction() as transaction:
            return [
                Scope(*row) for row in transaction.execute("SELECT person, companion FROM scopes()")
            ]

    def database(self, scope: Scope) -> Database:
        """Return the one database."""
        return self.shared

    def _database_to_begin(self, scope: Scope) -> Database:
        return self.shared

    def locked_key(self, scope: Scope) -> bytes | None:
        """Return the key of an encrypted memory; None where it is plain."""
        with self.shared.reading(scope.person) as transaction:
            return ScopeRows(transaction, Sealer(scope)).key()

    def close(self) -> None:
        """Close the connections that are not in use."""
        self.shared.close()

    def _forget_deleted(self, database: Database, scope: Scope) -> None:
        """Have the server remove dead rows now, where this role may."""
        with self.shared.outside() as connection:
            for table in TABLES:
                connection.execute(f"VACUUM {table}".encode())

    def _mend(self, scope: Scope, cause: Exception, *, is_asked: bool = False) -> Repair | None:
        """Refuse, or when asked go on with the rows that are whole."""
        if not is_asked:
            return super()._mend(scope, cause)
        with self._locked(scope) as rows:
            done = rebuild(Salvage.of(rows), None, "record")
            if done is None:
                raise DamagedMemory("memory_rows_lost", name=scope.person) from cause
            stored, repair = done
            rows.place(stored)
        return repair
