"""Passwords for the web page: their hashes, and who may log in by them.

Nothing is ever compared or kept in the clear. A file of hashes is JSON,
``{"format": "siliconfriend-passwords", "users": {NAME: "scrypt:N:r:p:SALT:HASH"}}``, N, r
and p in digits, SALT and HASH in base64, readable by its owner alone.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from siliconfriend.errors import ConfigurationError, RefusedName, UsageError
from siliconfriend.memory import atomic
from siliconfriend.memory.scope import clean_name

FORMAT = "siliconfriend-passwords"
FILE_NAME = "passwords.json"
"""The file in the data directory that the command writes unless another is named."""

SHORTEST = 8
"""Characters of a password."""

COST = (2**14, 8, 5)
"""N, r and p of scrypt as OWASP's password storage cheat sheet gives them; 16 MiB a check."""


def hash_password(
    password: str, salt: bytes | None = None, cost: tuple[int, int, int] | None = None
) -> str:
    """Hash a password for the file, with a fresh salt unless given.

    Keyboards write the same letters in several ways, so they are normalized to one (NFC).
    """
    n, r, p = cost or COST
    salt = os.urandom(16) if salt is None else salt
    words = unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")
    made = hashlib.scrypt(words, salt=salt, n=n, r=r, p=p, maxmem=2**26)
    written = (base64.b64encode(it).decode() for it in (salt, made))
    return ":".join(("scrypt", str(n), str(r), str(p), *written))


def verify_password(password: str, kept: str) -> bool:
    """True if ``kept`` is a hash of this password."""
    try:
        kind, n, r, p, salt, _made = kept.split(":")
        again = hash_password(password, base64.b64decode(salt), (int(n), int(r), int(p)))
    except ValueError:
        return False
    return kind == "scrypt" and hmac.compare_digest(again, kept)


def read_hashes(path: Path) -> dict[str, str]:
    """Load the hashes by clean name.

    Raises:
        ConfigurationError: the file cannot be read or is not one of passwords.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError("passwords_unreadable", path=path, cause=error) from error
    users = document.get("users") if isinstance(document, Mapping) else None
    if not isinstance(users, dict) or document.get("format") != FORMAT:
        raise ConfigurationError("passwords_unreadable", path=path, cause=FORMAT)
    try:
        return {clean_name(name): str(kept) for name, kept in users.items()}
    except RefusedName as error:
        raise ConfigurationError("passwords_unreadable", path=path, cause=error) from error


class Passwords(Protocol):
    """Where the hashes of passwords are kept, read anew each time."""

    @property
    def place(self) -> str:
        """Where that is, for people to read."""
        ...

    def check(self) -> None:
        """Refuse a place in which nobody could log in.

        Raises:
            ConfigurationError: it cannot be read, or nobody's password is there nor ever will be.
        """
        ...

    def hash_of(self, name: str) -> str | None:
        """Return the hash of a person's password as it is now; None if they may not log in.

        Raises:
            ConfigurationError: it cannot be read.
        """
        ...

    def set(self, name: str, password: str) -> None:
        """Keep the hash of a person's password.

        Raises:
            UsageError: the password is too short.
            RefusedName: that cannot be a name.
            ConfigurationError: it cannot be written.
        """
        ...

    def adopt(self, name: str, kept: str) -> None:
        """Keep the hash of a person's password as another place kept it; errors as :meth:`set`."""
        ...

    def remove(self, name: str) -> bool:
        """Remove a person's password, so that they can no longer log in; True if they had one.

        Raises:
            RefusedName: that cannot be a name.
            ConfigurationError: it cannot be written.
        """
        ...


class PasswordFile:
    """The hashes in a file; it is made with the first password.

    Args:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def place(self) -> str:
        """The file's path."""
        return str(self._path)

    @property
    def exists(self) -> bool:
        """True once a password was set."""
        return self._path.exists()

    def check(self) -> None:
        """Refuse a file that cannot be read or holds nobody."""
        if not read_hashes(self._path):
            raise ConfigurationError("passwords_none", path=self._path)

    def hash_of(self, name: str) -> str | None:
        """Return the hash of a person's password as the file has it now."""
        return read_hashes(self._path).get(name)

    def set(self, name: str, password: str) -> None:
        """Keep the hash of a person's password; the file is made if there is none."""
        check_length(password)
        self.adopt(name, hash_password(password))

    def adopt(self, name: str, kept: str) -> None:
        """Keep the hash of a person's password as another place kept it."""
        users = read_hashes(self._path) if self._path.exists() else {}
        _write(self._path, users | {clean_name(name): kept})

    def remove(self, name: str) -> bool:
        """Remove a person's password; True if they had one."""
        name = clean_name(name)
        users = read_hashes(self._path) if self._path.exists() else {}
        if name not in users:
            return False
        _write(self._path, {other: kept for other, kept in users.items() if other != name})
        return True


def check_length(password: str) -> None:
    """Refuse a password that is too short.

    Raises:
        UsageError: it is.
    """
    if len(password) < SHORTEST:
        raise UsageError("password_short", shortest=SHORTEST)


def _write(path: Path, users: Mapping[str, str]) -> None:
    words = json.dumps({"format": FORMAT, "users": users}, ensure_ascii=False, indent=2)
    try:
        atomic.write_whole(path, f"{words}\n".encode())
    except OSError as error:
        raise ConfigurationError("file_unwritable", path=path, cause=error) from error


class Authenticator:
    """Authenticates people by name and password; how often they may try, its caller decides.

    Args:
        passwords: the hashes, read anew at each log-in, so that a changed password counts at once.

    Raises:
        ConfigurationError: they cannot be read, or are a file that holds nobody.
    """

    def __init__(self, passwords: Passwords) -> None:
        passwords.check()
        self._passwords = passwords
        self._nobody = hash_password("nobody's password")

    def hash_of(self, name: str) -> str | None:
        """The person's hash as it is now; None if they may not log in.

        Raises:
            ConfigurationError: it cannot be read any more.
        """
        return self._passwords.hash_of(name)

    def authenticate(self, name: str, password: str) -> bool:
        """True if this is the person's password; checking an unknown name takes as long.

        The name must be written as it is kept: what a log-in calls someone is the
        name of whose memory it opens.

        Raises:
            ConfigurationError: the hashes cannot be read any more; nobody is let in.
        """
        kept = self.hash_of(name)
        return verify_password(password, kept or self._nobody) and kept is not None
