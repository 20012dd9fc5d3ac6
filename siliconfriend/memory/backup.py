"""Back up a whole data directory as one file while others write.

Each scope is copied under its lock, so what stands in the backup is a memory as it was at
one moment; people are copied one after the other, never the whole directory at once, so
nobody waits longer than their own copy takes. A cache is copied by the database itself.
What cannot be read is named and costs nobody else their copy.
"""

from __future__ import annotations

import os
import sqlite3
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from siliconfriend.config.options import CONFIG_FILE
from siliconfriend.config.secrets import has_secrets, without_secrets
from siliconfriend.errors import (
    ConfigurationError,
    DamagedMemory,
    MemoryBusy,
    StoreError,
    UnknownPerson,
    UnopenableMemory,
)
from siliconfriend.memory import atomic
from siliconfriend.memory.backup_file import NOT_KEPT, BackupWriter, is_backup
from siliconfriend.memory.exchange import finish_exchange
from siliconfriend.memory.file_errors import translate_file_errors
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.folder import COMPANIONS, LOCK, Folder, encode_files, folder_path
from siliconfriend.memory.jobs import FOLDER as JOBS
from siliconfriend.memory.lock import ScopeLocks
from siliconfriend.memory.passing import is_passing, passing_folder
from siliconfriend.memory.scope import DEFAULT_COMPANION, Scope
from siliconfriend.memory.store import MemoryStore

_PASSING_ENDS = (".new", ".part", ".lock", ".held", "-journal", "-wal", "-shm", ".rows.npz")


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup holds.

    Attributes:
        people: how many people are in it.
        scopes: how many memories; a person has one with each companion.
        files: how many files.
        damaged: folders under ``people/`` whose memory cannot be read; they are in it as
            they are.
        missing: what could not be read at all, relative to the data directory; nothing of
            it is in the backup.
        has_key: the settings hold a key; it is in the backup only where that was asked for.
    """

    people: int
    scopes: int
    files: int
    damaged: tuple[str, ...]
    missing: tuple[str, ...]
    has_key: bool


def back_up(
    home: Path,
    path: Path,
    *,
    now: datetime,
    with_backups: bool = False,
    with_keys: bool = False,
    store: MemoryStore | None = None,
    more: Mapping[str, bytes] | None = None,
) -> Backup:
    """Write everything under ``home`` into ``path``, a ``tar.gz`` only its owner can read.

    The file takes its place whole or not at all, and durably; one of that name is replaced.

    Args:
        home: the data directory.
        path: where to.
        now: what the backup is dated with.
        with_backups: also other backups that lie in ``home``; with them each new backup
            would be twice as large as the one before.
        with_keys: also the keys of services that the settings hold.
        store: where memories are, if not in ``home``; they stand in the backup as files do.
        more: other files by their names under ``home``, that are kept elsewhere too.

    Raises:
        ConfigurationError: ``path`` cannot be written.
        MemoryBusy: a restore is at work in ``home``.
    """
    with translate_file_errors(home):
        finish_exchange(home)
    target = path.absolute()
    copy = (
        _Copy(home, FileStore(home), with_keys) if store is None else _Rows(home, store, with_keys)
    )
    copy.look_through()
    try:
        with passing_folder(target.parent) as work:
            part = work / "backup.tar.gz"
            atomic.make_private(part)
            with part.open("r+b") as file:
                with tarfile.open(fileobj=file, mode="w:gz", compresslevel=6) as packed:
                    writer = BackupWriter(packed, now.timestamp())
                    writer.begin(now.isoformat(timespec="seconds"), sorted(copy.damaged))
                    for name, data in (more or {}).items():
                        writer.add(name, data)
                    for name, data in copy.files(target, with_backups=with_backups):
                        if name not in (more or {}):
                            writer.add(name, data)
                    files = writer.end()
                file.flush()
                os.fsync(file.fileno())
            part.replace(target)
            atomic.flush_folder(target.parent)
    except OSError as error:
        raise ConfigurationError("file_unwritable", path=path, cause=error) from error
    return copy.result(files)


@dataclass(slots=True)
class _Copy:
    """Gives the files of a data directory, and remembers what it could not read."""

    home: Path
    store: MemoryStore
    with_keys: bool
    scopes: list[Scope] = field(default_factory=list)
    damaged: set[str] = field(default_factory=set)
    missing: set[str] = field(default_factory=set)
    has_key: bool = False

    def look_through(self) -> None:
        """Find out which memories are damaged and which cannot be opened."""
        people = self.home / "people"
        self.damaged |= set(self.store.unreadable())
        for scope in self.store.scopes():
            folder = folder_path(self.home, scope)
            self.scopes.append(scope)
            try:
                self.store.load(scope)
            except DamagedMemory:
                self.damaged.add(folder.relative_to(people).as_posix())
            except (ConfigurationError, MemoryBusy, UnopenableMemory):
                self._miss(folder)
                self.scopes.remove(scope)
            except StoreError as error:
                if error.key != "memory_locked":
                    raise

    def files(self, target: Path, *, with_backups: bool) -> Iterator[tuple[str, bytes]]:
        """Every file to keep by its name under the home: memories first, then all else."""
        seen = set()
        for scope in list(self.scopes):
            try:
                found = self._of_scope(scope)
            except (OSError, MemoryBusy, DamagedMemory, UnknownPerson):
                self._miss(folder_path(self.home, scope))
                self.scopes.remove(scope)
                continue
            for name, data in found:
                seen.add(name)
                yield name, data
        for path in self._others():
            name = path.relative_to(self.home).as_posix()
            if name in seen or path == target or (is_backup(path) and not with_backups):
                continue
            try:
                data_or_none = _read(path)
            except OSError:
                self._miss(path)
                continue
            if data_or_none is not None:
                if name == CONFIG_FILE:
                    self.has_key = has_secrets(data_or_none)
                    if not self.with_keys:
                        data_or_none = without_secrets(data_or_none)
                yield name, data_or_none

    def result(self, files: int) -> Backup:
        """What became of it, with how many files were written."""
        damaged = tuple(sorted(it for it in self.damaged if not self._misses(f"people/{it}")))
        people = len({scope.person for scope in self.scopes})
        missing = tuple(sorted(self.missing))
        return Backup(people, len(self.scopes), files, damaged, missing, self.has_key)

    def _of_scope(self, scope: Scope) -> list[tuple[str, bytes]]:
        return copy_of(self.home, scope)

    def _others(self) -> Iterator[Path]:
        for top, folders, names in os.walk(self.home, onerror=self._miss_folder):
            here = Path(top).relative_to(self.home)
            folders[:] = sorted(it for it in folders if self._is_entered(here / it))
            for name in sorted(names):
                if self._is_entered(here / name) and _is_kept(self.home / here / name):
                    yield self.home / here / name

    def _is_entered(self, path: Path) -> bool:
        is_left_out = path.parts[0] in (*NOT_KEPT, JOBS) or is_passing(path)
        return not is_left_out and path.as_posix() not in self.missing

    def _miss_folder(self, error: OSError) -> None:
        self._miss(Path(error.filename))

    def _miss(self, path: Path) -> None:
        self.missing.add(path.relative_to(self.home).as_posix())

    def _misses(self, name: str) -> bool:
        return any(name == it or name.startswith(f"{it}/") for it in self.missing)


@dataclass(slots=True)
class _Rows(_Copy):
    """The same of a store that is not in the data directory, whose memories become files.

    What lies under ``people`` there was left behind when they moved, and is not what counts.
    """

    def look_through(self) -> None:
        """Who there is; what of them cannot be read is found when it is copied."""
        self.scopes += self.store.scopes()

    def _of_scope(self, scope: Scope) -> list[tuple[str, bytes]]:
        folder = folder_path(Path(), scope)
        files = encode_files(scope, self.store.load(scope))
        return [((folder / name).as_posix(), data) for name, data in files.items()]

    def _is_entered(self, path: Path) -> bool:
        return path.parts[0] != "people" and _Copy._is_entered(self, path)


def copy_of(home: Path, scope: Scope) -> list[tuple[str, bytes]]:
    """The files of one scope as they are at one moment, by their names under ``home``.

    Raises:
        MemoryBusy: its lock was not free for half a minute.
        OSError: one of them cannot be read.
    """
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
    passing = path.name == LOCK or path.name.endswith(_PASSING_ENDS)
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
