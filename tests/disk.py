"""A disk that can be stopped at any step, and that forgets what nobody told it to keep.

The calls by which files change are counted. At a chosen one the program ends, as with
``kill -9``; :meth:`Disk.cut_power` then empties every file that was not flushed as it is,
which is what file systems do to new files at a power cut.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from filelock import BaseFileLock

from siliconfriend.memory.passing import is_passing
from tests.sqlite_files import watched_sqlite

_CHANGES = ("rename", "replace", "unlink", "mkdir", "rmdir", "link", "fsync", "open")


class Stopped(BaseException):
    """The program ended here; nothing of it may run on but what ends with any process."""


class Disk:
    """Counts changes of files under ``root`` and what of them is flushed.

    Attributes:
        steps: how many changes there were.
        stop_at: the change before which the program ends; None for never.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.steps = 0
        self.stop_at: int | None = None
        self._stopped = False
        self._acquired: list[BaseFileLock] = []
        self._flushed: dict[int, tuple[int, int]] = {}
        self._kept: dict[int, bytes] = {}
        self._changed_folders: set[Path] = set()

    @contextmanager
    def watched(self) -> Iterator[Disk]:
        """Watch every change within the block."""
        with pytest.MonkeyPatch.context() as patch:
            for name in _CHANGES:
                patch.setattr(os, name, self._counting(name, getattr(os, name)))
            patch.setattr(BaseFileLock, "acquire", self._noting(BaseFileLock.acquire))
            with watched_sqlite(self), suppress(Stopped):
                yield self
            if self._stopped:
                self._release_locks()

    def before(self, call: str, path: Path) -> None:
        """SQLite is about to change a file."""
        self._step()

    def after(self, call: str, path: Path) -> None:
        """SQLite changed or flushed a file."""
        if call == "fsync":
            found = path.stat()
            self._flushed[found.st_ino] = (found.st_size, found.st_mtime_ns)
            self._kept[found.st_ino] = path.read_bytes()

    def _step(self) -> None:
        if self._stopped:
            raise Stopped
        if self.stop_at == self.steps:
            self._stopped = True
            raise Stopped
        self.steps += 1

    def cut_power(self) -> None:
        """Take back to what was flushed, or empty, every file whose bytes were not flushed."""
        for path in self.root.rglob("*"):
            if path.is_file() and not path.is_symlink():
                found = path.stat()
                if self._flushed.get(found.st_ino) != (found.st_size, found.st_mtime_ns):
                    # What is written in place, as SQLite does, keeps what was flushed before.
                    path.write_bytes(self._kept.get(found.st_ino, b""))

    def flush_all(self) -> None:
        """Take everything that is there as flushed."""
        for path in self.root.rglob("*"):
            found = path.stat()
            self._flushed[found.st_ino] = (found.st_size, found.st_mtime_ns)
            if ".sqlite" in path.name:
                self._kept[found.st_ino] = path.read_bytes()

    def unflushed_folders(self) -> set[Path]:
        """Folders that are there whose entries changed since they were last flushed."""
        return {it for it in self._changed_folders if it.is_dir()}

    def _counting(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*words: Any, **named: Any) -> Any:
            if name == "open" and not words[1] & os.O_CREAT:
                return call(*words, **named)
            self._step()
            done = call(*words, **named)
            self._note(name, words, named)
            return done

        return counted

    def _noting(self, acquire: Callable[..., Any]) -> Callable[..., Any]:
        def noted(lock: BaseFileLock, *words: Any, **named: Any) -> Any:
            self._acquired.append(lock)
            return acquire(lock, *words, **named)

        return noted

    def _release_locks(self) -> None:
        """Release what the stopped program held, as the system does when a process ends."""
        for lock in self._acquired:
            lock.release(force=True)

    def _note(self, name: str, words: tuple[Any, ...], named: dict[str, Any]) -> None:
        if name == "fsync":
            found = os.fstat(words[0])
            self._flushed[found.st_ino] = (found.st_size, found.st_mtime_ns)
            self._changed_folders -= {
                it for it in self._changed_folders if _inode(it) == found.st_ino
            }
        elif named.get("dir_fd") is None:
            paths = [Path(os.fspath(it)) for it in words[:2] if isinstance(it, str | Path)]
            self._changed_folders |= {it.parent for it in paths if not _means_nothing(it)}


def _means_nothing(path: Path) -> bool:
    """True for what may be there or not after a power cut: locks, passing files, the copy."""
    return path.name.endswith(("lock", ".new", "memory.json")) or is_passing(path)


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return 0
