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
"""Default capacity for vectors of stored texts; 30 MB at 384 dimensions."""

MAX_QUERIES = 4096
"""Default capacity for vectors of messages, which a talk needs again; 6 MB at 384 dimensions."""


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
    """An embedder with a cache of its vectors; thread-safe.

    The cache evicts the least recently used vectors. Two threads may embed the same new text
    concurrently; neither waits for the other.

    Args:
        inner: makes the vectors.
        max_passages, max_queries: maximum number of each in memory.
        stored: keeps vectors of passages between runs, and of queries where any are kept in memory.

    Attributes:
        name, revision: those of ``inner``.
        embedded: number of texts embedded by ``inner`` so far.
    """

    def __init__(
        self,
        inner: Embedder,
        *,
        max_passages: int = MAX_PASSAGES,
        max_queries: int = MAX_QUERIES,
        stored: VectorStore | None = None,
    ) -> None:
        self.name = inner.name
        self.revision = inner.revision
        self.embedded = 0
        self._inner = inner
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
        found = {text: vector for text, vector in known.items() if len(vector) == self.dimension}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            made = dict(zip(missing, embed(missing), strict=True))
            cache.keep(made)
            found |= made
            self.embedded += len(missing)
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.stack([found[text] for text in texts])


class _Cache:
    """The cache of passages or of queries; many embedders encode the two differently."""

    def __init__(self, prefix: str, size: int, stored: VectorStore | None) -> None:
        self._prefix, self._size, self._stored = prefix, size, stored
        self._lock = threading.Lock()
        self._vectors: OrderedDict[str, Vector] = OrderedDict()

    def find(self, texts: Sequence[str]) -> dict[str, Vector]:
        """Return cached vectors by text, and mark them as recently used."""
        with self._lock:
            found = {text: self._vectors[text] for text in texts if text in self._vectors}
        if self._stored is not None:
            digests = {digest_of(self._prefix + text): text for text in texts if text not in found}
            stored = self._stored.find(digests)
            found |= {digests[digest]: vector for digest, vector in stored.items()}
        self._remember(found)
        return found

    def keep(self, vectors: Mapping[str, Vector]) -> None:
        """Cache vectors that were just made."""
        # Copy each row: a view would keep its whole batch in memory.
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
