"""The files of one companion, ``companions/<companion>/`` in the data directory.

``companion.toml`` says who it is, ``lore.json`` what it knows; ``index.sqlite`` is a cache
that may be deleted. A file that cannot be read is refused with its path and never taken for
an empty one, since the next change would then write over what is in it.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from siliconfriend.errors import DamagedMemory
from siliconfriend.lore.character import Character, character_of, written_character
from siliconfriend.lore.lore_file import lore_form, lore_of, lore_scope
from siliconfriend.memory import atomic, codec
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.folder import COMPANIONS, LOCK
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import clean_name, folder_id
from siliconfriend.recall.cache import remove_index

CHARACTER = "companion.toml"
LORE = "lore.json"

_Read = TypeVar("_Read")


class CompanionFolder:
    """The folder of one companion.

    Args:
        home: the data directory.
        name: the companion's name as a person typed it.

    Attributes:
        name: trimmed and in NFC.
        path: the folder.
        character, lore: its files.
        lock: the file whose lock is held while they are written.

    Raises:
        RefusedName: it cannot be a name.
    """

    def __init__(self, home: Path, name: str) -> None:
        self.name = clean_name(name)
        self.scope = lore_scope(self.name)
        self.path = home / COMPANIONS / folder_id(self.name)
        self.character = self.path / CHARACTER
        self.lore = self.path / LORE
        self.lock = self.path / LOCK

    def exists(self) -> bool:
        """Whether there is such a companion, be it a damaged one."""
        return self.character.exists() or self.lore.exists()

    def read_character(self) -> Character:
        """Who it is.

        Raises:
            FileNotFoundError: there is no such companion.
            DamagedMemory: the file cannot be read, or is another companion's.
        """
        character = _read(self.character, lambda data: character_of(data.decode("utf-8-sig")))
        return self._owned(character, character.name)

    def read_lore(self) -> PersonMemory | None:
        """What it knows, ``days`` with facts and events; None where nothing was ever added.

        Raises:
            DamagedMemory: the file cannot be read, or is another companion's.
            StoreError: a newer version of the program wrote it.
        """
        try:
            lore = _read(self.lore, lambda data: lore_of(codec.from_json(data)))
        except FileNotFoundError:
            return None
        return self._owned(lore, lore.profile.name)

    def write_character(self, character: Character) -> None:
        """Replace ``companion.toml``; remarks in it stay."""
        before = self.character.read_text("utf-8-sig") if self.character.exists() else ""
        written = written_character(character, before)
        atomic.write_whole(self.character, written.encode())

    def write_lore(self, lore: PersonMemory, *, anew: bool) -> None:
        """Replace ``lore.json``; ``anew`` also drops the cache, which may hold words that left."""
        atomic.write_whole(self.lore, codec.to_json(lore_form(lore), indent=True))
        if anew:
            remove_index(self.path)

    def clear(self) -> None:
        """Remove every file but the lock."""
        for path in self.path.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            elif path != self.lock:
                path.unlink()
        atomic.flush_folder(self.path)

    def remove_empty(self) -> None:
        """Remove the folder, and the one of all companions, where nothing is in them."""
        for path in (self.path, self.path.parent):
            try:
                path.rmdir()
            except OSError:
                # Somebody's files are in it: it stays.
                return

    def _owned(self, read: _Read, owner: str) -> _Read:
        """What was read, where it is this companion's: a copied folder must not change who one is."""
        if owner != self.name:
            raise DamagedMemory("companion_foreign", path=self.path, name=self.name, owner=owner)
        return read


def names_in(home: Path) -> tuple[list[str], list[Path]]:
    """The companions of a data directory, sorted, and folders that cannot be read as one's."""
    found, unreadable = [], []
    for path in sorted((home / COMPANIONS).glob("*")):
        if not any((path / name).exists() for name in (CHARACTER, LORE)):
            continue
        try:
            name = _read(path / CHARACTER, lambda data: character_of(data.decode("utf-8-sig"))).name
        except (DamagedMemory, FileNotFoundError):
            unreadable.append(path)
            continue
        is_its_own = CompanionFolder(home, name).path == path
        found.append(name) if is_its_own else unreadable.append(path)
    return sorted(found), unreadable


def fault_in(path: Path) -> DamagedMemory:
    """Why a folder cannot be read as its companion's."""
    try:
        owner = _read(path / CHARACTER, lambda data: character_of(data.decode("utf-8-sig"))).name
    except FileNotFoundError:
        return DamagedMemory("companion_headless", path=path / CHARACTER)
    except DamagedMemory as error:
        return error
    return DamagedMemory("companion_foreign", path=path, name=path.name, owner=owner)


def _read(path: Path, parse: Callable[[bytes], _Read]) -> _Read:
    try:
        return parse(path.read_bytes())
    except (Unreadable, UnicodeDecodeError) as error:
        raise DamagedMemory("companion_damaged", path=path, cause=error) from error
