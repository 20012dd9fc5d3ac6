"""Translate the system's file errors into errors that a person can act on."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from siliconfriend.errors import ConfigurationError, StoreError

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
def translate_file_errors(home: Path) -> Iterator[None]:
    """Turn a file error under ``home`` into one of ours.

    Raises:
        ConfigurationError: the directory cannot be made or written by this user.
        StoreError: the disk is full, broken or gone.
    """
    try:
        yield
    except OSError as error:
        if error.errno in _NOT_OURS:
            raise ConfigurationError("home_unwritable", home=home) from error
        raise StoreError("store_unwritable", home=home, cause=error.strerror or error) from error
