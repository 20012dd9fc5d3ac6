"""A database that is made for one evaluation beside that of the memories, and removed when it ends.

Made-up people must never stand among real ones: a night would visit them, and a stopped evaluation
would leave them there.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from psycopg import Connection, errors, sql
from psycopg.conninfo import make_conninfo

from siliconfriend.errors import ConfigurationError
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.database_errors import translate_database_errors


@contextmanager
def temporary_database(address: str) -> Iterator[str]:
    """The address of an empty database with all tables, on the server of another one.

    Args:
        address: of that one, which is not changed.

    Raises:
        ConfigurationError: the role may not make a database with pgvector in it.
        StoreError: the server cannot be reached.
    """
    beside = Database(address)
    name = f"siliconfriend_{secrets.token_hex(6)}"
    with (
        translate_database_errors(beside.place, beside.wait),
        Connection.connect(beside.address, autocommit=True) as connection,
    ):
        try:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        except errors.InsufficientPrivilege as error:
            raise _refused(beside, connection) from error
        try:
            made = make_conninfo(beside.address, dbname=name)
            _make_tables(made, beside, connection)
            yield made
        finally:
            dropping = sql.SQL("DROP DATABASE {} WITH (FORCE)")
            connection.execute(dropping.format(sql.Identifier(name)))


def _make_tables(address: str, beside: Database, connection: Connection) -> None:
    try:
        Database(address).upgrade()
    except ConfigurationError as error:
        if error.key != "database_pgvector_forbidden":
            raise
        raise _refused(beside, connection) from error


def _refused(beside: Database, connection: Connection) -> ConfigurationError:
    role = connection.info.user
    return ConfigurationError("database_temporary", place=beside.place, role=role)
