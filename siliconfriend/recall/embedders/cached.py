"""Cache the embeddings of an embedder, so that no text is embedded twice."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

import numpy as np

from siliconfriend.recall.documents import digest_of
from siliconfriend.recall.embedders.base import Embedder, Vector, Vectors

MAX_PASSAGES = 20_000
"""Vectors of stored texts that are kept unless told otherwise; 30 MB where they have 384 numbers."""

MAX_QUERIES = 16  # vectors of questions that are kept unless told otherwise

BACKGROUND_BATCH = 16
"""A ``batch_size`` for work in the background: a reply that is being made must not wait long
for its turn."""

Embed = Callable[[Sequence[str]], Vectors]


class VectorStore(Protocol):
    """Keeps vectors by the digests of their texts."""

    def find(self, digests: Collection[str]) -> dict[str, Vector]:
        """Return the stored vectors among these."""
        ...

    def add(self, vectors: Mapping[str, Vector]) -> None:
        """Store vectors."""
        ...


class CachedEmbedder:
    """An embedder that keeps the vectors it made; safe between threads.

    The least recently used vectors leave memory first. Two threads that ask for a new text at
    the same moment may both embed it; nobody waits for another's embedding.

    Args:
        inner: makes the vectors.
        max_passages, max_queries: how many of each are kept in memory at most.
        batch_size: texts embedded in one call of ``inner``, so that others get their turn in
            between; all at once without it.
        stored: keeps vectors of passages between runs, and of queries where any are kept in memory.

    Attributes:
        name, revision: those of ``inner``.
        embedded: how many texts ``inner`` was asked for so far.
    """

    def __init__(
        self,
        inner: Embedder,
        *,
        max_passages: int = MAX_PASSAGES,
        max_queries: int = MAX_QUERIES,
        batch_size: int | None = None,
        stored: VectorStore | None = None,
    ) -> None:
        self.name = inner.name
        self.revision = inner.revision
        self.embedded = 0
        self._inner = inner
        self._batch_size = batch_size
        self._passages = _Cache("", max_passages, stored)
        self._queries = _Cache("query\0", max_queries, stored if max_queries else None)

    @property
    def dimension(self) -> int:
        """Return the length of a vector of ``inner``."""
        return self._inner.dimension

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed stored texts that are not cached; as :meth:`Embedder.passages`."""
        return self._vectors(self._passages, self._inner.passages, texts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Embed questions that are not cached; as :meth:`Embedder.queries`."""
        return self._vectors(self._queries, self._inner.queries, texts)

    def _vectors(self, cache: _Cache, embed: Embed, texts: Sequence[str]) -> Vectors:
        known = cache.find(texts)
        found = {text: it for text, it in known.items() if len(it) == self.dimension}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        step = self._batch_size or max(1, len(missing))
        for start in range(0, len(missing), step):
            batch = missing[start : start + step]
            made = dict(zip(batch, embed(batch), strict=True))
            cache.keep(made)
            found |= made
            self.embedded += len(batch)
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.stack([found[text] for text in texts])


class _Cache:
    """The vectors of passages or of queries: many embedders give the two different ones."""

    def __init__(self, prefix: str, size: int, stored: VectorStore | None) -> None:
        self._prefix, self._size, self._stored = prefix, size, stored
        self._lock = threading.Lock()
        self._vectors: OrderedDict[str, Vector] = OrderedDict()

    def find(self, texts: Sequence[str]) -> dict[str, Vector]:
        """Return the vectors that are cached, by text; they count as used now."""
        with self._lock:
            found = {text: self._vectors[text] for text in texts if text in self._vectors}
        if self._stored is not None:
            digests = {digest_of(self._prefix + it): it for it in texts if it not in found}
            stored = self._stored.find(digests)
            found |= {digests[digest]: vector for digest, vector in stored.items()}
        self._remember(found)
        return found

    def keep(self, vectors: Mapping[str, Vector]) -> None:
        """Cache vectors that were just made."""
        # Each on its own: a row would hold on to its whole batch.
        self._remember({text: vector.copy() for text, vector in vectors.items()})
        if self._stored is not None:
            made = {digest_of(self._prefix + text): vector for text, vector in vectors.items()}
            self._stored.add(made)

    def _remember(self, vectors: Mapping[str, Vector]) -> None:
        with self._lock:
            for text, vector in vectors.items():
                self._vectors[text] = vector
                self._vectors.move_to_end(text)
            while len(self._vectors) > self._size:
                self._vectors.popitem(last=False)
