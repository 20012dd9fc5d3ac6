"""The tables, made and checked: numbered migrations, forward only.

What was applied stands in a table with its hash, so that a program never works on tables it does
not know: a database that is ahead of it is refused, one that is behind is brought forward where
the role may, else whoever may is told how. Passing this by would write into tables of another
shape.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from psycopg import Connection, errors, sql

from siliconfriend.errors import ConfigurationError, StoreError
from siliconfriend.memory.postgres.queue_tables import queue_tables

SCHEMA = "siliconfriend"
OLDEST_SERVER = 140000
"""PostgreSQL 14, as ``server_version_num`` has it."""

EXTENSION = "vector"
"""The name of pgvector's extension."""

_LOCK = 0x53696C46
"""Key of the advisory lock that a migrating program holds."""

_QUEUE = "-- INCLUDE procrastinate\n"
"""Stands in a migration for the tables of the queue."""

_TABLE = """
CREATE TABLE IF NOT EXISTS siliconfriend.migration (
    number integer PRIMARY KEY, name text NOT NULL, hash text NOT NULL,
    applied timestamptz NOT NULL DEFAULT now())
"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step forward.

    Attributes:
        number: 1 for the first, then one more each.
        name: of its file.
        statements: its SQL as it stands there.
    """

    number: int
    name: str
    statements: str

    @property
    def hash(self) -> str:
        """The hash of the SQL, so that a file that was changed later is noticed."""
        return hashlib.sha256(self.statements.encode()).hexdigest()

    def read(self) -> str:
        """Its SQL as it is run, with the tables that a package brings.

        Raises:
            ConfigurationError: the package has others than are known here.
        """
        if _QUEUE not in self.statements:
            return self.statements
        return self.statements.replace(_QUEUE, queue_tables())


@cache
def migrations() -> tuple[Migration, ...]:
    """Every step this program knows, in order."""
    folder = resources.files(__package__) / "migrations"
    names = sorted(it.name for it in folder.iterdir() if it.name.endswith(".sql"))
    return tuple(
        Migration(int(name[:4]), name, (folder / name).read_text("utf-8")) for name in names
    )


def prepare(connection: Connection) -> None:
    """Check server and tables, and bring the tables forward where the role may.

    Raises:
        ConfigurationError: the server is too old or lacks pgvector, the database is not in UTF-8,
            or the tables are missing or behind and this role may not change that.
        StoreError: a newer program was here, or a migration was changed after it was applied.
    """
    _check_server(connection)
    if pending(connection):
        if not _may_migrate(connection):
            raise ConfigurationError("database_behind", role=_role(connection))
        upgrade(connection)


def pending(connection: Connection) -> Sequence[Migration]:
    """The steps that were not applied yet; errors as :func:`prepare`."""
    applied = _applied(connection)
    known = {it.number: it for it in migrations()}
    if ahead := applied.keys() - known.keys():
        raise StoreError("database_too_new", version=max(ahead), known=max(known))
    for number, mark in applied.items():
        if mark != known[number].hash:
            raise StoreError("database_altered", name=known[number].name)
    return [it for it in migrations() if it.number not in applied]


def upgrade(connection: Connection, role: str | None = None) -> Sequence[Migration]:
    """Apply what is pending in one transaction, and give a role the rights a program needs.

    Args:
        connection: of a role that may create in the database.
        role: that the program runs as; it must exist and should own nothing.

    Returns:
        What was applied.

    Raises:
        ConfigurationError: this role may not, or there is no such role; errors as :func:`prepare`.
    """
    _check_server(connection)
    try:
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            connection.execute("CREATE SCHEMA IF NOT EXISTS siliconfriend")
            connection.execute(_TABLE)
            done = pending(connection)
            for step in done:
                connection.execute(step.read().encode())
                row = (step.number, step.name, step.hash)
                connection.execute(
                    "INSERT INTO siliconfriend.migration (number, name, hash) VALUES (%s, %s, %s)",
                    row,
                )
            if role is not None:
                _grant(connection, role)
    except errors.InsufficientPrivilege as error:
        raise ConfigurationError("database_behind", role=_role(connection)) from error
    except errors.UndefinedObject as error:
        raise ConfigurationError("database_role_unknown", role=role) from error
    return done


def _check_server(connection: Connection) -> None:
    version = connection.info.server_version
    if version < OLDEST_SERVER:
        raise ConfigurationError(
            "database_too_old", version=version // 10000, oldest=OLDEST_SERVER // 10000
        )
    if connection.info.parameter_status("server_encoding") != "UTF8":
        raise ConfigurationError("database_encoding")
    query = "SELECT 1 FROM pg_extension WHERE extname = %s"
    if connection.execute(query, (EXTENSION,)).fetchone() is None:
        _add_pgvector(connection)


def _add_pgvector(connection: Connection) -> None:
    try:
        statement = sql.SQL("CREATE EXTENSION IF NOT EXISTS {}")
        connection.execute(statement.format(sql.Identifier(EXTENSION)))
    except (errors.FeatureNotSupported, errors.UndefinedFile) as error:
        raise ConfigurationError("database_no_pgvector") from error
    except (errors.InsufficientPrivilege, errors.ReadOnlySqlTransaction) as error:
        raise ConfigurationError("database_pgvector_forbidden") from error


def _applied(connection: Connection) -> dict[int, str]:
    """The hash of each applied migration, by number."""
    found = connection.execute("SELECT to_regclass('siliconfriend.migration')").fetchone()
    if found is None or found[0] is None:
        return {}
    return dict(connection.execute("SELECT number, hash FROM siliconfriend.migration").fetchall())


def _may_migrate(connection: Connection) -> bool:
    row = connection.execute(
        "SELECT NOT pg_is_in_recovery() AND coalesce("
        " (SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = %s),"
        " has_database_privilege(current_database(), 'CREATE'))",
        (SCHEMA,),
    ).fetchone()
    return row is not None and bool(row[0])


def _role(connection: Connection) -> str:
    return connection.info.user


def _grant(connection: Connection, role: str) -> None:
    """Give a role what a program needs, of the tables that come later too."""
    statements = (
        "GRANT USAGE ON SCHEMA {schema} TO {role}",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {role}",
        "GRANT USAGE ON ALL SEQUENCES IN SCHEMA {schema} TO {role}",
        "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA {schema} TO {role}",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA {schema}"
        " GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {role}",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT USAGE ON SEQUENCES TO {role}",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT EXECUTE ON FUNCTIONS TO {role}",
        "REVOKE INSERT, UPDATE, DELETE ON {schema}.migration FROM {role}",
    )
    names = {"schema": sql.Identifier(SCHEMA), "role": sql.Identifier(role)}
    for statement in statements:
        connection.execute(sql.SQL(statement).format(**names))
