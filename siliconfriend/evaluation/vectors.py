"""Embeddings that are made once for a whole evaluation, or once for all.

A table over six recipes asks the same questions of the same turns six times. Without this
most of its time would go into embedding them again, and nobody would run it twice.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from siliconfriend.errors import ConfigurationError
from siliconfriend.recall.embedders.base import Embedder, Vectors

BATCH = 32
"""Texts embedded between two moves of the progress bar."""

Embedded = Callable[[int], None]
"""Told how many texts were just embedded."""


class RememberingEmbedder:
    """An embedder that embeds no text twice; its vectors are those of the one it stands for.

    Args:
        inner: the embedder it stands for.
        file: where vectors are kept between runs; only in memory without it.
        embedded: told of each batch.

    Raises:
        ConfigurationError: the file cannot be used for it.
    """

    def __init__(
        self, inner: Embedder, *, file: Path | None = None, embedded: Embedded | None = None
    ) -> None:
        self.name = inner.name
        self.revision = inner.revision
        self.dimension = inner.dimension
        self._inner = inner
        self._told = embedded or (lambda _number: None)
        self._known: dict[bytes, bytes] = {}
        self._file = None if file is None else _open(file)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One row a text, float32, shape (len(texts), dimension)."""
        return self._vectors("passage", texts, self._inner.passages)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """One row a question, float32, shape (len(texts), dimension)."""
        return self._vectors("query", texts, self._inner.queries)

    def _vectors(
        self, side: str, texts: Sequence[str], embed: Callable[[Sequence[str]], Vectors]
    ) -> Vectors:
        keys = [self._key(side, text) for text in texts]
        missing = {
            key: text
            for key, text in zip(keys, texts, strict=True)
            if key not in self._known and not self._found_in_file(key)
        }
        wanted = list(missing.items())
        for start in range(0, len(wanted), BATCH):
            batch = wanted[start : start + BATCH]
            vectors = embed([text for _, text in batch])
            self._keep({key: row.tobytes() for (key, _), row in zip(batch, vectors, strict=True)})
            self._told(len(batch))
        rows = [np.frombuffer(self._known[key], dtype=np.float32) for key in keys]
        return np.stack(rows) if rows else np.empty((0, self.dimension), dtype=np.float32)

    def _key(self, side: str, text: str) -> bytes:
        stamp = f"{self.name}\0{self.revision}\0{self.dimension}\0{side}\0{text}"
        return hashlib.sha256(stamp.encode("utf-8", "surrogatepass")).digest()

    def _found_in_file(self, key: bytes) -> bool:
        if self._file is None:
            return False
        row = self._file.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone()
        if row is not None:
            self._known[key] = row[0]
        return row is not None

    def _keep(self, vectors: dict[bytes, bytes]) -> None:
        self._known |= vectors
        if self._file is not None:
            with self._file:
                self._file.executemany(
                    "INSERT OR REPLACE INTO vectors VALUES (?, ?)", vectors.items()
                )


def _open(path: Path) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(path)
        with connection:
            connection.execute(
                "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL)"
            )
    except sqlite3.Error as error:
        raise ConfigurationError("file_unwritable", path=path, cause=error) from error
    return connection
