"""Memory in PostgreSQL: for many people, many processes, many machines.

Connections are pooled by psycopg_pool. Each transaction sets its person's name, and row-level
security restricts every query to that person's rows.
"""

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from psycopg import (
    Connection,
    Error,
    IsolationLevel,
    OperationalError,
    ProgrammingError,
    errors,
    sql,
)
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool, PoolTimeout

from siliconfriend.errors import (
    ConfigurationError,
    MemoryBusy,
    SiliconFriendError,
    StoreError,
)
from siliconfriend.memory.database import IS_LOST, MAX_WAIT, Database, Transaction
from siliconfriend.memory.schema import (
    MADE,
    MEMORY,
    Engine,
    Schema,
    make_tables,
    missing_schemas,
)
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.texts import Language

SCHEMA = "siliconfriend"
OLDEST_SERVER = 14
"""Oldest supported version of PostgreSQL."""

MAX_CONNECTIONS = 16
"""Maximum connections of one process; transactions are short, so many threads can share them."""

MAX_IDLE, MAX_LIFETIME = 300.0, 3600.0
"""Seconds after which an idle connection is closed, and after which any connection is replaced."""

FIRST_WAIT = 1.0
"""Seconds without a free connection after which the server's availability is checked."""

_PARENTS: list[object] = []
"""Pools of the parent process; closing them here would end the parent's connections."""

_LOCK = 0x53696C46
"""Key of the advisory lock held while tables are made."""

_USUAL = {
    "application_name": "siliconfriend",
    "connect_timeout": "10",
    # Detect a lost connection in half a minute instead of two hours.
    "keepalives_idle": "15",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}


class PostgresDatabase(Database):
    """A PostgreSQL database; the first transaction makes missing tables if the role may.

    Args:
        address: a ``postgresql://`` address, completed by libpq's variables. It can contain a
            password, so it is never shown.
        schemas: the tables it needs; :meth:`require` adds more.
        wait: seconds to wait for a lock or a connection.
        most: maximum number of connections.

    Raises:
        ConfigurationError: raised by every method if the address, the password, the server or the
            role's privileges are wrong.
        MemoryBusy: no connection or lock became free in time.
        StoreError: the database is missing, full, read-only, or failed in another way.
    """

    engine: Engine = "postgresql"

    def __init__(
        self, address: str, *schemas: Schema, wait: float = MAX_WAIT, most: int = MAX_CONNECTIONS
    ) -> None:
        super().__init__()
        self.wait = wait
        self.place = ""
        self._schemas = list(schemas)
        self._is_ready = False
        self._opening = threading.Lock()
        with self._translating():
            given = conninfo_to_dict(address)
            usual = {name: value for name, value in _USUAL.items() if name not in given}
            self.address = make_conninfo(address, **usual)
            self.place = f"{given.get('host', 'localhost')}/{given.get('dbname', '')}"
        self._most = most
        self._pool: ConnectionPool[Connection] | None = None
        self._process = os.getpid()

    def connections(self) -> Mapping[str, int]:
        """Return how many connections the pool has, how many are free, and who waits for one."""
        names = ("pool_size", "pool_available", "requests_waiting")
        found = {} if self._pool is None else self._pool.get_stats()
        return {name: found.get(name, 0) for name in names}

    def close(self) -> None:
        """Close idle connections; the next transaction opens a new one."""
        with self._opening:
            pool, self._pool = self._pool, None
        if pool is not None and self._process == os.getpid():
            pool.close()

    def require(self, *schemas: Schema) -> None:
        """Make the tables of more schemas before the next transaction."""
        with self._opening:
            more = [schema for schema in schemas if schema not in self._schemas]
            self._schemas += more
            self._is_ready = self._is_ready and not more

    def upgrade(self, role: str | None = None) -> list[str]:
        """Make missing tables and grant a role its privileges; return the parts made.

        ConfigurationError: this role lacks the privileges, or ``role`` is unknown.
        """
        with self._autocommit() as connection:
            try:
                with connection.transaction():
                    connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
                    connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}".encode())
                    connection.execute(f"SET LOCAL search_path = {SCHEMA}".encode())
                    run = Transaction(connection, self.engine).execute
                    done = make_tables(run, self.engine, self._schemas)
                    if role is not None:
                        _grant(connection, role)
            except errors.InsufficientPrivilege as error:
                raise ConfigurationError("database_behind", role=connection.info.user) from error
            except errors.UndefinedObject as error:
                raise ConfigurationError("database_role_unknown", role=role) from error
        return done

    def vacuum(self, *tables: str) -> None:
        """Remove the dead rows of tables on the server now, if this role may."""
        self._prepare()
        with self._autocommit() as connection:
            for table in tables:
                connection.execute(f"VACUUM {SCHEMA}.{table}".encode())

    @contextmanager
    def _begun(self, person: str | None, read_only: bool) -> Iterator[Transaction]:
        self._prepare()
        pool = self._open_pool()
        with self._translating():
            connection = self._connection(pool, person, read_only)
            try:
                yield Transaction(connection, self.engine)
                connection.commit()
            finally:
                pool.putconn(connection)  # rolled back if it is still in a transaction

    def _open_pool(self) -> ConnectionPool[Connection]:
        with self._opening:
            if self._pool is None or self._process != os.getpid():  # the parent keeps its own
                _PARENTS.append(self._pool)
                self._process = os.getpid()
                self._pool = ConnectionPool(
                    self.address,
                    min_size=0,
                    max_size=self._most,
                    max_idle=MAX_IDLE,
                    max_lifetime=MAX_LIFETIME,
                    open=True,
                )
            return self._pool

    def _connection(
        self, pool: ConnectionPool[Connection], person: str | None, read_only: bool
    ) -> Connection:
        """Return a connection in a transaction, replacing one that broke while idle."""
        connection = self._free_connection(pool)
        try:
            self._begin(connection, person, read_only)
        except OperationalError:
            was_closed = connection.closed
            pool.putconn(connection)
            if not was_closed:
                raise
            pool.check()  # other connections may be broken too
            connection = self._free_connection(pool)
            self._begin(connection, person, read_only)
        return connection

    def _free_connection(self, pool: ConnectionPool[Connection]) -> Connection:
        """Wait for a free connection (MemoryBusy: none in time; else the server's error)."""
        try:
            return pool.getconn(timeout=min(self.wait / 2, FIRST_WAIT))
        except PoolTimeout:
            Connection.connect(self.address).close()  # raises the error that the pool only retries
        try:
            return pool.getconn(timeout=self.wait)
        except PoolTimeout as error:
            raise MemoryBusy("database_busy", seconds=round(self.wait)) from error

    def _begin(self, connection: Connection, person: str | None, read_only: bool) -> None:
        connection.read_only = read_only or None
        connection.isolation_level = IsolationLevel.REPEATABLE_READ if read_only else None
        milliseconds = max(1, round(self.wait * 1000))
        with connection.pipeline():  # with its BEGIN in one round trip
            connection.execute(
                "SELECT set_config('siliconfriend.person', %s, true),"
                " set_config('search_path', %s, true), set_config('lock_timeout', %s, true),"
                # Maximum time that a disconnected client keeps its locks.
                " set_config('idle_in_transaction_session_timeout', %s, true),"
                # Commits are durable regardless of the server's settings.
                " CASE current_setting('synchronous_commit') WHEN 'off'"
                " THEN set_config('synchronous_commit', 'on', true) END",
                (person or "", SCHEMA, str(milliseconds), str(2 * milliseconds)),
            )

    def _prepare(self) -> None:
        with self._opening:
            if self._is_ready:
                return
            with self._autocommit() as connection:
                connection.execute(f"SET search_path = {SCHEMA}".encode())
                run = Transaction(connection, self.engine).execute
                is_made = run("SELECT to_regclass('made')") != [(None,)]
                is_behind = missing_schemas(self._schemas, run(MADE) if is_made else ())
            if is_behind:
                self.upgrade()
            self._is_ready = True

    @contextmanager
    def _autocommit(self) -> Iterator[Connection]:
        with self._translating(), Connection.connect(self.address, autocommit=True) as connection:
            version, oldest = connection.info.server_version // 10000, OLDEST_SERVER
            if version < oldest:
                raise ConfigurationError("database_too_old", version=version, oldest=oldest)
            if connection.info.parameter_status("server_encoding") != "UTF8":
                raise ConfigurationError("database_encoding")
            yield connection

    @contextmanager
    def _translating(self) -> Iterator[None]:
        try:
            yield
        except Error as error:
            ours = _translate(error, self.place, self.wait)
            ours.details[IS_LOST] = _is_lost(error)
            raise ours from error


def _grant(connection: Connection, role: str) -> None:
    for statement in (
        "GRANT USAGE ON SCHEMA {schema} TO {role}",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {role}",
        "GRANT USAGE ON ALL SEQUENCES IN SCHEMA {schema} TO {role}",
        "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA {schema} TO {role}",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA {schema}"
        " GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {role}",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT USAGE ON SEQUENCES TO {role}",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT EXECUTE ON FUNCTIONS TO {role}",
        "REVOKE INSERT, UPDATE, DELETE ON {schema}.made FROM {role}",
    ):
        names = {"schema": sql.Identifier(SCHEMA), "role": sql.Identifier(role)}
        connection.execute(sql.SQL(statement).format(**names))


_REFUSED = (
    ("password authentication failed", "database_password"),
    ("no password supplied", "database_password"),
    ('" does not exist', "database_missing"),
)
"""Words in a rejected connection's message, which has no error code yet, with our error."""

_FOR_NOW = ("starting up", "shutting down", "too many", "remaining connection slots", "recovery")
"""Words of a temporary rejection."""

_LOST = (errors.AdminShutdown, errors.CrashShutdown, errors.CannotConnectNow)


def _translate(error: Error, place: str, wait: float) -> SiliconFriendError:
    """Convert a database error, without its details, which can contain rows."""
    said = error.diag.message_primary or str(error) or type(error).__name__
    cause = said.strip().splitlines()[0]
    words = {"place": place, "cause": cause}
    match error:
        case errors.LockNotAvailable():
            return MemoryBusy("database_busy", seconds=round(wait))
        case errors.DiskFull() | errors.OutOfMemory() | errors.ConfigurationLimitExceeded():
            return StoreError("database_full", **words)
        case errors.ReadOnlySqlTransaction():
            return StoreError("database_read_only", **words)
        case errors.InsufficientPrivilege():
            return ConfigurationError("database_forbidden", **words)
        case errors.TooManyConnections():
            return StoreError("database_unreachable", **words)
        case ProgrammingError() if error.sqlstate is None:
            return ConfigurationError("database_address", cause=cause)
        case OperationalError() if _is_lost(error):
            for part, key in _REFUSED:
                if part in cause:
                    return ConfigurationError(key, **words)
            if "FATAL" in cause and not any(reason in cause for reason in _FOR_NOW):
                return ConfigurationError("database_refused", **words)
            return StoreError("database_unreachable", **words)
    return StoreError("database_failed", **words)


def _is_lost(error: Error) -> bool:
    return isinstance(error, _LOST) or (isinstance(error, OperationalError) and not error.sqlstate)


class PostgresStore(MemoryStore):
    """A store over one PostgreSQL database, ``shared`` by all memories."""

    def __init__(self, database: PostgresDatabase, *, language: Language = "en") -> None:
        super().__init__(language=language, wait=database.wait)
        database.require(MEMORY)
        self.shared = database

    def scopes(self) -> list[Scope]:
        """Return every scope that has a memory, sorted by person and companion."""
        with self.shared.transaction() as transaction:
            rows = transaction.execute("SELECT person, companion FROM scopes()")
            return [Scope(*row) for row in rows]

    def database(self, scope: Scope, *, begin: bool = False) -> Database:
        """Return the shared database."""
        return self.shared

    def close(self) -> None:
        """Close idle connections."""
        self.shared.close()
