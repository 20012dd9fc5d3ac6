"""Open the state shared by the processes of an installation, next to its memories."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from zoneinfo import ZoneInfo

from siliconfriend.config import Settings
from siliconfriend.installation.accounts import Keys, Passwords, Sessions
from siliconfriend.installation.audit import AuditLog
from siliconfriend.installation.jobs import Jobs
from siliconfriend.installation.leases import Lease, Leases, OnEnd
from siliconfriend.installation.limits import Limits
from siliconfriend.installation.subscriptions import Subscriptions
from siliconfriend.installation.tables import COUNTS, FILE_NAME, INSTALLATION, Tables, scope_key
from siliconfriend.installation.tokens import Tokens
from siliconfriend.memory.database import Database, SQLiteDatabase, Transaction
from siliconfriend.memory.factory import open_store
from siliconfriend.memory.scope import Scope, clean_name
from siliconfriend.memory.store import MemoryStore

REPLY_TTL = 10.0
"""Seconds until the lease of a dead process's reply expires."""


class Installation:
    """State shared by front ends, nights and erasures; ``is_shared`` if several machines use it."""

    def __init__(
        self,
        database: Database,
        store: MemoryStore | None = None,
        operator_key: str | None = None,
        tokens_a_day: int | None = None,
        zone: ZoneInfo = ZoneInfo("UTC"),  # noqa: B008
        seconds: Callable[[], float] | None = None,
    ) -> None:
        self.tables = Tables(database, seconds)
        self._seconds = seconds
        self.is_shared = self.tables.is_shared
        self.passwords = Passwords(self.tables)
        self.keys = Keys(self.tables, operator_key)
        self.tokens = Tokens(self.tables, tokens_a_day, zone)
        self.sessions = Sessions(self.tables)
        self.leases = Leases(self.tables)
        self.jobs = Jobs(self.tables)
        self.subscriptions = Subscriptions(self.tables)
        self.audit = AuditLog(self.tables)
        self._store = store

    def nights_due(self) -> int:
        """Return the number of people whose night is due."""
        query = "SELECT count(*) FROM night_person WHERE due <= ?"
        found = self.tables.read(query, (self.tables.now(),))
        return int(found[0][0]) if found else 0

    @cached_property
    def limits(self) -> Limits:
        """Rate limits of login attempts and requests."""
        if self.is_shared:
            return Limits(self.tables)
        return Limits(Tables(SQLiteDatabase(None, COUNTS), self._seconds or time.monotonic))

    def reply_lease(self, scope: Scope, on_end: OnEnd) -> Lease:
        """Return the lease on replying in a conversation, not yet acquired."""
        return self.leases.lease(_reply_name(scope), ttl=REPLY_TTL, on_end=on_end)

    def stop_reply(self, scope: Scope) -> None:
        """Stop a reply of another process within two seconds."""
        self.leases.stop(_reply_name(scope))

    def talk_state(self, scope: Scope) -> tuple[int, bool]:
        """Return the number of a conversation's last change, or 0, and whether a reply is running."""
        if self._store is None or not self._store.exists(scope):
            return 0, False
        return self._store.load(scope).sequence, self.leases.is_held(_reply_name(scope))

    def forget_person(self, name: str) -> None:
        """Delete every row about a person, except those of a running erasure."""
        name = clean_name(name)
        if not self.tables.exists:
            return
        with self.tables.write() as transaction:
            known = transaction.execute("SELECT scope FROM night_person WHERE person = ?", (name,))
            _forget_reports(transaction, [scope for (scope,) in known])
            for table in (
                "password",
                "access_key",
                "session",
                "night_person",
                "push_subscription",
                "tokens",
            ):
                transaction.execute(f"DELETE FROM {table} WHERE person = ?", (name,))  # noqa: S608

    def forget_nights(self, scopes: Iterable[Scope]) -> None:
        """Delete some memories' parts of night reports."""
        if self.tables.exists:
            with self.tables.write() as transaction:
                _forget_reports(transaction, map(scope_key, scopes))

    def copy_access(self, person: str, target: Installation, *, over: bool) -> None:
        """Copy the hashes of a person's password and keys to another installation."""
        kept = self.passwords.hash_of(person)
        if kept is not None and (over or target.passwords.hash_of(person) is None):
            target.passwords.adopt(person, kept)
        self.keys.copy_to(target.keys, person, over=over)


def _forget_reports(transaction: Transaction, keys: Iterable[str]) -> None:
    transaction.many("DELETE FROM night_report WHERE scope = ?", [(key,) for key in keys])


def _reply_name(scope: Scope) -> str:
    return f"reply/{scope_key(scope)}"


def open_installation(settings: Settings, store: MemoryStore | None = None) -> Installation:
    """Open the installation that the settings name: a file in the data directory, or PostgreSQL."""
    database: Database
    if settings.store == "file":
        database = SQLiteDatabase(settings.home / FILE_NAME, INSTALLATION)
    else:
        from siliconfriend.memory.postgresql import PostgresStore

        opened = store or open_store(settings)
        assert isinstance(opened, PostgresStore)
        database = opened.shared
        opened.shared.require(INSTALLATION, COUNTS)
    given = (settings.operator_key, settings.tokens_a_day, settings.zone)
    return Installation(database, store, *given)


def installation_in(home: Path, file_name: str = FILE_NAME) -> Installation:
    """Open the installation of a data directory, or a separate accounts file, by path."""
    return Installation(SQLiteDatabase(home / file_name, INSTALLATION))
