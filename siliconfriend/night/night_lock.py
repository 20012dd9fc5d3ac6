"""One night a person at a time, whichever process it runs in.

Two nights over one person would pay for every text twice. The claim is a file lock, so it
ends with the process however that ends; a note beside it says who holds it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from siliconfriend.errors import MemoryBusy
from siliconfriend.memory import atomic
from siliconfriend.memory.failures import told_plainly
from siliconfriend.memory.scope import Scope

FOLDER = "locks"
LONGEST_WAIT = 30.0
"""Seconds a second night waits for the first."""

_POLL = 0.1


class NightLocks:
    """Who is having their night.

    Args:
        home: the data directory that several processes share; None where nobody else can
            reach the memory.
        wait: seconds until :class:`MemoryBusy`.
    """

    def __init__(self, home: Path | None, wait: float = LONGEST_WAIT) -> None:
        self._home = home
        self._wait = wait

    @contextmanager
    def hold(self, scope: Scope, now: datetime) -> Iterator[None]:
        """Hold the night of one person.

        Raises:
            MemoryBusy: another night held it all the time; it names the process and since when.
            ConfigurationError: the folder cannot be written.
        """
        if self._home is None:
            yield
            return
        folder = self._home / "night" / FOLDER
        note = folder / f"{scope.digest}.held"
        lock = FileLock(folder / f"{scope.digest}.lock", mode=0o600)
        with told_plainly(self._home):
            atomic.make_folder(folder)
            try:
                lock.acquire(timeout=self._wait, poll_interval=_POLL)
            except Timeout as error:
                raise _held(scope, note) from error
            try:
                form = {"pid": os.getpid(), "since": now.isoformat(timespec="seconds")}
                # Told to who waits, and worth nothing after a crash: no flush.
                atomic.make_private(note)
                note.write_text(json.dumps(form), encoding="utf-8")
            except OSError:
                lock.release()
                raise
        try:
            yield
        finally:
            note.unlink(missing_ok=True)
            lock.release()


def _held(scope: Scope, note: Path) -> MemoryBusy:
    try:
        form = json.loads(note.read_bytes())
        pid, since = int(form["pid"]), datetime.fromisoformat(form["since"])
    except (OSError, ValueError, KeyError, TypeError):
        return MemoryBusy("night_held_by_one", name=scope.person)
    return MemoryBusy("night_held", name=scope.person, pid=pid, since=f"{since:%Y-%m-%d %H:%M} UTC")
