"""Back up a whole data directory as one file while others write.

Each memory is copied by SQLite as of one moment, one person after the other. Unreadable memories
are named, and the others are copied.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from siliconfriend.config import CONFIG_FILE
from siliconfriend.config.loading import without_keys
from siliconfriend.errors import (
    ConfigurationError,
    DamagedMemory,
    MemoryBusy,
    StoreError,
    UnknownPerson,
    UnopenableMemory,
)
from siliconfriend.memory import atomic
from siliconfriend.memory.backup_file import FOLDERS, SETTINGS, write_backup
from siliconfriend.memory.exchange import finish_exchange
from siliconfriend.memory.file_errors import translate_file_errors
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.folder import LOCK
from siliconfriend.memory.passing import passing_folder
from siliconfriend.memory.scope import Scope

_LEFT_OUT = (".new", ".part", ".lock", "-journal", "-wal", "-shm")


@dataclass(frozen=True, slots=True)
class Backup:
    """Contents of a backup.

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
    """Write what the program keeps under ``home`` into a ``tar.gz`` only its owner can read.

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
    target, copy = path.absolute(), _Copy(home, with_keys)
    try:
        with passing_folder(target.parent) as work:
            part = work / "backup.tar.gz"
            atomic.make_private(part)
            with part.open("r+b") as file:
                files = write_backup(file, copy.files(), now, copy.damaged)
                file.flush()
                os.fsync(file.fileno())
            part.replace(target)
            atomic.flush_folder(target.parent)
    except OSError as error:
        raise ConfigurationError("file_unwritable", path=path, cause=error) from error
    people = len({scope.person for scope in copy.scopes})
    damaged, missing = tuple(sorted(copy.damaged)), tuple(sorted(copy.missing))
    return Backup(people, len(copy.scopes), files, damaged, missing, copy.has_key)


@dataclass(slots=True)
class _Copy:
    """Gives the files of a data directory, and remembers what it could not read."""

    home: Path
    with_keys: bool
    scopes: list[Scope] = field(default_factory=list)
    damaged: set[str] = field(default_factory=set)
    missing: set[str] = field(default_factory=set)
    has_key: bool = False

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield every file to keep by its name under the home: memories first, then all else."""
        seen, store = set(), FileStore(self.home)
        for scope in store.scopes():
            folder = self._name(store.folder(scope))
            try:
                if _is_damaged(store, scope):
                    self.damaged.add(folder.removeprefix("people/"))
                found = store.copy(scope)
            except (OSError, ConfigurationError, MemoryBusy, UnopenableMemory, UnknownPerson):
                self.missing.add(folder)
                continue
            self.scopes.append(scope)
            for name, data in found.items():
                seen.add(f"{folder}/{name}")
                yield f"{folder}/{name}", data
        for path in self._others():
            name = self._name(path)
            try:
                content = None if name in seen else _read(path)
            except OSError:
                self.missing.add(name)
                continue
            if content is not None:
                yield name, self._without_keys(content) if name == CONFIG_FILE else content
        gone = tuple(f"{it}/" for it in self.missing)
        self.damaged |= {it for it in store.unreadable() if not f"people/{it}/".startswith(gone)}

    def _without_keys(self, settings: bytes) -> bytes:
        stripped = without_keys(settings)
        self.has_key = stripped != settings
        return settings if self.with_keys else stripped

    def _others(self) -> Iterator[Path]:
        yield from (self.home / it for it in SETTINGS if (self.home / it).is_file())
        for folder in FOLDERS:
            for top, folders, names in os.walk(self.home / folder, onerror=self._miss):
                here = Path(top)
                folders[:] = sorted(
                    it for it in folders if self._name(here / it) not in self.missing
                )
                for path in (here / name for name in sorted(names)):
                    is_kept = path.name != LOCK and not path.name.endswith(_LEFT_OUT)
                    if is_kept and path.is_file() and not path.is_symlink():
                        yield path

    def _miss(self, error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):
            self.missing.add(self._name(Path(error.filename)))

    def _name(self, path: Path) -> str:
        return path.relative_to(self.home).as_posix()


def _is_damaged(store: FileStore, scope: Scope) -> bool:
    try:
        store.load(scope)
    except DamagedMemory:
        return True
    except StoreError as error:
        if error.key != "memory_locked":
            raise
    return False


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
