"""Change files whole or not at all, durably, readable by their owner alone.

A file is flushed before it is renamed, and its folder after that: a crash leaves the old file or
the new one. Several files change by way of a temporary folder, which belongs to the process that
holds its lock; those of dead owners are deleted. One with an intent is an interrupted exchange,
which every process that finds it finishes before it reads a memory.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import msgspec
from filelock import FileLock, Timeout

from siliconfriend.config.loading import flush_folder as flush_folder
from siliconfriend.config.loading import make_folder as make_folder
from siliconfriend.errors import ConfigurationError, MemoryBusy, StoreError, UnopenableMemory

PREFIX = ".siliconfriend-"
"""Prefix of the names of temporary folders."""

OWNER = "owner.lock"
"""Lock file of the working process; its lock ends with the process."""

INTENT = "intent.json"

_NOT_OURS = (
    *(errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR),
    *(errno.EEXIST, errno.EISDIR, errno.ENAMETOOLONG),
)
"""Errors of a file that this account may not use, or that is something else."""


def write_whole(path: Path, *parts: bytes | memoryview, is_durable: bool = True) -> None:
    """Put bytes in the place of ``path`` in one step; durable on return unless told otherwise.

    Only one writer may be at work on a path, since the new file has the same name each time.
    """
    fresh = path.with_name(f"{path.name}.new")
    make_private(fresh)
    with fresh.open("r+b") as file:
        file.truncate()
        file.writelines(parts)
        file.flush()
        if is_durable:
            os.fsync(file.fileno())
    fresh.replace(path)
    if is_durable:
        flush_folder(path.parent)


def flush_file(path: Path) -> None:
    """Flush a file and its folder: what was written last a power cut does not undo."""
    with path.open("r+b") as file:
        os.fsync(file.fileno())
    flush_folder(path.parent)


def make_private(path: Path) -> None:
    """Make the file where there is none; afterwards only its owner can read and write it."""
    path.touch(mode=0o600)
    path.chmod(0o600)


@contextmanager
def private_file(path: Path) -> Iterator[BinaryIO]:
    """Write a file that only its owner can read; it takes its place whole, at the end of the block.

    Raises:
        ConfigurationError: it cannot be written.
    """
    target = path.absolute()
    try:
        if target.exists() and not (target.is_file() or target.is_dir()):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))  # it is a device
        with passing_folder(target.parent) as work:
            make_private(work / "file")
            with (work / "file").open("r+b") as file:
                yield file
            flush_file(work / "file")
            (work / "file").replace(target)
            flush_folder(target.parent)
    except OSError as error:
        raise ConfigurationError("file_unwritable", path=path, cause=error) from error


@contextmanager
def translate_file_errors(
    home: Path, folder: Path | None = None, person: str = ""
) -> Iterator[None]:
    """Turn a file error under ``home`` into one of ours.

    ``folder`` is that of a person, where the work within the block is theirs alone.

    Raises:
        ConfigurationError: the directory cannot be made or written by this user.
        UnopenableMemory: it can, but not what lies in the person's folder.
        StoreError: the disk is full, broken or gone.
    """
    try:
        yield
    except OSError as error:
        if error.errno in _NOT_OURS:
            if folder is not None and _is_in(folder, error):
                details = {"name": person, "path": error.filename}
                raise UnopenableMemory("memory_unopenable", **details, cause=error) from error
            raise ConfigurationError("home_unwritable", home=home) from error
        raise StoreError("store_unwritable", home=home, cause=error) from error


def _is_in(folder: Path, error: OSError) -> bool:
    if not isinstance(error.filename, str | Path) or not os.access(folder.parent, os.X_OK):
        return False
    return os.path.lexists(error.filename) and Path(error.filename).is_relative_to(folder)


@contextmanager
def passing_folder(parent: Path) -> Iterator[Path]:
    """Make a folder in ``parent`` for the block; ownerless ones there are swept first."""
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
    """
    lock = FileLock(folder / OWNER, mode=0o600)
    while True:
        folder.mkdir(mode=0o700, exist_ok=True)
        try:
            lock.acquire(timeout=wait, poll_interval=0.01)
        except FileNotFoundError:
            continue  # removed in between by the process that held it
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
        flush_folder(folder)  # without its lock's name nobody could sweep what comes in
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
    with suppress(OSError):
        _empty(folder)
        # The lock's name goes last, also where a power cut undoes what was not flushed.
        flush_folder(folder)
        (folder / OWNER).unlink(missing_ok=True)
    lock.release()
    with suppress(OSError):
        folder.rmdir()


EXCHANGE = f"{PREFIX}restore"
NEW, OLD = "new", "old"


@dataclass(frozen=True, slots=True)
class Exchange:
    """The names in the data directory that go, and those in ``new`` that come."""

    outgoing: list[str]
    incoming: list[str]


def is_exchange_pending(home: Path) -> bool:
    """Return True if an exchange has begun and is not finished."""
    return (home / EXCHANGE / INTENT).exists()


def finish_exchange(home: Path) -> None:
    """Finish an exchange that was stopped, where there is one.

    Raises:
        MemoryBusy: the process that began it is still at work after half a minute.
        StoreError: its intent cannot be read.
        OSError: a file cannot be moved; it is still to be finished then.
    """
    if not is_exchange_pending(home):
        return
    with named_folder(home / EXCHANGE):
        path = home / EXCHANGE / INTENT
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
    (home / EXCHANGE / OLD).mkdir(mode=0o700)
    # An intent without what it speaks of would move everything out and nothing in.
    flush_folder(home / EXCHANGE)
    flush_folder(home)
    write_whole(home / EXCHANGE / INTENT, msgspec.json.encode(exchange))
    try:
        let_writers_finish()
        _move(home, exchange)
    except (OSError, MemoryBusy, ConfigurationError):
        _shift(exchange.incoming, home, home / EXCHANGE / NEW)
        _shift(exchange.outgoing, home / EXCHANGE / OLD, home)
        _end(home)
        raise
    _end(home)


def _end(home: Path) -> None:
    (home / EXCHANGE / INTENT).unlink(missing_ok=True)
    flush_folder(home / EXCHANGE)


def _move(home: Path, exchange: Exchange) -> None:
    new, old = home / EXCHANGE / NEW, home / EXCHANGE / OLD
    _shift(exchange.outgoing, home, old)
    for name in exchange.incoming:
        if (new / name).exists() and (home / name).exists():
            # Made anew between the two moves, by a process that knew of no exchange.
            (home / name).rename(Path(tempfile.mkdtemp(dir=old)) / name)
    _shift(exchange.incoming, new, home)


def _shift(names: Iterable[str], source: Path, target: Path) -> None:
    for name in names:
        if (source / name).exists() and not (target / name).exists():
            (source / name).rename(target / name)
    flush_folder(target)
    flush_folder(source)
