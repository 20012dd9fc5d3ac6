"""The one cache of embeddings: an embedder over another one that embeds no text twice.

Embedding is what costs most wherever texts are compared. A message is looked for in the
person's memory, in the companion's own story and among topics; every batch of a night is
compared with what is known; a table over six recipes asks the same questions six times.
Whoever embeds again and again wraps the embedder here, for as long as the work lasts.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from siliconfriend.errors import ConfigurationError
from siliconfriend.recall.embedders.base import Embedder, Vectors

MAX_PASSAGES = 20_000
"""Vectors of stored texts that are kept unless told otherwise; 30 MB where they have 384 numbers."""

MAX_QUERIES = 16
"""Vectors of questions that are kept unless told otherwise."""

BACKGROUND_BATCH = 16
"""A ``batch_size`` for work in the background: a reply that is being made must not wait long
for its turn."""

Vector = NDArray[np.float32]
Embed = Callable[[Sequence[str]], Vectors]


class CachedEmbedder:
    """An embedder that keeps the vectors it made, in memory; safe between threads.

    The least recently used vectors are dropped first. Two threads that ask for a new text at
    the same moment may both embed it; nobody waits for another's embedding.

    Args:
        inner: makes the vectors.
        max_passages, max_queries: how many of each are kept at most; 0 keeps none and hands
            the call on as it is.
        batch_size: texts embedded in one call of ``inner``, so that others get their turn in
            between; all at once without it.
        file: an SQLite file that keeps vectors between runs as well.
        on_embedded: called with the number of texts of each batch that was embedded.

    Attributes:
        name, revision, dimension: those of ``inner``.

    Raises:
        ConfigurationError: the file cannot be used for it.
    """

    def __init__(
        self,
        inner: Embedder,
        *,
        max_passages: int = MAX_PASSAGES,
        max_queries: int = MAX_QUERIES,
        batch_size: int | None = None,
        file: Path | None = None,
        on_embedded: Callable[[int], None] = lambda _texts: None,
    ) -> None:
        self.name = inner.name
        self.revision = inner.revision
        self.dimension = inner.dimension
        self._batch_size = batch_size
        self._on_embedded = on_embedded
        kept = None if file is None else _VectorFile(file)
        self._passages = _Cache(inner, "passage", inner.passages, max_passages, kept)
        self._queries = _Cache(inner, "query", inner.queries, max_queries, kept)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of stored texts, from the cache or embedded; as :meth:`Embedder.passages`."""
        return self._vectors(self._passages, texts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what is asked, from the cache or embedded; as :meth:`Embedder.queries`."""
        return self._vectors(self._queries, texts)

    def learn_passages(self, texts: Sequence[str], source: Embed) -> None:
        """Take vectors from a source that has them already, of those texts that are not cached.

        Never call it within a store's edit where ``source`` reads the store, as
        :meth:`Recaller.embed_passages` does.

        Raises:
            ModelUnavailable: as ``source``.
        """
        known = self._passages.find(texts)
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        if missing:
            self._passages.keep(dict(zip(missing, source(missing), strict=True)))

    def _vectors(self, cache: _Cache, texts: Sequence[str]) -> Vectors:
        if not cache.size:
            return cache.embed(texts)
        found = cache.find(texts)
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        step = self._batch_size or max(1, len(missing))
        for start in range(0, len(missing), step):
            batch = missing[start : start + step]
            made = dict(zip(batch, cache.embed(batch), strict=True))
            cache.keep(made)
            found |= made
            self._on_embedded(len(batch))
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.stack([found[text] for text in texts])


class _Cache:
    """The vectors of passages or of queries: many embedders give the two different ones."""

    def __init__(
        self, embedder: Embedder, side: str, embed: Embed, size: int, file: _VectorFile | None
    ) -> None:
        self.embed = embed
        self.size = size
        self._stamp = f"{embedder.name}\0{embedder.revision}\0{embedder.dimension}\0{side}\0"
        self._file = file
        self._lock = threading.Lock()
        self._vectors: OrderedDict[str, Vector] = OrderedDict()

    def find(self, texts: Sequence[str]) -> dict[str, Vector]:
        """The vectors that are cached, by text; they count as used now."""
        with self._lock:
            found = {text: self._vectors[text] for text in texts if text in self._vectors}
            for text in found:
                self._vectors.move_to_end(text)
        if self._file is not None:
            keys = {self._key(text): text for text in texts if text not in found}
            from_file = {keys[key]: vector for key, vector in self._file.find(keys).items()}
            self._remember(from_file)
            found |= from_file
        return found

    def keep(self, vectors: Mapping[str, Vector]) -> None:
        """Cache vectors that were just made."""
        self._remember(vectors)
        if self._file is not None:
            self._file.add({self._key(text): vector for text, vector in vectors.items()})

    def _remember(self, vectors: Mapping[str, Vector]) -> None:
        with self._lock:
            for text, vector in vectors.items():
                self._vectors[text] = vector.copy()  # a row would hold on to its whole batch
                self._vectors.move_to_end(text)
            while len(self._vectors) > self.size:
                self._vectors.popitem(last=False)

    def _key(self, text: str) -> bytes:
        """What the file knows a text by: it never holds the words, nor mixes two embedders."""
        return hashlib.sha256((self._stamp + text).encode("utf-8", "surrogatepass")).digest()


class _VectorFile:
    """An SQLite file of vectors by key; safe between threads.

    Raises:
        ConfigurationError: it is no such file, or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        try:
            self._database = sqlite3.connect(path, check_same_thread=False)
            with self._database:
                self._database.execute(
                    "CREATE TABLE IF NOT EXISTS vectors"
                    " (key BLOB PRIMARY KEY, vector BLOB NOT NULL)"
                )
        except sqlite3.Error as error:
            raise ConfigurationError("file_unwritable", path=path, cause=error) from error

    def find(self, keys: Collection[bytes]) -> dict[bytes, Vector]:
        """The vectors that the file has of these."""
        found = {}
        with self._lock:
            for key in keys:
                row = self._database.execute(
                    "SELECT vector FROM vectors WHERE key = ?", (key,)
                ).fetchone()
                if row is not None:
                    found[key] = np.frombuffer(row[0], dtype=np.float32)
        return found

    def add(self, vectors: Mapping[bytes, Vector]) -> None:
        """Keep more vectors."""
        rows = [(key, vector.tobytes()) for key, vector in vectors.items()]
        with self._lock, self._database:
            self._database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
