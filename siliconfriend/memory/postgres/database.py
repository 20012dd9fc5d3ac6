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

from siliconfriend.memory.postgres import schema
from siliconfriend.memory.postgres.connections import Connections
from siliconfriend.memory.postgres.database_errors import translate_database_errors

MOST_CONNECTIONS = 16
"""Most connections of one process. A transaction is short, so many more threads can share them."""

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
    """A PostgreSQL database; safe between threads, and opened anew in a forked process.

    The first transaction connects and checks the tables (:mod:`.schema`).

    Args:
        address: as ``postgresql://`` names it; what it leaves out is taken from libpq's variables.
        wait: seconds until a lock or a connection that is not free raises.
        most: connections at once.

    Attributes:
        wait: as given.
        address: as given, with the usual options added; it can hold a password, so it is never shown.
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
        self._connections: Connections | None = None
        self._opening = threading.Lock()
        self._current = threading.local()
        with translate_database_errors("", wait):
            self.address = _with_usual(address)
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
        with (
            translate_database_errors(self.place, self.wait),
            self._begun(person, read_only) as connection,
            self._as_current(connection, person),
        ):
            yield connection
            connection.commit()

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
        with translate_database_errors(self.place, self.wait), self._opened().one() as connection:
            connection.autocommit = True
            try:
                yield connection
            finally:
                if not connection.closed:
                    connection.autocommit = False

    def upgrade(self, role: str | None = None) -> list[str]:
        """Bring the tables forward and give a role its rights; the names of the steps applied.

        Raises:
            ConfigurationError: this role may not, or there is no such role.
        """
        with (
            translate_database_errors(self.place, self.wait),
            Connection.connect(self.address, autocommit=True) as connection,
        ):
            return [it.name for it in schema.upgrade(connection, role)]

    def close(self) -> None:
        """Close every connection that is not in use; the next transaction opens one again."""
        if self._connections is not None:
            self._connections.close()

    @contextmanager
    def _begun(self, person: str | None, read_only: bool) -> Iterator[Connection]:
        """A connection in a transaction; one that broke while nobody used it is passed over."""
        several = self._opened()
        with several.one() as connection:
            try:
                begin(connection, person, self.wait, read_only=read_only)
            except OperationalError:
                if not connection.closed:
                    raise
            else:
                yield connection
                return
        several.close()  # others broke with it, perhaps
        with several.one() as connection:
            begin(connection, person, self.wait, read_only=read_only)
            yield connection

    def _opened(self) -> Connections:
        with self._opening:
            if self._connections is None:
                with Connection.connect(self.address, autocommit=True) as connection:
                    schema.prepare(connection)
                self._connections = Connections(self.address, self._most, self.wait)
            return self._connections


def begin(connection: Connection, person: str | None, wait: float, *, read_only: bool) -> None:
    """Begin a transaction in this person's name. What it sets ends with it."""
    connection.read_only = read_only or None
    connection.isolation_level = IsolationLevel.REPEATABLE_READ if read_only else None
    milliseconds = max(1, round(wait * 1000))
    with connection.pipeline():  # with its BEGIN in one round trip
        connection.execute(
            "SELECT set_config('siliconfriend.person', %s, true), set_config('lock_timeout', %s, true),"
            # Who was cut off while holding a lock holds it no longer than this.
            " set_config('idle_in_transaction_session_timeout', %s, true),"
            # Told durable is durable, whatever the server is set to.
            " CASE current_setting('synchronous_commit') WHEN 'off'"
            " THEN set_config('synchronous_commit', 'on', true) END",
            (person or "", str(milliseconds), str(2 * milliseconds)),
        )


def _with_usual(address: str) -> str:
    given = conninfo_to_dict(address)
    return make_conninfo(address, **{name: it for name, it in _USUAL.items() if name not in given})


def _place(address: str) -> str:
    """Host and name of the database, as errors show them."""
    given = conninfo_to_dict(address)
    return f"{given.get('host', 'localhost')}/{given.get('dbname', '')}"
