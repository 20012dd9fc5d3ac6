"""Memory as files: a folder a person, a file that rests and a journal that grows.

Several processes work on one person at once (the web page, the terminal, the night).
Each operation takes the scope's lock, reads what others appended since it last looked and
only then acts, so nobody writes over what they have not seen. A change is durable before
its caller is told so. The files are described in ``docs/format.md``.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from siliconfriend.errors import MemoryElsewhere, SiliconFriendError, UnknownPerson
from siliconfriend.memory import atomic, journal, lines, mark
from siliconfriend.memory.changes import Change, Erase, PutProfile, apply_all
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.encryption import KEY_FILE, KEYRING, read_key, remove_key, write_key
from siliconfriend.memory.exchange import finish_exchange, is_exchange_pending
from siliconfriend.memory.file_errors import translate_file_errors
from siliconfriend.memory.folder import COMPANIONS, MOVE, Folder, folder_path
from siliconfriend.memory.journal import Head
from siliconfriend.memory.lock import LONGEST_WAIT, ScopeLocks
from siliconfriend.memory.moving.note import MoveNote, check_open
from siliconfriend.memory.recent import Recent
from siliconfriend.memory.records import PersonMemory, Profile
from siliconfriend.memory.recovery import recover, repair
from siliconfriend.memory.scan import find_scopes, find_unreadable
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import Edit, Repair
from siliconfriend.texts import Language, text

FOLD_AT = 1 << 20
"""Bytes of a journal from which it is folded: some two thousand turns, read in 0.1 s."""

FOLD_SHARE = 8
"""A journal is also left until it has this part of ``memory.json``: as that file grows, it is
written more rarely, and the share of an append in it stays the same."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """What this process has read: the memory, and how far in which journal that was.

    Attributes:
        memory: the memory as it is after ``offset`` bytes of the journal.
        generation: of the ``memory.json`` it was read from.
        resting: the size of that file in bytes.
        head: the first line of the journal.
        offset: the byte behind the last line that was read.
    """

    memory: PersonMemory
    generation: int
    resting: int
    head: bytes
    offset: int


class FileStore:
    """A :class:`~siliconfriend.memory.store.MemoryStore` in a data directory.

    Safe to share between threads, and between processes on one machine.

    Args:
        home: the data directory; made when the first memory begins.
        language: of the warnings it logs.
        fold_at: bytes of a journal from which it is folded.
        wait: seconds until a lock that is held elsewhere raises MemoryBusy.

    Raises:
        ConfigurationError: from every method, where the directory cannot be written.
        StoreError: from every method, where the disk is full or a newer version of the
            program wrote the files.
        DamagedMemory: from every method that needs the memory, where some of it is lost.
        MemoryBusy: from every method that needs the memory, where its lock is not free.
    """

    def __init__(
        self,
        home: Path,
        *,
        language: Language = "en",
        fold_at: int = FOLD_AT,
        wait: float = LONGEST_WAIT,
    ) -> None:
        self.home = home
        self._language: Language = language
        self._fold_at = fold_at
        self._locks = ScopeLocks(wait)
        self._snapshots = Recent[_Snapshot]()

    def folder(self, scope: Scope) -> Path:
        """The folder of a scope's files; caches may be put there too and go with it."""
        return folder_path(self.home, scope)

    def rows(self, scope: Scope) -> Iterable[tuple[str, bytes]]:
        """All lies in files."""
        return ()

    def scopes(self) -> list[Scope]:
        """Every scope that has a memory, sorted by person and companion."""
        with translate_file_errors(self.home):
            finish_exchange(self.home)
            return find_scopes(self.home, self._language)

    def unreadable(self) -> list[str]:
        """Folders under ``people/`` that hold a memory of nobody knows whom, sorted."""
        with translate_file_errors(self.home):
            finish_exchange(self.home)
            return find_unreadable(self.home)

    def exists(self, scope: Scope) -> bool:
        """True if the scope has a memory, even a damaged one."""
        with translate_file_errors(self.home):
            finish_exchange(self.home)
        return Folder(self.home, scope).exists()

    def create(self, scope: Scope, profile: Profile) -> PersonMemory:
        """Begin a memory; one that exists already is returned unchanged."""
        folder = Folder(self.home, scope)
        with self._holding(folder):
            if not folder.exists():
                check_open(folder.note(), scope.person, "")
                self._begin(folder, profile)
            return self._newest(folder).memory

    def load(self, scope: Scope) -> PersonMemory:
        """The newest snapshot, with what other processes wrote."""
        with self._holding_known(scope) as folder:
            return self._newest(folder).memory

    @contextmanager
    def edit(self, scope: Scope, *, move: str = "") -> Iterator[Edit]:
        """Write the changes of a block; durable when it ends, nothing where it raises."""
        with self._holding_known(scope) as folder:
            note = folder.note()
            check_open(note, scope.person, move)
            before = self._newest(folder)
            edit = Edit(before.memory, note, partial(_changes_after, folder))
            yield edit
            after = self._append(folder, before, edit.changes)
            if edit.note is not None and edit.note != note:
                folder.write_note(edit.note)
            edit.finish(after)

    @property
    def keeps_keys(self) -> bool:
        """True: files are encrypted with it."""
        return True

    def move_note(self, scope: Scope) -> MoveNote | None:
        """What is known of a memory as one copy of several."""
        with translate_file_errors(self.home):
            return Folder(self.home, scope).note()

    def key(self, scope: Scope) -> bytes | None:
        """The bytes of ``key.json``; None where the files are plain."""
        with translate_file_errors(self.home):
            return read_key(Folder(self.home, scope).path)

    def place(
        self,
        scope: Scope,
        memory: PersonMemory,
        *,
        key: bytes | None,
        note: MoveNote,
        over: MoveNote | None,
    ) -> None:
        """Write the files of a whole memory, in the place of a copy of the same one."""
        folder = Folder(self.home, scope)
        with self._holding(folder):
            if folder.note() != over or (over is None and folder.exists()):
                raise MemoryElsewhere("move_taken", name=scope.person, other=self.home)
            if key is not None:
                KEYRING.unlock(folder.path, key)
            folder.write_note(note)
            self._snapshots.forget(scope)
            folder.clear(keep=MOVE)
            if key is not None:
                write_key(folder.path, key)
            folder.write_memory(memory, generation=1)
            folder.begin_journal(memory, generation=1)

    def fold(self, scope: Scope, *, least_share: float = 0.0) -> None:
        """Write the journal into ``memory.json``; the file before is kept in ``backup/``.

        Only where the journal has at least ``least_share`` of the bytes of that file.
        """
        with self._holding_known(scope) as folder:
            snapshot = self._newest(folder)
            new = snapshot.offset - len(snapshot.head)
            if new and new >= least_share * snapshot.resting:
                self._fold(folder, snapshot)

    def rewrite(self, scope: Scope) -> None:
        """Fold, and leave nothing behind that holds older words."""
        with self._holding_known(scope) as folder:
            self._rewrite(folder, self._newest(folder))

    def repair(self, scope: Scope) -> Repair | None:
        """Put a damaged memory right from what is left of it; None where nothing is damaged."""
        with self._holding_known(scope) as folder:
            self._snapshots.forget(scope)
            try:
                snapshot, done = self._read(folder, None), None
            except (Unreadable, FileNotFoundError):
                done = repair(folder)
                snapshot = self._read(folder, None)
            self._snapshots.keep(scope, snapshot)
            return done

    def encrypt(self, scope: Scope, key: bytes | None) -> None:
        """Write every file anew, encrypted with a key as ``key.json`` holds it, or plain with None.

        Stopped in between it leaves files that are read all the same; run again, it ends it.

        Raises:
            StoreError: the memory is locked, has moved, or no passphrase that is known opens the key.
        """
        with self._holding_known(scope) as folder:
            check_open(folder.note(), scope.person, "")
            snapshot = self._newest(folder)
            if key is not None:
                KEYRING.unlock(folder.path, key)
                write_key(folder.path, key)
            self._rewrite(folder, snapshot, is_plain=key is None)
            if key is None:
                remove_key(folder.path)

    def _share_key(self, folder: Folder) -> None:
        """Give a new companion of a person the key that this person's other files have."""
        for key in (folder.person / KEY_FILE, *folder.person.glob(f"{COMPANIONS}/*/{KEY_FILE}")):
            if key.parent != folder.path and key.exists():
                write_key(folder.path, key.read_bytes())
                return

    def delete(self, scope: Scope) -> None:
        """Remove every file of the scope for good."""
        with self._holding_known(scope) as folder:
            self._snapshots.forget(scope)
            folder.clear()

    @contextmanager
    def _holding(self, folder: Folder) -> Iterator[None]:
        """Hold the scope's lock, at a moment when no restore is exchanging the files."""
        with translate_file_errors(self.home, folder):
            while True:
                finish_exchange(self.home)
                if not folder.path.is_dir():
                    atomic.make_folder(folder.path)
                with self._locks.holding(folder):
                    if not is_exchange_pending(self.home):
                        yield
                        return

    @contextmanager
    def _holding_known(self, scope: Scope) -> Iterator[Folder]:
        folder = Folder(self.home, scope)
        with translate_file_errors(self.home):
            finish_exchange(self.home)
            is_there = folder.exists()
        if is_there:
            with self._holding(folder):
                # Deleted while this one waited: the name is nobody's again.
                if folder.exists():
                    yield folder
                    return
        self._snapshots.forget(scope)
        raise UnknownPerson("unknown_person", name=scope.person)

    def _append(self, folder: Folder, before: _Snapshot, changes: list[Change]) -> PersonMemory:
        """Append changes to the journal and fold it where it has grown; the memory after them."""
        if not changes:
            return before.memory
        cipher = folder.cipher
        data = lines.encode(changes, before.memory.sequence, cipher)
        # What cannot be read back is not written.
        written = list(lines.decode(data, cipher))
        atomic.append(folder.journal, data, before.offset)
        mark.advance(folder.mark, written[-1].sequence)
        memory = apply_all(before.memory, (line.change for line in written))
        after = replace(
            before,
            memory=replace(memory, sequence=written[-1].sequence),
            offset=before.offset + len(data),
        )
        self._snapshots.keep(folder.scope, after)
        if any(isinstance(line.change, Erase) for line in written):
            self._rewrite(folder, after)
        elif after.offset > max(self._fold_at, after.resting // FOLD_SHARE):
            self._fold_in_passing(folder, after)
        return after.memory

    def _begin(self, folder: Folder, profile: Profile) -> None:
        """Write the first generation; the journal, whole by itself, comes first."""
        first = PutProfile(replace(profile, name=folder.scope.person))
        head = Head.new(folder.scope, generation=1, after=0)
        self._share_key(folder)
        cipher = folder.cipher
        data = lines.encode([first], after=0, cipher=cipher)
        memory = lines.replay(PersonMemory(first.profile), lines.decode(data, cipher))
        atomic.write_whole(folder.journal, head.encode() + data)
        folder.write_memory(memory, generation=1)
        mark.begin(folder.mark, memory.sequence)

    def _newest(self, folder: Folder) -> _Snapshot:
        """The memory as the files have it now, mended where that is possible."""
        known = self._snapshots.get(folder.scope)
        try:
            snapshot = self._read(folder, known)
        except (Unreadable, FileNotFoundError):
            self._snapshots.forget(folder.scope)
            try:
                snapshot = self._read(folder, None)
            except (Unreadable, FileNotFoundError):
                recover(folder, self._language)
                snapshot = self._read(folder, None)
        self._snapshots.keep(folder.scope, snapshot)
        return snapshot

    def _read(self, folder: Folder, known: _Snapshot | None) -> _Snapshot:
        head, offset = (known.head, known.offset) if known else (b"", 0)
        tail = journal.read(folder.journal, head, offset, folder.cipher)
        is_anew = known is None or tail.head != head
        if known is None or is_anew:
            begun = Head.decode(tail.head)
            folder.check_owner(begun.person, begun.companion)
            file = folder.read()
            if begun.after > file.memory.sequence:
                raise Unreadable("the journal continues a newer file")
            size = folder.memory.stat().st_size
            known = _Snapshot(file.memory, file.generation, size, tail.head, 0)
        memory = lines.replay(known.memory, tail.lines)
        if (is_anew or tail.torn) and (mark.read(folder.mark) or 0) > memory.sequence:
            raise Unreadable("the journal lacks its end")
        if tail.torn:
            self._set_torn_aside(folder, tail)
        return replace(known, memory=memory, offset=tail.end)

    def _set_torn_aside(self, folder: Folder, tail: journal.Tail) -> None:
        path = folder.set_aside("journal.jsonl", tail.torn)
        atomic.cut(folder.journal, tail.end)
        name = folder.scope.person
        _LOG.warning(text("errors", "torn_line", self._language, name=name, path=path))

    def _fold(self, folder: Folder, snapshot: _Snapshot) -> None:
        folder.keep(snapshot.generation)
        self._rest(folder, snapshot)
        folder.prune()

    def _fold_in_passing(self, folder: Folder, snapshot: _Snapshot) -> None:
        """Fold after a change that is safe already: a failure waits for the next time."""
        try:
            with translate_file_errors(self.home):
                self._fold(folder, snapshot)
        except SiliconFriendError as error:
            _LOG.warning(error.message(self._language))

    def _rewrite(self, folder: Folder, snapshot: _Snapshot, *, is_plain: bool = False) -> None:
        self._rest(folder, snapshot, is_plain=is_plain)
        folder.keep_only(snapshot.generation + 1)

    def _rest(self, folder: Folder, snapshot: _Snapshot, *, is_plain: bool = False) -> None:
        generation = snapshot.generation + 1
        size = folder.write_memory(snapshot.memory, generation, is_plain=is_plain)
        head = folder.begin_journal(snapshot.memory, generation)
        rested = replace(snapshot, generation=generation, resting=size, head=head, offset=len(head))
        self._snapshots.keep(folder.scope, rested)


def _changes_after(folder: Folder, sequence: int) -> Sequence[Change] | None:
    """The changes behind a number that stand in the journal; None where they were folded."""
    tail = journal.read(folder.journal, cipher=folder.cipher)
    if Head.decode(tail.head).after > sequence:
        return None
    return [line.change for line in tail.lines if line.sequence > sequence]
