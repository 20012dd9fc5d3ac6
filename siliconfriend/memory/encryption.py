"""Detect corrupted records by checksums, and encrypt a person's files at rest.

Each record has a CRC-32 or is encrypted by AES-256-GCM. Both cover scope, date and id, so that a
moved row is detected. ``memory.json`` ends with a CRC-32 of the preceding bytes. A person's random
key is stored with each of their memories, encrypted with a key that scrypt derives from the
passphrase. Names, days of use and sizes stay visible.
"""

import hashlib
import hmac
import json
import os
import re
import threading
import unicodedata
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from siliconfriend.errors import ConfigurationError, StoreError, UsageError
from siliconfriend.memory.codec import Unreadable, from_json
from siliconfriend.memory.scope import Scope

FORMAT = "siliconfriend-key"
SHORTEST = 8
"""Fewest characters of a passphrase."""
COST = (2**16, 8, 1)
"""N, r and p of scrypt (RFC 7914): 64 MiB per derivation, one derivation per person and process."""
MOST_COST = 2**21
"""Largest N times r accepted from a file: 256 MiB."""
_NONCE = 12


@dataclass(frozen=True, slots=True)
class Cipher:
    """Encrypts with one person's ``key`` of 32 bytes; ``locked`` is that key as it is stored."""

    key: bytes
    locked: bytes = b""

    def encrypt(self, data: bytes, place: bytes | None = None) -> bytes:
        """Return nonce, ciphertext and tag, bound to ``place``."""
        nonce = os.urandom(_NONCE)
        return nonce + bytes(_aes(self.key).encrypt(nonce, data, place))

    def decrypt(self, data: bytes, place: bytes | None = None) -> bytes:
        """Decrypt the bytes; ValueError if the key, the place or the bytes differ."""
        from cryptography.exceptions import InvalidTag

        try:
            return bytes(_aes(self.key).decrypt(data[:_NONCE], data[_NONCE:], place))
        except InvalidTag as error:
            raise ValueError("wrong key or changed data") from error

    def digest(self, name: str) -> str:
        """Return a keyed hash of a text."""
        return hmac.new(self.key, name.encode(), hashlib.sha256).hexdigest()


AskPassphrase = Callable[[str], str]
"""Asks a person for the passphrase of a folder, given its name."""


class Keyring:
    """The keys that this process has unlocked; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._passphrases: list[str] = []
        self._ciphers: dict[bytes, Cipher] = {}

    def offer(self, passphrase: str) -> None:
        """Add a passphrase to try on locked keys."""
        with self._lock:
            if passphrase not in self._passphrases:
                self._passphrases.append(passphrase)

    def unlock(self, folder: Path, data: bytes, ask: AskPassphrase | None = None) -> Cipher:
        """Return the cipher of a locked key; ``ask`` prompts for the passphrase.

        Raises:
            StoreError: no known passphrase unlocks the key.
            ConfigurationError: the key cannot be read, or the package for encryption is missing.
        """
        with self._lock:
            found = self._ciphers.get(data) or self._unlock(folder, data, ask)
            self._ciphers[data] = found
            return found

    def lock(self) -> None:
        """Forget every key and passphrase."""
        with self._lock:
            self._passphrases.clear()
            self._ciphers.clear()

    def _unlock(self, folder: Path, data: bytes, ask: AskPassphrase | None) -> Cipher:
        for passphrase in self._passphrases:
            if found := _unwrap(folder, data, passphrase):
                return found
        if ask is not None:
            passphrase = ask(folder.name)
            if found := _unwrap(folder, data, passphrase):
                self._passphrases.append(passphrase)
                return found
        raise StoreError("memory_locked", path=folder)


KEYRING = Keyring()
"""The keyring of this process."""


def lock_key(passphrase: str, cipher: Cipher | None = None) -> bytes:
    """Encrypt a new key, or a cipher's key, with a passphrase; return the locked key as JSON.

    Raises:
        UsageError: the passphrase is too short.
    """
    key = os.urandom(32) if cipher is None else cipher.key
    if len(passphrase) < SHORTEST:
        raise UsageError("passphrase_short", shortest=SHORTEST)
    salt = os.urandom(16)
    wrapped = Cipher(stretch(passphrase, salt, COST)).encrypt(key)
    scrypt = {**dict(zip("nrp", COST, strict=True)), "salt": b64encode(salt).decode()}
    form = {"format": FORMAT, "scrypt": scrypt, "key": b64encode(wrapped).decode()}
    return json.dumps(form).encode()


def _unwrap(folder: Path, data: bytes, passphrase: str) -> Cipher | None:
    try:
        form = json.loads(data)
        scrypt = form["scrypt"]
        cost = (int(scrypt["n"]), int(scrypt["r"]), int(scrypt["p"]))
        salt, wrapped = b64decode(scrypt["salt"]), b64decode(form["key"])
        is_ours = form["format"] == FORMAT and cost[0] * cost[1] <= MOST_COST
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigurationError("key_unreadable", path=folder) from error
    if not is_ours:
        raise ConfigurationError("key_unreadable", path=folder)
    try:
        return Cipher(Cipher(stretch(passphrase, salt, cost)).decrypt(wrapped), data)
    except ValueError:
        return None


def stretch(passphrase: str, salt: bytes, cost: tuple[int, int, int], *, length: int = 32) -> bytes:
    """Derive a key by scrypt (RFC 7914) with the cost N, r and p.

    The passphrase is normalized (NFC), since keyboards encode the same letters differently.
    """
    n, r, p = cost
    words = unicodedata.normalize("NFC", passphrase).encode("utf-8", "surrogatepass")
    return hashlib.scrypt(words, salt=salt, n=n, r=r, p=p, maxmem=2**29, dklen=length)


def _aes(key: bytes) -> Any:
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    except ImportError as error:
        raise ConfigurationError("cryptography_missing") from error
    return AESGCM(key)


SEAL = "crc32"
"""Field of a JSON object with its checksum."""
_SEAL_FIELD = re.compile(rb',\s*"crc32":\s*"([0-9a-f]{8})"\s*\}\s*\Z')
_LONGEST = 64
"""Number of bytes at the end of an object that contain its checksum, whitespace included."""

_WRAPPED = b'{"key":'


@dataclass(frozen=True, slots=True)
class Sealer:
    """Encrypts the rows of one scope, or adds checksums without a cipher."""

    scope: Scope
    cipher: Cipher | None = None

    def seal(self, date: str, name: str, data: bytes) -> tuple[bytes, int | None]:
        """Return the bytes to store for a row, and their checksum, None if encrypted."""
        if self.cipher is not None:
            return self.cipher.encrypt(data, self._place(date, name)), None
        return data, self.checksum(date, name, data)

    def open(self, date: str, name: str, data: bytes, seal: int | None) -> bytes:
        """Verify or decrypt the bytes of a row.

        Raises:
            Unreadable: the bytes or their place changed, or the key is missing.
        """
        if not isinstance(data, bytes):  # a flipped bit can change the column's type
            raise Unreadable(f"{date} {name}: not stored as bytes")
        if seal is not None:
            if self.checksum(date, name, data) != seal:
                raise Unreadable(f"{date} {name}: wrong checksum")
            return data
        if self.cipher is None:
            raise Unreadable(f"{date} {name}: encrypted, and the key is missing")
        try:
            return self.cipher.decrypt(data, self._place(date, name))
        except ValueError as error:
            raise Unreadable(f"{date} {name}: {error}") from error

    def checksum(self, date: str, name: str, data: bytes) -> int:
        """CRC-32 over the place of a row and its bytes."""
        return zlib.crc32(data, zlib.crc32(self._place(date, name)))

    def _place(self, date: str, name: str) -> bytes:
        return f"{self.scope.person}\0{self.scope.companion}\0{date}\0{name}\0".encode()


def seal_json(data: bytes) -> bytes:
    """Append the checksum as the last field of an indented JSON object."""
    sealed = data[:-2]
    return sealed + b',\n  "crc32": "%08x"\n}' % zlib.crc32(sealed)


def verify_json(data: bytes, form: Collection[str]) -> bool:
    """Verify the checksum of a JSON object, parsed as ``form``; return False if it has none.

    Raises:
        Unreadable: the checksum does not match.
    """
    stated = _SEAL_FIELD.search(data, max(0, len(data) - _LONGEST))
    if stated is not None and zlib.crc32(memoryview(data)[: stated.start()]) != int(stated[1], 16):
        raise Unreadable("wrong checksum")
    if stated is None and SEAL in form:
        raise Unreadable("the checksum is not at the end")
    return stated is not None


def wrap(data: bytes, cipher: Cipher | None) -> bytes:
    """Encrypt a JSON object into one with its locked key; return it unchanged without a cipher."""
    if cipher is None:
        return data
    encrypted = b64encode(cipher.encrypt(data)).decode()
    return json.dumps({"key": cipher.locked.decode(), "encrypted": encrypted}).encode()


def unwrap(data: bytes, unlock: Callable[[bytes], Cipher]) -> tuple[bytes, Cipher | None]:
    """Decrypt a wrapped object; return other objects unchanged, without a cipher.

    Raises:
        Unreadable: the data changed. ``unlock`` raises the errors of the key.
    """
    if not data.startswith(_WRAPPED):
        return data, None
    form = from_json(data)
    try:
        cipher = unlock(form["key"].encode())
        return cipher.decrypt(b64decode(form["encrypted"], validate=True)), cipher
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise Unreadable(str(error)) from error
