"""Change files whole or not at all, durably, readable by their owner alone.

A file is flushed before it is renamed, and its folder after that: a crash leaves the old file or
the new one. Several files are replaced through a temporary directory, owned by the process that
holds its lock. Directories of dead processes are deleted. A directory with an intent file is an
interrupted exchange; the next process that opens the data directory finishes the exchange first.
"""

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
"""Name of the lock file; the operating system releases the lock when the process ends."""

INTENT = "intent.json"

_NOT_OURS = (
    *(errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR),
    *(errno.EEXIST, errno.EISDIR, errno.ENAMETOOLONG),
)
"""Errors raised for a file without permission or of the wrong type."""


def write_whole(path: Path, *parts: bytes | memoryview, is_durable: bool = True) -> None:
    """Replace the contents of ``path`` atomically; durable on return by default.

    Only one writer may use a path at a time, since the temporary file has a fixed name.
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
    """Flush a file and its directory to disk, so that a power failure loses nothing."""
    with path.open("r+b") as file:
        os.fsync(file.fileno())
    flush_folder(path.parent)


def make_private(path: Path) -> None:
    """Create the file if it is missing, and restrict access to its owner."""
    path.touch(mode=0o600)
    path.chmod(0o600)


@contextmanager
def private_file(path: Path) -> Iterator[BinaryIO]:
    """Write a file that only its owner can read; replace it atomically at the end.

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
    """Convert an OSError under ``home`` into a SiliconFriendError.

    ``folder`` is the person's directory, if the block only touches that person's files.

    Raises:
        ConfigurationError: the directory cannot be made or written by this user.
        UnopenableMemory: a file in the person's directory cannot be opened.
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
    """Create a temporary directory in ``parent`` for the block; delete those of dead processes."""
    sweep(parent)
    folder = parent / f"{PREFIX}{secrets.token_hex(8)}"
    with named_folder(folder):
        yield folder


@contextmanager
def named_folder(folder: Path, *, wait: float = 30.0) -> Iterator[None]:
    """Lock the temporary directory for the block, creating it if necessary.

    The directory is emptied first and removed at the end, unless it holds an intent file.

    Raises:
        MemoryBusy: another process held the lock for longer than ``wait`` seconds.
    """
    lock = FileLock(folder / OWNER, mode=0o600)
    while True:
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            lock.acquire(timeout=wait, poll_interval=0.01)
        except (FileExistsError, FileNotFoundError):
            if folder.exists() and not folder.is_dir():
                raise
            continue  # removed meanwhile by the process that held the lock
        except Timeout as error:
            details = {"home": folder.parent, "seconds": round(wait)}
            raise MemoryBusy("restore_going_on", **details) from error
        if (folder / OWNER).exists():
            break
        lock.release()  # removed by the previous holder of the lock
    try:
        if not (folder / INTENT).exists():
            _empty(folder)
        folder.chmod(0o700)
        flush_folder(folder)  # without the lock file no process could clean up this directory
        yield
    finally:
        if (folder / INTENT).exists():
            lock.release()
        else:
            _remove(folder, lock)


def sweep(parent: Path) -> None:
    """Remove the temporary directories in ``parent`` whose process has died."""
    for folder in parent.glob(f"{PREFIX}*"):
        # A directory that cannot be read belongs to another account.
        with suppress(OSError, MemoryBusy):
            if folder.is_symlink() or (folder / INTENT).exists():
                continue
            if (folder / OWNER).is_file():
                with named_folder(folder, wait=0):
                    pass
            else:
                folder.rmdir()  # the last step of a removal: the directory is empty


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.name != OWNER:
            path.unlink()


def _remove(folder: Path, lock: FileLock) -> None:
    with suppress(OSError):
        _empty(folder)
        # The lock file is deleted last, also if a power failure undoes unflushed changes.
        flush_folder(folder)
        (folder / OWNER).unlink(missing_ok=True)
    lock.release()
    with suppress(OSError):
        folder.rmdir()


EXCHANGE = f"{PREFIX}restore"
NEW, OLD = "new", "old"


@dataclass(frozen=True, slots=True)
class FileSwap:
    """The names to remove from the data directory, and the names to add from ``new``."""

    outgoing: list[str]
    incoming: list[str]


def is_exchange_pending(home: Path) -> bool:
    """Return True if an exchange has begun and is not finished."""
    return (home / EXCHANGE / INTENT).exists()


def finish_exchange(home: Path) -> None:
    """Finish an interrupted exchange, if there is one.

    Raises:
        MemoryBusy: the process that began the exchange is still running after 30 seconds.
        StoreError: the intent file cannot be read.
        OSError: a file cannot be moved; the exchange stays unfinished.
    """
    if not is_exchange_pending(home):
        return
    with named_folder(home / EXCHANGE):
        path = home / EXCHANGE / INTENT
        if path.exists():
            try:
                exchange = msgspec.json.decode(path.read_bytes(), type=FileSwap)
            except msgspec.MsgspecError as error:
                raise StoreError("restore_stuck", path=path, cause=error) from error
            _move(home, exchange)
            _end(home)


def exchange_files(home: Path, exchange: FileSwap, let_writers_finish: Callable[[], None]) -> None:
    """Exchange the files; the caller holds the temporary folder, with ``new`` in it.

    New writers wait while the intent file exists; ``let_writers_finish`` waits for active writers.

    Raises:
        OSError, MemoryBusy, ConfigurationError: the exchange failed; all files are unchanged.
    """
    (home / EXCHANGE / OLD).mkdir(mode=0o700)
    # An intent without the new files would move everything out and nothing in.
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


def _move(home: Path, exchange: FileSwap) -> None:
    new, old = home / EXCHANGE / NEW, home / EXCHANGE / OLD
    _shift(exchange.outgoing, home, old)
    for name in exchange.incoming:
        if (new / name).exists() and (home / name).exists():
            # Created again between the two moves, by a process that did not see the exchange.
            (home / name).rename(Path(tempfile.mkdtemp(dir=old)) / name)
    _shift(exchange.incoming, new, home)


def _shift(names: Iterable[str], source: Path, target: Path) -> None:
    for name in names:
        if (source / name).exists() and not (target / name).exists():
            (source / name).rename(target / name)
    flush_folder(target)
    flush_folder(source)
