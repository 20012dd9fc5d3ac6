"""Database tables, for SQLite and PostgreSQL.

The table ``made`` lists the parts of the program whose tables exist, with a hash of their
statements: tables of another version are rejected. Statements name column types in braces:
``{text}`` (compared by code point), ``{bytes}``, ``{int}`` (64 bits), ``{real}`` and ``{serial}``
(an automatic primary key).
"""

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from siliconfriend.errors import StoreError

Engine = Literal["sqlite", "postgresql"]

_TYPES: Mapping[Engine, Mapping[str, str]] = {
    "sqlite": {
        "{text}": "TEXT",
        "{bytes}": "BLOB",
        "{int}": "INTEGER",
        "{real}": "REAL",
        "{serial}": "INTEGER PRIMARY KEY AUTOINCREMENT",
    },
    "postgresql": {
        "{text}": 'text COLLATE "C"',
        "{bytes}": "bytea",
        "{int}": "bigint",
        "{real}": "double precision",
        "{serial}": "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    },
}


@dataclass(frozen=True, slots=True)
class Schema:
    """The tables of one part of the program.

    Attributes:
        name: name of the part.
        statements: statements for both engines.
        walled: tables under row-level security by ``person`` (PostgreSQL only).
        postgres: further statements for PostgreSQL alone.
    """

    name: str
    statements: tuple[str, ...]
    walled: tuple[str, ...] = ()
    postgres: tuple[str, ...] = ()

    @property
    def hash(self) -> str:
        """Hash of the statements, which identifies the version of the tables."""
        words = "\n".join((*self.statements, *self.walled, *self.postgres))
        return hashlib.sha256(words.encode()).hexdigest()[:32]

    def for_engine(self, engine: Engine) -> list[str]:
        """Return the statements in the syntax of an engine."""
        statements = list(self.statements)
        if engine == "postgresql":
            own = "person = current_setting('siliconfriend.person', true)"
            for table in self.walled:
                statements += (
                    f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
                    f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
                    f"CREATE POLICY own ON {table} USING ({own}) WITH CHECK ({own})",
                )
            statements += self.postgres
        return [_typed(statement, engine) for statement in statements]


Run = Callable[..., Sequence[Any]]
"""Runs a statement with values for its placeholders and returns the rows."""

MADE = "SELECT part, hash FROM made"


def missing_schemas(schemas: Sequence[Schema], made: Collection[Any]) -> list[Schema]:
    """Return the schemas without tables; ``made`` are the rows of :data:`MADE`.

    Raises:
        StoreError: the tables are those of another version of the program.
    """
    hashes = dict(made)
    for schema in schemas:
        if hashes.get(schema.name, schema.hash) != schema.hash:
            raise StoreError("database_altered", name=schema.name)
    return [schema for schema in schemas if schema.name not in hashes]


def make_tables(run: Run, engine: Engine, schemas: Sequence[Schema]) -> list[str]:
    """Make the missing tables in a transaction; return the names of the parts.

    Errors as :func:`missing_schemas`.
    """
    table = "CREATE TABLE IF NOT EXISTS made (part {text} PRIMARY KEY, hash {text} NOT NULL)"
    run(_typed(table, engine))
    missing = missing_schemas(schemas, run(MADE))
    for schema in missing:
        for statement in schema.for_engine(engine):
            run(statement)
        run("INSERT INTO made (part, hash) VALUES (?, ?)", (schema.name, schema.hash))
    return [schema.name for schema in missing]


def _typed(statement: str, engine: Engine) -> str:
    for name, written in _TYPES[engine].items():
        statement = statement.replace(name, written)
    return statement


_OF_SCOPE = "FOREIGN KEY (person, companion) REFERENCES scope ON DELETE CASCADE"
_SCOPE = "person {text} NOT NULL, companion {text} NOT NULL"


def _passages(of_scope: str = "") -> tuple[str, ...]:
    """Return the tables of vectors and analyses, by the hash of their text."""
    return tuple(
        f"CREATE TABLE {table} ({_SCOPE}, {maker} {{text}} NOT NULL, digest {{text}} NOT NULL,"
        f" data {{bytes}} NOT NULL, seal {{int}},"
        f" PRIMARY KEY (person, companion, {maker}, digest){of_scope})"
        for table, maker in (("vector", "embedder"), ("analysis", "rules"))
    )


PASSAGES = Schema("passages", _passages())
"""Vectors and analyses in a separate file."""

MEMORY = Schema(
    "memory",
    (
        # One memory: `epoch` is a random id set when it is created or repaired, `sequence` the
        # number of its last change, `last_edit` a random id of the last edit.
        f"CREATE TABLE scope ({_SCOPE}, epoch {{text}} NOT NULL, sequence {{int}} NOT NULL,"
        " days {int} NOT NULL, last_edit {text} NOT NULL, moved_to {text} NOT NULL,"
        " seal {int} NOT NULL,"
        " PRIMARY KEY (person, companion))",
        # One date, or '' for records without a date: `changed` is the sequence of its last change,
        # `records` the number of its records, `edit` the last_edit of that change.
        f"CREATE TABLE day ({_SCOPE}, date {{text}} NOT NULL, changed {{int}} NOT NULL,"
        " records {int} NOT NULL, edit {text} NOT NULL, seal {int} NOT NULL,"
        f" PRIMARY KEY (person, companion, date), {_OF_SCOPE})",
        # A record as JSON with a checksum, or encrypted with a null seal.
        f"CREATE TABLE record ({_SCOPE}, date {{text}} NOT NULL, id {{text}} NOT NULL,"
        " kind {text} NOT NULL, doc {bytes} NOT NULL, seal {int},"
        f" PRIMARY KEY (person, companion, date, id), {_OF_SCOPE})",
        # Ids of erased records, which are never reused.
        f"CREATE TABLE erased ({_SCOPE}, id {{text}} NOT NULL, seal {{int}} NOT NULL,"
        f" PRIMARY KEY (person, companion, id), {_OF_SCOPE})",
        # The key of an encrypted memory, itself encrypted with the passphrase, as JSON.
        f"CREATE TABLE scope_key ({_SCOPE}, data {{bytes}} NOT NULL,"
        f" PRIMARY KEY (person, companion), {_OF_SCOPE})",
        *_passages(f", {_OF_SCOPE}"),
    ),
    walled=("scope", "day", "record", "erased", "scope_key", "vector", "analysis"),
    postgres=(
        # The only query across people.
        "CREATE POLICY names ON scope FOR SELECT TO CURRENT_USER USING (true)",
        "CREATE FUNCTION scopes() RETURNS TABLE (person text, companion text)"
        " LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS"
        " $$ SELECT person, companion FROM scope ORDER BY person, companion $$",
        "REVOKE EXECUTE ON FUNCTION scopes() FROM PUBLIC",
    ),
)
"""The tables of memories; ``docs/format.md`` describes them."""
