"""One lock a scope, between the threads of a process.

Between processes the row of the scope is locked; within one, a thread waits here first, so that it
takes no connection while it waits, and a block that calls the store for its own scope is told so
instead of waiting for itself.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from siliconfriend.errors import MemoryBusy
from siliconfriend.memory.scope import Scope


class ThreadLocks:
    """The locks of the scopes that threads work on just now.

    Args:
        wait: seconds until :class:`MemoryBusy`.
    """

    def __init__(self, wait: float) -> None:
        self._wait = wait
        self._guard = threading.Lock()
        self._locks: dict[Scope, _Held] = {}

    @contextmanager
    def holding(self, scope: Scope) -> Iterator[None]:
        """Hold the scope's lock for a block.

        Raises:
            MemoryBusy: another thread held it all the time.
            RuntimeError: this thread holds it already.
        """
        with self._guard:
            held = self._locks.setdefault(scope, _Held())
            held.users += 1
        try:
            if held.owner == threading.get_ident():
                msg = "the block of an edit must not call the store"
                raise RuntimeError(msg)
            if not held.lock.acquire(timeout=self._wait):
                raise MemoryBusy("memory_busy", name=scope.person, seconds=round(self._wait))
            held.owner = threading.get_ident()
            try:
                yield
            finally:
                held.owner = None
                held.lock.release()
        finally:
            with self._guard:
                held.users -= 1
                if not held.users:
                    del self._locks[scope]


class _Held:
    """A lock, who holds it, and how many threads hold it or wait for it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.owner: int | None = None
        self.users = 0
