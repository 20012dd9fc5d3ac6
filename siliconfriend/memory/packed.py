"""Open a packed backup without unpacking more than a backup of its size can hold.

A few kilobytes of gzip can unpack to as many gigabytes. What is read of a file from outside
is therefore counted as it comes out, headers and holes too, and reading stops at a bound
that text never reaches.
"""

from __future__ import annotations

import gzip
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from siliconfriend.errors import UnreadableFile

MOST_PER_BYTE = 100
"""Bytes that one packed byte may unpack to; memories give some ten, zeros a thousand."""

ALWAYS_ALLOWED = 100 << 20
"""Bytes that may be unpacked whatever the size of the file."""

_BLOCK = 1 << 16


class Packed:
    """A ``tar.gz`` that is being read from its beginning to its end.

    Attributes:
        tar: the archive.
    """

    def __init__(self, tar: tarfile.TarFile, counted: _Counted) -> None:
        self.tar = tar
        self._counted = counted

    def read(self, entry: tarfile.TarInfo) -> bytes | None:
        """The bytes of the file at which reading stands; None where it is no plain one.

        Raises:
            UnreadableFile: it unpacks to more than is allowed.
        """
        file = self.tar.extractfile(entry) if entry.isreg() and not entry.issparse() else None
        return None if file is None else file.read()

    def drain(self) -> None:
        """Read to the end of the compressed stream, where its own checksum stands."""
        while self._counted.read(_BLOCK):
            pass


@contextmanager
def open_packed(path: Path) -> Iterator[Packed]:
    """Open a ``tar.gz`` for the block.

    Raises:
        UnreadableFile: it unpacks to more than is allowed.
        OSError, EOFError, zlib.error, tarfile.TarError: it is none, or a damaged one.
    """
    with gzip.open(path) as file:
        counted = _Counted(path, cast(BinaryIO, file))
        with tarfile.open(fileobj=cast(BinaryIO, counted), mode="r|") as tar:
            yield Packed(tar, counted)


class _Counted:
    """Reads on from a file as long as not too much has come out of it."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path = path
        self._file = file
        self._allowed = max(ALWAYS_ALLOWED, MOST_PER_BYTE * path.stat().st_size)
        self._left = self._allowed

    def read(self, size: int) -> bytes:
        """The next bytes.

        Raises:
            UnreadableFile: they are more than is allowed.
        """
        data = self._file.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise UnreadableFile("backup_too_large", path=self._path, megabytes=self._allowed >> 20)
        return data
