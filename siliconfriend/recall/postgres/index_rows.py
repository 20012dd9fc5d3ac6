"""The rows of one scope's index: every statement its cache makes, within a transaction of that person.

Names of texts are their SHA-256; tokens are written as bytes, since no text of the database can
hold what a person may type.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import LiteralString

from psycopg import Connection, Cursor, sql

from siliconfriend.memory.scope import Scope
from siliconfriend.recall.index_cache import Association
from siliconfriend.recall.postgres.vector_format import Vector, dump_vector, register_vectors

_TABLES = (
    *("index_entry", "index_vector", "index_spoken", "index_association", "index_used"),
    *("index_snapshot", "index_state"),
)


@dataclass(frozen=True, slots=True)
class IndexState:
    """How the rows of an index were made.

    Attributes:
        stamps: by what rules and with which embedder, by name.
        erasures: memories that were erased when they were last written anew.
        associated: how often the table of associated words was replaced.
    """

    stamps: Mapping[str, str]
    erasures: int
    associated: int


class IndexRows:
    """One scope's rows, in one transaction.

    Args:
        connection: in a transaction of this person.
        scope: whose.
    """

    def __init__(self, connection: Connection, scope: Scope) -> None:
        self.connection = connection
        self._of = (scope.person, scope.companion)

    def state(self) -> IndexState | None:
        """How the rows were made; None where there are none."""
        query = (
            "SELECT stamps, erasures, associated FROM siliconfriend.index_state"
            " WHERE person = %s AND companion = %s"
        )
        return _state(self.connection.execute(query, self._of))

    def claim(self) -> IndexState | None:
        """Hold the rows' lock until the transaction ends; None where there is no such memory."""
        query = (
            "SELECT stamps, erasures, associated FROM siliconfriend.index_state"
            " WHERE person = %s AND companion = %s FOR UPDATE"
        )
        found = _state(self.connection.execute(query, self._of))
        if found is not None:
            return found
        # A memory that was deleted meanwhile gets no index again.
        self._run(
            "INSERT INTO siliconfriend.index_state (person, companion) SELECT person, companion"
            " FROM siliconfriend.scope WHERE person = %s AND companion = %s ON CONFLICT DO NOTHING"
        )
        return _state(self.connection.execute(query, self._of))

    def put_stamps(self, stamps: Mapping[str, str]) -> None:
        """Write by what the rows are made from now on."""
        statement = (
            "UPDATE siliconfriend.index_state SET stamps = %s::jsonb"
            " WHERE person = %s AND companion = %s"
        )
        self.connection.execute(statement, (json.dumps(dict(stamps)), *self._of))

    def put_erasures(self, erasures: int) -> None:
        """Write how many memories were erased when the rows are written anew."""
        statement = (
            "UPDATE siliconfriend.index_state SET erasures = %s"
            " WHERE person = %s AND companion = %s"
        )
        self.connection.execute(statement, (erasures, *self._of))

    def words(self, digests: Collection[str]) -> dict[str, bytes | None]:
        """The tokens of those of the texts that have a row."""
        query = (
            "SELECT digest, words FROM siliconfriend.index_entry"
            " WHERE person = %s AND companion = %s AND digest = ANY(%s)"
        )
        values = (*self._of, [*digests])
        return dict(self.connection.execute(query, values, binary=True).fetchall())

    def vectors(self, digests: Collection[str]) -> dict[str, bytes]:
        """The vectors of those of the texts that have one, as the database sends them."""
        query = (
            "SELECT digest, vector FROM siliconfriend.index_vector"
            " WHERE person = %s AND companion = %s"
            " AND digest = ANY(%s)"
        )
        values = (*self._of, [*digests])
        return dict(self.connection.execute(query, values, binary=True).fetchall())

    def products(self, query: Vector) -> bytes:
        """The inner product of every vector with a query.

        Returns:
            of each 8 bytes of its text's digest and a double, both big-endian.
        """
        statement = (
            "SELECT string_agg(decode(left(digest, 16), 'hex')"
            " || float8send(-(vector <#> %b::vector)), '')"
            " FROM siliconfriend.index_vector WHERE person = %s AND companion = %s"
        )
        with self.connection.cursor(binary=True) as cursor:
            register_vectors(cursor)
            row = cursor.execute(statement, (dump_vector(query), *self._of)).fetchone()
        return bytes(row[0]) if row and row[0] else b""

    def add(self, words: Mapping[str, bytes | None], vectors: Mapping[str, Vector]) -> None:
        """Write tokens and vectors; what is None here stays as it is there."""
        statement = (
            "INSERT INTO siliconfriend.index_entry AS kept (person, companion, digest, words)"
            " SELECT %s, %s, * FROM unnest(%s::text[], %s::bytea[])"
            " ON CONFLICT (person, companion, digest)"
            " DO UPDATE SET words = coalesce(excluded.words, kept.words)"
        )
        values = (*self._of, [*words], [*words.values()])
        self.connection.execute(statement, values)
        with self.connection.cursor() as cursor:
            register_vectors(cursor)
            cursor.executemany(
                "INSERT INTO siliconfriend.index_vector (person, companion, digest, vector)"
                " VALUES (%s, %s, %s, %b::vector) ON CONFLICT (person, companion, digest)"
                " DO UPDATE SET vector = excluded.vector",
                [(*self._of, digest, dump_vector(it)) for digest, it in vectors.items()],
            )

    def spoken(self, keys: Collection[str]) -> dict[str, str]:
        """The days of those of the keys that have a row."""
        query = (
            "SELECT key, days FROM siliconfriend.index_spoken"
            " WHERE person = %s AND companion = %s AND key = ANY(%s)"
        )
        return dict(self.connection.execute(query, (*self._of, [*keys])).fetchall())

    def add_spoken(self, days: Mapping[str, str]) -> None:
        """Write the days of keys."""
        statement = (
            "INSERT INTO siliconfriend.index_spoken (person, companion, key, days)"
            " SELECT %s, %s, * FROM unnest(%s::text[], %s::text[])"
            " ON CONFLICT (person, companion, key) DO UPDATE SET days = excluded.days"
        )
        self.connection.execute(statement, (*self._of, [*days], [*days.values()]))

    def note_used(self, digests: Collection[str]) -> None:
        """Note that texts are used now."""
        statement = (
            "INSERT INTO siliconfriend.index_used (person, companion, digest, used)"
            " SELECT %s, %s, digest, clock_timestamp() FROM unnest(%s::text[]) AS new (digest)"
            " ON CONFLICT (person, companion, digest) DO UPDATE SET used = excluded.used"
        )
        self.connection.execute(statement, (*self._of, [*digests]))

    def last_used(self, most: int) -> list[str]:
        """The texts that were used last, at most so many; older ones are no longer noted."""
        query = (
            "SELECT digest FROM siliconfriend.index_used"
            " WHERE person = %s AND companion = %s ORDER BY used DESC LIMIT %s"
        )
        rows = self.connection.execute(query, (*self._of, most)).fetchall()
        found = [digest for (digest,) in rows]
        self._delete_others("index_used", "digest", found)
        return found

    def associations(self) -> list[Association]:
        """Words, words that come to mind with them, and the levels; 0 where one was compared."""
        query = (
            "SELECT word, other, level FROM siliconfriend.index_association"
            " WHERE person = %s AND companion = %s"
        )
        rows = self.connection.execute(query, self._of, binary=True)
        return [(_text(word), _text(other), level) for word, other, level in rows]

    def put_associations(self, rows: Iterable[Association]) -> None:
        """Replace the table of associated words."""
        self._run(
            "DELETE FROM siliconfriend.index_association WHERE person = %s AND companion = %s"
        )
        words, others, levels = [*zip(*rows, strict=True)] or ((), (), ())
        statement = (
            "INSERT INTO siliconfriend.index_association (person, companion, word, other, level)"
            " SELECT %s, %s, * FROM unnest(%s::bytea[], %s::bytea[], %s::smallint[])"
        )
        values = ([*map(to_bytes, words)], [*map(to_bytes, others)], [*levels])
        self.connection.execute(statement, (*self._of, *values))
        self._run(
            "UPDATE siliconfriend.index_state SET associated = associated + 1"
            " WHERE person = %s AND companion = %s"
        )

    def keep_entries(self, digests: Collection[str]) -> None:
        """Delete the tokens and vectors of all other texts."""
        self._delete_others("index_entry", "digest", digests)
        self._delete_others("index_vector", "digest", digests)

    def keep_spoken(self, keys: Collection[str]) -> None:
        """Delete the days of all other keys."""
        self._delete_others("index_spoken", "key", keys)

    def clear_words(self) -> None:
        """Forget all tokens."""
        self._run(
            "UPDATE siliconfriend.index_entry SET words = NULL WHERE person = %s AND companion = %s"
        )

    def clear(self, *tables: str) -> None:
        """Delete all rows of tables."""
        statement = sql.SQL(
            "DELETE FROM siliconfriend.{table} WHERE person = %s AND companion = %s"
        )
        for table in tables or _TABLES:
            self.connection.execute(statement.format(table=sql.Identifier(table)), self._of)

    def _delete_others(self, table: str, column: str, kept: Collection[str]) -> None:
        statement = sql.SQL(
            "DELETE FROM siliconfriend.{table} WHERE person = %s AND companion = %s"
            " AND NOT EXISTS (SELECT FROM unnest(%s::text[]) AS kept (name)"
            " WHERE kept.name = {column})"
        ).format(table=sql.Identifier(table), column=sql.Identifier(column))
        self.connection.execute(statement, (*self._of, [*kept]))

    def _run(self, statement: LiteralString) -> None:
        self.connection.execute(statement, self._of)


def _state(cursor: Cursor) -> IndexState | None:
    row = cursor.fetchone()
    return None if row is None else IndexState(*row)


def to_bytes(text: str) -> bytes:
    """A text as its column keeps it."""
    return text.encode("utf-8", "surrogatepass")


def _text(kept: bytes) -> str:
    return kept.decode("utf-8", "surrogatepass")
