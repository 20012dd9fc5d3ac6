"""The cache of an index, ``index.sqlite``: vectors by the hash of their text, and data by name.

It can be deleted at any time, a damaged one is made anew, and an erasure removes the erased vectors.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from siliconfriend.language.tokenizer import tokenizer_version
from siliconfriend.memory.atomic import flush_file, make_private, translate_file_errors
from siliconfriend.memory.encryption import KEYRING, Cipher
from siliconfriend.recall.embedders.base import Vector

FORMAT = "4"
INDEX_FILE = "index.sqlite"

BUSY_TIMEOUT = 2.0  # seconds to wait for another process's writing
BACKOFF = 60.0  # seconds for which a file locked for longer is not waited for again

MOST_UNUSED = 4096
"""Vectors of texts that are no memories which stay, the newest: drafts that were compared."""

_TABLES = (
    "stamp (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "vector (digest TEXT PRIMARY KEY, vector BLOB)",
    "made (name TEXT PRIMARY KEY, mark TEXT NOT NULL, data BLOB)",
)

# Damaged is what is no database, or holds what was never written there.
_UNREADABLE = (FileNotFoundError, sqlite3.DatabaseError, ValueError, TypeError)


def remove_index(folder: Path | None) -> None:
    """Delete the index in a scope's folder; the next recall makes it again."""
    if folder is not None:
        (folder / INDEX_FILE).unlink(missing_ok=True)


class IndexFile:
    """Vectors by the digest of their text, and data by name; safe between threads and processes.

    Without a path it knows nothing and keeps nothing.

    Args:
        path: of the file, or None.
        embedder: name and revision of the embedder whose vectors these are; None leaves alone what
            vectors there are.

    Attributes:
        erasures: how many memories were erased of the memory that its user knows. What is made of
            one that was read before an erasure is not kept after it: it could hold its words.
    """

    def __init__(self, path: Path | None, embedder: str | None) -> None:
        self._path = path
        self._embedder = embedder
        self._retry_at = 0.0
        self.erasures = 0

    @property
    def is_kept(self) -> bool:
        """False where nothing is kept."""
        return self._path is not None

    def find(self, digests: Collection[str]) -> dict[str, Vector]:
        """Look up the vectors of texts, by digest; none where the file cannot be read."""
        if not digests or self._embedder is None:
            return {}
        cipher = self._cipher
        named = {_name(cipher, digest): digest for digest in digests}
        try:
            with self._open("BEGIN") as base:
                if self._differing(base) & {"format", "embedder"}:
                    return {}
                rows = base.execute(
                    "SELECT digest, vector FROM vector"
                    " WHERE digest IN (SELECT value FROM json_each(?))",
                    [json.dumps([*named])],
                )
                return {
                    named[name]: np.frombuffer(_decrypted(cipher, vector), dtype="<f4")
                    for name, vector in rows
                }
        except _UNREADABLE:
            return {}

    def add(self, vectors: Mapping[str, Vector]) -> None:
        """Keep more vectors; a file that cannot be read is made anew."""
        cipher = self._cipher
        rows = [
            (_name(cipher, digest), _encrypted(cipher, vector.astype("<f4").tobytes()))
            for digest, vector in vectors.items()
        ]
        self._insert("vector VALUES (?, ?)", rows, self.erasures)

    def read(self, name: str, rules: str = "", *, is_checked: bool = False) -> bytes | None:
        """Return data that was kept by the same rules, at the present number of erasures.

        ``is_checked``: at any number; the caller compares it with the memory day by day.
        """
        try:
            with self._open("BEGIN") as base:
                if self._differing(base) & {"format", "words"}:
                    return None
                row = base.execute(
                    "SELECT data FROM made WHERE name = ? AND mark GLOB ?",
                    [name, f"{'*' if is_checked else self.erasures} {rules}"],
                ).fetchone()
            return None if row is None else _decrypted(self._cipher, row[0])
        except _UNREADABLE:
            return None

    def write(self, name: str, data: bytes, rules: str = "", *, erasures: int) -> None:
        """Keep data instead of what has the name; an erasure takes it away.

        Args:
            name: of the data.
            data: any bytes.
            rules: by which it was made; asked for by others it is not found.
            erasures: how many memories were erased of the memory that it was made of.
        """
        row = (name, f"{erasures} {rules}", _encrypted(self._cipher, data))
        self._insert("made VALUES (?, ?, ?)", [row], erasures)

    def keep(self, digests: Collection[str]) -> None:
        """Delete all but the vectors of these digests, after an erasure.

        Raises:
            ConfigurationError, StoreError: neither it nor the file can be deleted.
        """
        if self._path is None or not self._path.exists():
            return
        try:
            with self._open("BEGIN IMMEDIATE") as base:
                if self._prepare(base, self.erasures):
                    self._delete(base, digests, 0)
                    base.execute("DELETE FROM made")
                    base.execute(
                        "INSERT OR REPLACE INTO stamp VALUES ('erasures', ?)", [str(self.erasures)]
                    )
            with closing(sqlite3.connect(self._path, timeout=BUSY_TIMEOUT)) as base:
                base.execute("VACUUM")  # the proof of an erasing accepts no free page
            flush_file(self._path)  # that its journal is gone must last, too
        except (OSError, sqlite3.Error):
            with translate_file_errors(self._path.parent):
                self._path.unlink(missing_ok=True)

    def tidy(self, digests: Collection[str]) -> None:
        """Delete vectors of texts that are not among these, where they are many; the newest stay."""
        with suppress(OSError, sqlite3.Error), self._open("BEGIN IMMEDIATE") as base:
            if not self._prepare(base, self.erasures):
                return
            ((count,),) = base.execute("SELECT count(*) FROM vector")
            if count > len(digests) + MOST_UNUSED:
                self._delete(base, digests, MOST_UNUSED)

    @property
    def _cipher(self) -> Cipher | None:
        """The person's key now: somebody may encrypt the files while this process goes on."""
        return None if self._path is None else KEYRING.cipher(self._path.parent)

    def _stamps(self) -> dict[str, str]:
        cipher = self._cipher
        key = "" if cipher is None else f"-{cipher.digest('index')[:16]}"
        stamps = {"format": f"{FORMAT}{key}", "words": tokenizer_version()}
        return stamps if self._embedder is None else stamps | {"embedder": self._embedder}

    def _differing(self, base: sqlite3.Connection) -> set[str]:
        held = dict(base.execute("SELECT name, value FROM stamp"))
        return {name for name, value in self._stamps().items() if held.get(name) != value}

    @contextmanager
    def _open(self, begin: str, *, create: bool = False) -> Iterator[sqlite3.Connection]:
        """Open a connection in a transaction; FileNotFoundError without a file unless ``create``."""
        if self._path is None or not (create or self._path.exists()):
            raise FileNotFoundError(self._path)
        with suppress(OSError):
            make_private(self._path)
        patience = BUSY_TIMEOUT if time.monotonic() >= self._retry_at else 0.0
        base = sqlite3.connect(self._path, timeout=patience, isolation_level=None)
        try:
            base.execute("PRAGMA synchronous = NORMAL")
            base.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten with zeros
            base.execute(begin)
            yield base
            base.execute("COMMIT")
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY and patience:
                self._retry_at = time.monotonic() + BACKOFF
            raise
        except UnicodeDecodeError as error:  # SQLite's error, which quotes the damaged bytes
            raise sqlite3.DatabaseError(str(error)) from error
        finally:
            base.close()

    def _prepare(self, base: sqlite3.Connection, erasures: int) -> bool:
        """Make the tables without what other rules left; False if there was an erasure since."""
        for table in _TABLES:
            base.execute(f"CREATE TABLE IF NOT EXISTS {table}")
        other = self._differing(base)
        if other & {"format", "embedder"}:
            base.execute("DELETE FROM vector")
        if other:
            base.execute("DELETE FROM made")
            stamps = self._stamps().items()
            base.executemany("INSERT OR REPLACE INTO stamp VALUES (?, ?)", stamps)
        row = base.execute("SELECT value FROM stamp WHERE name = 'erasures'").fetchone()
        return row is None or int(row[0]) <= erasures

    def _insert(
        self, into: str, rows: Sequence[tuple[Any, ...]], erasures: int, *, again: bool = True
    ) -> None:
        if self._path is None or not rows or not self._path.parent.is_dir():
            return
        try:
            with self._open("BEGIN IMMEDIATE", create=True) as base:
                if self._prepare(base, erasures):
                    base.executemany(f"INSERT OR REPLACE INTO {into}", rows)
        except sqlite3.OperationalError:
            return  # locked, read-only or full: a cache may do without
        except (OSError, sqlite3.DatabaseError):
            with suppress(OSError):
                self._path.unlink()
            if again:
                self._insert(into, rows, erasures, again=False)

    def _delete(self, base: sqlite3.Connection, digests: Collection[str], newest: int) -> None:
        cipher = self._cipher
        names = json.dumps([_name(cipher, digest) for digest in digests])
        base.execute(
            "DELETE FROM vector WHERE digest NOT IN (SELECT value FROM json_each(?)) AND rowid NOT IN"
            " (SELECT rowid FROM vector ORDER BY rowid DESC LIMIT ?)",
            [names, newest],
        )


def _name(cipher: Cipher | None, digest: str) -> str:
    """Return the name of a text's row: the digest, which a key makes unreadable."""
    return digest if cipher is None else cipher.digest(digest)


def _encrypted(cipher: Cipher | None, data: bytes) -> bytes:
    return data if cipher is None else cipher.encrypt(data)


def _decrypted(cipher: Cipher | None, data: bytes) -> bytes:
    """Decrypt a column; ValueError for another key."""
    return data if cipher is None else cipher.decrypt(data)
