"""Manage passwords for the page, keys for programs and browser sessions.

Only hashes are stored: scrypt with a salt for a password; a plain hash for a key and a session's
token, which are 256 random bits.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from siliconfriend.errors import ConfigurationError, RefusedName, UsageError
from siliconfriend.installation.audit import AuditLog
from siliconfriend.installation.tables import Tables
from siliconfriend.memory.encryption import stretch
from siliconfriend.memory.scope import clean_name

MIN_PASSWORD = 8
"""Minimum number of characters of a password."""
COST = (2**14, 8, 5)
"""N, r and p of scrypt from OWASP's password storage cheat sheet; 16 MiB per check."""
KEY_PREFIX = "sf-"
"""Prefix of every generated key, so that secret scanners recognize leaked keys."""
MIN_OPERATOR_KEY = 16
"""Minimum length of an operator key from the settings; shorter keys can be guessed."""
IDLE = 12 * 3600.0
"""Seconds without a request after which a session ends."""
SEEN_EVERY = 60.0
"""Maximum delay in seconds of the stored time of the last request."""
MAX_SESSIONS = 10_000


def hash_password(
    password: str, salt: bytes | None = None, cost: tuple[int, int, int] | None = None
) -> str:
    """Hash a password as ``scrypt:N:r:p:SALT:HASH``, with a fresh salt unless given."""
    salt, cost = os.urandom(16) if salt is None else salt, cost or COST
    made = stretch(password, salt, cost, length=64)
    written = (base64.b64encode(part).decode() for part in (salt, made))
    return ":".join(("scrypt", *map(str, cost), *written))


def verify_password(password: str, kept: str) -> bool:
    """Return True if ``kept`` is a hash of this password."""
    try:
        kind, n, r, p, salt, _made = kept.split(":")
        again = hash_password(password, base64.b64decode(salt), (int(n), int(r), int(p)))
    except ValueError:
        return False
    return kind == "scrypt" and hmac.compare_digest(again, kept)


class _Hashes:
    """A table with one hash per person; ``place`` names the table."""

    _table = ""

    def __init__(self, tables: Tables) -> None:
        self._tables, self.place = tables, tables.database.place

    def hash_of(self, name: str) -> str | None:
        """Return the current hash of a person, or None.

        The name must match exactly, since the name selects the memory.
        """
        query = f"SELECT hash FROM {self._table} WHERE person = ?"  # noqa: S608
        with suppress(RefusedName):
            if clean_name(name) == name:
                return next((str(kept) for (kept,) in self._tables.read(query, (name,))), None)
        return None

    def adopt(self, name: str, kept: str) -> None:
        """Store a hash copied from another installation (RefusedName: invalid name)."""
        self._tables.change(
            f"INSERT INTO {self._table} (person, hash) VALUES (?, ?)"  # noqa: S608
            " ON CONFLICT (person) DO UPDATE SET hash = excluded.hash",
            (clean_name(name), kept),
        )

    def remove(self, name: str) -> bool:
        """Remove a person's hash; return True if one existed (RefusedName: invalid name)."""
        name = clean_name(name)
        statement = f"DELETE FROM {self._table} WHERE person = ?"  # noqa: S608
        return self._tables.exists and self._tables.change(statement, (name,)) > 0


class Passwords(_Hashes):
    """The hashes of passwords; the caller limits attempts."""

    _table = "password"

    def check(self) -> Passwords:
        """Raise ConfigurationError if a single-machine installation has no password."""
        if self._tables.is_shared or self._tables.read("SELECT 1 FROM password LIMIT 1"):
            return self
        raise ConfigurationError("passwords_none", path=self.place)

    def set(self, name: str, password: str) -> None:
        """Store the hash of a password (UsageError: password too short, or invalid name)."""
        if len(password) < MIN_PASSWORD:
            raise UsageError("password_short", shortest=MIN_PASSWORD)
        self.adopt(name, hash_password(password))

    def authenticate(self, name: str, password: str) -> bool:
        """Return True if the password is correct; an unknown name takes the same time."""
        kept = self.hash_of(name)
        return verify_password(password, kept or self._nobody) and kept is not None

    @cached_property
    def _nobody(self) -> str:
        return hash_password("nobody's password")


@dataclass(frozen=True, slots=True)
class Caller:
    """Owner of a key: a person's clean name, or None for the operator with access to all data."""

    person: str | None = None

    @property
    def is_operator(self) -> bool:
        """Return True for the operator's key."""
        return self.person is None


class Keys(_Hashes):
    """The hashes of keys: the operator's, and one per person.

    ``operator_key`` of the settings is valid in addition to the stored key, and is never stored.
    """

    _table = "access_key"

    def __init__(self, tables: Tables, operator_key: str | None = None) -> None:
        super().__init__(tables)
        self._given = None if operator_key is None else _digest(operator_key)

    def identify(self, key: str) -> Caller | None:
        """Return the owner of a key, or None; changes take effect at once."""
        hashed = _digest(key)
        if hashed == self._given:
            return Caller()
        rows = self._tables.read("SELECT person FROM access_key WHERE hash = ?", (hashed,))
        return Caller(rows[0][0] or None) if rows else None

    def ensure_operator(self) -> str | None:
        """Create the operator's key if missing; return the new key, else None."""
        if self._given is not None:
            return None
        key = KEY_PREFIX + secrets.token_urlsafe(32)
        statement = "INSERT INTO access_key (person, hash) VALUES ('', ?) ON CONFLICT DO NOTHING"
        return key if self._tables.change(statement, (_digest(key),)) else None

    def make_for(self, person: str) -> str:
        """Create a person's key, replacing an earlier one (RefusedName: invalid name)."""
        key = KEY_PREFIX + secrets.token_urlsafe(32)
        self.adopt(person, _digest(key))
        AuditLog(self._tables).record("key made", clean_name(person))
        return key

    def remove(self, name: str) -> bool:
        """Revoke a person's key; errors as for every hash."""
        is_ended = super().remove(name)
        if is_ended:
            AuditLog(self._tables).record("key ended", clean_name(name))
        return is_ended


class Sessions:
    """Sessions of the page; safe across threads and processes."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    @cached_property
    def cookie_id(self) -> str:
        """Suffix of the cookie's name, constant across restarts and processes."""
        statement = (
            "INSERT INTO cookie (number, id) VALUES (1, ?)"
            " ON CONFLICT (number) DO UPDATE SET number = 1 RETURNING id"
        )
        with self._tables.write() as transaction:
            ((suffix,),) = transaction.execute(statement, (secrets.token_hex(8),))
        return str(suffix)

    def open(self, user: str, password: str) -> str:
        """Open a session after a login; return its token."""
        token, now = secrets.token_urlsafe(32), self._tables.now()
        with self._tables.write() as transaction:
            transaction.execute("DELETE FROM session WHERE seen <= ?", (now - IDLE,))
            transaction.execute(
                "DELETE FROM session WHERE digest IN"
                " (SELECT digest FROM session ORDER BY seen DESC LIMIT 100 OFFSET ?)",
                (MAX_SESSIONS,),
            )
            transaction.execute(
                "INSERT INTO session (digest, person, password, seen) VALUES (?, ?, ?, ?)",
                (_digest(token), user, _digest(password), now),
            )
        return token

    def user(self, token: str, hash_of: Callable[[str], str | None]) -> str | None:
        """Return the owner of a session and record the access; None if the session expired."""
        digest, now = _digest(token), self._tables.now()
        query = "SELECT person, password, seen FROM session WHERE digest = ?"
        for person, password, seen in self._tables.read(query, (digest,)):
            if now - seen >= IDLE or _digest(hash_of(person) or "") != password:
                self._tables.change("DELETE FROM session WHERE digest = ?", (digest,))
                return None
            if now - seen >= SEEN_EVERY:
                self._tables.change("UPDATE session SET seen = ? WHERE digest = ?", (now, digest))
            return str(person)
        return None

    def close_all(self, user: str) -> None:
        """End all sessions of a person."""
        self._tables.change("DELETE FROM session WHERE person = ?", (user,))


def _digest(words: str) -> str:
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()
