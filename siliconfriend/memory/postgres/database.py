"""The one way to PostgreSQL: pooled connections, each transaction with its person's name on it.

Row-level security lets a transaction see the rows of the person it names and no others, so a query
that forgot its ``WHERE`` shows nobody's memory to anybody else. All that talks to the database goes
through :meth:`Database.transaction`; a connection of one's own would have no name, and see nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from psycopg import Connection, IsolationLevel, OperationalError
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool, PoolTimeout

from siliconfriend.memory.postgres import schema
from siliconfriend.memory.postgres.database_errors import translate_database_errors

_Pool = ConnectionPool[Connection]

MOST_CONNECTIONS = 16
"""Of one process. A transaction is short, so that many more threads can share them."""

LONGEST_WAIT = 30.0
"""Seconds until what waits for a lock or a connection gives up."""

_USUAL = {
    "application_name": "siliconfriend",
    "connect_timeout": "10",
    # A machine that is cut off is noticed in half a minute, not in two hours.
    "keepalives_idle": "15",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}


class Database:
    """A PostgreSQL database; safe between threads, not across a fork.

    The first transaction connects and checks the tables (:mod:`.schema`).

    Args:
        address: as ``postgresql://`` names it; what it leaves out is taken from libpq's variables.
        wait: seconds until a lock or a connection that is not free raises.
        most: connections at once.

    Attributes:
        wait: as given.
        place: host and name of the database, as errors show them.

    Raises:
        ConfigurationError, StoreError: from every method, as :mod:`.database_errors` and
            :mod:`.schema` say.
    """

    def __init__(
        self, address: str, *, wait: float = LONGEST_WAIT, most: int = MOST_CONNECTIONS
    ) -> None:
        self.wait = wait
        self._most = most
        self._pool: _Pool | None = None
        self._opening = threading.Lock()
        self._current = threading.local()
        with translate_database_errors("", wait):
            self._address = _with_usual(address)
            self.place = _place(address)

    @contextmanager
    def transaction(
        self, person: str | None = None, *, read_only: bool = False
    ) -> Iterator[Connection]:
        """A transaction in which this person's rows can be seen, and only theirs; committed at the end.

        Args:
            person: None for what is nobody's.
            read_only: see all as of one moment, and write nothing.
        """
        with translate_database_errors(self.place, self.wait):
            pool = self._opened()
            connection = self._begun(pool, person, read_only)
            try:
                with self._as_current(connection, person):
                    yield connection
                connection.commit()
            finally:
                # What was not committed is rolled back there; a connection that broke is dropped.
                pool.putconn(connection)

    @contextmanager
    def reading(self, person: str) -> Iterator[Connection]:
        """The transaction this thread is in with this person, or else one to read in.

        A thread that holds one connection and waits for a second could wait for others that do so.
        """
        current = getattr(self._current, "of", {}).get(person)
        if current is not None:
            yield current
            return
        with self.transaction(person, read_only=True) as connection:
            yield connection

    @contextmanager
    def _as_current(self, connection: Connection, person: str | None) -> Iterator[None]:
        before: dict[str | None, Connection] = getattr(self._current, "of", {})
        self._current.of = {**before, person: connection}
        try:
            yield
        finally:
            self._current.of = before

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """A connection outside of any transaction, each statement by itself; for nobody's rows."""
        with translate_database_errors(self.place, self.wait):
            pool = self._opened()
            connection = self._taken(pool)
            try:
                connection.autocommit = True
                yield connection
            finally:
                if not connection.closed:
                    connection.autocommit = False
                pool.putconn(connection)

    def close(self) -> None:
        """Close every connection; the next transaction opens them again."""
        with self._opening:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.close()

    def _begun(self, pool: _Pool, person: str | None, read_only: bool) -> Connection:
        connection = self._taken(pool)
        try:
            begin(connection, person, self.wait, read_only=read_only)
        except OperationalError:
            pool.putconn(connection)
            if not connection.closed:
                raise
            # It broke while nobody used it, and so did others perhaps; nothing was done yet.
            pool.check()
            connection = self._taken(pool)
            begin(connection, person, self.wait, read_only=read_only)
        return connection

    def _taken(self, pool: _Pool) -> Connection:
        try:
            return pool.getconn()
        except PoolTimeout:
            # The pool does not tell why: whoever asks by themselves is told.
            Connection.connect(self._address).close()
            raise

    def _opened(self) -> _Pool:
        with self._opening:
            if self._pool is None:
                with Connection.connect(self._address, autocommit=True) as connection:
                    schema.prepare(connection)
                self._pool = ConnectionPool(
                    self._address,
                    min_size=0,
                    max_size=self._most,
                    timeout=self.wait,
                    open=True,
                    name="siliconfriend",
                )
            return self._pool


def begin(connection: Connection, person: str | None, wait: float, *, read_only: bool) -> None:
    """Begin a transaction in this person's name. What it sets ends with it."""
    connection.read_only = read_only or None
    connection.isolation_level = IsolationLevel.REPEATABLE_READ if read_only else None
    milliseconds = str(max(1, round(wait * 1000)))
    connection.execute(
        "SELECT set_config('siliconfriend.person', %s, true), set_config('lock_timeout', %s, true),"
        # Told durable is durable, whatever the server is set to.
        " CASE current_setting('synchronous_commit') WHEN 'off'"
        " THEN set_config('synchronous_commit', 'on', true) END",
        (person or "", milliseconds),
    )


def _with_usual(address: str) -> str:
    given = conninfo_to_dict(address)
    return make_conninfo(address, **{name: it for name, it in _USUAL.items() if name not in given})


def _place(address: str) -> str:
    """Host and name of the database, as errors show them."""
    given = conninfo_to_dict(address)
    return f"{given.get('host', 'localhost')}/{given.get('dbname', '')}"
