"""Seal what is written with a checksum, so that a changed byte never passes for what was said.

A byte that changes on a disk can leave valid JSON: another word in a turn, another
``folded_through`` that hides turns. So each line of a journal and each ``memory.json`` ends
with the CRC-32 of everything before it. What has none was written by an earlier version, or
by a program that knows no checksums, and is read as it is.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Collection

from siliconfriend.memory.codec import Unreadable

KEY = "crc32"

_QUOTED = b'"crc32"'
_LONGEST = 48
"""Bytes at the end of an object in which its seal begins, blanks included."""

_SEAL = re.compile(rb',\s*"crc32":\s*"([0-9a-f]{8})"\s*\}\s*')


def seal(data: bytes) -> bytes:
    """Give a JSON object, of one line or indented, its checksum as the last field."""
    if data.endswith(b"\n}"):
        return b'%b,\n  "crc32": "%08x"\n}' % (data[:-2], zlib.crc32(data[:-2]))
    return b'%b,"crc32":"%08x"}' % (data[:-1], zlib.crc32(data[:-1]))


def verify(data: bytes, form: Collection[str]) -> bool:
    """Compare the JSON object in ``data``, read as ``form``, with its checksum; False where it has none.

    Raises:
        Unreadable: something in it is not what was written.
    """
    stated = _find_seal(data)
    if stated is not None and zlib.crc32(memoryview(data)[: stated.start()]) != int(stated[1], 16):
        raise Unreadable("the checksum is another one")
    if stated is None and KEY in form:
        raise Unreadable("the checksum does not stand at the end")
    return stated is not None


def _find_seal(data: bytes) -> re.Match[bytes] | None:
    quoted = data.rfind(_QUOTED, max(0, len(data) - _LONGEST))
    comma = data.rfind(b",", 0, quoted) if quoted >= 0 else -1
    return _SEAL.fullmatch(data, comma) if comma >= 0 else None
