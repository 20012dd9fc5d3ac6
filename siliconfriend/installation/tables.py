"""Reading and writing the tables of an installation, by one clock for all its machines."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from siliconfriend.memory.database import Database, SQLiteDatabase, Transaction
from siliconfriend.memory.scope import Scope

_COMPARED_EVERY = 30.0
"""Seconds until this machine's clock is compared again with that of a database server."""


class Tables:
    """The tables of one installation; safe between threads."""

    def __init__(self, database: Database, seconds: Callable[[], float] | None = None) -> None:
        self.database = database
        self._seconds = seconds
        self._compared: tuple[float, float] | None = None

    @property
    def is_shared(self) -> bool:
        """True if processes on other machines may use them too."""
        return self.database.engine == "postgresql"

    @property
    def exists(self) -> bool:
        """False for a file that nothing was written to yet."""
        database = self.database
        return (
            not isinstance(database, SQLiteDatabase) or not database.path or database.path.exists()
        )

    def read(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """Run one SELECT; no rows where there is no file, which reading does not make."""
        if not self.exists:
            return []
        with self.database.reading() as transaction:
            return transaction.execute(statement, values)

    def write(self) -> AbstractContextManager[Transaction]:
        """Return a transaction that writes."""
        return self.database.transaction()

    def change(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Run one statement that writes; gives the number of rows it changed."""
        with self.write() as transaction:
            return transaction.change(statement, values)

    def now(self) -> float:
        """Return the present in seconds since 1970, on a database server by its clock."""
        if self._seconds is not None:
            return self._seconds()
        here = time.time()
        if not self.is_shared:
            return here
        if self._compared is None or time.monotonic() - self._compared[0] > _COMPARED_EVERY:
            query = "SELECT extract(epoch FROM clock_timestamp())::float8"
            ((there,),) = self.read(query)
            here = time.time()
            self._compared = (time.monotonic(), float(there) - here)
        return here + self._compared[1]


def scope_key(scope: Scope) -> str:
    """Return a hash of both names, for tables that must name nobody."""
    return hashlib.sha256(f"{scope.person}\0{scope.companion}".encode()).hexdigest()[:32]
