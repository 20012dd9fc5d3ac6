"""Record in which order files change and are flushed, and give every state a power cut can leave.

A killed process loses no page cache, so killing proves little of what a disk keeps. Here every
call that changes or flushes a file under a folder is followed by a look at all of it. What was
not flushed when the power went may be there or not: of a file its bytes before or after, half
of them, or zeros; of a folder any of the changes of names since it was flushed, in whatever
order. A renaming is one change, as journaling file systems have it.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.sqlite_files import watched_sqlite

_CALLS = (
    *("open", "rename", "replace", "link", "unlink", "mkdir", "rmdir"),
    *("fsync", "write", "truncate", "ftruncate"),
)
_FEW = 3
"""Changes of names of which every choice is tried; of more, a few choices."""

_CHOICES = 6

SECTOR = 512
"""Bytes that a disk writes whole or not at all."""

Tree = dict[int, dict[str, int]]
"""Folders by number, each with the numbers of what is in it by name."""

State = dict[str, bytes | None]
"""What lies under the root after a power cut, by path; None for a folder."""


@dataclass(frozen=True)
class _Renamed:
    """One change of names: what went and what came, each a folder, a name and a number."""

    gone: tuple[tuple[int, str, int], ...]
    come: tuple[tuple[int, str, int], ...]

    @property
    def folders(self) -> set[int]:
        return {one[0] for one in (*self.gone, *self.come)}

    @property
    def names(self) -> set[tuple[int, str]]:
        return {(one[0], one[1]) for one in (*self.gone, *self.come)}


@dataclass(frozen=True)
class Point:
    """A moment at which the power may go.

    Attributes:
        step: the number of the call before it.
        call: that call.
        acknowledged: what the program had been told to be done by then.
        durable: the names that are flushed, and ``pending`` those changes that are not.
        flushed: the bytes of files that are flushed, and ``held`` those that were there.
        root: the number of the root.
    """

    step: int
    call: str
    acknowledged: tuple[str, ...]
    durable: Tree
    pending: tuple[_Renamed, ...]
    flushed: dict[int, bytes]
    held: dict[int, bytes]
    root: int

    def states(self) -> Iterator[State]:
        """What may lie there after the power went, each once."""
        for chosen in self._choices():
            tree = {folder: dict(names) for folder, names in self.durable.items()}
            for change in chosen:
                _apply(tree, change)
            for how in ("held", "flushed", "half", "zeros"):
                state: State = {}
                is_exact = self._lay_out(tree, self.root, "", how, state)
                yield state
                if is_exact:
                    break  # every byte of it was flushed: it can be no other

    def _choices(self) -> Iterator[tuple[_Renamed, ...]]:
        pending, number = self.pending, len(self.pending)
        if number <= _FEW:
            for count in range(number + 1):
                yield from combinations(pending, count)
            return
        yield ()
        yield pending
        chance = random.Random(self.step)
        for _ in range(_CHOICES):
            yield tuple(change for change in pending if chance.random() < 0.5)
        yield pending[-1:]

    def _lay_out(self, tree: Tree, folder: int, at: str, how: str, state: State) -> bool:
        is_exact = True
        for name, number in sorted(tree.get(folder, {}).items()):
            path = f"{at}/{name}" if at else name
            if number in tree or number not in self.held:
                state[path] = None
                is_exact &= self._lay_out(tree, number, path, how, state)
                continue
            flushed, held = self.flushed.get(number, b""), self.held[number]
            is_exact &= flushed == held
            is_in_place = path.endswith(".sqlite")
            state[path] = (_torn if is_in_place else _after_the_cut)(flushed, held, how)
        return is_exact


def _after_the_cut(flushed: bytes, held: bytes, how: str) -> bytes:
    if how in ("held", "flushed") or flushed == held:
        return flushed if how == "flushed" else held
    same = _alike(flushed, held)
    if how == "half":
        return held[: (same + len(held)) // 2]
    return held[:same] + bytes(len(held) - same)


def _torn(flushed: bytes, held: bytes, how: str) -> bytes:
    """A file that is written in place: of the sectors that changed some are there, or are zeros."""
    if how in ("held", "flushed") or flushed == held:
        return flushed if how == "flushed" else held
    sectors = range(0, len(held), SECTOR)
    changed = [at for at in sectors if held[at : at + SECTOR] != flushed[at : at + SECTOR]]
    torn = bytearray(held)
    for at in changed[len(changed) // 2 :] if how == "half" else changed[1::2]:
        old = flushed[at : at + SECTOR] if how == "half" else b""
        torn[at : at + SECTOR] = old.ljust(len(held[at : at + SECTOR]), b"\0")
    return bytes(torn)


def _alike(data: bytes, other: bytes) -> int:
    """How many bytes are the same from the beginning."""
    shorter = min(len(data), len(other))
    return next((at for at in range(shorter) if data[at] != other[at]), shorter)


def _apply(tree: Tree, change: _Renamed) -> None:
    for folder, name, number in change.gone:
        if tree.get(folder, {}).get(name) == number:
            del tree[folder][name]
    for folder, name, number in change.come:
        tree.setdefault(folder, {})[name] = number


@dataclass
class Recorder:
    """Looks at everything under ``root`` after each call that may change it.

    What is there at the beginning counts as flushed. New files may be read by every account unless
    the program takes care; those of which it did not are in ``open_to_others``.
    """

    root: Path
    points: list[Point] = field(default_factory=list)
    open_to_others: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._next = 0
        self._seen: dict[int, tuple[int, int, int]] = {}
        self._held: dict[int, bytes] = {}
        self._acknowledged: list[str] = []
        self._pending: list[_Renamed] = []
        self._step = 0
        self._at_work = False
        self._ours: set[int] = set()
        self._tree = self._look()
        self.open_to_others.clear()
        self._ours = set(self._numbers.values())
        self._durable = {folder: dict(names) for folder, names in self._tree.items()}
        self._flushed = dict(self._held)

    @contextmanager
    def watched(self) -> Iterator[Recorder]:
        """Record within the block."""
        usual = os.umask(0)
        with pytest.MonkeyPatch.context() as patch:
            for name in _CALLS:
                patch.setattr(os, name, self._followed(name, getattr(os, name)))
            try:
                with watched_sqlite(self):
                    yield self
            finally:
                os.umask(usual)
            self._observe("end")

    def before(self, call: str, path: Path) -> None:
        """SQLite is about to change a file."""

    def after(self, call: str, path: Path) -> None:
        """SQLite changed or flushed a file."""
        if not self._at_work:
            self._observe(f"SQLite's {call}", None, path if call == "fsync" else None)

    def acknowledge(self, what: str) -> None:
        """The program was told that this is done."""
        self._acknowledged.append(what)
        self._observe("acknowledged")

    def _followed(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def followed(*words: Any, **named: Any) -> Any:
            if self._at_work or (name == "open" and not words[1] & (os.O_CREAT | os.O_TRUNC)):
                return call(*words, **named)
            done = call(*words, **named)
            self._observe(name, words[0] if name == "fsync" else None)
            return done

        return followed

    def _observe(self, call: str, flushed: int | None = None, synced: Path | None = None) -> None:
        self._at_work = True
        try:
            self._step += 1
            tree = self._look()
            self._note(tree, is_one=call in ("rename", "replace"))
            if flushed is not None:
                self._flush(os.fstat(flushed).st_ino)
            if synced is not None:
                self._flush(synced.stat().st_ino)
                # With a file that it made SQLite flushes the folder, too.
                self._flush(synced.parent.stat().st_ino)
            self.points.append(
                Point(
                    self._step,
                    call,
                    tuple(self._acknowledged),
                    {folder: dict(names) for folder, names in self._durable.items()},
                    tuple(self._pending),
                    dict(self._flushed),
                    dict(self._held),
                    self._number(self.root.stat().st_ino),
                )
            )
        finally:
            self._at_work = False

    def _look(self) -> Tree:
        tree: Tree = {}
        inodes = {self.root.stat().st_ino}
        waiting = [self.root]
        while waiting:
            folder = waiting.pop()
            names = tree.setdefault(self._number(folder.stat().st_ino), {})
            for entry in os.scandir(folder):
                found = entry.stat(follow_symlinks=False)
                inodes.add(found.st_ino)
                number = names[entry.name] = self._number(found.st_ino)
                if found.st_mode & 0o077 and number not in self._ours:
                    self.open_to_others.add(entry.path)
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry.path))
                    continue
                state = (found.st_size, found.st_mtime_ns, found.st_ctime_ns)
                if self._seen.get(number) != state:
                    self._seen[number] = state
                    self._held[number] = Path(entry.path).read_bytes()
        # A number that is free again may be given to another file.
        self._numbers = {inode: one for inode, one in self._numbers.items() if inode in inodes}
        return tree

    def _number(self, inode: int) -> int:
        if inode not in self._numbers:
            self._numbers[inode] = self._next
            self._next += 1
        return self._numbers[inode]

    def _note(self, tree: Tree, *, is_one: bool) -> None:
        gone, come = [], []
        for folder in self._tree.keys() | tree.keys():
            before, after = self._tree.get(folder, {}), tree.get(folder, {})
            gone += [
                (folder, other, number)
                for other, number in before.items()
                if after.get(other) != number
            ]
            come += [
                (folder, item, number)
                for item, number in after.items()
                if before.get(item) != number
            ]
        self._tree = tree
        if is_one and (gone or come):
            self._pending.append(_Renamed(tuple(gone), tuple(come)))
            return
        self._pending += [_Renamed((one,), ()) for one in gone]
        self._pending += [_Renamed((), (each,)) for each in come]

    def _flush(self, inode: int) -> None:
        number = self._numbers.get(inode)
        if number is None:
            return  # not under the root
        if number in self._held:
            self._flushed[number] = self._held[number]
            return
        # With a change goes what was changed before under the same names.
        names = {
            name for change in self._pending if number in change.folders for name in change.names
        }
        kept = []
        for change in self._pending:
            if change.names & names:
                _apply(self._durable, change)
            else:
                kept.append(change)
        self._pending = kept


def lay(state: State, root: Path) -> None:
    """Write a state under ``root``, which is empty."""
    root.mkdir(parents=True, exist_ok=True)
    for path, data in state.items():
        if data is None:
            (root / path).mkdir(exist_ok=True)
        else:
            (root / path).write_bytes(data)
