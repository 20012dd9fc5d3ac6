"""Exchange files of a data directory for others, as a job that survives being stopped.

The new files are complete and flushed in a temporary folder before an intent names what moves out
and in. Every process that finds the intent finishes it before it reads a memory.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from siliconfriend.errors import ConfigurationError, MemoryBusy, StoreError
from siliconfriend.memory import atomic
from siliconfriend.memory.passing import INTENT, PREFIX, named_folder

FOLDER = f"{PREFIX}restore"
NEW, OLD = "new", "old"


@dataclass(frozen=True, slots=True)
class Exchange:
    """The names in the data directory that go, and those in ``new`` that come."""

    outgoing: list[str]
    incoming: list[str]


def is_exchange_pending(home: Path) -> bool:
    """Return True if an exchange has begun and is not finished."""
    return (home / FOLDER / INTENT).exists()


def finish_exchange(home: Path) -> None:
    """Finish an exchange that was stopped, where there is one.

    Raises:
        MemoryBusy: the process that began it is still at work after half a minute.
        StoreError: its intent cannot be read.
        OSError: a file cannot be moved; it is still to be finished then.
    """
    if not is_exchange_pending(home):
        return
    with named_folder(home / FOLDER):
        path = home / FOLDER / INTENT
        if path.exists():
            try:
                exchange = msgspec.json.decode(path.read_bytes(), type=Exchange)
            except msgspec.MsgspecError as error:
                raise StoreError("restore_stuck", path=path, cause=error) from error
            _move(home, exchange)
            _end(home)


def exchange_files(home: Path, exchange: Exchange, let_writers_finish: Callable[[], None]) -> None:
    """Exchange the files; the caller holds the temporary folder, with ``new`` in it.

    Whoever wants to write once the intent is there waits for the end; ``let_writers_finish`` waits
    for those who are writing already.

    Raises:
        OSError, MemoryBusy, ConfigurationError: it cannot be done; all files are in their places.
    """
    (home / FOLDER / OLD).mkdir(mode=0o700)
    # An intent without what it speaks of would move everything out and nothing in.
    atomic.flush_folder(home / FOLDER)
    atomic.flush_folder(home)
    atomic.write_whole(home / FOLDER / INTENT, msgspec.json.encode(exchange))
    try:
        let_writers_finish()
        _move(home, exchange)
    except (OSError, MemoryBusy, ConfigurationError):
        _take_back(home, exchange)
        _end(home)
        raise
    _end(home)


def _end(home: Path) -> None:
    (home / FOLDER / INTENT).unlink(missing_ok=True)
    atomic.flush_folder(home / FOLDER)


def _move(home: Path, exchange: Exchange) -> None:
    new, old = home / FOLDER / NEW, home / FOLDER / OLD
    for name in exchange.outgoing:
        if (home / name).exists() and not (old / name).exists():
            (home / name).rename(old / name)
    atomic.flush_folder(old)
    atomic.flush_folder(home)
    for name in exchange.incoming:
        if not (new / name).exists():
            continue  # it moved before this was stopped
        if (home / name).exists():
            # Made anew between the two moves, by a process that knew of no exchange.
            (home / name).rename(Path(tempfile.mkdtemp(dir=old)) / name)
        (new / name).rename(home / name)
    atomic.flush_folder(home)
    atomic.flush_folder(new)


def _take_back(home: Path, exchange: Exchange) -> None:
    new, old = home / FOLDER / NEW, home / FOLDER / OLD
    for name in exchange.incoming:
        if not (new / name).exists() and (home / name).exists():
            (home / name).rename(new / name)
    for name in exchange.outgoing:
        if (old / name).exists():
            (old / name).rename(home / name)
    atomic.flush_folder(home)
