"""Passing folders: where a backup, a restore or an erasing works before anything takes its place.

What lies in one is worth nothing to anybody but its process, and yet it is full of people's
words. So each has an owner, the process that holds its lock, and one whose owner has died is
swept away by the next that comes by. One that holds an intent is a restore that was stopped:
it is finished by ``restore.py`` and never swept.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath

from filelock import FileLock, Timeout

from siliconfriend.errors import MemoryBusy
from siliconfriend.memory import atomic

PREFIX = ".siliconfriend-"
"""How the names of passing folders begin."""

OWNER = "owner.lock"
"""Its lock is held by the process at work, and ends with that process however it ends."""

INTENT = "intent.json"

_PATIENCE = 30.0
_POLL = 0.01


def is_passing(path: PurePath) -> bool:
    """True if a path, relative to some folder, lies in a passing folder or is one."""
    return any(part.startswith(PREFIX) for part in path.parts)


@contextmanager
def passing_folder(parent: Path) -> Iterator[Path]:
    """Make a folder in ``parent`` for the block; ownerless ones there are swept first.

    Raises:
        OSError: it cannot be made.
    """
    sweep(parent)
    while True:
        folder = Path(tempfile.mkdtemp(dir=parent, prefix=PREFIX))
        lock = FileLock(folder / OWNER, mode=0o600)
        lock.acquire(timeout=_PATIENCE, poll_interval=_POLL)
        if (folder / OWNER).exists():
            folder.chmod(0o700)
            break
        lock.release()  # swept before it was held
    try:
        atomic.flush_folder(folder)  # without its lock's name nobody could sweep what comes in
        yield folder
    finally:
        _remove(folder, lock)


@contextmanager
def named_folder(folder: Path) -> Iterator[None]:
    """Hold the passing folder of this very name for the block, made where it is missing.

    It is emptied first unless it holds an intent, and removed at the end unless it holds one.

    Raises:
        MemoryBusy: another process held it all the time.
        OSError: it cannot be made.
    """
    lock = FileLock(folder / OWNER, mode=0o600)
    while True:
        folder.mkdir(mode=0o700, exist_ok=True)
        try:
            lock.acquire(timeout=_PATIENCE, poll_interval=_POLL)
        except Timeout as error:
            raise MemoryBusy(
                "restore_going_on", home=folder.parent, seconds=round(_PATIENCE)
            ) from error
        if (folder / OWNER).exists():
            break
        lock.release()  # removed by the process that held it before
    try:
        if not (folder / INTENT).exists():
            _empty(folder)
        atomic.flush_folder(folder)
        yield
    finally:
        if (folder / INTENT).exists():
            lock.release()
        else:
            _remove(folder, lock)


def sweep(parent: Path) -> None:
    """Remove the passing folders in ``parent`` whose process has died."""
    for folder in parent.glob(f"{PREFIX}*"):
        # What cannot be looked into is somebody else's.
        with suppress(OSError, Timeout):
            if not is_ownerless(folder):
                folder.rmdir()  # the last step of a removal, where nothing is in it
                continue
            lock = FileLock(folder / OWNER, mode=0o600)
            lock.acquire(timeout=0)
            if (folder / INTENT).exists():
                lock.release()
            else:
                _remove(folder, lock)


def is_ownerless(folder: Path) -> bool:
    """True if a passing folder holds no intent and its process may have died."""
    if folder.is_symlink() or not (folder / OWNER).is_file():
        return False
    return not (folder / INTENT).exists()


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        if path.name == OWNER:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _remove(folder: Path, lock: FileLock) -> None:
    """Remove a folder that is held; what cannot be removed now is swept later."""
    with suppress(OSError):
        _empty(folder)
        # The lock's name goes last, also where a power cut undoes what was not flushed.
        atomic.flush_folder(folder)
        (folder / OWNER).unlink(missing_ok=True)
    lock.release()
    with suppress(OSError):
        folder.rmdir()
