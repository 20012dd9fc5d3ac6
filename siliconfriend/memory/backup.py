"""Back up a whole data directory as one file while others write.

Each scope is copied under its lock, so what stands in the backup is a memory as it was at
one moment; people are copied one after the other, never the whole directory at once, so
nobody waits longer than their own copy takes. A cache is copied by the database itself.
"""

from __future__ import annotations

import io
import os
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from siliconfriend.errors import ConfigurationError, DamagedMemory
from siliconfriend.memory import codec
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.folder import COMPANIONS, LOCK, Folder
from siliconfriend.memory.lock import ScopeLocks
from siliconfriend.memory.scope import DEFAULT_COMPANION, Scope

FORMAT = "siliconfriend-backup"
VERSION = 1
MANIFEST = "siliconfriend-backup.json"
"""The first file in a backup: ``format``, ``version``, ``made`` and ``damaged``."""

END = "siliconfriend-backup-end.json"
"""The last file in a backup: how many ``files`` came before it. A copy that broke off has none."""

NOT_KEPT = ("samples", "demo", "README.md", ".gitignore")
"""What comes with the program or is made by it anew; neither copied nor replaced."""

PASSING = ".siliconfriend-"
"""How the names of files begin that exist only while a backup or a restore is at work."""


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup holds.

    Attributes:
        people: how many people are in it.
        scopes: how many memories; a person has one with each companion.
        files: how many files.
        damaged: folders whose memory cannot be read; they are in it as they are.
        has_key: the settings in it hold a key, so the file must be kept as safe as that.
    """

    people: int
    scopes: int
    files: int
    damaged: tuple[str, ...]
    has_key: bool


def back_up(home: Path, path: Path, *, now: datetime) -> Backup:
    """Write everything under ``home`` into ``path``, a ``tar.gz`` only its owner can read.

    The file takes its place whole or not at all; one of that name is replaced.

    Raises:
        ConfigurationError: ``path`` cannot be written.
        MemoryBusy: somebody's lock was not free for half a minute.
    """
    store = FileStore(home)
    damaged = [*store.unreadable(), *_damaged(store)]
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "made": now.isoformat(timespec="seconds"),
        "damaged": sorted(damaged),
    }
    files, has_key = 0, False
    try:
        handle, temporary = tempfile.mkstemp(dir=path.absolute().parent, prefix=PASSING)
        try:
            with os.fdopen(handle, "wb") as file:
                with tarfile.open(fileobj=file, mode="w:gz", compresslevel=6) as packed:
                    _pack(packed, MANIFEST, codec.to_json(manifest), now)
                    for name, data in _files(home, store, path.absolute()):
                        _pack(packed, name, data, now)
                        files += 1
                        has_key |= name == "config.toml" and b"openai_api_key" in data
                    _pack(packed, END, codec.to_json({"files": files}), now)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).replace(path)
        finally:
            Path(temporary).unlink(missing_ok=True)
    except OSError as error:
        raise ConfigurationError(
            "file_unwritable", path=path, cause=error.strerror or error
        ) from error
    scopes = store.scopes()
    people = len({scope.person for scope in scopes})
    return Backup(people, len(scopes), files, tuple(sorted(damaged)), has_key)


def _damaged(store: FileStore) -> Iterator[str]:
    """The folders whose memory cannot be read whole even after mending."""
    people = store.home / "people"
    for scope in store.scopes():
        try:
            store.load(scope)
        except DamagedMemory:
            yield store.folder(scope).relative_to(people).as_posix()


def _files(home: Path, store: FileStore, target: Path) -> Iterator[tuple[str, bytes]]:
    seen: set[Path] = set()
    for scope in store.scopes():
        for name, data in copy_of(home, scope):
            seen.add(home / name)
            yield name, data
    for path in sorted(home.rglob("*")):
        top = path.relative_to(home).parts[0]
        if path in seen or path.resolve() == target.resolve() or top in NOT_KEPT:
            continue
        if _is_kept(path) and not top.startswith(PASSING):
            found = _read(path)
            if found is not None:
                yield path.relative_to(home).as_posix(), found


def copy_of(home: Path, scope: Scope) -> list[tuple[str, bytes]]:
    """The files of one scope as they are at one moment, by their names under ``home``."""
    folder = Folder(home, scope)
    with ScopeLocks().holding(folder):
        found = [(path, _read(path)) for path in _of_scope(folder, scope)]
    return [(path.relative_to(home).as_posix(), data) for path, data in found if data is not None]


def _of_scope(folder: Folder, scope: Scope) -> Iterator[Path]:
    for path in sorted(folder.path.rglob("*")):
        inner = path.relative_to(folder.path).parts[0]
        if scope.companion == DEFAULT_COMPANION and inner == COMPANIONS:
            continue
        if _is_kept(path):
            yield path


def _is_kept(path: Path) -> bool:
    passing = path.name == LOCK or path.name.endswith((".new", ".part", "-journal", "-wal", "-shm"))
    return path.is_file() and not path.is_symlink() and not passing


def _read(path: Path) -> bytes | None:
    """The bytes of a file; of a database as it is between two changes; None where it is gone."""
    try:
        if path.suffix == ".sqlite":
            with closing(sqlite3.connect(path, timeout=10)) as base:
                return base.serialize()
        return path.read_bytes()
    except (FileNotFoundError, sqlite3.DatabaseError):
        # A cache that cannot be read is made anew after restoring.
        return None


def _pack(packed: tarfile.TarFile, name: str, data: bytes, now: datetime) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode, entry.mtime = len(data), 0o600, int(now.timestamp())
    packed.addfile(entry, io.BytesIO(data))
