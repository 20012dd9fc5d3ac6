"""The files of one scope: where each lies, and how a memory is put to rest in them.

Every step here leaves files from which the memory can be read whole, in whatever order a
crash cuts the steps: ``memory.json`` is replaced before the journal begins anew, and lines
it holds already are skipped by their numbers. Call all of it under the scope's lock.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from siliconfriend.errors import DamagedMemory
from siliconfriend.memory import atomic, checksum, encrypted, mark
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.encryption import KEYRING, Cipher
from siliconfriend.memory.journal import Head
from siliconfriend.memory.memory_file import MemoryFile
from siliconfriend.memory.memory_writing import encode_memory
from siliconfriend.memory.moving.note import MoveNote, decode_note, encode_note
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.resting_file import parse_sealed
from siliconfriend.memory.scope import DEFAULT_COMPANION, Scope, folder_id

COMPANIONS = "companions"
LOCK = "lock"
MOVE = "move.json"
KEPT_BACKUPS = 2
"""Generations in ``backup/``: the last one mends a damaged file, the one before it a second."""

_BACKUP = re.compile(r"(memory-(\d+)\.json|journal-(\d+)\.jsonl)")


class Folder:
    """The folder of one scope under a data directory.

    Attributes:
        person: the person's folder; memory with the companion ``default`` lies in it directly.
        path: the scope's own folder.
        memory: the memory as it was last folded.
        journal: what was written since.
        mark: how far the journal had come when it was last told durable.
        backup: the generations before, each with its journal.
        damaged: what could not be read, kept as it was.
        move: what is known of it as one copy of several, once it was moved.
        lock: the file whose lock is the scope's lock.
    """

    def __init__(self, home: Path, scope: Scope) -> None:
        self.scope = scope
        self.person = home / "people" / folder_id(scope.person)
        self.path = folder_path(home, scope)
        self.memory = self.path / "memory.json"
        self.journal = self.path / "journal.jsonl"
        self.mark = self.path / "journal.mark"
        self.backup = self.path / "backup"
        self.damaged = self.path / "damaged"
        self.move = self.path / MOVE
        self.lock = self.path / LOCK

    def exists(self) -> bool:
        """True if there is a memory, even a damaged one."""
        places = (self.memory, self.journal, self.backup, self.damaged)
        return any(path.exists() for path in places)

    def read(self) -> MemoryFile:
        """``memory.json`` as an object.

        Raises:
            FileNotFoundError: there is none.
            Unreadable: it is damaged.
            DamagedMemory: it is another person's.
            StoreError: a newer version of the program wrote it.
        """
        return self.owned(self.parse(self.memory.read_bytes()))

    @property
    def cipher(self) -> Cipher | None:
        """What encrypts the files; None where they are plain.

        Raises:
            StoreError: they are encrypted, and no passphrase that is known opens their key.
        """
        return KEYRING.cipher(self.path)

    def parse(self, data: bytes) -> MemoryFile:
        """Parse the bytes of a ``memory.json``, encrypted or not.

        Raises:
            Unreadable: they are not what was written.
            StoreError: a newer version of the program wrote them, or the key is locked.
        """
        is_wrapped = encrypted.is_wrapped(data)
        return parse_sealed(encrypted.unwrap(data, self.cipher) if is_wrapped else data)

    def owned(self, file: MemoryFile) -> MemoryFile:
        """Check that a file belongs to this scope, and return it.

        Raises:
            DamagedMemory: it is another person's.
        """
        self.check_owner(file.memory.profile.name, file.companion)
        return file

    def check_owner(self, person: str, companion: str) -> None:
        """Refuse what was written for somebody else: a copied folder must not change who one is.

        Raises:
            DamagedMemory: person or companion are not this scope's.
        """
        if (person, companion) != (self.scope.person, self.scope.companion):
            raise DamagedMemory(
                "memory_foreign", path=self.path, name=self.scope.person, owner=person
            )

    def backups(self) -> dict[int, Path]:
        """The kept ``memory.json`` files by generation, newest first."""
        found = {}
        for path in self._backup_files():
            if path.suffix == ".json":
                found[_generation(path)] = path
        return dict(sorted(found.items(), reverse=True))

    def segments(self) -> list[Path]:
        """The kept journals, oldest first, and the one in use."""
        kept = [path for path in self._backup_files() if path.suffix == ".jsonl"]
        return [*sorted(kept, key=_generation), *([self.journal] if self.journal.exists() else [])]

    def write_memory(self, memory: PersonMemory, generation: int, *, is_plain: bool = False) -> int:
        """Write ``memory.json`` as this generation; gives its size in bytes.

        It is encrypted where there is a key, unless ``is_plain``.
        """
        cipher = None if is_plain else self.cipher
        form = encode_memory(memory, self.scope.companion, generation, indent=cipher is None)
        data = checksum.seal(form)
        data = encrypted.wrap(data, cipher)
        atomic.write_whole(self.memory, data)
        return len(data)

    def begin_journal(self, memory: PersonMemory, generation: int) -> bytes:
        """Begin the journal that continues this generation; gives its first line."""
        head = Head.new(self.scope, generation, memory.sequence).encode()
        atomic.write_whole(self.journal, head)
        mark.begin(self.mark, memory.sequence)
        return head

    def keep(self, generation: int) -> None:
        """Put this generation's file and journal into ``backup/`` beside the older ones."""
        atomic.make_folder(self.backup)
        atomic.link(self.memory, self.backup / f"memory-{generation}.json")
        self.keep_journal(generation)

    def keep_journal(self, generation: int) -> None:
        """Put the journal into ``backup/`` as the one that continues this generation."""
        atomic.make_folder(self.backup)
        if self.journal.exists():
            atomic.link(self.journal, self.backup / f"journal-{generation}.jsonl")
        atomic.flush_folder(self.backup)

    def keep_only(self, generation: int) -> None:
        """Leave no backup but a copy of ``memory.json`` as it is now, and nothing set aside; durable."""
        for path in (self.backup, self.damaged):
            if path.exists():
                shutil.rmtree(path)
        self.backup.mkdir(mode=0o700)
        copy = self.backup / f"memory-{generation}.json"
        atomic.write_whole(copy, self.memory.read_bytes())
        atomic.flush_folder(self.path)

    def prune(self) -> None:
        """Drop all but the newest backups."""
        oldest = min(list(self.backups())[:KEPT_BACKUPS], default=0)
        for path in list(self._backup_files()):
            if _generation(path) < oldest:
                path.unlink()

    def set_aside(self, name: str, data: bytes) -> Path:
        """Keep bytes that cannot be read under the first free name; gives the file.

        What is kept already, since a repair was stopped after it, is not kept twice.
        """
        atomic.make_folder(self.damaged)
        number = 1
        while (path := self.damaged / f"{number}-{name}").exists():
            if path.read_bytes() == data:
                return path
            number += 1
        atomic.write_whole(path, data)
        return path

    def note(self) -> MoveNote | None:
        """What is known of it as one copy of several; None where it was never moved.

        Raises:
            DamagedMemory: that cannot be read.
        """
        try:
            return decode_note(self.move.read_bytes())
        except FileNotFoundError:
            return None
        except Unreadable as error:
            details = {"name": self.scope.person, "path": self.move}
            raise DamagedMemory("move_note_unreadable", **details, cause=error) from error

    def write_note(self, note: MoveNote) -> None:
        """Write down what it is as one copy of several; durable on return."""
        atomic.write_whole(self.move, encode_note(note))

    def clear(self, *, keep: str = "") -> None:
        """Remove all files of the scope but its lock and one of that name; ``memory.json`` goes last."""
        kept = (COMPANIONS, LOCK, keep)
        rest = {path for path in self.path.iterdir() if path.name not in kept}
        for path in sorted(rest - {self.memory}):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
        self.memory.unlink(missing_ok=True)
        atomic.flush_folder(self.path)

    def remove_empty(self) -> None:
        """Remove the folder, and the person's, where nothing is in them any more."""
        for path in dict.fromkeys((self.path, self.person / COMPANIONS, self.person)):
            try:
                path.rmdir()
            except OSError:
                # Somebody's files are in it: it stays.
                continue

    def _backup_files(self) -> Iterator[Path]:
        if self.backup.exists():
            for path in self.backup.iterdir():
                if _BACKUP.fullmatch(path.name):
                    yield path


def folder_path(home: Path, scope: Scope) -> Path:
    """Where a scope's folder lies under a data directory."""
    if scope.companion == DEFAULT_COMPANION:
        return home / "people" / folder_id(scope.person)
    return home / "people" / folder_id(scope.person) / COMPANIONS / folder_id(scope.companion)


def encode_files(scope: Scope, memory: PersonMemory) -> dict[str, bytes]:
    """The files of a whole memory by their names, as a scope's folder has them after a fold."""
    form = encode_memory(memory, scope.companion, 1, indent=True)
    return {
        "memory.json": checksum.seal(form),
        "journal.jsonl": Head.new(scope, 1, memory.sequence).encode(),
        "journal.mark": mark.encode(memory.sequence),
    }


def _generation(path: Path) -> int:
    found = _BACKUP.fullmatch(path.name)
    return int(found[2] or found[3]) if found else 0
