"""Back up a whole data directory as one file, and restore it atomically.

SQLite copies a consistent snapshot of each memory while other processes write. A restore unpacks,
flushes, verifies checksums and loads everything before the first old file is replaced. A resumable job
then exchanges the files. Files of other programs stay.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePosixPath

from siliconfriend.config.loading import has_keys, with_keys_of, without_keys
from siliconfriend.config.settings import CONFIG_FILE
from siliconfriend.errors import (
    ConfigurationError,
    DamagedMemory,
    MemoryBusy,
    StoreError,
    UnknownPerson,
    UnopenableMemory,
    UnreadableFile,
    UsageError,
)
from siliconfriend.memory import atomic
from siliconfriend.memory.atomic import (
    EXCHANGE,
    NEW,
    PREFIX,
    FileSwap,
    exchange_files,
    finish_exchange,
    named_folder,
    private_file,
    sweep,
    translate_file_errors,
)
from siliconfriend.memory.backup_file import FOLDERS, SETTINGS, verify_backup, write_backup
from siliconfriend.memory.database import MAX_WAIT, SQLiteDatabase
from siliconfriend.memory.file_store import DATABASE, LOCK, FileStore, scope_folders
from siliconfriend.memory.scope import Scope

_LEFT_OUT = (".new", ".part", ".lock", "-journal", "-wal", "-shm")


@dataclass(frozen=True, slots=True)
class Backup:
    """Contents of a backup.

    Attributes:
        people, scopes, files: how many; a person has a scope with each companion.
        damaged: folders under ``people/`` with an unreadable memory; the backup has their raw
            files.
        missing: paths of unreadable files, relative to the data directory; not in the backup.
        has_key: the settings contain an API key, which the backup leaves out.
    """

    people: int
    scopes: int
    files: int
    damaged: tuple[str, ...]
    missing: tuple[str, ...]
    has_key: bool


def back_up(home: Path, path: Path, *, now: datetime) -> Backup:
    """Write the program's files under ``home`` into a ZIP archive that only its owner can read.

    The file is written atomically and durably; an existing file is replaced. API keys are left out.

    Raises:
        ConfigurationError: ``path`` cannot be written.
        MemoryBusy: a restore is running in ``home``.
    """
    with translate_file_errors(home):
        finish_exchange(home)
    copy = _Copy(home)
    with private_file(path) as file:
        files = write_backup(file, copy.files(), now, copy.damaged)
    people = len({scope.person for scope in copy.scopes})
    damaged, missing = tuple(sorted(copy.damaged)), tuple(sorted(copy.missing))
    return Backup(people, len(copy.scopes), files, damaged, missing, copy.has_key)


@dataclass(slots=True)
class _Copy:
    home: Path
    scopes: list[Scope] = field(default_factory=list)
    damaged: set[str] = field(default_factory=set)
    missing: set[str] = field(default_factory=set)
    has_key: bool = False

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield every file to back up, by its path under ``home``."""
        store = FileStore(self.home)
        for scope in store.scopes():
            folder = self._name(store.folder(scope))
            try:
                store.load(scope)
            except DamagedMemory:
                self.damaged.add(folder.removeprefix("people/"))
            except (OSError, ConfigurationError, MemoryBusy, UnopenableMemory, UnknownPerson):
                self.missing.add(folder)
                continue
            except StoreError as error:
                if error.key != "memory_locked":
                    raise
            self.scopes.append(scope)
        for path in self._paths():
            name = self._name(path)
            try:
                data = _read(path)
            except OSError:
                self.missing.add(name)
                continue
            if name == CONFIG_FILE and data is not None:
                self.has_key, data = has_keys(data), without_keys(data)
            if data:
                yield name, data
        gone = tuple(f"{name}/" for name in self.missing)
        self.damaged |= {
            folder for folder in store.unreadable() if not f"people/{folder}/".startswith(gone)
        }

    def _paths(self) -> Iterator[Path]:
        yield from (self.home / name for name in SETTINGS if (self.home / name).is_file())
        for folder in FOLDERS:
            for top, folders, names in os.walk(self.home / folder, onerror=self._miss):
                here = Path(top)
                folders[:] = (
                    folder_name
                    for folder_name in folders
                    if self._name(here / folder_name) not in self.missing
                    and not folder_name.startswith(PREFIX)
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


def _read(path: Path) -> bytes | None:
    """Return the bytes of a file, or a consistent copy of a database; None if missing."""
    try:
        if path.suffix == ".sqlite":
            with closing(sqlite3.connect(path, timeout=MAX_WAIT)) as base:
                return base.serialize()
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except sqlite3.DatabaseError as error:
        if path.name != DATABASE:
            return None  # a cache is rebuilt after a restore
        if isinstance(error, sqlite3.OperationalError):
            raise OSError(str(error)) from error
        return path.read_bytes()


@dataclass(frozen=True, slots=True)
class Restored:
    """Contents and creation time of a restored backup."""

    people: int
    scopes: int
    files: int
    made: str


def restore(path: Path, home: Path, *, replace: bool = False) -> Restored:
    """Replace the contents of ``home`` with a backup.

    Settings that the backup lacks are kept, as are files of other programs. With ``replace``
    existing memories are deleted.

    Raises:
        UsageError: ``home`` already contains memories and ``replace`` is false.
        UnreadableFile: no backup, a damaged one, or one with names that lead elsewhere.
        StoreError: a newer version of the program wrote it, or the disk is full or broken.
        MemoryBusy: a process has locked a memory, or another restore is running.
        ConfigurationError: ``home`` cannot be written.
    """
    fresh = home / EXCHANGE / NEW

    def unpack(name: PurePosixPath, data: bytes) -> None:
        with translate_file_errors(home):
            atomic.make_folder((fresh / name).parent)
            atomic.write_whole(fresh / name, data)

    with translate_file_errors(home):
        finish_exchange(home)
        present = [name for name in (*FOLDERS, *SETTINGS) if (home / name).exists()]
        if set(present) - {"config.toml"} and not replace:
            raise UsageError("restore_not_empty", home=home)
        atomic.make_folder(home)
        sweep(home)
        with named_folder(fresh.parent):
            fresh.mkdir(mode=0o700)
            contents = verify_backup(path, unpack)
            scopes = _checked(path, fresh, contents.damaged)
            _keep_keys(home / CONFIG_FILE, fresh / CONFIG_FILE)
            incoming = [name for name in (*FOLDERS, *SETTINGS) if (fresh / name).exists()]
            outgoing = [name for name in present if name in FOLDERS or name in incoming]
            exchange_files(home, FileSwap(outgoing, incoming), lambda: _let_writers_finish(home))
    people = len({scope.person for scope in scopes})
    return Restored(people, len(scopes), contents.files, contents.made)


def _checked(path: Path, fresh: Path, damaged: frozenset[str]) -> list[Scope]:
    """Return the scopes in the backup; only those damaged before may be unreadable."""
    store = FileStore(fresh)
    for folder in store.unreadable():
        if folder not in damaged:
            raise UnreadableFile("backup_unreadable", path=path, cause=folder)
    scopes = store.scopes()
    for scope in scopes:
        if store.folder(scope).relative_to(fresh / "people").as_posix() in damaged:
            continue
        try:
            store.load(scope)
        except (StoreError, ConfigurationError) as error:
            if error.key == "memory_locked":
                continue  # its checksum matches; more cannot be checked without the key
            if isinstance(error, DamagedMemory | ConfigurationError):
                raise UnreadableFile("backup_unreadable", path=path, cause=error) from error
            raise
    store.close()
    for journal in list(fresh.rglob(f"{DATABASE}-journal")):
        journal.unlink()
    return scopes


def _keep_keys(present: Path, fresh: Path) -> None:
    """Copy the API keys set in ``home`` into the restored settings."""
    if present.exists() and fresh.exists():
        data = fresh.read_bytes()
        kept = with_keys_of(data, present.read_bytes())
        if kept != data:
            atomic.write_whole(fresh, kept)


def _let_writers_finish(home: Path) -> None:
    databases = [folder / DATABASE for folder in scope_folders(home)]
    for file in (*databases, *home.glob("*.sqlite")):
        with suppress(DamagedMemory):
            if file.exists():
                with SQLiteDatabase(file).transaction():
                    pass
