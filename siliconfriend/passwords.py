"""Passwords for the web page: a small file of hashes, and the guard at its door.

Nothing is ever compared or kept in the clear. The file is JSON,
``{"format": "siliconfriend-passwords", "users": {NAME: "scrypt:N:r:p:SALT:HASH"}}``,
readable by its owner alone.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from siliconfriend.errors import ConfigurationError, RefusedName, UsageError
from siliconfriend.memory import atomic
from siliconfriend.memory.scope import clean_name

FORMAT = "siliconfriend-passwords"
SHORTEST = 8
"""Characters of a password."""

COST = (2**14, 8, 5)
"""N, r and p of scrypt as OWASP's password storage cheat sheet gives them; 16 MiB a check."""

TRIES, WITHIN = 5, 60.0
"""So many wrong passwords for a name within so many seconds; then the door stays shut."""


def hashed(password: str, salt: bytes | None = None, cost: tuple[int, int, int] = COST) -> str:
    """A password as the file keeps it; a fresh salt unless given."""
    n, r, p = cost
    salt = os.urandom(16) if salt is None else salt
    made = hashlib.scrypt(
        password.encode("utf-8", "surrogatepass"), salt=salt, n=n, r=r, p=p, maxmem=2**26
    )
    written = (base64.b64encode(it).decode() for it in (salt, made))
    return ":".join(("scrypt", str(n), str(r), str(p), *written))


def matches(password: str, kept: str) -> bool:
    """Whether a password is the one that ``kept`` was made from."""
    try:
        kind, n, r, p, salt, _made = kept.split(":")
        again = hashed(password, base64.b64decode(salt), (int(n), int(r), int(p)))
    except ValueError:
        return False
    return kind == "scrypt" and hmac.compare_digest(again, kept)


def read(path: Path) -> dict[str, str]:
    """The hashes by clean name.

    Raises:
        ConfigurationError: the file cannot be read or is not one of passwords.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        cause = getattr(error, "strerror", None) or error
        raise ConfigurationError("passwords_unreadable", path=path, cause=cause) from error
    users = document.get("users") if isinstance(document, Mapping) else None
    if not isinstance(users, dict) or document.get("format") != FORMAT:
        raise ConfigurationError("passwords_unreadable", path=path, cause=FORMAT)
    return {clean_name(name): str(kept) for name, kept in users.items()}


def put(path: Path, name: str, password: str) -> None:
    """Give a person a password, in a file that is there or is made.

    Raises:
        UsageError: the password is too short.
        ConfigurationError: the file cannot be read or written.
    """
    if len(password) < SHORTEST:
        raise UsageError("password_short", shortest=SHORTEST)
    users = read(path) if path.exists() else {}
    users[clean_name(name)] = hashed(password)
    words = json.dumps({"format": FORMAT, "users": users}, ensure_ascii=False, indent=2)
    try:
        atomic.write_whole(path, f"{words}\n".encode())
        path.chmod(0o600)
    except OSError as error:
        cause = error.strerror or error
        raise ConfigurationError("file_unwritable", path=path, cause=cause) from error


class Guard:
    """Lets people in by name and password, and slows down whoever guesses.

    Args:
        path: the file, read anew at each log-in, so that a changed password counts at once.
        seconds: a clock that never goes back.

    Raises:
        ConfigurationError: the file cannot be read or holds nobody.
    """

    def __init__(self, path: Path, seconds: Callable[[], float] = time.monotonic) -> None:
        if not read(path):
            raise ConfigurationError("passwords_none", path=path)
        self._path, self._seconds = path, seconds
        self._lock = threading.Lock()
        self._wrong: dict[str, list[float]] = {}
        self._nobody = hashed("nobody's password")

    def lets_in(self, name: str, password: str) -> bool:
        """Whether this is the person's password; a name that is not known costs as long.

        The name must be written as the file has it: what a log-in calls someone is the
        name of whose memory it opens.
        """
        try:
            known = name if clean_name(name) == name else ""
        except RefusedName:
            known = ""
        now = self._seconds()
        with self._lock:
            recent = [it for it in self._wrong.get(known, []) if now - it < WITHIN]
            if len(recent) >= TRIES:
                return False
        kept = read(self._path).get(known)
        is_right = matches(password, kept or self._nobody) and kept is not None
        with self._lock:
            if is_right:
                self._wrong.pop(known, None)
            elif kept is not None:
                self._wrong[known] = [*recent, now]
        return is_right
