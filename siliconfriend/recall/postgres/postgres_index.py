"""Indexes in PostgreSQL: what one process made of words, every other process reads.

The same cache as in files, in rows behind the same wall as the memory they are made of. Reading
that fails raises, for a memory of years must not be embedded again because a connection was lost;
what cannot be written is made again the next time it is needed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager

from siliconfriend.errors import ConfigurationError, StoreError
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.scope import Scope
from siliconfriend.recall import index_cache
from siliconfriend.recall.documents import digest_of
from siliconfriend.recall.index_cache import Association, Entry, rules_of_entries
from siliconfriend.recall.postgres.database_vectors import DatabaseVectors, open_database_vectors
from siliconfriend.recall.postgres.index_rows import IndexRows, IndexState, to_bytes
from siliconfriend.recall.postgres.postgres_snapshots import PostgresSnapshots
from siliconfriend.recall.postgres.vector_format import load_vector
from siliconfriend.recall.spoken_times import SpokenTime, parse_days, written_days

FORMAT = "1"

_LOG = logging.getLogger(__name__)


class PostgresIndexes:
    """The :class:`~siliconfriend.recall.index_storage.IndexStorage` of a database.

    Args:
        database: where the rows are.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def cache(self, scope: Scope, embedder: str | None) -> PostgresIndexCache:
        """The cache of a scope, for an embedder by name and revision."""
        return PostgresIndexCache(self._database, scope, embedder)

    def snapshots(self, scope: Scope, stamps: Mapping[str, str]) -> PostgresSnapshots:
        """Where the snapshot of a scope's index is kept."""
        return PostgresSnapshots(self._database, scope, stamps)

    def remove(self, scope: Scope) -> None:
        """Delete every row of a scope's index; the next recall makes it again."""
        with self._database.transaction(scope.person) as connection:
            IndexRows(connection, scope).clear()


class PostgresIndexCache:
    """The :class:`~siliconfriend.recall.index_cache.IndexCache` of one scope in a database.

    Args:
        database: where the rows are.
        scope: whose index it is.
        embedder: the name and revision of the embedder whose vectors these are; None leaves
            alone what vectors there are.

    Attributes:
        erasures: as the protocol has it.

    Raises:
        ConfigurationError, StoreError: from what reads, and from :meth:`keep`, where the database
            cannot be used.
    """

    def __init__(self, database: Database, scope: Scope, embedder: str | None) -> None:
        self._database = database
        self._scope = scope
        self._made_by = rules_of_entries(embedder)
        self.erasures = 0

    @property
    def stamps(self) -> dict[str, str]:
        """By what rules and with which embedder rows are made."""
        return {"format": FORMAT, **self._made_by}

    def find(self, digests: Collection[str]) -> dict[str, Entry]:
        """Look up what is cached of these texts, by digest."""
        if not digests:
            return {}
        with self._reading() as (rows, state):
            if not self._is_made_alike(state, "format"):
                return {}
            words = rows.words(digests)
            has_words = self._is_made_alike(state, "words")
            vectors = rows.vectors(words) if self._is_made_alike(state, "embedder") else {}
        return {
            digest: Entry(
                tuple(_tokens(written)) if has_words and written is not None else None,
                load_vector(vectors[digest]) if digest in vectors else None,
            )
            for digest, written in words.items()
        }

    def add(self, entries: Mapping[str, Entry]) -> None:
        """Keep more entries; what an entry does not know stays as it was kept."""
        if not entries:
            return
        words = {
            digest: None if entry.words is None else to_bytes(" ".join(entry.words))
            for digest, entry in entries.items()
        }
        vectors = {
            digest: entry.vector for digest, entry in entries.items() if entry.vector is not None
        }
        self._write(lambda rows: rows.add(words, vectors))

    def find_times(self, keys: Collection[str]) -> dict[str, tuple[SpokenTime, ...]]:
        """Look up the days that texts speak of, by their keys."""
        if not keys:
            return {}
        with self._reading() as (rows, state):
            if not self._is_made_alike(state, "format", "times"):
                return {}
            return {key: parse_days(days) for key, days in rows.spoken(keys).items()}

    def add_times(self, times: Mapping[str, Sequence[SpokenTime]]) -> None:
        """Keep the days that more texts speak of, by their keys."""
        if not times:
            return
        written = {key: written_days(days) for key, days in times.items()}
        self._write(lambda rows: rows.add_spoken(written))

    def note_used(self, digests: Collection[str]) -> None:
        """Note that texts were compared that may be no memories, so that their vectors stay a while."""
        if not digests:
            return
        self._write(lambda rows: rows.note_used(digests))

    def keep(self, digests: Collection[str], keys: Collection[str] = ()) -> None:
        """Delete the rows of all other texts and the table of words, in one transaction."""
        with self._database.transaction(self._scope.person) as connection:
            rows = IndexRows(connection, self._scope)
            if self._claim(rows) is None:
                return
            rows.keep_entries(digests)
            rows.keep_spoken(keys)
            rows.clear("index_used")
            rows.put_associations([])
            rows.put_erasures(self.erasures)

    def tidy(self, digests: Collection[str], keys: Collection[str] = ()) -> None:
        """Drop entries and days of texts that are not among these, where there are any.

        The table of associated words stays, with the entries of its words.
        """

        def keep(rows: IndexRows) -> None:
            compared = [digest_of(word) for word, _, level in rows.associations() if not level]
            used = rows.last_used(index_cache.MOST_USED)
            rows.keep_entries({*digests, *compared, *used})
            rows.keep_spoken(keys)

        self._write(keep)

    def associations(self) -> list[Association]:
        """The table of associated words that was kept; empty where there is none."""
        with self._reading() as (rows, state):
            if not self._is_made_alike(state, *self.stamps):
                return []
            return [found for found in rows.associations() if found[2] > 0]

    def associations_mark(self) -> str:
        """Another one each time the table of associated words is replaced; empty before the first."""
        with self._reading() as (_, state):
            return "" if state is None or not state.associated else str(state.associated)

    def put_associations(
        self, entries: Collection[Association], compared: Collection[str] = ()
    ) -> None:
        """Keep a table of associated words instead of the one before; an erasure takes it away.

        The vectors of the words in ``compared`` stay when the cache is tidied.
        """
        table = [*entries, *((word, "", 0) for word in compared)]
        self._write(lambda rows: rows.put_associations(table))

    def stored_vectors(self, digests: Sequence[str], dimension: int) -> DatabaseVectors | None:
        """The vectors of rows with these texts, compared where they lie; None where one is missing."""
        with self._reading() as (_, state):
            if digests and not self._is_made_alike(state, "format", "embedder"):
                return None
        return open_database_vectors(self._database, self._scope, digests, dimension)

    @contextmanager
    def _reading(self) -> Iterator[tuple[IndexRows, IndexState | None]]:
        with self._database.transaction(self._scope.person, read_only=True) as connection:
            rows = IndexRows(connection, self._scope)
            yield rows, rows.state()

    def _write(self, write: Callable[[IndexRows], None]) -> None:
        """Write within a transaction that holds the rows' lock, unless there was an erasure meanwhile.

        A failure is told to the log alone: a cache may do without.
        """
        try:
            with self._database.transaction(self._scope.person) as connection:
                rows = IndexRows(connection, self._scope)
                state = self._claim(rows)
                if state is not None and state.erasures <= self.erasures:
                    write(rows)
        except (StoreError, ConfigurationError):
            _LOG.debug("what was made of words could not be kept", exc_info=True)

    def _claim(self, rows: IndexRows) -> IndexState | None:
        """Lock the rows, and drop what other rules, embedders and formats left in them."""
        state = rows.claim()
        if state is None:
            return None
        other = {name for name, it in self.stamps.items() if state.stamps.get(name) != it}
        if "format" in other:
            rows.clear("index_entry", "index_vector")
        if "words" in other:
            rows.clear_words()
        if "times" in other:
            rows.clear("index_spoken")
        if "embedder" in other:
            rows.clear("index_vector")
        if other - {"times"}:
            rows.clear("index_association")
        if other:
            rows.put_stamps({**state.stamps, **self.stamps})
        return state

    def _is_made_alike(self, state: IndexState | None, *names: str) -> bool:
        """True if rows were made by the same of these; words alone take any embedder's."""
        wanted = self.stamps
        return state is not None and all(
            state.stamps.get(name) == wanted.get(name, state.stamps.get(name)) for name in names
        )


def _tokens(written: bytes) -> list[str]:
    return written.decode("utf-8", "surrogatepass").split()
