"""Translate the system's file errors into errors that a person can act on."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from siliconfriend.errors import ConfigurationError, StoreError, UnopenableMemory
from siliconfriend.memory.folder import Folder

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
def translate_file_errors(home: Path, folder: Folder | None = None) -> Iterator[None]:
    """Turn a file error under ``home`` into one of ours.

    Args:
        home: the data directory.
        folder: one person's, where the work within the block is theirs alone.

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
                details = {"name": folder.scope.person, "path": error.filename}
                raise UnopenableMemory("memory_unopenable", **details, cause=error) from error
            raise ConfigurationError("home_unwritable", home=home) from error
        raise StoreError("store_unwritable", home=home, cause=error) from error


def _is_in(folder: Folder, error: OSError) -> bool:
    """True if the fault is of something that is there in the person's folder."""
    if not isinstance(error.filename, str | Path) or not os.access(folder.path.parent, os.X_OK):
        return False
    return os.path.lexists(error.filename) and Path(error.filename).is_relative_to(folder.path)
