"""Locate the folder of a scope in a data directory, and the scope of a folder."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from siliconfriend.errors import RefusedName, SiliconFriendError
from siliconfriend.memory import database, encryption
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.mirror import read_mirror
from siliconfriend.memory.scope import DEFAULT_COMPANION, Scope, folder_id

COMPANIONS = "companions"
DATABASE = "memory.sqlite"
MIRROR = "memory.json"
DAMAGED = "damaged"
LOCK = "lock"


def folder_path(home: Path, scope: Scope) -> Path:
    """Return the folder of a scope in a data directory."""
    if scope.companion == DEFAULT_COMPANION:
        return home / "people" / folder_id(scope.person)
    return home / "people" / folder_id(scope.person) / COMPANIONS / folder_id(scope.companion)


def scope_folders(home: Path) -> Iterator[Path]:
    """Every folder that can hold a memory, each person's own before those of their companions."""
    people = home / "people"
    for person in sorted(people.iterdir()) if people.is_dir() else ():
        yield person
        try:
            yield from sorted((person / COMPANIONS).glob("*"))
        except PermissionError:
            continue


class FolderScan:
    """Finds out whose memories are in a data directory; ``wait`` is how many seconds for a lock."""

    def __init__(self, home: Path, wait: float) -> None:
        self.home = home
        self.wait = wait
        self._known: dict[Path, tuple[int, Scope]] = {}

    def folders(self) -> Iterator[tuple[Path, Scope | None]]:
        """Every folder that holds a memory and whose it is; None where that cannot be known."""
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
        """The scope of a folder: its row names it, else ``memory.json``; False if none has begun."""
        file = path / DATABASE
        number = file.stat().st_ino if file.exists() else 0
        known = self._known.get(path)
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
                mirror = read_mirror(path / MIRROR, encryption.KEYRING.cipher(path))
                scope = Scope.of(mirror.memory.profile.name, mirror.companion)
        if scope is not None:
            self._known[path] = (number, scope)
        return scope, is_begun


def set_aside(folder: Path, path: Path) -> Path:
    """Keep a damaged file under the first free name; gives that."""
    number = 1
    while (kept := folder / f"{number}-{path.name}").exists():
        number += 1
    path.replace(kept)
    return kept


def remove_empty(folder: Path) -> None:
    """Remove a folder, and the person's, where nothing is in them any more."""
    person = folder if folder.parent.name == "people" else folder.parent.parent
    for path in dict.fromkeys((folder, person / COMPANIONS, person)):
        with suppress(OSError):  # somebody's files are in it: it stays
            path.rmdir()


def share_key(folder: Path) -> None:
    """Give a new companion of a person the key that this person's other files have."""
    person = folder if folder.parent.name == "people" else folder.parent.parent
    for path in (person, *sorted(person.glob(f"{COMPANIONS}/*"))):
        key = encryption.read_key(path)
        if path != folder and key is not None:
            encryption.write_key(folder, key)
            return
