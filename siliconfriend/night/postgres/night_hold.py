"""One night a person at a time, on whichever machine: a row that says who is at work.

A lock of the database would stay with the connection of a machine that was cut off, for as long
as the server takes to notice. So a hold ends by itself unless it is said again, and whoever did
not come through to say so stops at the end of the stage. What it writes late does no harm: each
text is written only where the memory is still what it was made of.
"""

from __future__ import annotations

import os
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from siliconfriend.errors import MemoryBusy, SiliconFriendError
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.scope import Scope
from siliconfriend.night.postgres.scope_key import scope_key

LONGEST_SILENCE = timedelta(seconds=30)
"""How long a hold outlasts its holder's last word."""

LOST = "night_lost"
"""The key of what is raised where a hold was not said again in time."""

_POLL = 0.1

_ACQUIRE = """
INSERT INTO siliconfriend.night_hold (scope, holder, host, pid, since, until)
VALUES (%(scope)s, %(holder)s, %(host)s, %(pid)s, %(since)s, clock_timestamp() + %(silence)s)
ON CONFLICT (scope) DO UPDATE SET holder = excluded.holder, host = excluded.host,
    pid = excluded.pid, since = excluded.since, until = excluded.until
WHERE night_hold.until < clock_timestamp()
"""
_RENEW = """
UPDATE siliconfriend.night_hold SET until = clock_timestamp() + %(silence)s
WHERE scope = %(scope)s AND holder = %(holder)s
"""
_RELEASE = "DELETE FROM siliconfriend.night_hold WHERE scope = %(scope)s AND holder = %(holder)s"
_WHO = "SELECT host, pid, since FROM siliconfriend.night_hold WHERE scope = %s"


class NightHold:
    """One hold, said again in a thread of its own until it ends.

    Args:
        database: where it is.
        scope: whose night.
        now: since when, told to who waits.
        silence: how long it outlasts the last word.
    """

    def __init__(self, database: Database, scope: Scope, now: datetime, silence: timedelta) -> None:
        self._database = database
        self._scope = scope
        self._silence = silence
        self._row = {
            "scope": scope_key(scope),
            "holder": uuid.uuid4(),
            "host": socket.gethostname(),
            "pid": os.getpid(),
            "since": now,
            "silence": silence,
        }
        self._said = time.monotonic()
        self._ended = threading.Event()
        self._lost = False
        self._thread = threading.Thread(target=self._renew, name="night hold", daemon=True)

    def acquire(self, wait: float) -> None:
        """Hold it, or raise after so many seconds.

        Raises:
            MemoryBusy: another night held it all the time; it names host and process.
            StoreError: the database failed.
        """
        deadline = time.monotonic() + wait
        while not self._execute(_ACQUIRE):
            if time.monotonic() >= deadline:
                raise self._busy()
            time.sleep(_POLL)
        self._said = time.monotonic()
        self._thread.start()

    def check(self) -> None:
        """Go on only while it is held.

        Raises:
            MemoryBusy: it was not said again in time, and another night may be at work.
        """
        if self._lost or time.monotonic() - self._said > self._silence.total_seconds():
            raise MemoryBusy(LOST, name=self._scope.person)

    def release(self) -> None:
        """Give it back, if the database can be reached; else it ends by itself."""
        self._ended.set()
        self._thread.join()
        try:
            self._execute(_RELEASE)
        except SiliconFriendError:
            return

    def _renew(self) -> None:
        while not self._ended.wait(self._silence.total_seconds() / 3):
            began = time.monotonic()
            try:
                is_held = self._execute(_RENEW)
            except SiliconFriendError:
                continue
            if not is_held:
                self._lost = True
                return
            self._said = began

    def _execute(self, statement: str) -> bool:
        with self._database.transaction() as connection:
            return connection.execute(statement.encode(), self._row).rowcount > 0

    def _busy(self) -> MemoryBusy:
        with self._database.transaction() as connection:
            row = connection.execute(_WHO, (self._row["scope"],)).fetchone()
        if row is None:
            return MemoryBusy("night_held_by_one", name=self._scope.person)
        host, pid, since = row
        shown = f"{since.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
        return MemoryBusy("night_held_on", name=self._scope.person, host=host, pid=pid, since=shown)


@contextmanager
def hold_in_database(
    database: Database,
    scope: Scope,
    now: datetime,
    *,
    wait: float,
    silence: timedelta = LONGEST_SILENCE,
) -> Iterator[NightHold]:
    """Hold one person's night for a block; arguments and errors as :class:`NightHold` has them."""
    hold = NightHold(database, scope, now, silence)
    hold.acquire(wait)
    try:
        yield hold
    finally:
        hold.release()
