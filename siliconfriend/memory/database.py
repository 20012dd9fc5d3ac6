"""Run the same SQL statements on a SQLite file or PostgreSQL.

Statements use ``?`` placeholders and syntax that both engines support (``ON CONFLICT … DO UPDATE``,
``RETURNING``). A :class:`Database` gives transactions; errors of the engines are raised as those of
:mod:`siliconfriend.errors`. PostgreSQL itself is in :mod:`siliconfriend.memory.postgresql`.
"""

import os
import sqlite3
import threading
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from time import perf_counter
from typing import Any

from siliconfriend.errors import ConfigurationError, DamagedMemory, MemoryBusy, StoreError
from siliconfriend.memory import atomic
from siliconfriend.memory.schema import MADE, Engine, Schema, make_tables, missing_schemas

Values = Sequence[Any]

MAX_WAIT = 30.0
"""Seconds to wait for a lock or a connection before MemoryBusy."""

IS_LOST = "is_lost"
"""Detail of an error: true if the connection broke and the transaction's outcome is unknown."""

MIN_SIZE = 512
"""Smallest size of a SQLite file, in bytes: SQLite reads a shorter one as empty."""

MAX_IDLE = 4
"""Idle connections kept of one SQLite file."""

Connection = Any
"""A SQLite connection: that of ``sqlite3``, or what tests put in its place (``execute``,
``executemany``, ``close``, ``serialize``); it gets an attribute ``identity``."""

PRAGMAS = (
    # The rollback journal is truncated at every commit; a WAL would keep deleted words while
    # readers exist.
    "journal_mode=TRUNCATE",
    "synchronous=FULL",
    "secure_delete=ON",
    "foreign_keys=ON",
    "temp_store=MEMORY",
    "cell_size_check=ON",
    "trusted_schema=OFF",
)


STORE_SECONDS: ContextVar[list[float] | None] = ContextVar("store_seconds", default=None)
"""Takes the seconds of each transaction of a request that is logged."""


class Transaction:
    """An open transaction.

    Attributes:
        for_update: suffix of a SELECT that locks its rows; empty for SQLite, which locks the file.
        skip_locked: same, skipping rows locked by other transactions.
        connection: the engine's connection object.
    """

    def __init__(self, connection: Any, engine: Engine) -> None:
        self.connection = connection
        self.engine: Engine = engine
        is_postgres = engine == "postgresql"
        self.for_update = " FOR UPDATE" if is_postgres else ""
        self.skip_locked = " FOR UPDATE SKIP LOCKED" if is_postgres else ""

    def execute(self, statement: str, values: Values = ()) -> list[Any]:
        """Run a statement; return its rows as tuples, empty if it has no result."""
        cursor = self._run(statement, values)
        return cursor.fetchall() if cursor.description is not None else []

    def one(self, statement: str, values: Values = ()) -> Any | None:
        """Run a statement; return its first row, or None."""
        rows = self.execute(statement, values)
        return rows[0] if rows else None

    def change(self, statement: str, values: Values = ()) -> int:
        """Run a statement; return the number of changed rows."""
        count: int = self._run(statement, values).rowcount
        return count

    def many(self, statement: str, rows: Iterable[Values]) -> None:
        """Run a statement once for each row of values."""
        rows = list(rows)
        if rows and self.engine == "postgresql":
            with self.connection.cursor() as cursor:
                cursor.executemany(_for_postgres(statement), rows)
        elif rows:
            self.connection.executemany(statement, rows)

    def _run(self, statement: str, values: Values) -> Any:
        if self.engine == "postgresql":
            return self.connection.execute(_for_postgres(statement), tuple(values) or None)
        try:
            return self.connection.execute(statement, tuple(values))
        except UnicodeDecodeError as error:  # SQLite's message about a damaged file
            raise sqlite3.DatabaseError(str(error)) from error


def _for_postgres(statement: str) -> bytes:
    return statement.replace("%", "%%").replace("?", "%s").encode()


class Database(ABC):
    """A thread-safe database, reopened in a forked process.

    Attributes:
        place: location shown in errors.
        wait: seconds to wait for a lock or a connection.
    """

    engine: Engine
    place: str
    wait: float

    def __init__(self) -> None:
        self._current = threading.local()

    def connections(self) -> Mapping[str, int]:
        """Return numbers about the pool of connections, by name; none without a pool."""
        return {}

    @abstractmethod
    def close(self) -> None:
        """Close idle connections; the next transaction opens a new one."""

    @abstractmethod
    def vacuum(self, *tables: str) -> None:
        """Overwrite deleted rows in the database's free pages."""

    @abstractmethod
    def _begun(self, person: str | None, read_only: bool) -> Any:
        """Context manager that yields a transaction and commits it at the end."""

    @contextmanager
    def transaction(
        self, person: str | None = None, *, read_only: bool = False
    ) -> Iterator[Transaction]:
        """Begin a transaction; commit durably when the block ends, roll back on an exception.

        A write transaction takes SQLite's write lock when it begins.

        Args:
            person: owner of the visible rows under row-level security; None for rows without an
                owner.
            read_only: read one consistent snapshot without writing.
        """
        before, began = getattr(self._current, "by_person", {}), perf_counter()
        try:
            with self._begun(person, read_only) as transaction:
                self._current.by_person = {**before, person: transaction}
                yield transaction
        except MemoryBusy as error:
            if person is None or error.key != "database_busy":
                raise
            raise MemoryBusy("memory_busy", name=person, seconds=round(self.wait)) from error
        finally:
            self._current.by_person = before
            if (spent := STORE_SECONDS.get()) is not None:
                spent.append(perf_counter() - began)

    @contextmanager
    def reading(self, person: str | None = None) -> Iterator[Transaction]:
        """Join this thread's transaction of the person, or begin a read transaction."""
        current = getattr(self._current, "by_person", {}).get(person)
        if current is not None:
            yield current
            return
        with self.transaction(person, read_only=True) as transaction:
            yield transaction


_SQLITE_NOT_OURS = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM)
_DAMAGED = (
    *(sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT),
    *(sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_CONSTRAINT),
)
"""A missing table or an impossible row means damage, since the statements are tested."""
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class _FileConnection(sqlite3.Connection):
    identity: tuple[int, int] = (0, 0)


def connect_sqlite(path: Path | None, wait: float) -> Connection:
    """Open an existing SQLite file or an in-memory database; transactions begin explicitly."""
    address = ":memory:" if path is None else f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(
        address,
        timeout=wait,
        isolation_level=None,
        check_same_thread=False,
        uri=path is not None,
        factory=_FileConnection,
    )


CONNECT: Callable[[Path | None, float], Connection] = connect_sqlite
"""Opens SQLite files with a busy timeout in seconds; replaced in tests."""


class SQLiteDatabase(Database):
    """A SQLite file with the tables of these schemas, or an in-memory database without a path.

    Commits are durable (rollback journal, ``synchronous=FULL``), and deleted rows are overwritten
    (``secure_delete``). The next transaction detects that another process replaced or deleted the
    file.

    Raises:
        MemoryBusy: raised by every method if another process has locked the file.
        DamagedMemory: the file is damaged or not a SQLite file.
        ConfigurationError, StoreError: the file cannot be opened, read or written.
    """

    engine: Engine = "sqlite"

    def __init__(self, path: Path | None, *schemas: Schema, wait: float = MAX_WAIT) -> None:
        super().__init__()
        self.path = path
        self.place = str(path) if path is not None else ":memory:"
        self.wait = wait
        self._schemas = schemas
        self._memory_lock = threading.RLock()
        self._begin_pool()

    def _begin_pool(self) -> None:
        self._idle: list[Connection] = []
        self._process = os.getpid()
        weakref.finalize(self, _close_all, self._idle, self._process)

    def close(self) -> None:
        """Close idle connections; the next transaction opens a new one."""
        _close_all(self._idle, self._process)

    def _idle_connection(self) -> Connection | None:
        if self._process != os.getpid():
            # The parent process still uses these connections; drop them without closing.
            _FORGOTTEN.append(self._idle)
            self._begin_pool()
        try:
            return self._idle.pop()
        except IndexError:
            return None

    def vacuum(self, *tables: str) -> None:
        """Rewrite the file without free pages (VACUUM)."""
        with self._connection() as connection, self._translating():
            connection.execute("VACUUM")

    @contextmanager
    def _begun(self, person: str | None, read_only: bool) -> Iterator[Transaction]:
        with self._connection("BEGIN" if read_only else "BEGIN IMMEDIATE") as connection:
            try:
                with self._translating():
                    yield Transaction(connection, self.engine)
                    connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _connection(self, begin: str = "") -> Iterator[Connection]:
        """Yield a connection to the current file at the path, in a transaction if one is begun."""
        if self.path is None:
            with self._memory_lock:
                if not self._idle:
                    self._idle.append(self._opened())
                if begin:
                    with self._translating():
                        self._idle[0].execute(begin)
                yield self._idle[0]
            return
        while True:
            connection = self._idle_connection() or self._opened()
            try:
                if begin:
                    with self._translating():
                        connection.execute(begin)
                if connection.identity == _identity(self.path):
                    break
            except BaseException:
                connection.close()
                raise
            connection.close()
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        if len(self._idle) < MAX_IDLE and self._process == os.getpid():
            self._idle.append(connection)
        else:
            connection.close()

    def _opened(self) -> Connection:
        if self.path is not None:
            if not self.path.exists():
                _make_file(self.path)
            elif self.path.is_file() and 0 < (size := self.path.stat().st_size) < MIN_SIZE:
                cause = EOFError(f"{size} bytes")
                raise DamagedMemory("database_damaged", path=self.path, cause=cause)
        with self._translating():
            connection = CONNECT(self.path, self.wait)
            try:
                run = Transaction(connection, self.engine).execute
                for pragma in PRAGMAS:
                    run(f"PRAGMA {pragma}")
                table = run("SELECT 1 FROM sqlite_master WHERE name = 'made'")
                if missing_schemas(self._schemas, run(MADE) if table else ()):
                    run("BEGIN IMMEDIATE")
                    make_tables(run, self.engine, self._schemas)
                    run("COMMIT")
            except BaseException:
                connection.close()
                raise
            if self.path is not None:
                connection.identity = _identity(self.path)
            return connection

    @contextmanager
    def _translating(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            details: dict[str, object] = {"path": self.place, "cause": error}
            if code in _BUSY:
                raise MemoryBusy("database_busy", seconds=round(self.wait)) from error
            if code in _DAMAGED or "decode" in str(error):
                raise DamagedMemory("database_damaged", **details) from error
            if code in _SQLITE_NOT_OURS:
                raise ConfigurationError("database_unopenable", **details) from error
            raise StoreError("database_unwritable", **details) from error


def _make_file(path: Path) -> None:
    try:
        atomic.make_folder(path.parent)
        atomic.make_private(path)
        atomic.flush_folder(path.parent)
    except PermissionError as error:
        raise ConfigurationError("database_unopenable", path=path, cause=error) from error
    except OSError as error:
        raise StoreError("database_unwritable", path=path, cause=error) from error


_FORGOTTEN: list[Any] = []
"""Connections of the parent process; closing them here would release the parent's locks."""


def _close_all(idle: list[Connection], process: int) -> None:
    while idle and process == os.getpid():
        idle.pop().close()


def _identity(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except FileNotFoundError:
        return (0, 0)
    return (found.st_dev, found.st_ino)
