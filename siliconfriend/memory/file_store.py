"""Memory in a data directory: a SQLite file for each person and companion, and ``memory.json``."""

import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

from siliconfriend.errors import (
    ConfigurationError,
    DamagedMemory,
    RefusedName,
    SiliconFriendError,
    UnknownPerson,
    UnopenableMemory,
)
from siliconfriend.memory import atomic, database
from siliconfriend.memory.atomic import finish_exchange, is_exchange_pending, translate_file_errors
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.damage import Repair, Salvage, rebuild
from siliconfriend.memory.database import MAX_WAIT, Database, SQLiteDatabase
from siliconfriend.memory.encryption import KEYRING, Cipher, Sealer
from siliconfriend.memory.mirror import (
    MAX_EACH_TIME,
    Mirror,
    encode_memory,
    is_copied,
    read_mirror,
    write_mirror,
)
from siliconfriend.memory.rows import MemoryState, ScopeRows, Stored
from siliconfriend.memory.schema import MEMORY
from siliconfriend.memory.scope import DEFAULT_COMPANION, Scope, folder_id
from siliconfriend.memory.snapshots import MAX_KEPT, Recent
from siliconfriend.memory.store import MemoryStore
from siliconfriend.texts import Language

COMPANIONS = "companions"
DATABASE = "memory.sqlite"
MIRROR = "memory.json"
DAMAGED = "damaged"
LOCK = "lock"


@lru_cache(maxsize=1024)
def folder_path(home: Path, scope: Scope) -> Path:
    """Return the folder of a scope in a data directory."""
    if scope.companion == DEFAULT_COMPANION:
        return home / "people" / folder_id(scope.person)
    return home / "people" / folder_id(scope.person) / COMPANIONS / folder_id(scope.companion)


def scope_folders(home: Path) -> Iterator[Path]:
    """Yield every folder that can hold a memory, a person's own before their companions'."""
    people = home / "people"
    for person in sorted(people.iterdir()) if people.is_dir() else ():
        yield person
        try:
            yield from sorted((person / COMPANIONS).glob("*"))
        except PermissionError:
            continue


class FileStore(MemoryStore):
    """The store in a data directory, which is created with the first memory."""

    def __init__(self, home: Path, *, language: Language = "en", wait: float = MAX_WAIT) -> None:
        super().__init__(language=language, wait=wait)
        self.home = home
        self._guard = threading.Lock()
        self._open: Recent[SQLiteDatabase] = Recent(MAX_KEPT, SQLiteDatabase.close)
        self._scopes: dict[Path, tuple[int, Scope]] = {}

    def folder(self, scope: Scope) -> Path:
        """Return the folder of a scope's files; caches here are deleted with the scope."""
        return folder_path(self.home, scope)

    def database(self, scope: Scope, *, begin: bool = False) -> Database:
        """Return the database of a memory; ``begin`` allows a new one."""
        folder = self.folder(scope)
        path = folder / DATABASE
        with translate_file_errors(self.home, folder, scope.person):
            finish_exchange(self.home)
            if not path.exists():
                if (folder / MIRROR).exists():
                    raise DamagedMemory(
                        "database_damaged", path=path, cause=FileNotFoundError(path)
                    )
                if not begin:
                    self._forget(scope)
                    raise UnknownPerson("unknown_person", name=scope.person)
                atomic.make_folder(folder)
        with self._guard:
            found = self._open.get(scope) or SQLiteDatabase(path, MEMORY, wait=self.wait)
            self._open.keep(scope, found)
            return found

    def _forget(self, scope: Scope) -> None:
        self._snapshots.forget(scope)
        self._open.forget(scope)

    @contextmanager
    def _rows(
        self,
        scope: Scope,
        *,
        sealer: Sealer | None = None,
        read_only: bool = False,
        begin: bool = False,
    ) -> Iterator[ScopeRows]:
        """Yield the rows of a memory in a transaction; a write waits for a restore."""
        folder, is_done = self.folder(scope), False
        with translate_file_errors(self.home, folder, scope.person):
            try:
                while not is_done:
                    with super()._rows(
                        scope, sealer=sealer, read_only=read_only, begin=begin
                    ) as rows:
                        is_done = read_only or not is_exchange_pending(self.home)
                        if is_done:
                            yield rows
            except ConfigurationError as error:
                if error.key != "database_unopenable":
                    raise
                if not folder.exists():
                    raise ConfigurationError("home_unwritable", home=self.home) from error
                details = {"name": scope.person, "path": folder / DATABASE, "cause": error}
                raise UnopenableMemory("memory_unopenable", **details) from error

    def scopes(self) -> list[Scope]:
        """Return every scope that has a memory, sorted by person and companion."""
        found = list(self._folders())
        for path, scope in found:
            if scope is None:
                self._warn("folder_nobodys", path=path)
        return sorted(scope for _, scope in found if scope is not None)

    def unreadable(self) -> list[str]:
        """Folders under ``people/`` with a memory whose owner is unknown, sorted."""
        people = self.home / "people"
        found = (path for path, scope in self._folders() if scope is None)
        return sorted(path.relative_to(people).as_posix() for path in found)

    def _folders(self) -> Iterator[tuple[Path, Scope | None]]:
        """Yield every folder with a memory and its scope, None if the scope is unknown."""
        with translate_file_errors(self.home):
            finish_exchange(self.home)
            for path in scope_folders(self.home):
                scope, is_begun = None, True
                with suppress(PermissionError):
                    if not any((path / name).exists() for name in (DATABASE, MIRROR)):
                        continue
                    scope, is_begun = self._scope_of(path)
                if scope is not None and folder_path(self.home, scope) != path:
                    scope = None
                if is_begun:
                    yield path, scope

    def _scope_of(self, path: Path) -> tuple[Scope | None, bool]:
        """Return the scope of a folder from its row, else from ``memory.json``; False if empty."""
        file = path / DATABASE
        number = file.stat().st_ino if file.exists() else 0
        known = self._scopes.get(path)
        if known is not None and known[0] == number:
            return known[1], True
        scope, is_begun = None, True
        with (
            suppress(sqlite3.Error, RefusedName),
            closing(database.CONNECT(file, self.wait)) as connection,
        ):
            row, tables = None, "SELECT 1 FROM sqlite_master WHERE name = 'scope'"
            if connection.execute(tables).fetchone():
                row = connection.execute("SELECT person, companion FROM scope").fetchone()
            is_begun = row is not None or (path / MIRROR).exists()
            scope = Scope.of(*row) if row else None
        if scope is None and is_begun:
            with suppress(OSError, Unreadable, SiliconFriendError):
                mirror = read_mirror(path / MIRROR, partial(KEYRING.unlock, path, ask=self.ask))
                scope = Scope.of(mirror.memory.profile.name, mirror.companion)
        if scope is not None:
            self._scopes[path] = (number, scope)
        return scope, is_begun

    def close(self) -> None:
        """Close the connections that are not in use."""
        self._open.forget()

    def _erase_traces(self, scope: Scope) -> None:
        damaged = self.folder(scope) / DAMAGED
        with translate_file_errors(self.home, self.folder(scope), scope.person):
            if damaged.exists():
                shutil.rmtree(damaged)
        super()._erase_traces(scope)

    def _is_nothing(self, rows: ScopeRows) -> bool:
        # A copy beside an empty file proves that there was data.
        is_copied = (self.folder(rows.scope) / MIRROR).exists()
        return not is_copied and rows.transaction.one("SELECT 1 FROM record LIMIT 1") is None

    def delete(self, scope: Scope) -> None:
        """Remove every file of a scope; the database is removed last, while locked."""
        with self._locks.holding(scope):
            folder = self.folder(scope)
            with translate_file_errors(self.home, folder, scope.person):
                try:
                    with self._rows(scope, sealer=Sealer(scope)) as rows:
                        if self._is_absent(rows):
                            raise UnknownPerson("unknown_person", name=scope.person)
                        self._remove_files(folder)
                except DamagedMemory:
                    self._remove_files(folder)
                self._forget(scope)
                remove_empty(folder)

    def _remove_files(self, folder: Path) -> None:
        last = folder / DATABASE
        rest = {path for path in folder.iterdir() if path.name != COMPANIONS}
        for path in sorted(rest - {last}):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
        atomic.flush_folder(folder)  # the database must outlive the other files
        last.unlink(missing_ok=True)
        atomic.flush_folder(folder)

    def _write_copy(self, scope: Scope, *, is_durable: bool) -> None:
        path = self.folder(scope) / MIRROR
        if not is_durable:
            with suppress(FileNotFoundError):
                if path.stat().st_size > MAX_EACH_TIME:
                    return
        with self._rows(scope) as rows:  # its lock prevents older copies from being written
            stored = rows.stored()
            data = encode_memory(stored.documents, stored.erased, scope.companion, stored.state)
            write_mirror(path, data, rows.sealer.cipher, is_durable=is_durable)

    def _is_copied(self, scope: Scope, state: MemoryState) -> bool:
        path = self.folder(scope) / MIRROR
        if not is_copied(path, state):
            return False
        with translate_file_errors(self.home, self.folder(scope), scope.person):
            atomic.flush_file(path)
        return True

    def _mirror(self, scope: Scope) -> Mirror | None:
        folder = self.folder(scope)
        try:
            mirror = read_mirror(folder / MIRROR, partial(KEYRING.unlock, folder, ask=self.ask))
        except (FileNotFoundError, Unreadable):
            return None
        owner = (mirror.memory.profile.name, mirror.companion)
        return mirror if owner == (scope.person, scope.companion) else None

    def _repair(self, scope: Scope) -> Repair | None:
        folder = self.folder(scope)
        with translate_file_errors(self.home, folder, scope.person), ExitStack() as held:
            try:
                rows = held.enter_context(self._rows(scope))
            except DamagedMemory:  # missing, or not a database: no process can write to it
                salvage, cipher = Salvage(is_cut=True), None
            else:
                if not self._is_damaged(rows):
                    return None
                salvage, cipher = Salvage.of(rows), rows.sealer.cipher
            mirror = self._mirror(scope)
            done = rebuild(salvage, mirror, DATABASE)
            if done is None:
                raise DamagedMemory("memory_lost", name=scope.person, path=folder)
            stored, repair = done
            cipher = cipher or (None if mirror is None else mirror.cipher)
            return replace(repair, kept=self._put_in_place(scope, stored, cipher))

    def _put_in_place(
        self, scope: Scope, stored: Stored, cipher: Cipher | None
    ) -> tuple[Path, ...]:
        """Write a new database in place of the damaged one, which is kept under another name."""
        folder = self.folder(scope)
        path, journal = folder / DATABASE, folder / f"{DATABASE}-journal"
        with atomic.passing_folder(folder) as work:
            fresh = SQLiteDatabase(work / DATABASE, MEMORY)
            with fresh.transaction() as transaction:
                rows = ScopeRows(transaction, Sealer(scope, cipher))
                rows.place(stored)
                rows.put_key(cipher)
            fresh.close()
            self._forget(scope)
            atomic.make_folder(folder / DAMAGED)
            kept = [set_aside(folder / DAMAGED, old) for old in (path, journal) if old.exists()]
            (work / DATABASE).replace(path)
            atomic.flush_folder(folder)
        return tuple(path for path in kept if path.name.endswith(DATABASE))


def set_aside(folder: Path, path: Path) -> Path:
    """Rename a damaged file to the first free name; return that name."""
    number = 1
    while (kept := folder / f"{number}-{path.name}").exists():
        number += 1
    path.replace(kept)
    return kept


def remove_empty(folder: Path) -> None:
    """Remove a folder, and the person's folder, if they are empty."""
    person = folder if folder.parent.name == "people" else folder.parent.parent
    for path in dict.fromkeys((folder, person / COMPANIONS, person)):
        with suppress(OSError):  # other files are in the folder: keep it
            path.rmdir()
