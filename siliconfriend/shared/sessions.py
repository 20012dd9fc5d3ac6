"""Who is logged in to the page, kept over a new start of the server.

A session that ended with the server would shut everybody out in the middle of a sentence. No
token and no password is kept: of each token a hash, which opens nothing, and of each
password's hash a hash again, so that a changed password ends its sessions.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from filelock import FileLock

from siliconfriend.memory import atomic

FILE_NAME = "sessions.json"
FORMAT = "siliconfriend-sessions"
IDLE = 12 * 3600.0
"""Seconds without a request after which a session ends."""
WRITTEN_EVERY = 600.0
"""Seconds by which the file may be behind in when somebody was last seen."""
MOST_SESSIONS = 10_000


@dataclass(frozen=True, slots=True)
class Session:
    """One browser in which somebody has logged in.

    Attributes:
        user: who that is.
        password: hash of the hash of the password that let them in.
        seen: when they last asked for something, in seconds since 1970.
        written: the same, as it stands in the file.
    """

    user: str
    password: str
    seen: float
    written: float = 0.0


class Sessions(Protocol):
    """The sessions of one page; safe between threads."""

    @property
    def cookie_id(self) -> str:
        """The suffix of the cookie's name, the same at each start and in each process."""
        ...

    def open(self, user: str, password: str) -> str:
        """Open a session of somebody who has logged in; returns its token.

        Args:
            user: who that is.
            password: the hash of the password that let them in.
        """
        ...

    def user(self, token: str, hash_of: Callable[[str], str | None]) -> str | None:
        """Return whose session this is, and note that they were seen; None where it has ended.

        Args:
            token: of the session.
            hash_of: returns the hash of a person's password.
        """
        ...

    def close(self, token: str) -> None:
        """End a session."""
        ...

    def close_all(self, user: str) -> None:
        """End all sessions of a person."""
        ...


class SessionFile:
    """The sessions of one data directory, by the hash of their token.

    Several processes may serve it: each takes over what another wrote before it answers or writes.

    Args:
        path: where they are kept; None where they end with the program.
        seconds: the time since 1970.
    """

    def __init__(self, path: Path | None = None, seconds: Callable[[], float] = time.time) -> None:
        self._path, self._seconds = path, seconds
        self._lock = threading.RLock()
        self._cookie_id = digest_of(str(path.resolve()))[:16] if path else secrets.token_hex(8)
        self._by_digest: OrderedDict[str, Session] = OrderedDict()
        self._in_file: frozenset[str] = frozenset()
        self._stamp: tuple[int, int] | None = None
        self._take_over()

    @property
    def cookie_id(self) -> str:
        """The suffix of the cookie's name."""
        return self._cookie_id

    def open(self, user: str, password: str) -> str:
        """Open a session; returns its token."""
        token, now = secrets.token_urlsafe(32), self._seconds()
        with self._lock:
            self._by_digest[digest_of(token)] = Session(user, digest_of(password), now)
            while len(self._by_digest) > MOST_SESSIONS:
                self._by_digest.popitem(last=False)
            self._write()
        return token

    def user(self, token: str, hash_of: Callable[[str], str | None]) -> str | None:
        """Return whose session this is; None where it has ended."""
        digest, now = digest_of(token), self._seconds()
        with self._lock:
            self._take_over()
            session = self._by_digest.get(digest)
            if session is None:
                return None
            password = digest_of(hash_of(session.user) or "")
            if now - session.seen >= IDLE or password != session.password:
                self.close(token)
                return None
            self._by_digest[digest] = replace(session, seen=now)
            self._by_digest.move_to_end(digest)
            if now - session.written >= WRITTEN_EVERY:
                self._write()
            return session.user

    def close(self, token: str) -> None:
        """End a session."""
        with self._lock:
            if self._by_digest.pop(digest_of(token), None) is not None:
                self._write()

    def close_all(self, user: str) -> None:
        """End all sessions of a person."""
        with self._lock:
            self._take_over()
            for digest in [it for it, session in self._by_digest.items() if session.user == user]:
                del self._by_digest[digest]
            self._write()

    def _take_over(self) -> None:
        """Take over what another process wrote: who logged in there, and who logged out."""
        stamp = self._stamp_of_file()
        if stamp is None or stamp == self._stamp:
            return
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            found = self._read()
            for digest in self._in_file - found.keys():
                self._by_digest.pop(digest, None)
            for digest in found.keys() - self._in_file:
                self._by_digest.setdefault(digest, found[digest])
            self._in_file, self._stamp = frozenset(found), stamp

    def _stamp_of_file(self) -> tuple[int, int] | None:
        """A stamp that differs for every version of the file; None where there is no file."""
        with suppress(OSError):
            if self._path is not None:
                state = self._path.stat()
                return state.st_mtime_ns, state.st_ino
        return None

    def _read(self) -> dict[str, Session]:
        """Return what is kept; an error where it cannot be read, and people log in again."""
        document = json.loads(self._path.read_bytes()) if self._path else {}
        now = self._seconds()
        if document.get("format") != FORMAT:
            return {}
        seen = {key: min(float(it["seen"]), now) for key, it in document["sessions"].items()}
        return {
            key: Session(str(it["user"]), str(it["password"]), seen[key], seen[key])
            for key, it in document["sessions"].items()
            if now - seen[key] < IDLE
        }

    def _write(self) -> None:
        if self._path is None:
            return
        # Where it cannot be written people log in again after a new start; now they stay.
        with suppress(OSError), FileLock(self._path.with_suffix(".lock"), mode=0o600):
            self._take_over()
            self._write_whole(self._path)

    def _write_whole(self, path: Path) -> None:
        for digest, it in self._by_digest.items():
            self._by_digest[digest] = replace(it, written=it.seen)
        kept = {
            digest: {"user": it.user, "password": it.password, "seen": it.seen}
            for digest, it in self._by_digest.items()
        }
        words = json.dumps({"format": FORMAT, "sessions": kept}, ensure_ascii=False)
        atomic.write_whole(path, words.encode())
        self._in_file, self._stamp = frozenset(kept), self._stamp_of_file()


def digest_of(words: str) -> str:
    """Return the SHA-256 of words in hex digits."""
    return hashlib.sha256(words.encode()).hexdigest()
