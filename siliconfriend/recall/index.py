"""One scope's two indexes in memory, brought level with a snapshot before each search.

Snapshots share the days that did not change, so what is new is found by looking which day
objects are others than last time; a turn said a moment ago, here or in another process, is
searched in the next question. Rows are only added: a row whose memory changed or left is
dead until so many are dead that the index is built again from the vectors it has.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from siliconfriend.memory.records import Day, PersonMemory
from siliconfriend.recall.cache import Entry, IndexCache
from siliconfriend.recall.documents import Document, documents_of
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.lexicon import Lexicon
from siliconfriend.recall.vectors import VectorIndex
from siliconfriend.recall.words import words

MOST_DEAD = 0.1
"""Share of dead rows at which the index is built again."""

BATCH = 256
"""Texts embedded between two writings of the cache, so that a long first time can be broken off."""


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh did.

    Attributes:
        documents: how many memories can be found now, archived ones not counted.
        embedded: how many texts had to be embedded.
        removed: how many rows left.
    """

    documents: int
    embedded: int
    removed: int


class ScopeIndex:
    """Both indexes of one scope. Hold :attr:`lock` around :meth:`level` and a search."""

    def __init__(self, embedder: Embedder | None, folder: Path | None) -> None:
        self.lock = threading.RLock()
        self._embedder = embedder
        stamp = "none" if embedder is None else f"{embedder.name} {embedder.revision}"
        self._cache = IndexCache(folder, stamp)
        self._known: dict[str, Entry] | None = None
        self._days: dict[str, Day] = {}
        self._clear()

    def _clear(self) -> None:
        self.documents: list[Document] = []
        self.row_of: dict[str, int] = {}
        self.lexicon = Lexicon()
        self.vectors = None if self._embedder is None else VectorIndex(self._embedder.dimension)
        self._sum = None if self._embedder is None else np.zeros(self._embedder.dimension)
        self._dead = 0
        self._alive_of_date: dict[str, list[str]] = {}

    def level(self, memory: PersonMemory) -> int:
        """Bring both indexes level with the memory; how many texts had to be embedded."""
        changed = [date for date, day in memory.days.items() if self._days.get(date) is not day]
        gone = self._days.keys() - memory.days.keys()
        if not changed and not gone:
            return 0
        fresh: list[Document] = []
        for date in gone:
            self._drop(self._alive_of_date.pop(date, []))
        for date in changed:
            fresh += self._changes_of(memory.days[date])
        embedded = self._add(fresh)
        self._days = dict(memory.days)
        if self._dead > MOST_DEAD * len(self.documents) and self._dead > 100:
            self.rebuild()
        return embedded

    def refresh(self, memory: PersonMemory) -> Refreshed:
        """Build both indexes again from the memory's documents and tidy the cache."""
        before = len(self.documents)
        embedded = self.level(memory)
        self.rebuild()
        known = self._known or {}
        present = {document.digest for document in self.documents}
        self._known = {digest: known[digest] for digest in present if digest in known}
        if not self._cache.holds_only(present):
            self._cache.replace(self._known)
        alive = sum(not document.archived for document in self.documents)
        return Refreshed(alive, embedded, max(0, before - len(self.documents)))

    def rewrite(self, memory: PersonMemory) -> None:
        """After an erasure: no word and no vector of what left stays, in memory or on disk."""
        self.refresh(memory)
        self._cache.replace(self._known or {})

    def rebuild(self) -> None:
        """Leave the dead rows behind; nothing is embedded again."""
        alive = [doc for row, doc in enumerate(self.documents) if self.row_of.get(doc.id) == row]
        # Archived memories are found by a name or a date only, so they come after the rest:
        # the vectors of what is live stay in one block from row 0.
        alive.sort(key=lambda doc: doc.archived)
        known, dates = self._known or {}, self._alive_of_date
        self._clear()
        self._alive_of_date = dates
        self._append(alive, [known[doc.digest] for doc in alive])

    def is_alive(self, row: int) -> bool:
        """Whether a row still stands for its memory."""
        return self.row_of.get(self.documents[row].id) == row

    def mean_product(self, query: NDArray[np.float32]) -> float:
        """The mean inner product of the query with every row, without looking at any of them."""
        if self._sum is None or not self.documents:
            return 0.0
        return float(self._sum @ query) / len(self.documents)

    def _changes_of(self, day: Day) -> list[Document]:
        """What of a day must be indexed; rows whose memory changed or left die."""
        documents = documents_of(day)
        ids = {document.id for document in documents}
        self._drop([it for it in self._alive_of_date.get(day.date, []) if it not in ids])
        self._alive_of_date[day.date] = [document.id for document in documents]
        fresh = []
        for document in documents:
            row = self.row_of.get(document.id)
            if row is None:
                fresh.append(document)
            elif self.documents[row].digest == document.digest:
                self.documents[row] = document
            else:
                self._drop([document.id])
                fresh.append(document)
        return fresh

    def _drop(self, ids: Sequence[str]) -> None:
        for identifier in ids:
            if self.row_of.pop(identifier, None) is not None:
                self._dead += 1

    def _add(self, fresh: Sequence[Document]) -> int:
        if self._known is None:
            self._known = self._cache.read()
        known = self._known
        missing = {
            document.digest: document.text
            for document in fresh
            if document.digest not in known
            or (self._embedder is not None and known[document.digest].vector is None)
        }
        digests = list(missing)
        for first in range(0, len(digests), BATCH):
            made = self._made({it: missing[it] for it in digests[first : first + BATCH]})
            known.update(made)
            self._cache.add(made)
        self._append(fresh, [known[document.digest] for document in fresh])
        return len(missing) if self._embedder is not None else 0

    def _made(self, texts: dict[str, str]) -> dict[str, Entry]:
        vectors = None if self._embedder is None else self._embedder.passages([*texts.values()])
        return {
            digest: Entry(tuple(words(text)), None if vectors is None else vectors[at])
            for at, (digest, text) in enumerate(texts.items())
        }

    def _append(self, documents: Sequence[Document], entries: Sequence[Entry]) -> None:
        for document, entry in zip(documents, entries, strict=True):
            self.row_of[document.id] = len(self.documents)
            self.documents.append(document)
            self.lexicon.add(entry.words)
        vectors = [entry.vector for entry in entries if entry.vector is not None]
        if self.vectors is not None and vectors:
            block = np.stack(vectors)
            self.vectors.add(block)
            self._sum = self._sum + block.sum(axis=0)
