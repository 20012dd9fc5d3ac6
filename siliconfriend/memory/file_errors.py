"""Translate the system's file errors into errors that a person can act on."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from siliconfriend.errors import (
    ConfigurationError,
    DamagedMemory,
    MemoryBusy,
    SiliconFriendError,
    StoreError,
    UnopenableMemory,
)

_NOT_OURS = {
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.ENOTDIR,
    errno.EEXIST,
    errno.EISDIR,
    errno.ENAMETOOLONG,
}


@contextmanager
def translate_file_errors(
    home: Path, folder: Path | None = None, person: str = ""
) -> Iterator[None]:
    """Turn a file error under ``home`` into one of ours.

    Args:
        home: the data directory.
        folder: one person's, where the work within the block is theirs alone.
        person: their name.

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


_SQLITE_NOT_OURS = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM)
_DAMAGED = (
    *(sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT),
    *(sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_CONSTRAINT),
)
"""A table that is not there, or a row that cannot be, is damage: statements are tested."""
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


@contextmanager
def translate_sqlite_errors(place: str, wait: float) -> Iterator[None]:
    """Turn an error of SQLite within the block into one of ours."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translated(error, place, wait) from error


def undecodable(error: UnicodeDecodeError) -> sqlite3.Error:
    """SQLite's error where what it says is no text: the file is damaged."""
    damaged = sqlite3.DatabaseError(str(error))
    damaged.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return damaged


def _translated(error: sqlite3.Error, place: str, wait: float) -> SiliconFriendError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    details: dict[str, object] = {"path": place, "cause": error}
    if code in _BUSY:
        return MemoryBusy("database_busy", seconds=round(wait))
    if code in _DAMAGED or "decode" in str(error):
        return DamagedMemory("database_damaged", **details)
    if code in _SQLITE_NOT_OURS:
        return ConfigurationError("database_unopenable", **details)
    return StoreError("database_unwritable", **details)
