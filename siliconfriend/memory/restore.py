"""Restore a backup into a data directory, as a whole or not at all.

Everything is unpacked, flushed, compared with its hashes and read before an old file is touched;
then the files are exchanged by a resumable job. Foreign files stay where they are.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from siliconfriend.config.loading import with_keys_of
from siliconfriend.config.settings import CONFIG_FILE
from siliconfriend.errors import (
    ConfigurationError,
    DamagedMemory,
    StoreError,
    UnreadableFile,
    UsageError,
)
from siliconfriend.memory import atomic, exchange
from siliconfriend.memory.backup_file import FOLDERS, SETTINGS, read_backup
from siliconfriend.memory.database import SQLiteDatabase
from siliconfriend.memory.file_errors import translate_file_errors
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.folder import DATABASE, scope_folders
from siliconfriend.memory.passing import named_folder, sweep
from siliconfriend.memory.scope import Scope


@dataclass(frozen=True, slots=True)
class Restored:
    """Result of a restore.

    Attributes:
        people, scopes, files: how many people, memories and files the backup held.
        made: when it was made.
    """

    people: int
    scopes: int
    files: int
    made: str


def restore(path: Path, home: Path, *, replace: bool = False) -> Restored:
    """Put a backup in the place of what is in ``home``.

    Settings stay where the backup has none; what is not the program's stays in any case.

    Args:
        path: a file that ``back_up`` wrote.
        home: made where it is missing.
        replace: also where memory is there already; it is gone afterwards.

    Raises:
        UsageError: there is memory already and ``replace`` was not said.
        UnreadableFile: no backup, a damaged one, or one with names that lead elsewhere.
        StoreError: a newer version of the program wrote it, or the disk is full or broken.
        MemoryBusy: somebody holds a memory, or another restore is at work.
        ConfigurationError: ``home`` cannot be written.
    """
    kept = (*FOLDERS, *SETTINGS)
    folder = home / exchange.FOLDER
    fresh = folder / exchange.NEW

    def unpack(name: PurePosixPath, data: bytes) -> None:
        with translate_file_errors(home):
            atomic.make_folder((fresh / name).parent)
            atomic.write_whole(fresh / name, data)

    with translate_file_errors(home):
        exchange.finish_exchange(home)
        present = [it for it in kept if (home / it).exists()]
        if set(present) - {"config.toml"} and not replace:
            raise UsageError("restore_not_empty", home=home)
        atomic.make_folder(home)
        sweep(home)
        with named_folder(folder):
            fresh.mkdir(mode=0o700)
            contents = read_backup(path, unpack)
            scopes = _checked(path, fresh, contents.damaged)
            _keep_keys(home / CONFIG_FILE, fresh / CONFIG_FILE)
            incoming = [it for it in kept if (fresh / it).exists()]
            outgoing = [it for it in present if it in FOLDERS or it in incoming]
            planned = exchange.Exchange(outgoing, incoming)
            exchange.exchange_files(home, planned, lambda: _let_writers_finish(home))
    people = len({scope.person for scope in scopes})
    return Restored(people, len(scopes), contents.files, contents.made)


def _checked(path: Path, fresh: Path, damaged: frozenset[str]) -> list[Scope]:
    """Return the scopes that it holds; all must be readable, but those damaged when backed up."""
    store = FileStore(fresh)
    for folder in store.unreadable():
        if folder not in damaged:
            raise UnreadableFile("backup_unreadable", path=path, cause=folder)
    scopes = store.scopes()
    for scope in scopes:
        if store.folder(scope).relative_to(fresh / "people").as_posix() in damaged:
            continue
        try:
            store.renew(scope)
            store.load(scope)
        except (StoreError, ConfigurationError) as error:
            if error.key == "memory_locked":
                continue  # its bytes are those of the manifest; more cannot be known without the key
            if isinstance(error, DamagedMemory | ConfigurationError):
                raise UnreadableFile("backup_unreadable", path=path, cause=error) from error
            raise
    store.close()
    for journal in list(fresh.rglob(f"{DATABASE}-journal")):
        journal.unlink()
    return scopes


def _keep_keys(present: Path, fresh: Path) -> None:
    """Put the keys of services that are set here into the settings that come."""
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
