"""Wrap a JSON object that is encrypted as a JSON object, so that files stay files of JSON.

What is not wrapped is passed on as it is: an encryption that was stopped half-way leaves both
kinds, and each is read as what it is.
"""

from __future__ import annotations

from base64 import b64decode, b64encode

from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.encryption import Cipher

_BEGIN, _END = b'{"encrypted":"', b'"}'


def wrap(data: bytes, cipher: Cipher | None) -> bytes:
    """The object encrypted; as it is without a cipher."""
    if cipher is None:
        return data
    return _BEGIN + b64encode(cipher.encrypt(data)) + _END


def is_wrapped(data: bytes) -> bool:
    """True if the object is an encrypted one."""
    return data.startswith(_BEGIN)


def unwrap(data: bytes, cipher: Cipher | None) -> bytes:
    """The object that was wrapped, or one that never was.

    Raises:
        Unreadable: it is not what was written with this key, or there is no key.
    """
    if not is_wrapped(data):
        return data
    if cipher is None:
        raise Unreadable("it is encrypted, and its key is gone")
    try:
        return cipher.decrypt(b64decode(data.strip()[len(_BEGIN) : -len(_END)], validate=True))
    except ValueError as error:
        raise Unreadable(str(error)) from error
