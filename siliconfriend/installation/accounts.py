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
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import count

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


class Passwords:
    """The hashes of passwords, one a person; ``place`` names the table. The caller limits attempts."""

    def __init__(self, tables: Tables) -> None:
        self._tables, self.place = tables, tables.database.place

    def hash_of(self, name: str) -> str | None:
        """Return the current hash of a person, or None.

        The name must match exactly, since the name selects the memory.
        """
        query = "SELECT hash FROM password WHERE person = ?"
        with suppress(RefusedName):
            if clean_name(name) == name:
                return next((str(kept) for (kept,) in self._tables.read(query, (name,))), None)
        return None

    def adopt(self, name: str, kept: str) -> None:
        """Store a hash copied from another installation (RefusedName: invalid name)."""
        self._tables.change(
            "INSERT INTO password (person, hash) VALUES (?, ?)"
            " ON CONFLICT (person) DO UPDATE SET hash = excluded.hash",
            (clean_name(name), kept),
        )

    def remove(self, name: str) -> bool:
        """Remove a person's hash; return True if one existed (RefusedName: invalid name)."""
        values, statement = (clean_name(name),), "DELETE FROM password WHERE person = ?"
        return self._tables.exists and self._tables.change(statement, values) > 0

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


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a person, without its secret.

    Attributes:
        name: differs from the person's other keys.
        until: when it stops working; None for never.
        used: about when it last opened something; None for never.
    """

    name: str
    made: datetime
    until: datetime | None = None
    used: datetime | None = None

    def to_json(self) -> dict[str, str | None]:
        """Return the key as JSON."""
        return {name: value and str(value) for name, value in asdict(self).items()}


class Keys:
    """The hashes of keys: the operator's, and any number per person.

    ``operator_key`` of the settings is valid in addition to the stored key, and is never stored.
    """

    def __init__(self, tables: Tables, operator_key: str | None = None) -> None:
        self._tables = tables
        self._given = None if operator_key is None else _digest(operator_key)

    def identify(self, key: str) -> Caller | None:
        """Return the owner of a key, or None; changes take effect at once."""
        hashed, now = _digest(key), self._tables.now()
        if hashed == self._given:
            return Caller()
        query = "SELECT person, until, used FROM access_key WHERE hash = ?"
        for person, until, used in self._tables.read(query, (hashed,)):
            if until is not None and until <= now:
                return None
            if used is None or now - used >= SEEN_EVERY:
                self._tables.change("UPDATE access_key SET used = ? WHERE hash = ?", (now, hashed))
            return Caller(person or None)
        return None

    def ensure_operator(self) -> str | None:
        """Create the operator's key if missing; return the new key, else None."""
        key = KEY_PREFIX + secrets.token_urlsafe(32)
        return key if self._given is None and self._add("", "", key, None) else None

    def make_for(self, person: str, name: str = "", *, days: int | None = None) -> str:
        """Create a key of a person beside the others; it ends after ``days``.

        Without a name it gets a number. RefusedName: invalid name; UsageError: the name is taken.
        """
        person, key = clean_name(person), KEY_PREFIX + secrets.token_urlsafe(32)
        name = clean_name(name) if name else self._free_name(person)
        if not self._add(person, name, key, days):
            raise UsageError("key_name_taken", name=person, label=name)
        AuditLog(self._tables).record("key made", person)
        return key

    def of(self, person: str) -> list[Key]:
        """Return the keys of a person, in the order in which they were made."""
        query = (
            "SELECT name, made, until, used FROM access_key WHERE person = ? ORDER BY made, name"
        )
        rows = self._tables.read(query, (clean_name(person),))
        return [Key(name, *map(_moment, times)) for name, *times in rows]  # type: ignore[arg-type]

    def remove(self, person: str, name: str = "") -> bool:
        """End the key of this name, or all keys of a person; return True if there was one."""
        person, statement = clean_name(person), "DELETE FROM access_key WHERE person = ?"
        values = (person, name) if name else (person,)
        statement += " AND name = ?" if name else ""
        is_ended = self._tables.exists and self._tables.change(statement, values) > 0
        if is_ended:
            AuditLog(self._tables).record("key ended", person)
        return is_ended

    def copy_to(self, other: Keys, person: str, *, over: bool) -> None:
        """Copy a person's keys to another installation, ``over`` those of the same name."""
        columns = "hash, person, name, made, until, used"
        query = f"SELECT {columns} FROM access_key WHERE person = ?"  # noqa: S608
        for row in self._tables.read(query, (clean_name(person),)):
            if over:
                other.remove(person, row[2])
            statement = f"INSERT INTO access_key ({columns}) VALUES (?, ?, ?, ?, ?, ?)"  # noqa: S608
            other._tables.change(statement + " ON CONFLICT DO NOTHING", row)

    def _free_name(self, person: str) -> str:
        taken = {key.name for key in self.of(person)}
        return next(name for name in map("key {}".format, count(1)) if name not in taken)

    def _add(self, person: str, name: str, key: str, days: int | None) -> bool:
        now = self._tables.now()
        until = None if days is None else now + days * 86400
        statement = (
            "INSERT INTO access_key (hash, person, name, made, until) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING"
        )
        return self._tables.change(statement, (_digest(key), person, name, now, until)) > 0


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


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _digest(words: str) -> str:
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()
