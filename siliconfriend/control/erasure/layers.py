"""Unpack what a file holds, layer by layer, as far as it can be unpacked.

A search that only knew whole archives would say "0 left" of a half-written backup or of notes
that somebody compressed. What breaks off is read up to there.
"""

from __future__ import annotations

import bz2
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Protocol

DEEPEST = 4
"""Layers of packing that are looked through, a backup in a zip file for instance."""

LARGEST = 1 << 28
"""Bytes a packed file may have unpacked; a larger one is not read, and is named."""

_BLOCK = 1 << 16


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


_STREAMS: tuple[tuple[bytes, Callable[[], _Decompressor]], ...] = (
    (b"\x1f\x8b", lambda: zlib.decompressobj(wbits=31)),
    (b"BZh", bz2.BZ2Decompressor),
    (b"\xfd7zXZ\x00", lzma.LZMADecompressor),
)


def layers(data: bytes, depth: int = 0) -> Iterator[bytes]:
    """Yield the bytes themselves, then those of everything that is packed in them.

    Raises:
        OSError: unpacked it is too large to be read.
    """
    yield data
    if depth < DEEPEST:
        for inner in _unpack(data):
            yield from layers(inner, depth + 1)


def _unpack(data: bytes) -> Iterator[bytes]:
    for begin, decompressor in _STREAMS:
        if data.startswith(begin):
            yield _decompress(data, decompressor)
    if data.startswith(b"PK"):
        yield from _zipped(data)
    elif data[257:262] == b"ustar":
        yield from _tarred(data)


def _decompress(data: bytes, new: Callable[[], _Decompressor]) -> bytes:
    """All streams in the data one after the other, up to where they break off."""
    found = bytearray()
    try:
        while data:
            decompressor = new()
            for start in range(0, len(data), _BLOCK):
                found += decompressor.decompress(data[start : start + _BLOCK])
                if len(found) > LARGEST:
                    break
                if decompressor.eof:
                    break
            if len(found) > LARGEST or not decompressor.eof:
                break
            data = decompressor.unused_data + data[start + _BLOCK :]
    except (zlib.error, lzma.LZMAError, EOFError, OSError):
        pass  # what came before stands
    if len(found) > LARGEST:
        raise OSError("too large unpacked")
    return bytes(found)


def _zipped(data: bytes) -> Iterator[bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            for entry in packed.infolist():
                if entry.file_size > LARGEST:
                    raise OSError("too large unpacked")
                yield packed.read(entry)
    except (zipfile.BadZipFile, EOFError, RuntimeError, zlib.error):
        return  # a password, or broken: its bytes as they are were read all the same


def _tarred(data: bytes) -> Iterator[bytes]:
    """Files in an archive that are packed themselves; the others stand in its bytes as they are."""
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as packed:
            for entry in packed:
                file = packed.extractfile(entry) if entry.isreg() and not entry.issparse() else None
                if file is not None:
                    yield file.read()
    except (tarfile.TarError, EOFError):
        return
