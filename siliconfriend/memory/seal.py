"""Checksums and encryption of records, so that a changed byte is never read as words.

SQLite reads a flipped bit silently. Each record has the CRC-32 of its bytes, or is encrypted by
AES-256-GCM; both include scope, date and id, so that a moved row is noticed too. ``memory.json``
ends with a CRC-32 of all before it.
"""

from __future__ import annotations

import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.encryption import Cipher
from siliconfriend.memory.scope import Scope

KEY = "crc32"

_SEAL = re.compile(rb',\s*"crc32":\s*"([0-9a-f]{8})"\s*\}\s*\Z')
_LONGEST = 64
"""Bytes at the end of an object in which its seal stands, blanks included."""

_BEGIN, _END = b'{"encrypted":"', b'"}'


@dataclass(frozen=True)
class Sealer:
    """Seals the rows of one scope.

    Attributes:
        scope: whose rows.
        cipher: encrypts; None seals with a checksum.
    """

    scope: Scope
    cipher: Cipher | None = None

    def seal(self, date: str, name: str, data: bytes) -> tuple[bytes, int | None]:
        """Seal the bytes of a row; gives what is stored and its seal, None where encrypted."""
        if self.cipher is not None:
            return self.cipher.encrypt(data, self._place(date, name)), None
        return data, self.checksum(date, name, data)

    def open(self, date: str, name: str, data: bytes, seal: int | None) -> bytes:
        """Return the bytes that were sealed.

        Raises:
            Unreadable: they or their place are not what was written, or the key is gone.
        """
        if not isinstance(data, bytes):  # a flipped bit can make another type of it
            raise Unreadable(f"{date} {name}: it is no row of bytes")
        if seal is not None:
            if self.checksum(date, name, data) != seal:
                raise Unreadable(f"{date} {name}: the checksum is another one")
            return data
        if self.cipher is None:
            raise Unreadable(f"{date} {name}: it is encrypted, and its key is gone")
        try:
            return self.cipher.decrypt(data, self._place(date, name))
        except ValueError as error:
            raise Unreadable(f"{date} {name}: {error}") from error

    def checksum(self, date: str, name: str, data: bytes) -> int:
        """CRC-32 over the place of a row and its bytes."""
        return zlib.crc32(data, zlib.crc32(f"{date}\0{name}\0".encode(), self._begun))

    @cached_property
    def _begun(self) -> int:
        return zlib.crc32(f"{self.scope.person}\0{self.scope.companion}\0".encode())

    def _place(self, date: str, name: str) -> bytes:
        return f"{self.scope.person}\0{self.scope.companion}\0{date}\0{name}\0".encode()


def seal_json(data: bytes) -> bytes:
    """Give a JSON object, of one line or indented, its checksum as the last field."""
    if data.endswith(b"\n}"):
        return b'%b,\n  "crc32": "%08x"\n}' % (data[:-2], zlib.crc32(data[:-2]))
    return b'%b,"crc32":"%08x"}' % (data[:-1], zlib.crc32(data[:-1]))


def verify_json(data: bytes, form: Collection[str]) -> bool:
    """Compare the JSON object in ``data``, read as ``form``, with its checksum; False where it has none.

    Raises:
        Unreadable: something in it is not what was written.
    """
    stated = _SEAL.search(data, max(0, len(data) - _LONGEST))
    if stated is not None and zlib.crc32(memoryview(data)[: stated.start()]) != int(stated[1], 16):
        raise Unreadable("the checksum is another one")
    if stated is None and KEY in form:
        raise Unreadable("the checksum does not stand at the end")
    return stated is not None


def wrap(data: bytes, cipher: Cipher | None) -> bytes:
    """Return a JSON object encrypted as a JSON object; as it is without a cipher."""
    if cipher is None:
        return data
    return _BEGIN + b64encode(cipher.encrypt(data)) + _END


def unwrap(data: bytes, cipher: Cipher | None) -> bytes:
    """Return the object that was wrapped, or one that never was.

    Raises:
        Unreadable: it is not what was written with this key, or there is no key.
    """
    if not data.startswith(_BEGIN):
        return data
    if cipher is None:
        raise Unreadable("it is encrypted, and its key is gone")
    try:
        return cipher.decrypt(b64decode(data.strip()[len(_BEGIN) : -len(_END)], validate=True))
    except ValueError as error:
        raise Unreadable(str(error)) from error
