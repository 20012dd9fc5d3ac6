"""One scope's two indexes in memory, brought level with a snapshot before each search.

Snapshots share the days that did not change, so what is new is found by looking which day
objects are others than last time; a turn said a moment ago, here or in another process, is
searched in the next question. MemoryTable are only added: a row whose memory changed or left is
dead until so many are dead that the living ones are numbered anew.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.tokenizer import tokenize
from siliconfriend.memory.records import Day, PersonMemory
from siliconfriend.recall.documents import Document, digest_of, documents_of
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.fact_table import FactTable
from siliconfriend.recall.index_cache import Entry, IndexCache
from siliconfriend.recall.memory_table import MemoryTable
from siliconfriend.recall.vector_index import VectorIndex
from siliconfriend.recall.word_index import WordIndex

MOST_DEAD = 0.1
"""Share of dead rows at which the living ones are numbered anew: they still count in what is
usual, in the mean of the meanings and the rarity of the words."""

Vector = NDArray[np.float32]

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
    """Both indexes of one scope. Hold :attr:`lock` around :meth:`sync` and a search.

    Attributes:
        rows: what is known of each row.
        lexicon: their words.
        vectors: their meanings; None without an embedder.
        cache: what lies on disk of it.
        row_of: the living row of a memory id.
        spoken: the days on which something was said, by ISO date.
        progress: how many texts of how many were taken in so far, while that is under way.
    """

    def __init__(self, embedder: Embedder | None, folder: Path | None) -> None:
        self.lock = threading.RLock()
        self._embedder = embedder
        stamp = None if embedder is None else f"{embedder.name} {embedder.revision}"
        self.cache = IndexCache(folder, stamp)
        self._days: Mapping[str, Day] = {}
        self._ids: dict[str, list[str]] = {}
        self.spoken: dict[str, date] = {}
        self.row_of: dict[str, int] = {}
        self._row_of_digest: dict[str, int] = {}
        self._dead = 0
        self.progress: tuple[int, int] | None = None
        self.rows = MemoryTable()
        self._facts = FactTable()
        self._version = 0
        self.lexicon = WordIndex()
        self.vectors = None if embedder is None else VectorIndex(embedder.dimension)

    def sync(self, memory: PersonMemory, later: Collection[str] = ()) -> int:
        """Bring both indexes level with the memory; how many texts had to be embedded.

        What is new among the ids ``later`` is left for the next time: a turn that waits for
        its reply would be embedded twice, and nobody looks for it until then.
        """
        if memory.days is self._days:
            return 0
        self._version += 1
        changed = [day for name, day in memory.days.items() if self._days.get(name) is not day]
        for name in self._ids.keys() - memory.days.keys():
            self._drop(self._ids.pop(name))
            self.spoken.pop(name, None)
        news = [document for day in changed for document in self._news(day)]
        embedded = self._add([document for document in news if document.id not in later])
        for day in changed:
            self.rows.link(
                [row for it in self._ids[day.date] if (row := self.row_of.get(it)) is not None]
            )
        waiting = {document.memory.date for document in news if document.id in later}
        self._days = (
            {name: day for name, day in memory.days.items() if name not in waiting}
            if waiting
            else memory.days
        )
        if self._dead > MOST_DEAD * len(self.rows):
            self._number_anew()
        return embedded

    @property
    def facts(self) -> FactTable:
        """The rows that are facts, level with all rows."""
        self._facts.sync(self.rows, self._version)
        return self._facts

    def rebuild(self, memory: PersonMemory) -> Refreshed:
        """Bring both indexes level, leave the dead rows behind and tidy the cache."""
        before = len(self.rows)
        embedded = self.sync(memory)
        self._number_anew()
        self.cache.tidy(self._row_of_digest)
        alive = len(self.rows) - int(self.rows["archived"].sum())
        return Refreshed(alive, embedded, max(0, before - len(self.rows)))

    def vectors_of(self, texts: Sequence[str]) -> dict[str, Vector]:
        """The vectors of those texts that a row has; empty without an embedder."""
        rows = {it: self._row_of_digest.get(digest_of(it)) for it in texts}
        found = {it: row for it, row in rows.items() if row is not None}
        if self.vectors is None or not found:
            return {}
        return dict(zip(found, self.vectors.vectors(np.array(list(found.values()))), strict=True))

    def vectors_of_words(self, wanted: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of single words, from the cache or made and kept there; needs no lock.

        Returns:
            float32, shape (len(wanted), dimension).

        Raises:
            ModelUnavailable: the embedder is a service that failed.
        """
        assert self._embedder is not None, "words alone have no vectors"
        digests = {digest_of(word): word for word in wanted}
        found = self.cache.find(digests)
        known = {it: self._checked(entry).vector for it, entry in found.items()}
        missing = [it for it in digests if known.get(it) is None]
        for first in range(0, len(missing), BATCH):
            batch = missing[first : first + BATCH]
            made = self._embedder.passages([digests[it] for it in batch])
            known |= dict(zip(batch, made, strict=True))
            self.cache.add({it: Entry(None, known[it]) for it in batch})
        return np.array([known[digest_of(word)] for word in wanted], dtype=np.float32)

    def rewrite(self, memory: PersonMemory) -> None:
        """After an erasure: no word and no vector of what left stays, in memory or on disk.

        Raises:
            ConfigurationError, StoreError: the cache can be neither written nor deleted.
        """
        self.sync(memory)
        self._number_anew()
        self.cache.keep(self._row_of_digest)

    def _news(self, day: Day) -> list[Document]:
        """What of a day must be indexed; rows whose memory changed or left die."""
        documents = documents_of(day)
        ids = [document.id for document in documents]
        self._drop(set(self._ids.get(day.date, ())).difference(ids))
        self._ids[day.date] = ids
        if any(not turn.unkept for turn in day.turns):
            self.spoken[day.date] = date.fromisoformat(day.date)
        else:
            self.spoken.pop(day.date, None)
        fresh = []
        for document in documents:
            row = self.row_of.get(document.id)
            if row is not None and self.rows.digests[row] == document.digest:
                self.rows.put(row, document.memory)
            else:
                self._drop([document.id])
                fresh.append(document)
        return fresh

    def _drop(self, ids: Collection[str]) -> None:
        for identifier in ids:
            row = self.row_of.pop(identifier, None)
            if row is not None:
                self.rows["alive"][row] = False
                self._dead += 1

    def _add(self, fresh: Sequence[Document]) -> int:
        try:
            return self._add_all(fresh)
        finally:
            self.progress = None

    def _add_all(self, fresh: Sequence[Document]) -> int:
        embedded = 0
        for first in range(0, len(fresh), BATCH):
            self.progress = (first, len(fresh))
            batch = fresh[first : first + BATCH]
            entries, made = self._entries(batch)
            embedded += made
            vectors = [entry.vector for entry in entries if entry.vector is not None]
            if self.vectors is not None and vectors:
                self.vectors.add(np.stack(vectors))
            for document, entry in zip(batch, entries, strict=True):
                row = self.rows.append(document.memory, document.text, document.digest)
                self.lexicon.add(entry.words or ())
                self.row_of[document.id] = row
                self._row_of_digest[document.digest] = row
        return embedded

    def _entries(self, batch: Sequence[Document]) -> tuple[list[Entry], int]:
        """Words and vector of each, and how many of the texts had to be embedded.

        They come from another row with the same text, from the cache, or are made.
        """
        texts = {document.digest: document.text for document in batch}
        known = {it: self._entry_of_row(it) for it in texts if it in self._row_of_digest}
        known |= self.cache.find([it for it in texts if it not in known])
        unseen = Entry(None, None)
        entries = {it: self._checked(known.get(it, unseen)) for it in texts}
        dumb = [it for it, entry in entries.items() if entry.vector is None]
        if self._embedder is None or not dumb:
            dumb, made = [], np.empty((0, 0), dtype=np.float32)
        else:
            made = self._embedder.passages([texts[digest] for digest in dumb])
        vectors = dict(zip(dumb, made, strict=True))
        whole = {
            digest: Entry(
                tuple(tokenize(texts[digest])) if entry.words is None else entry.words,
                vectors.get(digest, entry.vector),
            )
            for digest, entry in entries.items()
        }
        self.cache.add(
            {
                it: whole[it]
                for it, entry in entries.items()
                if it not in self._row_of_digest and (entry.words is None or it in vectors)
            }
        )
        return [whole[document.digest] for document in batch], len(vectors)

    def _checked(self, entry: Entry) -> Entry:
        """The entry without a vector that cannot be one of the embedder's."""
        if entry.vector is None or self._embedder is None:
            return Entry(entry.words, None)
        return entry if len(entry.vector) == self._embedder.dimension else Entry(entry.words, None)

    def _entry_of_row(self, digest: str) -> Entry:
        row = np.array([self._row_of_digest[digest]])
        return Entry(None, None if self.vectors is None else self.vectors.vectors(row)[0])

    def _number_anew(self) -> None:
        """Leave the dead rows behind; nothing is embedded again."""
        if not self._dead:
            return
        kept = np.flatnonzero(self.rows["alive"])
        self.rows, self.lexicon = self.rows.only(kept), self.lexicon.only(kept)
        if self.vectors is not None:
            self.vectors = self.vectors.only(kept)
        self._dead = 0
        self.row_of = {memory.id: row for row, memory in enumerate(self.rows.memories)}
        self._row_of_digest = {digest: row for row, digest in enumerate(self.rows.digests)}
