"""One lock a scope, between threads and processes.

Every read and write of the file store happens under it. It is never held across a call
of a model, so nobody waits long; who still waits after half a minute is told so.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from filelock import FileLock, Timeout

from siliconfriend.errors import MemoryBusy
from siliconfriend.memory.scope import Scope

LONGEST_WAIT = 30.0
"""Seconds until a waiting command gives up."""

_POLL = 0.004


class Lockable(Protocol):
    """A folder whose files are read and written under one lock."""

    @property
    def scope(self) -> Scope:
        """Whose folder it is; a companion's own has no person."""
        ...

    @property
    def lock(self) -> Path:
        """The file whose lock it is."""
        ...

    def exists(self) -> bool:
        """True if anything is kept in it."""
        ...

    def remove_empty(self) -> None:
        """Remove the folder where nothing is in it."""
        ...


class ScopeLocks:
    """The locks of the scopes one store has touched.

    Args:
        wait: seconds until :class:`MemoryBusy`.
    """

    def __init__(self, wait: float = LONGEST_WAIT) -> None:
        self._wait = wait
        self._locks: dict[Scope, FileLock] = {}
        self._guard = threading.Lock()

    @contextmanager
    def holding(self, folder: Lockable) -> Iterator[None]:
        """Hold the scope's lock; a folder that holds no memory at the end is removed.

        Raises:
            MemoryBusy: another process held it all the time.
            RuntimeError: this thread holds it already, so that a change would be lost.
        """
        lock = self._of(folder)
        if lock.is_locked:
            msg = "the block of an edit must not call the store"
            raise RuntimeError(msg)
        try:
            lock.acquire(timeout=self._wait, poll_interval=_POLL)
        except Timeout as error:
            name = folder.scope.person or folder.scope.companion
            raise MemoryBusy("memory_busy", name=name, seconds=round(self._wait)) from error
        empty = False
        try:
            yield
        finally:
            empty = not folder.exists()
            if empty:
                # Gone while it is held: who waits for it finds that and makes a new one.
                folder.lock.unlink(missing_ok=True)
            lock.release()
            if empty:
                folder.remove_empty()
                self._forget(folder.scope)

    def _of(self, folder: Lockable) -> FileLock:
        with self._guard:
            lock = self._locks.get(folder.scope)
            if lock is None:
                lock = FileLock(folder.lock, mode=0o600)
                self._locks[folder.scope] = lock
            return lock

    def _forget(self, scope: Scope) -> None:
        with self._guard:
            self._locks.pop(scope, None)
