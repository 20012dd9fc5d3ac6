"""An embedder over one scope's cache: a text that was ever embedded for it is not embedded again.

A night compares sentences that are no memories of their own, the next night most of them again.
Their vectors lie beside those of the index, by the hash of the text and without its words, and
leave with them: an erasure takes them all.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from siliconfriend.recall.documents import digest_of
from siliconfriend.recall.embedders.base import Embedder, Vectors
from siliconfriend.recall.index_cache import Entry, IndexCache

BATCH = 64
"""Texts embedded between two writings of the cache, so that a long first time can be broken off:
some three seconds of work."""


class KeptVectors:
    """Vectors of texts from the cache of a scope, or made and kept there.

    Args:
        inner: makes those that are missing.
        cache: of the scope, stamped with this embedder.
        kept_as_used: keep them though no memory has these words, as long as they are asked for.

    Attributes:
        name, revision, dimension: those of ``inner``.
    """

    def __init__(self, inner: Embedder, cache: IndexCache, *, kept_as_used: bool = True) -> None:
        self.name = inner.name
        self.revision = inner.revision
        self.dimension = inner.dimension
        self._inner = inner
        self._cache = cache
        self._kept_as_used = kept_as_used

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of stored words: float32, shape (len(texts), dimension), rows of length 1.

        Raises:
            ModelUnavailable: the embedder is a service that failed.
        """
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        digests = {digest_of(text): text for text in texts}
        found = self._cache.find(digests)
        vectors = {
            digest: entry.vector
            for digest, entry in found.items()
            if entry.vector is not None and len(entry.vector) == self.dimension
        }
        missing = [digest for digest in digests if digest not in vectors]
        for first in range(0, len(missing), BATCH):
            batch = missing[first : first + BATCH]
            made = self._inner.passages([digests[digest] for digest in batch])
            vectors |= dict(zip(batch, made, strict=True))
            self._cache.add({digest: Entry(None, vectors[digest]) for digest in batch})
        if self._kept_as_used:
            self._cache.note_used(digests)
        return np.stack([vectors[digest_of(text)] for text in texts])

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what is asked; none of them is kept."""
        return self._inner.queries(texts)
