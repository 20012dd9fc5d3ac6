"""Back up a whole data directory as one file while others write.

Each memory is copied by SQLite as it is at one moment; people are copied one after the other, so
nobody waits longer than their own copy takes. What cannot be read is named and costs nobody else
their copy.
"""

from __future__ import annotations

import os
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from siliconfriend.config import CONFIG_FILE
from siliconfriend.config.loading import has_keys, without_keys
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
from siliconfriend.memory.folder import LOCK, folder_path
from siliconfriend.memory.passing import is_passing, passing_folder
from siliconfriend.memory.scope import Scope

_LEFT_OUT = (".new", ".part", ".lock", "-journal", "-wal", "-shm", ".rows.npz")
_JOBS = "jobs"


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup holds.

    Attributes:
        people: how many people are in it.
        scopes: how many memories; a person has one with each companion.
        files: how many files.
        damaged: folders under ``people/`` whose memory cannot be read; they are in it as they are.
        missing: what could not be read at all, relative to the data directory; not in the backup.
        has_key: the settings hold a key; it is in the backup only where that was asked for.
    """

    people: int
    scopes: int
    files: int
    damaged: tuple[str, ...]
    missing: tuple[str, ...]
    has_key: bool


def back_up(home: Path, path: Path, *, now: datetime, with_keys: bool = False) -> Backup:
    """Write everything under ``home`` but other backups into a ``tar.gz`` only its owner can read.

    The file takes its place whole or not at all, and durably; one of that name is replaced.

    Args:
        home: the data directory.
        path: where to.
        now: what the backup is dated with.
        with_keys: also the keys of services that the settings hold.

    Raises:
        ConfigurationError: ``path`` cannot be written.
        MemoryBusy: a restore is at work in ``home``.
    """
    with translate_file_errors(home):
        finish_exchange(home)
    target = path.absolute()
    copy = _Copy(home, FileStore(home), with_keys)
    copy.look_through()
    try:
        with passing_folder(target.parent) as work:
            part = work / "backup.tar.gz"
            atomic.make_private(part)
            with part.open("r+b") as file:
                with tarfile.open(fileobj=file, mode="w:gz", compresslevel=6) as packed:
                    writer = BackupWriter(packed, now.timestamp())
                    writer.begin(now.isoformat(timespec="seconds"), sorted(copy.damaged))
                    for name, data in copy.files(target):
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
    store: FileStore
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
            try:
                self.store.load(scope)
            except DamagedMemory:
                self.damaged.add(folder.relative_to(people).as_posix())
            except (ConfigurationError, MemoryBusy, UnopenableMemory):
                self._miss(folder)
                continue
            except StoreError as error:
                if error.key != "memory_locked":
                    raise
            self.scopes.append(scope)

    def files(self, target: Path) -> Iterator[tuple[str, bytes]]:
        """Every file to keep by its name under the home: memories first, then all else."""
        seen = set()
        for scope in list(self.scopes):
            folder = folder_path(Path(), scope)
            try:
                found = self.store.copy(scope)
            except (OSError, MemoryBusy, DamagedMemory, UnknownPerson):
                self._miss(self.home / folder)
                self.scopes.remove(scope)
                continue
            for name, data in found.items():
                seen.add((folder / name).as_posix())
                yield (folder / name).as_posix(), data
        for path in self._others():
            name = path.relative_to(self.home).as_posix()
            if name in seen or path == target or is_backup(path):
                continue
            try:
                content = _read(path)
            except OSError:
                self._miss(path)
                continue
            if content is not None:
                yield name, self._without_keys(content) if name == CONFIG_FILE else content

    def result(self, files: int) -> Backup:
        """What became of it, with how many files were written."""
        damaged = tuple(sorted(it for it in self.damaged if not self._misses(f"people/{it}")))
        people = len({scope.person for scope in self.scopes})
        missing = tuple(sorted(self.missing))
        return Backup(people, len(self.scopes), files, damaged, missing, self.has_key)

    def _without_keys(self, settings: bytes) -> bytes:
        self.has_key = has_keys(settings)
        return settings if self.with_keys else without_keys(settings)

    def _others(self) -> Iterator[Path]:
        for top, folders, names in os.walk(self.home, onerror=self._miss_folder):
            here = Path(top).relative_to(self.home)
            folders[:] = sorted(it for it in folders if self._is_entered(here / it))
            for name in sorted(names):
                path = self.home / here / name
                is_left_out = name == LOCK or name.endswith(_LEFT_OUT) or path.is_symlink()
                if self._is_entered(here / name) and path.is_file() and not is_left_out:
                    yield path

    def _is_entered(self, path: Path) -> bool:
        is_left_out = path.parts[0] in (*NOT_KEPT, _JOBS) or is_passing(path)
        return not is_left_out and path.as_posix() not in self.missing

    def _miss_folder(self, error: OSError) -> None:
        self._miss(Path(error.filename))

    def _miss(self, path: Path) -> None:
        self.missing.add(path.relative_to(self.home).as_posix())

    def _misses(self, name: str) -> bool:
        return any(name == it or name.startswith(f"{it}/") for it in self.missing)


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
