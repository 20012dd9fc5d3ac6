"""Tables as numbered steps, forward only, for SQLite and PostgreSQL.

What a database has stands in its table ``migration`` with a hash of each. Statements name types in
braces: ``{text}`` (compared by code point), ``{bytes}``, ``{int}`` (64 bits), ``{real}`` and
``{serial}`` (a primary key that counts).
"""

from __future__ import annotations

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
    """The tables of one part of the program, or a later change of them.

    Attributes:
        name: of the part.
        statements: for both engines. What was released is never changed: a later number changes it.
        walled: tables whose rows only transactions of their ``person`` see (row-level security;
            PostgreSQL only).
        postgres: statements that only PostgreSQL runs, behind the others.
        number: counts the steps of a part from 1.
    """

    name: str
    statements: tuple[str, ...]
    walled: tuple[str, ...] = ()
    postgres: tuple[str, ...] = ()
    number: int = 1

    @property
    def hash(self) -> str:
        """The hash of the statements, by which a later change of them is noticed."""
        words = "\n".join((*self.statements, *self.walled, *self.postgres))
        return hashlib.sha256(words.encode()).hexdigest()[:32]

    def for_engine(self, engine: Engine) -> list[str]:
        """Return the statements as an engine runs them."""
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
"""Runs a statement with values for its question marks; gives its rows."""

APPLIED = "SELECT part, number, hash FROM migration"


def pending_schemas(schemas: Sequence[Schema], applied: Collection[Any]) -> list[Schema]:
    """Return the schemas that are not among the rows of :data:`APPLIED`.

    Raises:
        StoreError: a newer program was here, or a schema was changed after it was applied.
    """
    newest = {it.name: it.number for it in schemas}
    hashes = {(name, number): mark for name, number, mark in applied}
    for name, number in hashes:
        if number > newest.get(name, number):
            raise StoreError("database_too_new", version=number, known=newest[name])
    for schema in schemas:
        if hashes.get((schema.name, schema.number), schema.hash) != schema.hash:
            raise StoreError("database_altered", name=f"{schema.name} {schema.number}")
    return [it for it in schemas if (it.name, it.number) not in hashes]


def apply_schemas(run: Run, engine: Engine, schemas: Sequence[Schema]) -> list[str]:
    """Apply what is pending within a transaction; gives the names, errors as of :func:`pending_schemas`."""
    table = (
        "CREATE TABLE IF NOT EXISTS migration (part {text} NOT NULL, number {int} NOT NULL,"
        " hash {text} NOT NULL, PRIMARY KEY (part, number))"
    )
    run(_typed(table, engine))
    pending = pending_schemas(schemas, run(APPLIED))
    for schema in pending:
        for statement in schema.for_engine(engine):
            run(statement)
        row = (schema.name, schema.number, schema.hash)
        run("INSERT INTO migration (part, number, hash) VALUES (?, ?, ?)", row)
    return [f"{schema.name} {schema.number}" for schema in pending]


def _typed(statement: str, engine: Engine) -> str:
    for name, written in _TYPES[engine].items():
        statement = statement.replace(name, written)
    return statement


_OF_SCOPE = "FOREIGN KEY (person, companion) REFERENCES scope ON DELETE CASCADE"
_SCOPE = "person {text} NOT NULL, companion {text} NOT NULL"


def _passages(of_scope: str = "") -> tuple[str, ...]:
    """Tables of what is derived from texts, by their SHA-256 (a keyed hash where encrypted)."""
    return tuple(
        f"CREATE TABLE {table} ({_SCOPE}, {maker} {{text}} NOT NULL, digest {{text}} NOT NULL,"
        f" data {{bytes}} NOT NULL, seal {{int}},"
        f" PRIMARY KEY (person, companion, {maker}, digest){of_scope})"
        for table, maker in (("vector", "embedder"), ("analysis", "rules"))
    )


PASSAGES = Schema("passages", _passages())
"""Vectors and analyses in a file of their own."""

MEMORY = Schema(
    "memory",
    (
        # One memory. `sequence` numbers its last change, `epoch` is drawn when it begins
        # or is restored, `last_edit` by each edit, and `seal` is over all of them.
        f"CREATE TABLE scope ({_SCOPE}, epoch {{text}} NOT NULL, sequence {{int}} NOT NULL,"
        " days {int} NOT NULL, last_edit {text} NOT NULL, moved_to {text} NOT NULL,"
        " seal {int} NOT NULL,"
        " PRIMARY KEY (person, companion))",
        # A date, and as '' what belongs to none: `changed` is the sequence of its last change,
        # `records` how many it has, `edit` the last_edit that changed it, `outline` what nights
        # ask for, `seal` over these.
        f"CREATE TABLE day ({_SCOPE}, date {{text}} NOT NULL, changed {{int}} NOT NULL,"
        " records {int} NOT NULL, edit {text} NOT NULL, outline {bytes} NOT NULL,"
        " seal {int} NOT NULL,"
        f" PRIMARY KEY (person, companion, date), {_OF_SCOPE})",
        # A record as JSON, or encrypted with an empty seal.
        f"CREATE TABLE record ({_SCOPE}, date {{text}} NOT NULL, id {{text}} NOT NULL,"
        " kind {text} NOT NULL, doc {bytes} NOT NULL, seal {int},"
        f" PRIMARY KEY (person, companion, date, id), {_OF_SCOPE})",
        # Ids that must not come back.
        f"CREATE TABLE erased ({_SCOPE}, id {{text}} NOT NULL, seal {{int}} NOT NULL,"
        f" PRIMARY KEY (person, companion, id), {_OF_SCOPE})",
        # The key of an encrypted memory, locked with its passphrase, as key.json has it.
        f"CREATE TABLE scope_key ({_SCOPE}, data {{bytes}} NOT NULL,"
        f" PRIMARY KEY (person, companion), {_OF_SCOPE})",
        *_passages(f", {_OF_SCOPE}"),
    ),
    walled=("scope", "day", "record", "erased", "scope_key", "vector", "analysis"),
    postgres=(
        # Who there is: the one question across people.
        "CREATE POLICY names ON scope FOR SELECT TO CURRENT_USER USING (true)",
        "CREATE FUNCTION scopes() RETURNS TABLE (person text, companion text)"
        " LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS"
        " $$ SELECT person, companion FROM scope ORDER BY person, companion $$",
        "REVOKE EXECUTE ON FUNCTION scopes() FROM PUBLIC",
    ),
)
"""The tables of memories; ``docs/format.md`` describes them."""
