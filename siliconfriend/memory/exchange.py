"""Exchange the files of a data directory for others: a job that survives being stopped.

The new files lie in a passing folder, whole and synced, before an intent beside them names
what moves out and what moves in. From then on every process that finds the intent finishes
it before it reads a memory, so nobody ever sees a data directory with half of its people.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from siliconfriend.errors import StoreError
from siliconfriend.memory import atomic
from siliconfriend.memory.passing import INTENT, PREFIX, named_folder

FOLDER = f"{PREFIX}restore"
NEW, OLD = "new", "old"


@dataclass(frozen=True, slots=True)
class Exchange:
    """What changes places, by names relative to the data directory.

    Attributes:
        outgoing: what is there now and goes.
        incoming: what comes from the passing folder; a name that is not in ``whole`` never
            takes the place of anything.
        whole: names that belong to a data directory.
    """

    outgoing: Sequence[str]
    incoming: Sequence[str]
    whole: Sequence[str]


def exchange_folder(home: Path) -> Path:
    """The passing folder of the exchange, with ``new`` for what comes in."""
    return home / FOLDER


def is_exchange_pending(home: Path) -> bool:
    """True if an exchange has begun and is not finished."""
    return (home / FOLDER / INTENT).exists()


def finish_exchange(home: Path) -> bool:
    """Finish an exchange that was stopped; True if there was one.

    Raises:
        MemoryBusy: the process that began it is still at work after half a minute.
        StoreError: its intent cannot be read.
        OSError: a file cannot be moved; it is still to be finished then.
    """
    if not is_exchange_pending(home):
        return False
    with named_folder(home / FOLDER):
        if not is_exchange_pending(home):
            return False
        exchange = _read_intent(home)
        _move_out(home, exchange)
        _move_in(home, exchange)
        end_exchange(home)
    return True


def begin_exchange(home: Path, exchange: Exchange) -> None:
    """Write the intent, durable on return; the caller holds the passing folder."""
    form = {
        "job": "restore",
        "outgoing": list(exchange.outgoing),
        "incoming": list(exchange.incoming),
        "whole": list(exchange.whole),
    }
    (home / FOLDER / OLD).mkdir(mode=0o700)
    # An intent without what it speaks of would move everything out and nothing in.
    atomic.flush_folder(home / FOLDER)
    atomic.flush_folder(home)
    atomic.write_whole(home / FOLDER / INTENT, json.dumps(form, indent=2).encode())


def carry_out(home: Path, exchange: Exchange) -> None:
    """Do what the intent says; the caller holds the passing folder.

    Raises:
        OSError: a file cannot be moved; all are back in their places then.
    """
    try:
        _move_out(home, exchange)
        _move_in(home, exchange)
    except OSError:
        _take_back(home, exchange)
        end_exchange(home)
        raise
    end_exchange(home)


def end_exchange(home: Path) -> None:
    """Remove the intent; of an exchange that is not done nothing may have moved yet."""
    (home / FOLDER / INTENT).unlink(missing_ok=True)
    atomic.flush_folder(home / FOLDER)


def _read_intent(home: Path) -> Exchange:
    path = home / FOLDER / INTENT
    try:
        form = json.loads(path.read_bytes())
        return Exchange(form["outgoing"], form["incoming"], form["whole"])
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError("restore_stuck", path=path, cause=error) from error


def _move_out(home: Path, exchange: Exchange) -> None:
    old = home / FOLDER / OLD
    for name in exchange.outgoing:
        if (home / name).exists() and not (old / name).exists():
            (home / name).rename(old / name)
    atomic.flush_folder(old)
    atomic.flush_folder(home)


def _move_in(home: Path, exchange: Exchange) -> None:
    new, old = home / FOLDER / NEW, home / FOLDER / OLD
    folders = {home, new}
    for name in exchange.incoming:
        if not (new / name).exists():
            continue  # it moved before this was stopped
        target = home / name
        if target.exists():
            if name not in exchange.whole:
                continue  # somebody's own file: it is left alone
            # Made anew between the two moves, by a process that knew of no exchange.
            number = 1
            while (aside := old / f"{name}.{number}").exists():
                number += 1
            target.rename(aside)
        atomic.make_folder(target.parent)
        (new / name).rename(target)
        folders |= {target.parent, (new / name).parent}
    for folder in sorted(folders):
        atomic.flush_folder(folder)


def _take_back(home: Path, exchange: Exchange) -> None:
    new, old = home / FOLDER / NEW, home / FOLDER / OLD
    for name in exchange.incoming:
        if not (new / name).exists() and (home / name).exists():
            (home / name).rename(new / name)
    for name in exchange.outgoing:
        if (old / name).exists():
            (old / name).rename(home / name)
    atomic.flush_folder(home)
