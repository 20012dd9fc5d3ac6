"""A disk that can be stopped at any step.

The calls by which files change are counted. At a chosen one the program ends, as with
``kill -9``. What a power cut leaves is in :mod:`tests.crashes`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from filelock import BaseFileLock

from tests.sqlite_files import watched_sqlite

_CHANGES = ("rename", "replace", "unlink", "mkdir", "rmdir", "link", "fsync", "open")


class Stopped(BaseException):
    """The program ended here; nothing of it may run on but what ends with any process."""


class Disk:
    """Counts changes of files.

    Attributes:
        steps: how many changes there were.
        stop_at: the change before which the program ends; None for never.
    """

    def __init__(self, stop_at: int | None = None) -> None:
        self.steps = 0
        self.stop_at = stop_at
        self._stopped = False
        self._acquired: list[BaseFileLock] = []

    @contextmanager
    def watched(self) -> Iterator[Disk]:
        """Watch every change within the block."""
        with pytest.MonkeyPatch.context() as patch:
            for name in _CHANGES:
                patch.setattr(os, name, self.counting(getattr(os, name)))
            patch.setattr(BaseFileLock, "acquire", self._noting(BaseFileLock.acquire))
            with watched_sqlite(self), suppress(Stopped):
                yield self
            if self._stopped:
                # As the system does when a process ends.
                for lock in self._acquired:
                    lock.release(force=True)

    def before(self, call: str, path: Path) -> None:
        """SQLite is about to change a file."""
        self._step()

    def after(self, call: str, path: Path) -> None:
        """SQLite changed or flushed a file."""

    def _step(self) -> None:
        if self._stopped or self.stop_at == self.steps:
            self._stopped = True
            raise Stopped
        self.steps += 1

    def counting(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return the call as one that counts as a change."""

        def counted(*words: Any, **named: Any) -> Any:
            if call.__name__ != "open" or words[1] & os.O_CREAT:
                self._step()
            return call(*words, **named)

        return counted

    def _noting(self, acquire: Callable[..., Any]) -> Callable[..., Any]:
        def noted(lock: BaseFileLock, *words: Any, **named: Any) -> Any:
            self._acquired.append(lock)
            return acquire(lock, *words, **named)

        return noted
