"""What an index keeps of each text: its tokens, its vector and its days, made once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

import numpy as np

from siliconfriend.language.tokenizer import tokenize
from siliconfriend.recall.documents import Document, digest_of
from siliconfriend.recall.embedders.base import Embedder, Vectors
from siliconfriend.recall.index_file import Entry, IndexFile, Vector
from siliconfriend.recall.times import SpokenTime, spoken_key, spoken_times


class IndexEntries:
    """Makes the entries of one scope's index.

    Args:
        embedder: None for words alone.
        cache: of the scope, stamped with this embedder.
    """

    def __init__(self, embedder: Embedder | None, cache: IndexFile) -> None:
        self._embedder = embedder
        self._cache = cache

    def make(
        self, texts: Mapping[str, str], of_rows: Mapping[str, Entry]
    ) -> tuple[dict[str, Entry], int]:
        """Words and vector of each text, and how many of them had to be embedded.

        Args:
            texts: by digest.
            of_rows: what rows with the same text have, by digest; the cache has that too.

        Raises:
            ModelUnavailable: the embedder is a service that failed.
        """
        cached = self._cache.find([digest for digest in texts if digest not in of_rows])
        known = {
            digest: self._validated(of_rows.get(digest) or cached.get(digest, Entry(None, None)))
            for digest in texts
        }
        vectors = self._embed_missing(texts, known)
        whole = {
            digest: Entry(
                tuple(tokenize(texts[digest])) if entry.words is None else entry.words,
                vectors.get(digest, entry.vector),
            )
            for digest, entry in known.items()
        }
        self._cache.add(
            {
                digest: whole[digest]
                for digest, entry in known.items()
                if digest not in of_rows and (entry.words is None or digest in vectors)
            }
        )
        return whole, len(vectors)

    def times(
        self, batch: Sequence[Document], zone: ZoneInfo
    ) -> list[tuple[str, tuple[SpokenTime, ...]]]:
        """The key of each and the days it speaks of, from the cache or read from its words."""
        keys = [spoken_key(it.memory, it.digest, zone) for it in batch]
        known = self._cache.find_times(keys)
        read = {
            key: spoken_times(document.memory, zone)
            for key, document in zip(keys, batch, strict=True)
            if key not in known
        }
        self._cache.add_times(read)
        return [(key, known[key] if key in known else read[key]) for key in keys]

    def _embed_missing(
        self, texts: Mapping[str, str], entries: Mapping[str, Entry]
    ) -> dict[str, Vector]:
        """Embed the texts whose entries have no vector; by digest."""
        missing = [digest for digest, entry in entries.items() if entry.vector is None]
        if self._embedder is None or not missing:
            return {}
        made = self._embedder.passages([texts[digest] for digest in missing])
        return dict(zip(missing, made, strict=True))

    def _validated(self, entry: Entry) -> Entry:
        """The entry without a vector that cannot be one of the embedder's."""
        if entry.vector is None or self._embedder is None:
            return Entry(entry.words, None)
        return entry if len(entry.vector) == self._embedder.dimension else Entry(entry.words, None)


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

    def __init__(self, inner: Embedder, cache: IndexFile, *, kept_as_used: bool = True) -> None:
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


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a rebuild of an index did.

    Attributes:
        documents: how many memories can be found now, archived ones not counted.
        embedded: how many texts had to be embedded.
        removed: how many rows left.
    """

    documents: int
    embedded: int
    removed: int


class TooManyTexts(Exception):
    """More texts would have to be embedded than there is time for.

    Attributes:
        count: how many.
    """

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.count = count
