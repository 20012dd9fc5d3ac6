"""One scope's search index in memory, synchronised with a snapshot of the memory before each search.

It holds two indexes over the same rows, of words (BM25) and of meanings (FAISS), and the days
that these speak of. Snapshots of the memory share the days that did not change, so what is new is
found by looking which day objects are others than last time; a turn said a moment ago, here or in
another process, is searched in the next question. Rows are only added: a row whose memory changed
or left is dead until so many are dead that the living ones are renumbered.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.tokenizer import tokenize
from siliconfriend.language.words import word_set
from siliconfriend.memory.days import (
    LazyDays,
    changed_dates,
    day_versions,
    outlines,
    without_dates,
)
from siliconfriend.memory.records import Day, PersonMemory
from siliconfriend.recall.documents import Document, documents_of, own_words
from siliconfriend.recall.embedders.base import Embedder, Vectors
from siliconfriend.recall.embedders.cached import CachedEmbedder
from siliconfriend.recall.index_file import INDEX_FILE, IndexFile
from siliconfriend.recall.index_snapshot import (
    Snapshot,
    pack,
    row_rules,
    unpack,
)
from siliconfriend.recall.memory_table import MemoryTable
from siliconfriend.recall.times import TimeTable, day_of_event, spoken_times
from siliconfriend.recall.vector_index import VectorIndex
from siliconfriend.recall.word_index import WordIndex

ROWS = "rows"  # the name of the snapshot of all rows in the cache

MOST_DEAD = 0.1
"""Share of dead rows at which the living ones are renumbered. Until then dead rows count in the mean
vector and in the rarity of words."""

ROW_BYTES = 3_000
"""About what a row takes beside its vector: its memory, its words' postings, its digest."""

NEW_SHARE = 0.02
"""Share of texts on days that changed from which what is made of all rows is made anew."""

GROWN = 1.25  # times the rows by which a rarity was reckoned, until it is reckoned anew
BATCH = 64
"""Texts embedded between two writings of the cache, so that a long first time can be broken off:
some three seconds of work."""

OnProgress = Callable[[int, int], object]
"""Called with the number of new texts indexed so far, and of all of them."""


class TooManyTexts(Exception):
    """More texts would have to be embedded than there is time for.

    Attributes:
        count: how many.
    """

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.count = count


class ScopeIndex:
    """Both indexes of one scope. Hold :attr:`lock` around :meth:`sync` and a search.

    Args:
        embedder: None for words alone.
        folder: where the index is kept; None for nowhere.

    Attributes:
        rows: what is known of each row.
        word_index: their words.
        vector_index: their meanings; None without an embedder.
        times: the days that turns and events speak of.
        cache: the vectors that are kept, and a snapshot of the rest.
        row_of: the living row of a memory id.
        progress: how many texts of how many were indexed so far, while that is under way.
    """

    def __init__(self, embedder: Embedder | None, folder: Path | None) -> None:
        self.lock = threading.RLock()
        stamp = None if embedder is None else f"{embedder.name} {embedder.revision}"
        self.cache = IndexFile(None if folder is None else folder / INDEX_FILE, stamp)
        self._embedder: CachedEmbedder | None = None
        if embedder is not None:
            self._embedder = CachedEmbedder(
                embedder, max_passages=0, max_queries=0, batch_size=BATCH, file=self.cache
            )
        self.progress: tuple[int, int] | None = None
        self._zone = ZoneInfo("UTC")
        self._unkept: set[str] = set()
        self._days: Mapping[str, Day] = {}
        self._ids: dict[str, list[str]] = {}
        self._spoken: set[str] = set()
        self._days_spoken: tuple[date, ...] | None = None
        self.row_of: dict[str, int] = {}
        self._row_of_digest: dict[str, int] = {}
        self._dead = 0
        self.rows = MemoryTable()
        self.times = TimeTable()
        self.word_index = WordIndex()
        self.vector_index = None if embedder is None else VectorIndex(embedder.dimension)

    def sync(
        self,
        memory: PersonMemory,
        later: Collection[str] = (),
        *,
        most: int | None = None,
        on_progress: OnProgress | None = None,
    ) -> int:
        """Bring both indexes in step with the memory; how many texts had to be embedded.

        What is new among the ids ``later`` is left for the next time: a turn that waits for
        its reply would be embedded twice, and nobody looks for it until then.

        Raises:
            TooManyTexts: more than ``most`` texts would have to be embedded; none is.
        """
        if memory.days is self._days:
            return 0
        self.cache.erasures = len(memory.erased)
        self._zone = memory.profile.zone
        is_restored = not (self._days or self.rows.digests) and self._restore(memory)
        changed = [memory.days[name] for name in changed_dates(self._days, memory.days)]
        self._unkept.update(day.date for day in changed)
        for name in self._ids.keys() - memory.days.keys():
            self._drop(self._ids.pop(name))
            self._note_spoken(name, is_told=False)
        fresh = [document for day in changed for document in self._fresh_documents(day)]
        now = [document for document in fresh if document.id not in later]
        if most is not None and (lacking := self._lacking(now, most)) > most:
            raise TooManyTexts(lacking)
        embedded = self._add(now, on_progress)
        for day in changed:
            self.rows.link(self.rows_of(self._ids[day.date]))
        waiting = {document.memory.date for document in fresh if document.id in later}
        self._days = without_dates(memory.days, waiting) if waiting else memory.days
        if is_restored or self._dead > MOST_DEAD * len(self.rows):
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
            self._days_spoken = tuple(map(date.fromisoformat, sorted(self._spoken)))
        return self._days_spoken

    def rows_of(self, ids: Iterable[str]) -> list[int]:
        """Return the living rows of memories, without those that have none."""
        return [row for memory in ids if (row := self.row_of.get(memory)) is not None]

    def rebuild(self, memory: PersonMemory, on_progress: OnProgress | None = None) -> int:
        """Bring both indexes in step, leave the dead rows behind, tidy the cache; as :meth:`sync`."""
        embedded = self.sync(memory, on_progress=on_progress)
        self._renumber()
        self.cache.tidy(self._row_of_digest)
        self.keep_snapshot()
        return embedded

    def rewrite(self, memory: PersonMemory) -> None:
        """Remove every word and vector of erased memories, in memory and in the cache file.

        Raises:
            ConfigurationError, StoreError: the cache can be neither written nor deleted.
        """
        self.sync(memory)
        self._renumber()
        self.cache.keep(self._row_of_digest)
        self._unkept = set(self._ids)
        self.keep_snapshot()

    def keep_snapshot(self) -> None:
        """Keep a snapshot for whoever opens this index next, where enough changed since the last."""
        unkept = sum(len(self._ids.get(name, ())) for name in self._unkept)
        if unkept > NEW_SHARE * len(self.rows):
            self._renumber()
            versions = dict.fromkeys(self._days, "") | day_versions(self._days)
            rows = Snapshot(self.rows, self.times, self.word_index, versions, self._zone.key)
            self.cache.write(ROWS, pack(rows), row_rules(), erasures=self.cache.erasures)
            self._unkept = set()

    def _restore(self, memory: PersonMemory) -> bool:
        """Take the rows of the snapshot; True if there is one, and the vectors of all its rows.

        Of a day that is written as it was then nothing is read. The others count as changed.
        """
        data = self.cache.read(ROWS, row_rules(), is_checked=True)
        snapshot = None if data is None else unpack(data, memory.find)
        if snapshot is None or not self._restore_vectors(snapshot.rows.digests):
            return False
        self.rows, self.times, self.word_index = snapshot.rows, snapshot.times, snapshot.words
        self._number_rows()
        self._ids = {name: [] for name in snapshot.versions}
        for identifier, day in zip(self.rows.ids, self.rows["day"].tolist(), strict=True):
            self._ids[date.fromordinal(day).isoformat()].append(identifier)
        is_same_zone = snapshot.zone == memory.profile.zone.key
        versions = day_versions(memory.days) if is_same_zone else {}
        same = [name for name, it in versions.items() if snapshot.versions.get(name) == it]
        held = LazyDays.of(memory.days).held
        self._days = LazyDays({name: held[name] for name in sorted(same)})
        for name, outline in outlines(self._days):
            self._note_spoken(name, is_told=outline.told > 0)
        return True

    def _restore_vectors(self, digests: Sequence[str]) -> bool:
        """Take the kept vectors of texts; False where one is lacking. Words alone need none."""
        if self.vector_index is None:
            return True
        kept = self.cache.find(set(digests))
        found = [kept[digest] for digest in digests if digest in kept]
        dimension = self.vector_index.dimension
        if len(found) < len(digests) or {len(it) for it in found} - {dimension}:
            return False
        self.vector_index.add(np.array(found, dtype=np.float32).reshape(-1, dimension))
        return True

    def _lacking(self, documents: Sequence[Document], most: int) -> int:
        if self._embedder is None or len(documents) <= most:
            return 0
        digests = {it.digest for it in documents if it.digest not in self._row_of_digest}
        return len(digests - self.cache.find(digests).keys())

    def _note_spoken(self, name: str, *, is_told: bool) -> None:
        self._days_spoken = None
        if is_told:
            self._spoken.add(name)
        else:
            self._spoken.discard(name)

    def _fresh_documents(self, day: Day) -> list[Document]:
        """Return the memories of a day to index; rows of changed or removed memories die."""
        documents = documents_of(day)
        ids = [document.id for document in documents]
        self._drop(set(self._ids.get(day.date, ())).difference(ids))
        self._ids[day.date] = ids
        self._note_spoken(day.date, is_told=any(not it.is_left_alone for it in day.turns))
        fresh = []
        for document in documents:
            row = self.row_of.get(document.id)
            # Made from the same words, which speak of the same days.
            if (
                row is not None
                and self.rows.digests[row] == document.digest
                and self.rows["event_day"][row] == self._event_day(document)
            ):
                self.rows.update(row, document.memory)
            else:
                self._drop([document.id])
                fresh.append(document)
        return fresh

    def _event_day(self, document: Document) -> int:
        """Return the number of the day an event was of, where it was told on another; else 0."""
        day = day_of_event(document.memory, self._zone)
        return 0 if day is None else day.toordinal()

    def _drop(self, ids: Collection[str]) -> None:
        for identifier in ids:
            row = self.row_of.pop(identifier, None)
            if row is not None:
                self.rows.drop(row)
                self._dead += 1

    def rarities(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the mean idf of the own words of some rows, as a share of that of a word said once.

        It is kept, and reckoned anew once there are a quarter more rows: to tokenize a few hundred
        memories for each message would take longer than to search 100,000.
        """
        size, table = len(self.word_index), self.rows
        for row in rows[table["rarity_rows"][rows] * GROWN < size].tolist():
            words = word_set(own_words(table.memory(row)))
            table["rarity"][row] = self.word_index.rarity(words)
            table["rarity_rows"][row] = size
        return table["rarity"][rows]

    @property
    def _embedded(self) -> int:
        return 0 if self._embedder is None else self._embedder.embedded

    def _batches(
        self, documents: Sequence[Document], on_progress: OnProgress | None
    ) -> Iterator[Sequence[Document]]:
        try:
            for first in range(0, len(documents), BATCH):
                self.progress = (first, len(documents))
                if on_progress is not None:
                    on_progress(*self.progress)
                yield documents[first : first + BATCH]
        finally:
            self.progress = None

    def _add(self, documents: Sequence[Document], on_progress: OnProgress | None) -> int:
        before = self._embedded
        for batch in self._batches(documents, on_progress):
            self._add_batch(batch)
        self.rarities(np.array([self.row_of[it.id] for it in documents], dtype=np.int64))
        return self._embedded - before

    def _add_batch(self, batch: Sequence[Document]) -> None:
        if self.vector_index is not None:
            self.vector_index.add(self._vectors(batch, self.vector_index))
        for document in batch:
            row = self.rows.append(document, self._event_day(document))
            self.word_index.add(tokenize(document.text))
            self.times.append(spoken_times(document.memory, self._zone))
            self.row_of[document.id] = row
            self._row_of_digest[document.digest] = row

    def _vectors(self, batch: Sequence[Document], index: VectorIndex) -> Vectors:
        assert self._embedder is not None, "words alone have no vectors"
        rows = [self._row_of_digest.get(document.digest) for document in batch]
        new = [it.text for it, row in zip(batch, rows, strict=True) if row is None]
        made = iter(self._embedder.passages(new))
        found = [next(made) if row is None else index.vectors(np.array([row]))[0] for row in rows]
        return np.stack(found)

    def _renumber(self) -> None:
        """Remove the dead rows; nothing is embedded again."""
        if not self._dead:
            return
        kept = np.flatnonzero(self.rows["alive"])
        self.times = self.times.subset(kept)
        self.rows, self.word_index = self.rows.subset(kept), self.word_index.subset(kept)
        if self.vector_index is not None:
            self.vector_index = self.vector_index.subset(kept)
        self._dead = 0
        self._number_rows()

    def _number_rows(self) -> None:
        self.row_of = {identifier: row for row, identifier in enumerate(self.rows.ids)}
        self._row_of_digest = {digest: row for row, digest in enumerate(self.rows.digests)}
