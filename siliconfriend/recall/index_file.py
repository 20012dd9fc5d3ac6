"""The cache of an index in a file, ``index.sqlite``, beside the memory it is made of.

It can be deleted at any time, and a damaged one is made anew. After an erasure it is written anew.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from siliconfriend.language.tokenizer import tokenizer_version
from siliconfriend.memory.atomic import make_private
from siliconfriend.memory.encryption import KEYRING
from siliconfriend.memory.file_errors import translate_file_errors
from siliconfriend.recall.documents import digest_of
from siliconfriend.recall.index_rows import ENTRIES, SPOKEN, RowCode, drop_spare
from siliconfriend.recall.times import SpokenTime, parse_days, spoken_rules, written_days

FORMAT = "2"
INDEX_FILE = "index.sqlite"

COMPARED = "SELECT word FROM association WHERE level = 0"
"""Words that were compared by meaning stand in the table with nothing beside them, level 0."""

PATIENCE_SECONDS = 2.0
"""How long another process's writing is waited for: a batch is written in less."""

REST_SECONDS = 60.0
"""How long a file that was locked for longer than that is not waited for again."""


Vector = NDArray[np.float32]

Association = tuple[str, str, int]
"""A word, a word that comes to mind with it, and the level."""

MOST_USED = 4096
"""Texts that are no memories, the last used, whose vectors stay when a cache is tidied."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is cached of one text: its words and its vector, each None where it is not known."""

    words: tuple[str, ...] | None
    vector: Vector | None


def rules_of_entries(embedder: str | None) -> dict[str, str]:
    """The stamps of what is made now, by name.

    ``embedder`` is the name and revision of the one whose vectors these are; None leaves alone what
    vectors there are.
    """
    rules = {"words": tokenizer_version(), "times": spoken_rules()}
    return rules if embedder is None else rules | {"embedder": embedder}


class IndexFile:
    """The cache of one scope in a file; safe between threads and processes.

    Without a folder it knows nothing and keeps nothing.

    Args:
        folder: where ``index.sqlite`` lies, or None.
        embedder: the name and revision of the embedder whose vectors these are; None leaves
            alone what vectors there are.

    Attributes:
        erasures: how many memories were erased of the memory that its user knows. What is made of
            one that was read before an erasure is not kept after it: it could hold its words.
    """

    def __init__(self, folder: Path | None, embedder: str | None) -> None:
        self._path = None if folder is None else folder / INDEX_FILE
        self._made_by = rules_of_entries(embedder)
        self._waits_again = 0.0
        self.erasures = 0

    @property
    def _code(self) -> RowCode:
        """How rows are written now: somebody may encrypt the files while this process goes on."""
        return RowCode(None if self._path is None else KEYRING.cipher(self._path.parent))

    @property
    def stamps(self) -> dict[str, str]:
        """By what rules and with which embedder and key rows are made."""
        return {"format": f"{FORMAT}{self._code.stamp}", **self._made_by}

    def find(self, digests: Collection[str]) -> dict[str, Entry]:
        """Look up what is cached of these texts, by digest; nothing where the file cannot be read."""
        if self._path is None or not digests or not self._path.exists():
            return {}
        wanted, code = self.stamps, self._code
        named = {code.name(digest): digest for digest in digests}
        try:
            with self._open(self._path, "BEGIN") as base:
                stamps = dict(base.execute("SELECT name, value FROM stamp"))
                if stamps.get("format") != wanted["format"]:
                    return {}
                has_words = stamps.get("words") == wanted["words"]
                has_vectors = stamps.get("embedder") == wanted.get(
                    "embedder", stamps.get("embedder")
                )
                rows = base.execute(
                    "SELECT digest, words, vector FROM entry"
                    " WHERE digest IN (SELECT value FROM json_each(?))",
                    [json.dumps([*named])],
                )
                return {
                    named[name]: Entry(
                        tuple(code.read(words).split())
                        if has_words and words is not None
                        else None,
                        np.frombuffer(code.open(vector), dtype="<f4")
                        if has_vectors and vector
                        else None,
                    )
                    for name, words, vector in rows
                }
        except (sqlite3.DatabaseError, ValueError, AttributeError, TypeError):
            return {}  # damaged: what is not a database, or holds what was never written there

    def add(self, entries: Mapping[str, Entry]) -> None:
        """Keep more entries; a file that cannot be read is made anew."""
        if self._path is None or not entries or not self._path.parent.is_dir():
            return
        try:
            self._write(self._path, entries)
        except sqlite3.OperationalError:
            pass  # locked, read-only or full: a cache may do without
        except sqlite3.DatabaseError:
            with suppress(OSError, sqlite3.Error):
                self._path.unlink()
                self._write(self._path, entries)

    def find_times(self, keys: Collection[str]) -> dict[str, tuple[SpokenTime, ...]]:
        """Look up the days that texts speak of, by their keys; nothing where they cannot be read."""
        if self._path is None or not keys or not self._path.exists():
            return {}
        wanted, code = self.stamps, self._code
        named = {code.name(key): key for key in keys}
        try:
            with self._open(self._path, "BEGIN") as base:
                stamps = dict(base.execute("SELECT name, value FROM stamp"))
                if any(stamps.get(it) != wanted[it] for it in ("format", "times")):
                    return {}
                rows = base.execute(
                    "SELECT key, days FROM spoken WHERE key IN (SELECT value FROM json_each(?))",
                    [json.dumps([*named])],
                )
                return {named[name]: parse_days(code.read(days)) for name, days in rows}
        except (sqlite3.DatabaseError, ValueError, AttributeError, TypeError):
            return {}

    def add_times(self, times: Mapping[str, Sequence[SpokenTime]]) -> None:
        """Keep the days that more texts speak of, by their keys."""
        if self._path is None or not times or not self._path.parent.is_dir():
            return
        code = self._code
        with suppress(OSError, sqlite3.Error), self._open(self._path, "BEGIN IMMEDIATE") as base:
            if self._prepare(base, self.stamps):
                base.executemany(
                    "INSERT OR REPLACE INTO spoken VALUES (?, ?)",
                    [(code.name(it), code.write(written_days(days))) for it, days in times.items()],
                )

    def note_used(self, digests: Collection[str]) -> None:
        """Note that texts were compared that may be no memories, so that their vectors stay a while."""
        if self._path is None or not digests or not self._path.exists():
            return
        with suppress(OSError, sqlite3.Error), self._open(self._path, "BEGIN IMMEDIATE") as base:
            if self._prepare(base, self.stamps):
                base.executemany(
                    "INSERT OR REPLACE INTO used (digest) VALUES (?)",
                    [(self._code.name(it),) for it in digests],
                )

    def keep(self, digests: Collection[str], keys: Collection[str] = ()) -> None:
        """Write the file anew with these entries only and no table of words, and swap it in.

        Args:
            digests: of the texts whose words and vectors stay.
            keys: of the texts whose days stay.

        Raises:
            ConfigurationError, StoreError: it can be neither written nor deleted.
        """
        if self._path is None or not self._path.exists():
            return
        fresh = self._path.with_name(f"{INDEX_FILE}.{os.getpid()}.new")
        try:
            fresh.unlink(missing_ok=True)
            self._write(fresh, {}, self._held() | {"erasures": str(self.erasures)})
            with self._open(fresh, "BEGIN IMMEDIATE", before=self._path) as base:
                self._copy(base, digests, keys)
            # Under its lock, so that nobody's rollback journal lies beside a file it is not of.
            with self._open(self._path, "BEGIN EXCLUSIVE"):
                fresh.replace(self._path)
        except (OSError, sqlite3.Error):
            with translate_file_errors(self._path.parent):
                self._path.unlink(missing_ok=True)
                fresh.unlink(missing_ok=True)

    def _copy(
        self, base: sqlite3.Connection, digests: Collection[str], keys: Collection[str]
    ) -> None:
        """Copy what still counts of these entries and days from the file ``before``."""
        held = dict(base.execute("SELECT name, value FROM before.stamp"))
        wanted, code = self.stamps, self._code
        if held.get("format") != wanted["format"]:
            return
        has_words = held.get("words") == wanted["words"]
        has_vectors = held.get("embedder") == wanted.get("embedder", held.get("embedder"))
        base.execute(
            "INSERT INTO entry SELECT digest, iif(?, words, NULL), iif(?, vector, NULL)"
            " FROM before.entry WHERE digest IN (SELECT value FROM json_each(?))",
            [has_words, has_vectors, json.dumps([*code.names(digests)])],
        )
        if held.get("times") == wanted["times"]:
            base.execute(
                "INSERT INTO spoken SELECT key, days FROM before.spoken"
                " WHERE key IN (SELECT value FROM json_each(?))",
                [json.dumps([*code.names(keys)])],
            )

    def tidy(self, digests: Collection[str], keys: Collection[str] = ()) -> None:
        """Drop entries and days of texts that are not among these, where they are many.

        The table of associated words stays, with the entries of its words.
        """
        if self._path is None or not self._path.exists():
            return
        with suppress(OSError, sqlite3.Error), self._open(self._path, "BEGIN IMMEDIATE") as base:
            if not self._prepare(base, self.stamps):
                return
            code = self._code
            compared = [digest_of(code.read(word)) for (word,) in base.execute(COMPARED)]
            beside = {*map(code.name, compared), *_last_used(base)}
            drop_spare(base, ENTRIES, code.names(digests), beside)
            drop_spare(base, SPOKEN, code.names(set(keys)))

    def associations(self) -> list[Association]:
        """The table of associated words that was kept; empty where there is none."""
        if self._path is None or not self._path.exists():
            return []
        try:
            with self._open(self._path, "BEGIN") as base:
                stamps = dict(base.execute("SELECT name, value FROM stamp"))
                if any(stamps.get(name) != value for name, value in self.stamps.items()):
                    return []
                rows = base.execute("SELECT word, other, level FROM association WHERE level > 0")
                code = self._code
                return [(code.read(word), code.read(other), level) for word, other, level in rows]
        except sqlite3.DatabaseError:
            return []

    def associations_mark(self) -> str:
        """Another one each time the table of associated words is replaced; empty before the first."""
        if self._path is None or not self._path.exists():
            return ""
        with suppress(sqlite3.DatabaseError):
            return self._held().get("associations", "")
        return ""

    def put_associations(
        self, entries: Collection[Association], compared: Collection[str] = ()
    ) -> None:
        """Keep a table of associated words instead of the one before; an erasure takes it away.

        The vectors of the words in ``compared`` stay when the cache is tidied.
        """
        if self._path is None or not self._path.parent.is_dir():
            return
        with suppress(OSError, sqlite3.Error), self._open(self._path, "BEGIN IMMEDIATE") as base:
            if not self._prepare(base, self.stamps):
                return
            base.execute("DELETE FROM association")
            base.execute(
                "INSERT INTO stamp VALUES ('associations', 1)"
                " ON CONFLICT (name) DO UPDATE SET value = value + 1"
            )
            code = self._code
            rows = [(code.write(word), code.write(other), level) for word, other, level in entries]
            rows += [(code.write(word), "", 0) for word in compared]
            base.executemany("INSERT INTO association VALUES (?, ?, ?)", rows)

    @contextmanager
    def _open(
        self, path: Path, begin: str, before: Path | None = None
    ) -> Iterator[sqlite3.Connection]:
        """A connection within one transaction; ``before`` is another file's name for its tables."""
        with suppress(OSError):
            make_private(path)
        patience = PATIENCE_SECONDS if time.monotonic() >= self._waits_again else 0.0
        base = sqlite3.connect(path, timeout=patience, isolation_level=None)
        try:
            base.execute("PRAGMA synchronous = NORMAL")
            base.execute("PRAGMA secure_delete = ON")
            if before is not None:
                base.execute("ATTACH ? AS before", [str(before)])
            base.execute(begin)
            yield base
            base.execute("COMMIT")
        except sqlite3.OperationalError as error:
            if _is_locked(error) and patience:
                self._waits_again = time.monotonic() + REST_SECONDS
            raise
        except UnicodeDecodeError as error:  # SQLite's error, which quotes the damaged bytes
            raise sqlite3.DatabaseError(str(error)) from error
        finally:
            base.close()

    def _held(self) -> dict[str, str]:
        """The stamps of the file."""
        if self._path is None:
            return {}
        with self._open(self._path, "BEGIN") as base:
            return dict(base.execute("SELECT name, value FROM stamp"))

    def _write(
        self, path: Path, entries: Mapping[str, Entry], stamps: Mapping[str, str] | None = None
    ) -> None:
        code = self._code
        with self._open(path, "BEGIN IMMEDIATE") as base:
            if not self._prepare(base, {**(stamps or {}), **self.stamps}):
                return
            base.executemany(
                "INSERT INTO entry VALUES (?, ?, ?) ON CONFLICT (digest) DO UPDATE SET"
                " words = coalesce(excluded.words, words),"
                " vector = coalesce(excluded.vector, vector)",
                (
                    (
                        code.name(digest),
                        None if entry.words is None else code.write(" ".join(entry.words)),
                        None
                        if entry.vector is None
                        else code.seal(entry.vector.astype("<f4").tobytes()),
                    )
                    for digest, entry in entries.items()
                ),
            )

    def _prepare(self, base: sqlite3.Connection, wanted: Mapping[str, str]) -> bool:
        """Make the tables, and drop what other rules, embedders and formats left in them.

        Returns:
            False if there was an erasure of which this one does not know yet.
        """
        base.execute(
            "CREATE TABLE IF NOT EXISTS stamp (name TEXT PRIMARY KEY, value TEXT NOT NULL)"
        )
        base.execute(
            "CREATE TABLE IF NOT EXISTS association (word TEXT, other TEXT, level INTEGER)"
        )
        base.execute("CREATE TABLE IF NOT EXISTS spoken (key TEXT PRIMARY KEY, days TEXT)")
        base.execute(
            "CREATE TABLE IF NOT EXISTS used"
            " (number INTEGER PRIMARY KEY AUTOINCREMENT, digest TEXT UNIQUE)"
        )
        held = dict(base.execute("SELECT name, value FROM stamp"))
        other = {name for name, value in wanted.items() if held.get(name) != value}
        if "format" in other:
            base.execute("DROP TABLE IF EXISTS entry")
            base.execute("CREATE TABLE entry (digest TEXT PRIMARY KEY, words TEXT, vector BLOB)")
        if "words" in other:
            base.execute("UPDATE entry SET words = NULL")
        if "times" in other:
            base.execute("DELETE FROM spoken")
        if "embedder" in other:
            base.execute("UPDATE entry SET vector = NULL")
        if other - {"times"}:
            base.execute("DELETE FROM association")
        if other:
            base.executemany("INSERT OR REPLACE INTO stamp VALUES (?, ?)", wanted.items())
        return int(held.get("erasures", 0)) <= self.erasures


def _last_used(base: sqlite3.Connection) -> list[str]:
    """The digests of the texts that were compared last; older ones are no longer noted."""
    found = base.execute(
        "SELECT number, digest FROM used ORDER BY number DESC LIMIT ?", [MOST_USED]
    ).fetchall()
    base.execute("DELETE FROM used WHERE number < ?", [found[-1][0] if found else 0])
    return [digest for _, digest in found]


def _is_locked(error: sqlite3.OperationalError) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
