"""Temporary folders of a backup, a restore or an erasure.

Their owner is the process that holds the lock; folders of dead owners are deleted by the next
process. A folder with an intent is an interrupted restore: it is finished, never deleted.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath

from filelock import FileLock, Timeout

from siliconfriend.errors import MemoryBusy
from siliconfriend.memory import atomic

PREFIX = ".siliconfriend-"
"""Prefix of the names of temporary folders."""

OWNER = "owner.lock"
"""Lock file of the working process; its lock ends with the process."""

INTENT = "intent.json"


def is_passing(path: PurePath) -> bool:
    """Return True if a path, relative to some folder, lies in a passing folder or is one."""
    return any(part.startswith(PREFIX) for part in path.parts)


@contextmanager
def passing_folder(parent: Path) -> Iterator[Path]:
    """Make a folder in ``parent`` for the block; ownerless ones there are swept first.

    Raises:
        OSError: it cannot be made.
    """
    sweep(parent)
    folder = parent / f"{PREFIX}{secrets.token_hex(8)}"
    with named_folder(folder):
        yield folder


@contextmanager
def named_folder(folder: Path, *, wait: float = 30.0) -> Iterator[None]:
    """Hold the passing folder of this very name for the block, made where it is missing.

    It is emptied first unless it holds an intent, and removed at the end unless it holds one.

    Raises:
        MemoryBusy: another process held it for longer than ``wait`` seconds.
        OSError: it cannot be made.
    """
    lock = FileLock(folder / OWNER, mode=0o600)
    while True:
        folder.mkdir(mode=0o700, exist_ok=True)
        try:
            lock.acquire(timeout=wait, poll_interval=0.01)
        except Timeout as error:
            details = {"home": folder.parent, "seconds": round(wait)}
            raise MemoryBusy("restore_going_on", **details) from error
        if (folder / OWNER).exists():
            break
        lock.release()  # removed by the process that held it before
    try:
        if not (folder / INTENT).exists():
            _empty(folder)
        folder.chmod(0o700)
        atomic.flush_folder(folder)  # without its lock's name nobody could sweep what comes in
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
        with suppress(OSError, MemoryBusy):
            if folder.is_symlink() or (folder / INTENT).exists():
                continue
            if (folder / OWNER).is_file():
                with named_folder(folder, wait=0):
                    pass
            else:
                folder.rmdir()  # the last step of a removal, where nothing is in it


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.name != OWNER:
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
