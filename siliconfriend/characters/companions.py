"""Create, read, change and delete the companions of a data directory.

Each change reads the newest files under a lock, so that parallel commands lose nothing.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from siliconfriend.characters.character import Character
from siliconfriend.characters.companion_files import CompanionFolder, companions_in, empty_lore
from siliconfriend.config import Settings
from siliconfriend.errors import DamagedMemory, MemoryBusy, StoreError, UsageError
from siliconfriend.memory import atomic, codec
from siliconfriend.memory.changes import Change, PutDerived, apply_all
from siliconfriend.memory.database import MAX_WAIT
from siliconfriend.memory.file_errors import translate_file_errors
from siliconfriend.memory.folder import COMPANIONS, LOCK
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.store import Edit
from siliconfriend.texts import Language


@dataclass(frozen=True, slots=True)
class LoreDefaults:
    """The time zone and moment that new lore begins with."""

    timezone: str
    now: datetime


class Companions:
    """The companions under a data directory; safe between threads and processes.

    Every method that takes a name raises UsageError where there is none of that name, and
    RefusedName where it cannot be one; every method that writes MemoryBusy where the lock is not
    free in time; each DamagedMemory, StoreError or ConfigurationError where files cannot be read or
    written.
    """

    def __init__(self, home: Path) -> None:
        self.home = home

    def names(self) -> list[str]:
        """Return all of them, sorted."""
        with translate_file_errors(self.home):
            return companions_in(self.home)[0]

    def faults(self) -> list[StoreError]:
        """Return the errors of damaged companions, one each."""
        with translate_file_errors(self.home):
            names, damaged = companions_in(self.home)
        found = list[StoreError](damaged)
        for name in names:
            try:
                self.lore(name)
            except StoreError as error:
                found.append(error)
        return found

    def exists(self, name: str) -> bool:
        """Return True if there is such a companion, be it a damaged one."""
        return CompanionFolder(self.home, name).exists()

    def character(self, name: str) -> Character:
        """Read the character of a companion."""
        with self._reading(name) as folder:
            return _character(folder)

    def lore(self, name: str) -> PersonMemory | None:
        """Load a companion's lore; None where nothing was ever added."""
        with self._reading(name) as folder:
            return folder.read_lore()

    def create(self, character: Character) -> None:
        """Begin a companion; UsageError where there is one of that name."""
        folder = CompanionFolder(self.home, character.name)
        with self._locked(folder):
            if folder.exists():
                raise UsageError("companion_exists", name=folder.name)
            atomic.make_folder(folder.path)
            folder.write_character(character)

    def edit(self, name: str, change: Callable[[Character], Character]) -> Character:
        """Change who a companion is; gives the character after it."""
        with self._writing(name) as folder:
            before = _character(folder)
            after = change(before)
            if after != before:
                folder.write_character(after)
            return after

    @contextmanager
    def edit_lore(self, name: str, defaults: LoreDefaults) -> Iterator[Edit]:
        """Hold the lock for a block, then write the changes it added; ``defaults`` are of new lore."""
        with self._writing(name) as folder:
            _character(folder)
            before = folder.read_lore()
            if before is None:
                before = empty_lore(folder.name, timezone=defaults.timezone, now=defaults.now)
            edit = Edit(before)
            yield edit
            after = apply_all(before, edit.changes)
            if edit.changes:
                anew = any(_removes_words(before, change) for change in edit.changes)
                folder.write_lore(after, anew=anew)
            edit.finish(after)

    def card(self, name: str) -> tuple[dict[str, Any] | None, Path | None]:
        """Load the fields kept of the character card, and find the file of the picture."""
        with self._reading(name) as folder:
            return folder.read_card(), folder.picture if folder.picture.exists() else None

    def keep_card(self, name: str, form: dict[str, Any] | None, picture: bytes | None) -> None:
        """Keep a card's V3 object and its PNG, each where there is none yet."""
        with self._writing(name) as folder:
            if form is not None and not folder.card.exists():
                atomic.write_whole(folder.card, codec.to_json(form, indent=True))
            if picture is not None and not folder.picture.exists():
                atomic.write_whole(folder.picture, picture)

    def replace_picture(self, name: str, picture: bytes) -> None:
        """Put a picture, a PNG, in the place of the one before."""
        with self._writing(name) as folder:
            atomic.write_whole(folder.picture, picture)

    def delete(self, name: str) -> None:
        """Remove every file of a companion; what people told it stays in their memories."""
        with self._writing(name) as folder:
            shutil.rmtree(folder.path)
            atomic.flush_folder(folder.path.parent)

    @contextmanager
    def _reading(self, name: str) -> Iterator[CompanionFolder]:
        folder = CompanionFolder(self.home, name)
        if not folder.exists():
            raise UsageError("companion_unknown", name=folder.name)
        with translate_file_errors(self.home):
            yield folder

    @contextmanager
    def _writing(self, name: str) -> Iterator[CompanionFolder]:
        with self._reading(name) as folder, self._locked(folder):
            if not folder.exists():  # deleted while this one waited
                raise UsageError("companion_unknown", name=folder.name)
            yield folder

    @contextmanager
    def _locked(self, folder: CompanionFolder) -> Iterator[None]:
        with translate_file_errors(self.home):
            atomic.make_folder(self.home / COMPANIONS)
            lock = FileLock(self.home / COMPANIONS / LOCK, mode=0o600)
            try:
                lock.acquire(timeout=MAX_WAIT, poll_interval=0.004)
            except Timeout as error:
                seconds = round(MAX_WAIT)
                raise MemoryBusy("memory_busy", name=folder.name, seconds=seconds) from error
            try:
                yield
            finally:
                lock.release()


def _character(folder: CompanionFolder) -> Character:
    try:
        return folder.read_character()
    except FileNotFoundError:
        if folder.exists():
            raise DamagedMemory("companion_headless", path=folder.character) from None
        raise UsageError("companion_unknown", name=folder.name) from None


def _removes_words(before: PersonMemory, change: Change) -> bool:
    """Return True if a change removes words, so that the cache made of them must go too."""
    return not isinstance(change, PutDerived) or before.find(change.record.id) is not None


def companion_name(settings: Settings, companion: str, language: Language) -> str:
    """Return a companion's name for itself: from its texts, the settings, or its own name.

    The companion called ``default`` has the usual name instead of that one, and so has one
    whose file is damaged: a night can still be had.
    """
    usual = settings.speaking(language).companion_name
    try:
        character = CompanionFolder(settings.home, companion).read_character()
    except (FileNotFoundError, NotADirectoryError, DamagedMemory):
        return usual
    own = character.texts_in(language).called
    if not own and settings.sources.get("companion_name", "default") != "default":
        return usual
    return own or character.called(language)
