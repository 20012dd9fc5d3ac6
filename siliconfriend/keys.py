"""Keys for programs: the operator's, and one a person. Only their hashes are kept.

A key says whose memory a program may reach, so it is the whole of the wall between two
people. The file of a data directory is JSON, ``{"format": "siliconfriend-keys", "operator": HASH, "people":
{NAME: HASH}}``, readable by its owner alone. A HASH is ``sha256:`` and 64 hex digits: a key
is 256 bits of chance, which nobody can guess from its hash, so a slow hash would only make
every request slow.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from filelock import FileLock, Timeout

from siliconfriend.errors import ConfigurationError, RefusedName
from siliconfriend.memory import atomic
from siliconfriend.memory.scope import clean_name

FORMAT = "siliconfriend-keys"
FILE_NAME = "keys.json"
PREFIX = "sf-"
"""Prefix of every key that is made here, so that a scanner of leaked keys can know it."""

SHORTEST_OPERATOR_KEY = 16
"""Characters of an operator's key of one's own below which it could be guessed."""

LONGEST_WAIT = 10.0
"""Seconds until a lock that another process holds on the file is an error."""

_Stamp = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Caller:
    """Who a key belongs to.

    Attributes:
        person: the clean name of the person; None for the operator, who may reach everyone.
    """

    person: str | None = None

    @property
    def is_operator(self) -> bool:
        """True for the operator's key."""
        return self.person is None


def hash_key(key: str) -> str:
    """Hash a key as the file keeps it."""
    return f"sha256:{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()}"


class Keys(Protocol):
    """The keys of one installation; safe between threads and processes.

    Raises:
        ConfigurationError: from every method, where they cannot be read or written.
    """

    def identify(self, key: str) -> Caller | None:
        """Find whose key this is; None for nobody's. What was changed counts at once."""
        ...

    def ensure_operator(self) -> str | None:
        """Make the operator's key if there is none; return it then, else None."""
        ...

    def make_for(self, person: str) -> str:
        """Make a person's key in the place of the one they may have had, and return it.

        Raises:
            RefusedName: that cannot be a name.
        """
        ...

    def hash_of(self, person: str) -> str | None:
        """Return the hash of a person's key; None if they have none."""
        ...

    def adopt(self, person: str, kept: str) -> None:
        """Keep the hash of a person's key as another place kept it; errors as :meth:`make_for`."""
        ...

    def remove(self, person: str) -> bool:
        """Remove a person's key; True if they had one.

        Raises:
            RefusedName: that cannot be a name.
        """
        ...


class KeyFile:
    """The keys of a data directory.

    Args:
        home: the data directory, which must exist before a key is made.
        operator_key: the operator's key as the settings give it; it holds beside the file's
            and is never written.
    """

    def __init__(self, home: Path, operator_key: str | None = None) -> None:
        self.path = home / FILE_NAME
        self._given = None if operator_key is None else hash_key(operator_key)
        self._guard = threading.Lock()
        self._read: tuple[_Stamp | None, Mapping[str, Caller]] = (None, {})

    def identify(self, key: str) -> Caller | None:
        """Find whose key this is; None for nobody's."""
        hashed = hash_key(key)
        if hashed == self._given:
            return Caller()
        return self._callers().get(hashed)

    def ensure_operator(self) -> str | None:
        """Make the operator's key if there is none; return it then, else None."""
        if self._given is not None:
            return None
        with self._changing() as document:
            if document["operator"] is not None:
                return None
            key = new_key()
            document["operator"] = hash_key(key)
        return key

    def make_for(self, person: str) -> str:
        """Make a person's key in the place of the one they may have had, and return it."""
        key = new_key()
        self.adopt(person, hash_key(key))
        return key

    def hash_of(self, person: str) -> str | None:
        """Return the hash of a person's key; None if they have none."""
        if not self.path.exists():
            return None
        found: str | None = read_keys(self.path)["people"].get(clean_name(person))
        return found

    def adopt(self, person: str, kept: str) -> None:
        """Keep the hash of a person's key as another place kept it."""
        name = clean_name(person)
        with self._changing() as document:
            document["people"][name] = kept

    def remove(self, person: str) -> bool:
        """Remove a person's key; True if they had one."""
        name = clean_name(person)
        if not self.path.exists():
            return False
        with self._changing() as document:
            return document["people"].pop(name, None) is not None

    def _callers(self) -> Mapping[str, Caller]:
        with self._guard:
            stamp = self._stamp()
            if stamp is None:
                return {}
            if self._read[0] != stamp:
                self._read = (stamp, _callers_of(read_keys(self.path)))
            return self._read[1]

    def _stamp(self) -> _Stamp | None:
        """A stamp that differs for every version of the file; None where there is no file."""
        try:
            found = self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise _unreadable(self.path, error) from error
        return found.st_mtime_ns, found.st_size, found.st_ino

    @contextmanager
    def _changing(self) -> Iterator[dict[str, Any]]:
        """Hold the file's lock for a block that changes its document, then write it."""
        lock = FileLock(self.path.with_suffix(".lock"), timeout=LONGEST_WAIT, mode=0o600)
        try:
            with lock:
                document = read_keys(self.path) if self.path.exists() else _empty()
                before = json.dumps(document)
                yield document
                if json.dumps(document) != before:
                    words = json.dumps(document, ensure_ascii=False, indent=2)
                    atomic.write_whole(self.path, f"{words}\n".encode())
        except Timeout as error:
            raise _unwritable(self.path, "locked") from error
        except OSError as error:
            raise _unwritable(self.path, error) from error


def read_keys(path: Path) -> dict[str, Any]:
    """Load the hashes: ``operator`` (None for none) and ``people`` by clean name.

    Raises:
        ConfigurationError: the file cannot be read or is not one of keys.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error
    is_ours = isinstance(document, dict) and document.get("format") == FORMAT
    people = document.get("people") if is_ours else None
    operator = document.get("operator") if is_ours else None
    if not isinstance(people, dict) or not isinstance(operator, str | None):
        raise _unreadable(path, FORMAT)
    try:
        named = {clean_name(name): str(hashed) for name, hashed in people.items()}
    except RefusedName as error:
        raise _unreadable(path, error) from error
    return {"format": FORMAT, "operator": operator, "people": named}


def _callers_of(document: Mapping[str, Any]) -> dict[str, Caller]:
    callers = {hashed: Caller(name) for name, hashed in document["people"].items()}
    if document["operator"] is not None:
        callers[document["operator"]] = Caller()
    return callers


def _empty() -> dict[str, Any]:
    return {"format": FORMAT, "operator": None, "people": {}}


def new_key() -> str:
    """Draw a key."""
    return PREFIX + secrets.token_urlsafe(32)


def _unreadable(path: Path, cause: object) -> ConfigurationError:
    return ConfigurationError("keys_unreadable", path=path, cause=cause)


def _unwritable(path: Path, cause: object) -> ConfigurationError:
    return ConfigurationError("file_unwritable", path=path, cause=cause)
