"""One night a person at a time, whichever process it runs in.

Two nights over one person would pay for every text twice. It is a file lock, so it ends
with the process however that ends; a note beside it says who holds it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Protocol

from filelock import FileLock, Timeout

from siliconfriend.errors import MemoryBusy
from siliconfriend.memory import atomic
from siliconfriend.memory.file_errors import translate_file_errors
from siliconfriend.memory.scope import Scope

FOLDER = "locks"
LONGEST_WAIT = 30.0
"""Seconds a second night waits for the first."""

_POLL = 0.1


class Held(Protocol):
    """One person's night, while it is held."""

    def check(self) -> None:
        """Go on only while it is held.

        Raises:
            MemoryBusy: it is not any more, and another night may be at work.
        """
        ...


class HeldHere:
    """A night that is held until the block or the process ends."""

    def check(self) -> None:
        """It is held."""


@contextmanager
def hold_night(
    home: Path | None, scope: Scope, now: datetime, *, wait: float = LONGEST_WAIT
) -> Iterator[Held]:
    """Hold the lock of one person's night for a block.

    Args:
        home: the data directory that several processes share; None where nobody else can
            reach the memory, and nothing is locked.
        scope: whose night.
        now: written beside the lock, for who waits.
        wait: seconds until :class:`MemoryBusy`.

    Raises:
        MemoryBusy: another night held it all the time; it names the process and since when.
        ConfigurationError: the folder cannot be written.
    """
    if home is None:
        yield HeldHere()
        return
    folder = home / "night" / FOLDER
    note = folder / f"{scope.digest}.held"
    lock = FileLock(folder / f"{scope.digest}.lock", mode=0o600)
    with translate_file_errors(home):
        atomic.make_folder(folder)
        try:
            lock.acquire(timeout=wait, poll_interval=_POLL)
        except Timeout as error:
            raise _busy(scope, note) from error
        try:
            form = {"pid": os.getpid(), "since": now.isoformat(timespec="seconds")}
            # It is read by who waits, and worth nothing after a crash: no flush.
            atomic.make_private(note)
            note.write_text(json.dumps(form), encoding="utf-8")
        except OSError:
            lock.release()
            raise
    try:
        yield HeldHere()
    finally:
        note.unlink(missing_ok=True)
        lock.release()


def _busy(scope: Scope, note: Path) -> MemoryBusy:
    try:
        form = json.loads(note.read_bytes())
        pid, since = int(form["pid"]), datetime.fromisoformat(form["since"])
    except (OSError, ValueError, KeyError, TypeError):
        return MemoryBusy("night_held_by_one", name=scope.person)
    return MemoryBusy("night_held", name=scope.person, pid=pid, since=f"{since:%Y-%m-%d %H:%M} UTC")
