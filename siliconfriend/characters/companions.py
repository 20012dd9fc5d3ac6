"""Companions on disk: ``companions/<companion>/`` in the data directory.

``companion.toml`` has the character, ``lore.json`` the lore in the form of ``memory.json``;
``passages.sqlite`` is a cache. ``card.json`` and ``picture.png`` come from a character card. An
unreadable file is an error with its path, never treated as empty. Each change reads the newest
files under a lock, so that parallel commands lose nothing.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from filelock import FileLock, Timeout

from siliconfriend.characters.card_files import is_kept_card
from siliconfriend.characters.character import Character, parse_character, serialize_character
from siliconfriend.config import Settings
from siliconfriend.errors import DamagedMemory, MemoryBusy, StoreError, UsageError
from siliconfriend.memory import atomic, codec
from siliconfriend.memory.atomic import translate_file_errors
from siliconfriend.memory.changes import Edit, PutDerived, apply_all
from siliconfriend.memory.codec import Form, Unreadable
from siliconfriend.memory.database import MAX_WAIT
from siliconfriend.memory.file_store import COMPANIONS, LOCK
from siliconfriend.memory.mirror import encode_whole, read_mirror, write_mirror
from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.memory.scope import Scope, clean_name, folder_id, parse_memory_id
from siliconfriend.texts import Language

CHARACTER = "companion.toml"
LORE = "lore.json"
CARD = "card.json"
PICTURE = "picture.png"
INDEX = "passages.sqlite"
_Read = TypeVar("_Read")


class CompanionFolder:
    """The folder and files of one companion in a data directory; RefusedName for an invalid name."""

    def __init__(self, home: Path, name: str) -> None:
        self.name = clean_name(name)
        self.scope = lore_scope(self.name)
        self.path = home / COMPANIONS / folder_id(self.name)
        self.character = self.path / CHARACTER
        self.lore = self.path / LORE
        self.card = self.path / CARD
        self.picture = self.path / PICTURE
        self.index = self.path / INDEX

    def exists(self) -> bool:
        """Return True if there is such a companion, also a damaged one."""
        return self.character.exists() or self.lore.exists()

    def read_character(self) -> Character | None:
        """Read the character, or None; DamagedMemory for a bad or foreign file."""
        character = _read(self.character, _parse_character)
        self._check_owner(character.name if character else self.name)
        return character

    def read_lore(self) -> PersonMemory | None:
        """Load its lore, None if it has none; StoreError for a file of a newer version."""
        lore = _read(self.lore, _parse_lore)
        self._check_owner(lore.profile.name if lore else self.name)
        return lore

    def write_character(self, character: Character) -> None:
        """Write ``companion.toml``, and keep its comments."""
        before = self.character.read_text("utf-8-sig") if self.character.exists() else ""
        atomic.write_whole(self.character, serialize_character(character, before).encode())

    def _check_owner(self, owner: str) -> None:
        """Refuse a folder that was copied from another companion."""
        if owner != self.name:
            raise DamagedMemory("companion_foreign", path=self.path, name=self.name, owner=owner)


def _read(path: Path, parse: Callable[[Path], _Read]) -> _Read | None:
    try:
        return parse(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (Unreadable, UnicodeDecodeError) as error:
        raise DamagedMemory("companion_damaged", path=path, cause=error) from error


def _parse_character(path: Path) -> Character:
    return parse_character(path.read_text("utf-8-sig"))


def _parse_lore(path: Path) -> PersonMemory:
    lore = read_mirror(path).memory
    ids = [entry.id for entry in (*lore.facts(), *lore.events())]
    if len(set(ids)) < len(ids):
        raise Unreadable("memory_id: one stands there twice")
    for place in map(parse_memory_id, ids):
        if place is None or place.digest != lore_scope(lore.profile.name).digest:
            raise Unreadable("memory_id: one is no id of this companion's")
    return lore


def _parse_card(path: Path) -> Form:
    form = codec.from_json(path.read_bytes())
    if not is_kept_card(form):
        raise Unreadable("data: an object was expected")
    return form


def lore_scope(companion: str) -> Scope:
    """Return the scope of a companion's entries, with an empty name, which no person has."""
    return Scope("", companion)


class Companions:
    """The companions under a data directory; safe between threads and processes.

    Methods with a name raise UsageError if there is no such companion, and RefusedName for an
    invalid name; those that write raise MemoryBusy if the lock is not free in time; all raise
    DamagedMemory, StoreError or ConfigurationError if files cannot be read or written.
    """

    def __init__(self, home: Path) -> None:
        self.home = home

    def names(self) -> list[str]:
        """Return the sorted names of all companions."""
        return self._survey()[0]

    def faults(self) -> list[StoreError]:
        """Return the errors of damaged companions, one each, and of unknown folders."""
        names, faults = self._survey()
        for name in names:
            try:
                self.lore(name)
            except StoreError as error:
                faults.append(error)
        return faults

    def _survey(self) -> tuple[list[str], list[StoreError]]:
        names, faults = list[str](), list[StoreError]()
        with translate_file_errors(self.home):
            for path in sorted((self.home / COMPANIONS).glob("*")):
                try:
                    character = _read(path / CHARACTER, _parse_character)
                    if character is None:
                        if (path / LORE).exists():
                            fault = DamagedMemory("companion_headless", path=path / CHARACTER)
                            faults.append(fault)
                    elif CompanionFolder(self.home, character.name).path == path:
                        names.append(character.name)
                    else:
                        details = {"path": path, "name": path.name, "owner": character.name}
                        faults.append(DamagedMemory("companion_foreign", **details))
                except DamagedMemory as error:
                    faults.append(error)
        return sorted(names), faults

    def exists(self, name: str) -> bool:
        """Return True if there is such a companion, also a damaged one."""
        return CompanionFolder(self.home, name).exists()

    def character(self, name: str) -> Character:
        """Read the character of a companion."""
        with self._open(name) as folder:
            return _character(folder)

    def lore(self, name: str) -> PersonMemory | None:
        """Load a companion's lore, None if it has none."""
        with self._open(name) as folder:
            return folder.read_lore()

    def create(self, character: Character) -> None:
        """Create a companion; UsageError if there is one of that name."""
        folder = CompanionFolder(self.home, character.name)
        with self._locked(folder):
            if folder.exists():
                raise UsageError("companion_exists", name=folder.name)
            atomic.make_folder(folder.path)
            folder.write_character(character)

    def edit(self, name: str, change: Callable[[Character], Character]) -> None:
        """Change the character of a companion."""
        with self._open(name, write=True) as folder:
            before = _character(folder)
            if (after := change(before)) != before:
                folder.write_character(after)

    @contextmanager
    def edit_lore(self, name: str, timezone: str, now: datetime) -> Iterator[Edit]:
        """Lock the lore for a block, then write the changes that the block added.

        New lore gets this time zone, and begins ``now``.
        """
        with self._open(name, write=True) as folder:
            _character(folder)
            before = folder.read_lore()
            if before is None:
                about = Profile(folder.name, language="en", timezone=timezone, created=now)
                before = PersonMemory(about)
            edit = Edit(before)
            yield edit
            after = apply_all(before, edit.changes)
            if edit.changes:
                written = (row.record for row in edit.changes if isinstance(row, PutDerived))
                new = [record for record in written if before.find(record.id) is None]
                write_mirror(folder.lore, encode_whole(after, folder.name), None, is_durable=True)
                if len(new) < len(edit.changes):  # the cache may contain removed words
                    folder.index.unlink(missing_ok=True)
            edit.finish(after)

    def card(self, name: str) -> tuple[dict[str, Any] | None, Path | None]:
        """Load the stored character card, and return the path of the picture."""
        with self._open(name) as folder:
            picture = folder.picture if folder.picture.exists() else None
            return _read(folder.card, _parse_card), picture

    def keep_card(self, name: str, form: dict[str, Any] | None, picture: bytes | None) -> None:
        """Store a card and its PNG, unless there is one already."""
        with self._open(name, write=True) as folder:
            if form is not None and not folder.card.exists():
                atomic.write_whole(folder.card, codec.to_json(form, indent=True))
            if picture is not None and not folder.picture.exists():
                atomic.write_whole(folder.picture, picture)

    def replace_picture(self, name: str, picture: bytes) -> None:
        """Store a PNG as the picture."""
        with self._open(name, write=True) as folder:
            atomic.write_whole(folder.picture, picture)

    def delete(self, name: str) -> None:
        """Delete all files of a companion; what people told it stays in their memories."""
        with self._open(name, write=True) as folder:
            shutil.rmtree(folder.path)
            atomic.flush_folder(folder.path.parent)

    @contextmanager
    def _open(self, name: str, *, write: bool = False) -> Iterator[CompanionFolder]:
        folder = CompanionFolder(self.home, name)
        is_there = folder.exists()
        locked = self._locked(folder) if write and is_there else nullcontext()
        with translate_file_errors(self.home), locked:
            if not (is_there and folder.exists()):  # it may be deleted meanwhile
                raise UsageError("companion_unknown", name=folder.name)
            yield folder

    @contextmanager
    def _locked(self, folder: CompanionFolder) -> Iterator[None]:
        with translate_file_errors(self.home):
            atomic.make_folder(self.home / COMPANIONS)
            lock = FileLock(self.home / COMPANIONS / LOCK, mode=0o600)
            try:
                with lock.acquire(MAX_WAIT, poll_interval=0.004):
                    yield
            except Timeout as error:
                seconds = round(MAX_WAIT)
                raise MemoryBusy("memory_busy", name=folder.name, seconds=seconds) from error


def _character(folder: CompanionFolder) -> Character:
    character = folder.read_character()
    if character is None:
        raise DamagedMemory("companion_headless", path=folder.character)
    return character


def companion_name(settings: Settings, companion: str, language: Language) -> str:
    """Return a companion's name for itself: from its texts, the settings, or its own name.

    The companion ``default`` and one with a damaged file have the usual name.
    """
    usual, character = settings.speaking(language).companion_name, None
    with suppress(DamagedMemory):
        character = CompanionFolder(settings.home, companion).read_character()
    own = character.texts_in(language).called if character else ""
    is_set = settings.sources.get("companion_name", "default") != "default"
    if character is None or (is_set and not own):
        return usual
    return own or character.called(language)
