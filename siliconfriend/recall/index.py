"""One scope's search index in memory, brought in step with a snapshot before each search.

It holds two indexes over the same rows, of words (BM25) and of meanings (FAISS), and the days
that these speak of. Snapshots
share the days that did not change, so what is new is found by looking which day objects are
others than last time; a turn said a moment ago, here or in another process, is searched in
the next question. Rows are only added: a row whose memory changed or left is dead until so
many are dead that the living ones are renumbered.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from siliconfriend.memory.days import changed_dates, outlines, without_dates
from siliconfriend.memory.records import Day, PersonMemory, Profile
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.cue import name_words
from siliconfriend.recall.documents import Document, digest_of, documents_of
from siliconfriend.recall.embedders.base import Embedder, Vectors
from siliconfriend.recall.fact_table import FactTable
from siliconfriend.recall.index_cache import (
    BATCH,
    IndexEntries,
    KeptVectors,
    Refreshed,
    TooManyTexts,
)
from siliconfriend.recall.index_file import Entry
from siliconfriend.recall.index_files import IndexFiles
from siliconfriend.recall.index_snapshot import (
    IndexSnapshot,
    columns_of,
    make_snapshot,
    match_snapshot,
    row_rules,
)
from siliconfriend.recall.memory_table import MemoryTable, RowMemories
from siliconfriend.recall.times import TimeTable, spoken_key
from siliconfriend.recall.vector_index import VectorIndex
from siliconfriend.recall.word_index import WordIndex

MOST_DEAD = 0.1
"""Share of dead rows at which the living ones are renumbered: the dead still count in what is
usual, in the mean of the meanings and the rarity of the words."""

ROW_BYTES = 3_000
"""About what a row takes beside its vector: its memory, its words' postings, its digests."""

FEWEST_NEW, NEW_SHARE = 64, 0.02
"""Rows, and share of all rows, that are new before another snapshot of them is kept."""

Vector = NDArray[np.float32]

Told = Callable[[int, int], object]
"""Hears how many of the new texts are indexed so far, and of how many."""


class ScopeIndex:
    """Both indexes of one scope. Hold :attr:`lock` around :meth:`sync` and a search.

    Args:
        embedder: None for words alone.
        storage: where the indexes of all scopes are kept.
        scope: whose index it is.

    Attributes:
        rows: what is known of each row.
        word_index: their words.
        vector_index: their meanings; None without an embedder.
        times: the days that turns and events speak of.
        cache: what is kept of it.
        row_of: the living row of a memory id.
        spoken: the days on which something was said, by ISO date.
        progress: how many texts of how many were indexed so far, while that is under way.
        version: another one each time it was brought in step with another memory.
    """

    def __init__(self, embedder: Embedder | None, storage: IndexFiles, scope: Scope) -> None:
        self.lock = threading.RLock()
        self._embedder = embedder
        stamp = None if embedder is None else f"{embedder.name} {embedder.revision}"
        self.cache = storage.cache(scope, stamp)
        self._entries = IndexEntries(embedder, self.cache)
        self._snapshot = storage.snapshots(scope, self.cache.stamps | {"rows": row_rules()})
        self.progress: tuple[int, int] | None = None
        self._zone = ZoneInfo("UTC")
        self._profile: Profile | None = None
        self._facts = FactTable()
        self.version = 0
        self._begin()

    def _begin(self) -> None:
        """Begin without rows."""
        embedder = self._embedder
        self._snapshot_rows = 0
        self._days: Mapping[str, Day] = {}
        self._ids: dict[str, list[str]] = {}
        self.spoken: dict[str, date] = {}
        self._days_spoken: tuple[date, ...] | None = None
        self.row_of: dict[str, int] = {}
        self._row_of_digest: dict[str, int] = {}
        self._dead = 0
        self.rows = MemoryTable()
        self.times = TimeTable()
        self.word_index = WordIndex()
        self.vector_index: VectorIndex | None = (
            None if embedder is None else VectorIndex(embedder.dimension)
        )

    def sync(
        self,
        memory: PersonMemory,
        later: Collection[str] = (),
        *,
        most: int | None = None,
        told: Told | None = None,
    ) -> int:
        """Bring both indexes in step with the memory; how many texts had to be embedded.

        What is new among the ids ``later`` is left for the next time: a turn that waits for
        its reply would be embedded twice, and nobody looks for it until then. ``told`` hears
        how many texts of how many are indexed.

        Raises:
            TooManyTexts: more than ``most`` texts would have to be embedded; none is.
        """
        if memory.days is self._days:
            return 0
        self.version += 1
        self.cache.erasures = len(memory.erased)
        self._zone = memory.profile.zone
        if not self._days:
            self._restore(memory)
        self._profile = memory.profile
        changed = [memory.days[name] for name in changed_dates(self._days, memory.days)]
        for name in self._ids.keys() - memory.days.keys():
            self._drop(self._ids.pop(name))
            self._note_spoken(name, is_told=False)
        fresh = [document for day in changed for document in self._fresh_documents(day)]
        now = [document for document in fresh if document.id not in later]
        if most is not None and (lacking := self._lacking(now, most)) > most:
            raise TooManyTexts(lacking)
        embedded = self._add(now, told)
        for day in changed:
            self.rows.link(self.rows_of(self._ids[day.date]))
        waiting = {document.memory.date for document in fresh if document.id in later}
        self._days = without_dates(memory.days, waiting) if waiting else memory.days
        if self._dead > MOST_DEAD * len(self.rows):
            self._renumber()
        return embedded

    @property
    def nbytes(self) -> int:
        """About how many bytes it takes in memory."""
        vectors = 0 if self.vector_index is None else self.vector_index.nbytes
        return vectors + ROW_BYTES * len(self.rows)

    @property
    def days_spoken(self) -> tuple[date, ...]:
        """The days on which something was said, ascending; sorted once and not for each question."""
        if self._days_spoken is None:
            self._days_spoken = tuple(sorted(self.spoken.values()))
        return self._days_spoken

    @property
    def facts(self) -> FactTable:
        """The rows that are facts, in step with all rows."""
        self._facts.sync(self.rows, self.version)
        return self._facts

    def rows_of(self, ids: Iterable[str]) -> list[int]:
        """The living rows of memories, without those that have none."""
        return [row for memory in ids if (row := self.row_of.get(memory)) is not None]

    def speaker_words(self, memory: PersonMemory, companion_name: str = "") -> frozenset[str]:
        """The words of what the two who speak are called, in the settings and in what is known."""
        return name_words((memory.profile.name, companion_name)) | self.facts.speakers

    def rebuild(self, memory: PersonMemory, told: Told | None = None) -> Refreshed:
        """Bring both indexes in step, leave the dead rows behind and tidy the cache."""
        before = len(self.rows)
        embedded = self.sync(memory, told=told)
        self._renumber()
        self.cache.tidy(self._row_of_digest, self.times.keys)
        self.keep_snapshot()
        alive = len(self.rows) - int(self.rows["archived"].sum())
        return Refreshed(alive, embedded, max(0, before - len(self.rows)))

    def rewrite(self, memory: PersonMemory) -> None:
        """After an erasure: no word and no vector of what left stays, in memory or where it is kept.

        Raises:
            ConfigurationError, StoreError: the cache can be neither written nor deleted.
        """
        self.sync(memory)
        self._renumber()
        self.drop_snapshot()
        self.cache.keep(self._row_of_digest, self.times.keys)
        self._save_snapshot()

    def vectors_of(self, texts: Sequence[str]) -> dict[str, Vector]:
        """The vectors of those texts that a row has; empty without an embedder."""
        rows = {text: self._row_of_digest.get(digest_of(text)) for text in texts}
        found = {text: row for text, row in rows.items() if row is not None}
        if self.vector_index is None or not found:
            return {}
        vectors = self.vector_index.vectors(np.array(list(found.values())))
        return dict(zip(found, vectors, strict=True))

    def vectors_of_words(self, words: Sequence[str]) -> Vectors:
        """The vectors of single words, from the cache or made and kept there; needs no lock.

        Returns:
            float32, shape (len(words), dimension).

        Raises:
            ModelUnavailable: the embedder is a service that failed.
        """
        assert self._embedder is not None, "words alone have no vectors"
        return KeptVectors(self._embedder, self.cache, kept_as_used=False).passages(words)

    def _lacking(self, documents: Sequence[Document], most: int) -> int:
        """How many of the texts have no vector; looked for only where they are more than ``most``."""
        if self._embedder is None or len(documents) <= most:
            return 0
        digests = [it.digest for it in documents if it.digest not in self._row_of_digest]
        found = self.cache.find(digests)
        return sum(digest not in found or found[digest].vector is None for digest in digests)

    def _restore(self, memory: PersonMemory) -> None:
        """Take the rows of the snapshot that still stand for what is remembered."""
        snapshot = self._snapshot.load()
        if snapshot is None:
            return
        if not memory.erased.isdisjoint(snapshot.ids):
            self.drop_snapshot()  # whoever erased was stopped before it was written anew
        match = match_snapshot(snapshot, memory)
        kept = match.rows
        is_whole = len(kept) == len(snapshot.ids)
        vectors = None if self._embedder is None else self._vectors_of(snapshot, kept)
        if self._embedder is not None and vectors is None:
            return
        self.rows = MemoryTable.of(
            RowMemories([snapshot.ids[row] for row in kept.tolist()], memory.find),
            [snapshot.digests[row] for row in kept.tolist()],
            columns_of(snapshot, kept),
        )
        for row in np.flatnonzero(np.isin(kept, list(match.read))).tolist():
            self.rows.update(row, match.read[int(kept[row])])
        words = WordIndex(snapshot.postings, snapshot.lengths, snapshot.compounds)
        times = TimeTable(snapshot.keys, snapshot.spans)
        if not is_whole:
            words, times = words.subset(kept), times.subset(kept)
        self.word_index, self.times, self.vector_index = words, times, vectors
        self.row_of = {identifier: row for row, identifier in enumerate(self.rows.memories.ids)}
        self._row_of_digest = {digest: row for row, digest in enumerate(self.rows.digests)}
        self._days, self._ids = match.days, dict(match.ids)
        for name, outline in outlines(match.days):
            self._note_spoken(name, is_told=outline.told > 0)
        self._snapshot_rows = len(self.rows)

    def _vectors_of(self, snapshot: IndexSnapshot, kept: NDArray[np.int64]) -> VectorIndex | None:
        """The vectors of these rows of a snapshot, or where they are kept; None without them."""
        assert self._embedder is not None, "words alone have no vectors"
        dimension, held = self._embedder.dimension, snapshot.vectors
        if held is None or held.shape != (len(snapshot.ids), dimension):
            return None
        vectors = VectorIndex(dimension)
        vectors.add_at_once(held if len(kept) == len(held) else held[kept])
        return vectors

    def keep_snapshot(self) -> None:
        """Keep a snapshot for whoever opens this index next, where enough is new since the last."""
        if len(self.rows) - self._snapshot_rows > max(FEWEST_NEW, NEW_SHARE * len(self.rows)):
            self._save_snapshot()

    def drop_snapshot(self) -> None:
        """Remove the snapshot: what is erased must not lie in it."""
        self._snapshot.remove()
        self._snapshot_rows = 0

    def _save_snapshot(self) -> None:
        self._renumber()
        if self._profile is None:
            return  # nothing was remembered yet
        made = make_snapshot(
            self.rows, self.times, self.word_index, self.vector_index, self._days, self._profile
        )
        self._snapshot.save(made)
        self._snapshot_rows = len(self.rows)

    def _note_spoken(self, name: str, *, is_told: bool) -> None:
        """Note if something was said on a date."""
        self._days_spoken = None
        if is_told:
            self.spoken[name] = date.fromisoformat(name)
        else:
            self.spoken.pop(name, None)

    def _fresh_documents(self, day: Day) -> list[Document]:
        """What of a day must be indexed; rows whose memory changed or left die."""
        documents = documents_of(day)
        ids = [document.id for document in documents]
        self._drop(set(self._ids.get(day.date, ())).difference(ids))
        self._ids[day.date] = ids
        self._note_spoken(day.date, is_told=any(not it.is_left_alone for it in day.turns))
        fresh = []
        for document in documents:
            row = self.row_of.get(document.id)
            if row is not None and self._is_same(row, document):
                self.rows.update(row, document.memory)
            else:
                self._drop([document.id])
                fresh.append(document)
        return fresh

    def _is_same(self, row: int, document: Document) -> bool:
        """True if a row was made from these words, which speak of the same days."""
        key = spoken_key(document.memory, document.digest, self._zone)
        return self.rows.digests[row] == document.digest and self.times.keys[row] == key

    def _drop(self, ids: Collection[str]) -> None:
        for identifier in ids:
            row = self.row_of.pop(identifier, None)
            if row is not None:
                self.rows.drop(row)
                self._dead += 1

    def _add(self, documents: Sequence[Document], told: Told | None) -> int:
        """Index documents batch by batch; how many texts had to be embedded."""
        embedded = 0
        try:
            for first in range(0, len(documents), BATCH):
                self.progress = (first, len(documents))
                if told is not None:
                    told(first, len(documents))
                embedded += self._add_batch(documents[first : first + BATCH])
        finally:
            self.progress = None
        return embedded

    def _add_batch(self, batch: Sequence[Document]) -> int:
        texts = {document.digest: document.text for document in batch}
        of_rows = {it: entry for it in texts if (entry := self._entry_of_row(it)) is not None}
        made, embedded = self._entries.make(texts, of_rows)
        entries = [made[document.digest] for document in batch]
        vectors = [entry.vector for entry in entries if entry.vector is not None]
        if self.vector_index is not None and vectors:
            self.vector_index.add(np.stack(vectors))
        times = self._entries.times(batch, self._zone)
        for document, entry, (key, days) in zip(batch, entries, times, strict=True):
            row = self.rows.append(document.memory, document.text, document.digest)
            self.word_index.add(entry.words or ())
            self.times.append(key, days)
            self.row_of[document.id] = row
            self._row_of_digest[document.digest] = row
        return embedded

    def _entry_of_row(self, digest: str) -> Entry | None:
        """The vector that a row with the same text has; None where no row has this text."""
        row = self._row_of_digest.get(digest)
        if row is None:
            return None
        index = self.vector_index
        return Entry(None, None if index is None else index.vectors(np.array([row]))[0])

    def _renumber(self) -> None:
        """Leave the dead rows behind; nothing is embedded again."""
        if not self._dead:
            return
        kept = np.flatnonzero(self.rows["alive"])
        self.times = self.times.subset(kept)
        self.rows, self.word_index = self.rows.subset(kept), self.word_index.subset(kept)
        if self.vector_index is not None:
            self.vector_index = self.vector_index.subset(kept)
        self._dead = 0
        self.row_of = {identifier: row for row, identifier in enumerate(self.rows.memories.ids)}
        self._row_of_digest = {digest: row for row, digest in enumerate(self.rows.digests)}
