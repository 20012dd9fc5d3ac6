"""The text chunks of a PNG, in which character cards travel, and the picture without them.

The picture itself is never decoded: an image of a few bytes can unfold to gigabytes. What is
compressed in a chunk is unpacked up to a limit and no further.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from siliconfriend.errors import UnreadableFile

SIGNATURE = b"\x89PNG\r\n\x1a\n"
LARGEST_TEXT = 1 << 25
"""Bytes of one text, unpacked."""
LARGEST_SIDE = 8192
"""Pixels; a larger picture is not kept."""

_TEXTS = (b"tEXt", b"iTXt", b"zTXt")
_KEPT = frozenset(
    {b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"sBIT"}
    | {b"bKGD", b"pHYs", b"acTL", b"fcTL", b"fdAT"}
)
"""Chunks that show the picture."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """One chunk of a PNG: its four letters and its bytes."""

    sort: bytes
    data: bytes


def read_chunks(data: bytes) -> list[Chunk]:
    """The chunks of a PNG, up to its end.

    Raises:
        UnreadableFile: it is no PNG, or one that breaks off.
    """
    found, at = list[Chunk](), len(SIGNATURE)
    while data.startswith(SIGNATURE) and at + 12 <= len(data):
        length, sort = struct.unpack_from(">I4s", data, at)
        if at + 12 + length > len(data):
            break
        found.append(Chunk(sort, data[at + 8 : at + 8 + length]))
        if sort == b"IEND":
            return found
        at += 12 + length
    raise UnreadableFile("card_broken_picture")


def texts_of(chunks: Iterable[Chunk]) -> dict[str, bytes]:
    """The texts by their keyword in small letters, as bytes; of two with one keyword the last.

    Raises:
        UnreadableFile: one is too large unpacked.
    """
    return dict(_text(chunk) for chunk in chunks if chunk.sort in _TEXTS)


def picture_of(chunks: Iterable[Chunk]) -> bytes | None:
    """The picture without texts and other additions; None where it is too large to be shown."""
    kept = [chunk for chunk in chunks if chunk.sort in _KEPT]
    if not kept or kept[0].sort != b"IHDR" or len(kept[0].data) != 13:
        return None
    width, height = struct.unpack_from(">II", kept[0].data)
    if not (0 < width <= LARGEST_SIDE and 0 < height <= LARGEST_SIDE):
        return None
    return _join(kept)


def with_texts(picture: bytes, texts: Mapping[str, bytes]) -> bytes:
    """The PNG with texts before its end, as ``tEXt``; they must be ASCII.

    Raises:
        UnreadableFile: it is no PNG.
    """
    chunks = [chunk for chunk in read_chunks(picture) if chunk.sort in _KEPT]
    added = [Chunk(b"tEXt", name.encode() + b"\0" + words) for name, words in texts.items()]
    return _join([*chunks[:-1], *added, chunks[-1]])


def _join(chunks: Iterable[Chunk]) -> bytes:
    return SIGNATURE + b"".join(
        struct.pack(">I", len(it.data))
        + it.sort
        + it.data
        + struct.pack(">I", zlib.crc32(it.sort + it.data))
        for it in chunks
    )


def _text(chunk: Chunk) -> tuple[str, bytes]:
    name, _, rest = chunk.data.partition(b"\0")
    if chunk.sort == b"zTXt":
        rest = _unpacked(rest[1:])
    elif chunk.sort == b"iTXt":
        is_packed, body = rest[:1] == b"\1", rest[2:]
        # The language and the keyword in it stand before the text.
        rest = [*body.split(b"\0", 2), b"", b""][2]
        rest = _unpacked(rest) if is_packed else rest
    return name.decode("latin-1").lower(), rest


def _unpacked(data: bytes) -> bytes:
    unpacking = zlib.decompressobj()
    try:
        words = unpacking.decompress(data, LARGEST_TEXT)
    except zlib.error as error:
        raise UnreadableFile("card_broken_picture") from error
    if unpacking.unconsumed_tail:
        raise UnreadableFile("card_too_large", largest=LARGEST_TEXT >> 20)
    return words
