"""One scope's search index in memory, synchronised with a snapshot of the memory before each search.

It holds three tables over the same rows: words (BM25), vectors (FAISS), and the days that memories
speak of. It is built from the store, which keeps the vector and the analysis of each text.

Snapshots of the memory share the days that did not change, so only days whose object differs are
read again; a turn said a moment ago, here or in another process, is found by the next question. Rows
are only added: a row whose memory changed or left is invalid, until there are so many invalid ones
that the valid ones are renumbered.
"""

import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from siliconfriend.memory.days import changed_dates
from siliconfriend.memory.records import Day, PersonMemory
from siliconfriend.recall.analysis import Analysis, analyse, key_of
from siliconfriend.recall.documents import Document, documents_of
from siliconfriend.recall.embedders.base import Embedder, Vector
from siliconfriend.recall.memory_table import MemoryTable
from siliconfriend.recall.passages import StoredPassages
from siliconfriend.recall.times import TimeTable, day_of_event
from siliconfriend.recall.vector_index import VectorIndex
from siliconfriend.recall.word_index import WordIndex

MOST_DEAD = 0.1
"""Share of invalid rows that triggers a compaction. Until then invalid rows count in the
mean vector and in the rarity of words."""

ROW_BYTES = 3_000
"""Estimated bytes per row besides its vector: memory, postings, digest."""

GROWN = 1.25  # growth in rows after which a rarity is recomputed
BATCH = 64
"""Texts embedded and stored at once, so that a long first time can be interrupted: some three
seconds of work."""

OnProgress = Callable[[int, int], object]
"""Progress callback: number of new texts indexed so far, and their total."""


class TooManyTexts(Exception):
    """Raised if more texts than the limit would have to be embedded.

    Attributes:
        count: how many.
    """

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.count = count


def embedder_stamp(embedder: Embedder | None) -> str | None:
    """Return the storage key of an embedder's vectors; None without an embedder."""
    return None if embedder is None else f"{embedder.name} {embedder.revision}"


class PassageMaker:
    """Embeds and analyses the texts of one memory, sharing results between processes.

    Attributes:
        passages: those that are stored.
        embedded: how many texts were embedded so far.
        progress: number of texts done and total, during indexing.
    """

    def __init__(self, embedder: Embedder | None, passages: StoredPassages) -> None:
        self.passages = passages
        self.embedded = 0
        self.progress: tuple[int, int] | None = None
        self._embedder = embedder

    def lacking(self, documents: Sequence[Document]) -> int:
        """Count the texts that are not embedded yet."""
        digests = {document.digest for document in documents}
        return 0 if self._embedder is None else len(digests - self.passages.find(digests).keys())

    def make(
        self,
        documents: Sequence[Document],
        zone: ZoneInfo,
        known: Mapping[str, Vector],
        on_progress: OnProgress | None = None,
    ) -> tuple[dict[str, Vector], list[Analysis]]:
        """Return the vectors of texts by their digests, and the analysis of each.

        Missing entries are computed and stored. ``known`` are vectors already in memory.
        """
        keys = [key_of(document, zone) for document in documents]
        digests, dimension = set[str](), 0
        if self._embedder is not None:
            digests = {document.digest for document in documents} - known.keys()
            dimension = self._embedder.dimension
        found, analyses = self.passages.read(digests, set(keys))
        vectors = {of: vector for of, vector in found.items() if len(vector) == dimension}
        vectors |= known
        digests -= vectors.keys()
        lacking = [
            (document, key)
            for document, key in zip(documents, keys, strict=True)
            if key not in analyses or document.digest in digests
        ]
        try:
            for first in range(0, len(lacking), BATCH):
                self.progress = (first, len(lacking))
                if on_progress is not None:
                    on_progress(*self.progress)
                batch = lacking[first : first + BATCH]
                analysed = {
                    key: analyse(document, zone) for document, key in batch if key not in analyses
                }
                embedded = self._embed(
                    {
                        document.digest: document.text
                        for document, _ in batch
                        if document.digest in digests
                    }
                )
                self.passages.write(embedded, analysed)
                analyses |= analysed
                vectors |= embedded
                digests -= embedded.keys()
        finally:
            self.progress = None
        return vectors, [analyses[key] for key in keys]

    def _embed(self, texts: Mapping[str, str]) -> dict[str, Vector]:
        """Embed texts by their digests."""
        if self._embedder is None or not texts:
            return {}
        found = self._embedder.passages([*texts.values()])
        self.embedded += len(texts)
        # Copy each row: a view would keep its whole batch in memory.
        return {digest: vector.copy() for digest, vector in zip(texts, found, strict=True)}


class ScopeIndex:
    """The word and vector indexes of one scope. Hold :attr:`lock` around :meth:`sync` and a search.

    Args:
        embedder: None for words alone.
        passages: the stored vectors and analyses.

    Attributes:
        rows: memories and ranking columns by row.
        word_index: their words.
        vector_index: their vectors; None without an embedder.
        times: the days that turns and events speak of.
        row_of: the valid row of a memory id.
    """

    def __init__(self, embedder: Embedder | None, passages: StoredPassages) -> None:
        self.lock = threading.RLock()
        self.maker = PassageMaker(embedder, passages)
        self._zone = ZoneInfo("UTC")
        self._days: Mapping[str, Day] = {}
        self._synced: tuple[Mapping[str, Day], frozenset[str]] = (self._days, frozenset())
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
        """Synchronise both indexes with the memory; return the number of embedded texts.

        New memories among the ids ``later`` are deferred to the next sync: a turn without its reply
        would be embedded twice, and is not searched before.

        Raises:
            TooManyTexts: more than ``most`` texts would have to be embedded; none is.
        """
        days, left_for_later = self._synced
        if memory.days is days and left_for_later.issubset(later):
            return 0
        self.maker.passages.erasures = len(memory.erased)
        self._zone = memory.profile.zone
        changed = [memory.days[name] for name in changed_dates(self._days, memory.days)]
        for name in self._ids.keys() - memory.days.keys():
            self._drop(self._ids.pop(name))
            self._note_spoken(name, is_told=False)
        fresh = [document for day in changed for document in self._fresh_documents(day)]
        now = [document for document in fresh if document.id not in later]
        if most is not None and len(now) > most:
            new = [document for document in now if document.digest not in self._row_of_digest]
            if (lacking := self.maker.lacking(new)) > most:
                raise TooManyTexts(lacking)
        embedded = self._add(now, on_progress)
        for day in changed:
            self.rows.link(self.rows_of(self._ids[day.date]))
        left = {document.id: document.memory.date for document in fresh if document.id in later}
        unread = set(left.values())
        self._days = {date: day for date, day in memory.days.items() if date not in unread}
        self._synced = memory.days, frozenset(left)
        if self._dead > MOST_DEAD * len(self.rows):
            self._renumber()
        return embedded

    @property
    def nbytes(self) -> int:
        """Estimated size in memory, in bytes."""
        vectors = 0 if self.vector_index is None else self.vector_index.nbytes
        return vectors + ROW_BYTES * len(self.rows)

    @property
    def days_spoken(self) -> tuple[date, ...]:
        """The days with turns, ascending; cached between questions."""
        if self._days_spoken is None:
            self._days_spoken = tuple(map(date.fromisoformat, sorted(self._spoken)))
        return self._days_spoken

    def rows_of(self, ids: Iterable[str]) -> list[int]:
        """Return the valid rows of memories, skipping memories without one."""
        return [row for memory in ids if (row := self.row_of.get(memory)) is not None]

    def _note_spoken(self, name: str, *, is_told: bool) -> None:
        self._days_spoken = None
        if is_told:
            self._spoken.add(name)
        else:
            self._spoken.discard(name)

    def _fresh_documents(self, day: Day) -> list[Document]:
        """Return the memories of a day to index; invalidate rows of changed or removed ones."""
        documents = documents_of(day)
        ids = [document.id for document in documents]
        self._drop(set(self._ids.get(day.date, ())).difference(ids))
        self._ids[day.date] = ids
        self._note_spoken(day.date, is_told=any(not turn.is_left_alone for turn in day.turns))
        fresh = []
        for document in documents:
            row = self.row_of.get(document.id)
            # The words are the same, so the days are too.
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
        """Return the number of an event's day if it differs from the day it was told, else 0."""
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

        The value is cached, and recomputed when the index has grown by a quarter.
        """
        size, table = len(self.word_index), self.rows
        for row in rows[table["rarity_rows"][rows] * GROWN < size].tolist():
            table["rarity"][row] = self.word_index.rarity(table.own_words(row))
            table["rarity_rows"][row] = size
        return table["rarity"][rows]

    def _add(self, documents: Sequence[Document], on_progress: OnProgress | None) -> int:
        if not documents:
            return 0
        before, index = self.maker.embedded, self.vector_index
        known: dict[str, Vector] = {}
        if index is not None:
            rows = {
                document.digest: self._row_of_digest.get(document.digest) for document in documents
            }
            same = {digest: row for digest, row in rows.items() if row is not None}
            known = dict(
                zip(same, index.vectors(np.array([*same.values()], np.int64)), strict=True)
            )
        vectors, analyses = self.maker.make(documents, self._zone, known, on_progress)
        if index is not None:
            index.add(np.stack([vectors[document.digest] for document in documents]))
        self.word_index.extend([analysis.tokens for analysis in analyses])
        for document, analysis in zip(documents, analyses, strict=True):
            row = self.rows.append(document, analysis)
            self.times.append(analysis.spans)
            self.row_of[document.id] = row
            self._row_of_digest[document.digest] = row
        self.rarities(
            np.array([self.row_of[document.id] for document in documents], dtype=np.int64)
        )
        return self.maker.embedded - before

    def _renumber(self) -> None:
        """Compact the index: remove invalid rows without embedding again."""
        if not self._dead:
            return
        kept = np.flatnonzero(self.rows["alive"])
        self.times = self.times.subset(kept)
        self.rows, self.word_index = self.rows.subset(kept), self.word_index.subset(kept)
        if self.vector_index is not None:
            self.vector_index = self.vector_index.subset(kept)
        self._dead = 0
        self.row_of = {identifier: row for row, identifier in enumerate(self.rows.ids)}
        self._row_of_digest = {digest: row for row, digest in enumerate(self.rows.digests)}
