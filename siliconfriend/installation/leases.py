"""Manage leases, each held by one process at a time across machines.

A lease is a row that its holder renews and that expires without renewal. Dead processes of the same
machine are detected at once.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

from siliconfriend.errors import SiliconFriendError
from siliconfriend.installation.tables import Tables
from siliconfriend.memory.database import Transaction

TTL = 30.0
"""Seconds that a lease lasts after it was renewed."""
RENEWALS = 5
"""Number of renewals of a lease in that time."""
_POLL = 0.1

_TAKE = """
INSERT INTO lease (name, holder, host, pid, until, is_stopped) VALUES (?, ?, ?, ?, ?, 0)
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, host = excluded.host,
    pid = excluded.pid, until = excluded.until, is_stopped = 0
WHERE lease.until < ? OR lease.holder = excluded.holder
RETURNING 1
"""

_LOG = logging.getLogger(__name__)


OnEnd = Callable[[bool], None]
"""Called once, from another thread, when the holder must stop. True means that the lease was lost
and another process may hold it."""


class Lease:
    """A lease, initially not acquired. Create with :meth:`Leases.lease`."""

    def __init__(self, leases: Leases, name: str, ttl: float, on_end: OnEnd | None) -> None:
        self.name, self.ttl = name, ttl
        self.holder = secrets.token_hex(16)
        self._leases, self._tables, self._on_end = leases, leases.tables, on_end
        self._guard = threading.Lock()
        self._renewed, self._is_over, self._was_lost = 0.0, False, False

    @property
    def is_lost(self) -> bool:
        """Return True if the lease expired, so that another process may hold it."""
        return self._was_lost or time.monotonic() - self._renewed > self.ttl

    def take(self) -> bool:
        """Acquire the lease; return False if another process holds it."""
        with self._tables.write() as transaction:
            is_taken = self.take_in(transaction)
        if is_taken:
            self._leases.keep(self)
        return is_taken

    def take_in(self, transaction: Transaction) -> bool:
        """Acquire the lease in a transaction; the caller commits and calls :meth:`Leases.keep`."""
        now = self._tables.now()
        row = (self.name, self.holder, this_host(), os.getpid(), now + self.ttl, now)
        self._renewed = time.monotonic()
        return transaction.one(_TAKE, row) is not None

    def acquire(self, wait: float) -> bool:
        """Acquire the lease as soon as possible; return False after ``wait`` seconds."""
        deadline = time.monotonic() + wait
        while not self.take():
            self._leases.release_dead()
            if time.monotonic() >= deadline:
                return self.take()
            time.sleep(min(_POLL, wait))
        return True

    def give_back(self) -> None:
        """Release the lease, if it is held."""
        with self._guard:
            was_over, self._is_over = self._is_over, True
        if not was_over:
            self._leases.forget(self)
            self._tables.change("DELETE FROM lease WHERE holder = ?", (self.holder,))

    def renew(self) -> None:
        """Renew the lease if due; stop the work if requested or if the lease is lost."""
        began = time.monotonic()
        if began - self._renewed < self.ttl / RENEWALS:
            return
        query = "UPDATE lease SET until = ? WHERE holder = ? RETURNING is_stopped"
        try:
            with self._tables.write() as transaction:
                row = transaction.one(query, (self._tables.now() + self.ttl, self.holder))
            self._renewed = began
        except SiliconFriendError as error:
            _LOG.warning("a lease cannot be renewed: %s", error.key)
            row = None if self.is_lost else (0,)
        if row is None or row[0]:
            self._end(was_lost=row is None)

    def _end(self, *, was_lost: bool) -> None:
        with self._guard:
            if self._is_over or self._was_lost:
                return
            self._was_lost = was_lost
        self._leases.forget(self)
        if self._on_end is not None:
            self._on_end(was_lost)


class Leases:
    """The leases held by this process; one thread renews them."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._changed = threading.Condition()
        self._held: dict[str, Lease] = {}
        self._keeper: threading.Thread | None = None

    def lease(self, name: str, *, ttl: float = TTL, on_end: OnEnd | None = None) -> Lease:
        """Return a lease of this name, not yet acquired."""
        return Lease(self, name, ttl, on_end)

    def is_held(self, name: str) -> bool:
        """Return True if any process holds the lease."""
        query = "SELECT 1 FROM lease WHERE name = ? AND until >= ?"
        return bool(self.tables.read(query, (name, self.tables.now())))

    def stop(self, name: str) -> None:
        """Ask the holder of a lease to stop; the holder sees the request at the next renewal."""
        self.tables.change("UPDATE lease SET is_stopped = 1 WHERE name = ?", (name,))

    def release_dead(self) -> None:
        """Release the leases of dead processes on this machine."""
        query = "SELECT DISTINCT pid FROM lease WHERE host = ?"
        for (pid,) in self.tables.read(query, (this_host(),)):
            if not _is_alive(pid):
                values = (this_host(), pid)
                self.tables.change("DELETE FROM lease WHERE host = ? AND pid = ?", values)

    def keep(self, lease: Lease) -> None:
        """Renew an acquired lease until its release."""
        with self._changed:
            self._held[lease.holder] = lease
            if self._keeper is None or not self._keeper.is_alive():  # not in a forked process
                self._keeper = threading.Thread(target=self._renew, name="leases", daemon=True)
                self._keeper.start()
            self._changed.notify()

    def forget(self, lease: Lease) -> None:
        """Stop renewing a lease."""
        with self._changed:
            self._held.pop(lease.holder, None)
            self._changed.notify()

    def _renew(self) -> None:
        while True:
            with self._changed:
                if not self._held:
                    self._keeper = None
                    return
                self._changed.wait(min(lease.ttl for lease in self._held.values()) / RENEWALS)
                held = list(self._held.values())
            for lease in held:
                lease.renew()


@cache
def this_host() -> str:
    """Return the machine's name and PID namespace, separated by a slash."""
    space = ""
    with suppress(OSError):
        space = str(Path("/proc/self/ns/pid").stat().st_ino)
    return f"{socket.gethostname()}/{space}"


def _is_alive(pid: int) -> bool:
    try:
        if os.name == "posix":
            os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # another account's
    return True
