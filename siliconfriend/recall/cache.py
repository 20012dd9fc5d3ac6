"""``index.sqlite``: words and vectors of texts that were indexed before.

A cache and no more: it can be deleted at any time, a damaged one is made anew, and one
of another embedder keeps its words and loses its vectors, so vectors of two embedders
never meet. Texts are known by their SHA-256 and not kept. After an erasure the file is
written anew and swapped in, since SQLite leaves deleted bytes in a file.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from siliconfriend.memory.atomic import make_private

FORMAT = "1"
FILE_NAME = "index.sqlite"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS stamp (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS entry (digest TEXT PRIMARY KEY, words TEXT NOT NULL, vector BLOB);
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of one text: its words, and its vector where there is an embedder."""

    words: tuple[str, ...]
    vector: NDArray[np.float32] | None


class IndexCache:
    """The cache of one scope; without a folder it knows nothing and keeps nothing.

    Args:
        folder: where ``index.sqlite`` lies, or None.
        embedder: the name and revision of the embedder whose vectors these are.
    """

    def __init__(self, folder: Path | None, embedder: str) -> None:
        self._path = None if folder is None else folder / FILE_NAME
        self._embedder = embedder

    def read(self) -> dict[str, Entry]:
        """Everything known, by digest."""
        if self._path is None or not self._path.exists():
            return {}
        try:
            with _open(self._path) as base:
                stamps = dict(base.execute("SELECT name, value FROM stamp"))
                if stamps.get("format") != FORMAT:
                    return {}
                same = stamps.get("embedder") == self._embedder
                rows = base.execute("SELECT digest, words, vector FROM entry")
                return {
                    digest: Entry(
                        tuple(words.split()),
                        np.frombuffer(vector, dtype="<f4") if same and vector else None,
                    )
                    for digest, words, vector in rows
                }
        except (sqlite3.DatabaseError, ValueError):
            return {}

    def add(self, entries: Mapping[str, Entry]) -> None:
        """Keep more entries; a file of another embedder or that cannot be read is replaced."""
        if self._path is None or not entries or not self._path.parent.is_dir():
            return
        try:
            with _open(self._path) as base:
                base.executescript(_SCHEMA)
                stamps = dict(base.execute("SELECT name, value FROM stamp"))
                if stamps in ({}, self._stamps()):
                    self._fill(base, entries)
                    return
        except sqlite3.OperationalError:
            return  # locked, read-only or full: a cache may do without
        except sqlite3.DatabaseError:
            pass
        self.replace({**self.read(), **entries})

    def replace(self, entries: Mapping[str, Entry]) -> None:
        """Write the file anew with these entries only, and swap it in."""
        if self._path is None or not self._path.parent.is_dir():
            return
        fresh = self._path.with_name(f"{FILE_NAME}.{os.getpid()}.new")
        fresh.unlink(missing_ok=True)
        with _open(fresh) as base:
            base.executescript(_SCHEMA)
            self._fill(base, entries)
        fresh.replace(self._path)

    def holds_only(self, digests: Collection[str]) -> bool:
        """Whether the file knows of no text but these."""
        return self.read().keys() <= set(digests)

    def _stamps(self) -> dict[str, str]:
        return {"format": FORMAT, "embedder": self._embedder}

    def _fill(self, base: sqlite3.Connection, entries: Mapping[str, Entry]) -> None:
        base.executemany("INSERT OR REPLACE INTO stamp VALUES (?, ?)", self._stamps().items())
        base.executemany(
            "INSERT OR REPLACE INTO entry VALUES (?, ?, ?)",
            (
                (
                    digest,
                    " ".join(entry.words),
                    None if entry.vector is None else entry.vector.astype("<f4").tobytes(),
                )
                for digest, entry in entries.items()
            ),
        )


@contextmanager
def _open(path: Path) -> Iterator[sqlite3.Connection]:
    with suppress(OSError):
        make_private(path)
    base = sqlite3.connect(path, timeout=10)
    try:
        with base:
            yield base
    finally:
        base.close()
