"""The tables of an installation, the same in ``installation.sqlite`` and in PostgreSQL.

The tables contain no words of memories. Moments are seconds since 1970, by one clock for all
machines.
"""

import hashlib
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from siliconfriend.memory.database import Database, SQLiteDatabase, Transaction
from siliconfriend.memory.schema import Schema
from siliconfriend.memory.scope import Scope

FILE_NAME = "installation.sqlite"
"""Name of the SQLite file in the data directory."""

INSTALLATION = Schema(
    "installation",
    (
        # Drawn once: what the name of the page's cookie ends in.
        "CREATE TABLE cookie (number {int} PRIMARY KEY, id {text} NOT NULL)",
        "CREATE TABLE password (person {text} PRIMARY KEY, hash {text} NOT NULL)",
        # The operator's key has the empty name.
        "CREATE TABLE access_key (hash {text} PRIMARY KEY, person {text} NOT NULL,"
        " name {text} NOT NULL, made {real} NOT NULL, until {real}, used {real},"
        " UNIQUE (person, name))",
        # By the hash of the token; `password` is the hash of the hash that let them in.
        "CREATE TABLE session (digest {text} PRIMARY KEY, person {text} NOT NULL,"
        " password {text} NOT NULL, seen {real} NOT NULL)",
        # A right that one process has at a time, until it is released or not renewed.
        "CREATE TABLE lease (name {text} PRIMARY KEY, holder {text} NOT NULL,"
        " host {text} NOT NULL, pid {int} NOT NULL, until {real} NOT NULL,"
        " is_stopped {int} NOT NULL)",
        "CREATE INDEX lease_holder ON lease (holder)",
        # Erasings under way or stopped: whose memory and which ids, as JSON.
        "CREATE TABLE job (name {text} PRIMARY KEY, person {text} NOT NULL,"
        " intent {text} NOT NULL)",
        # A night: what is the same for everyone in it, and its calls of a model.
        "CREATE TABLE night (id {serial}, name {text} UNIQUE, began {real} NOT NULL,"
        " head {text} NOT NULL, options {text} NOT NULL, max_calls {int},"
        " calls {int} NOT NULL)",
        # What a night did for one memory, without names: `scope` is a hash.
        "CREATE TABLE night_report (night {int} NOT NULL REFERENCES night ON DELETE"
        " CASCADE, scope {text} NOT NULL, at {real} NOT NULL, form {text} NOT NULL,"
        " PRIMARY KEY (night, scope))",
        "CREATE INDEX night_report_scope ON night_report (scope, night)",
        # The queue: when each person's next night begins. `night` is the one that asked
        # for it or was begun, null until the night that comes by itself.
        "CREATE TABLE night_person (scope {text} PRIMARY KEY, person {text} NOT NULL,"
        " companion {text} NOT NULL, due {real} NOT NULL, night {int},"
        " attempts {int} NOT NULL, last_pass {real})",
        "CREATE INDEX night_person_due ON night_person (due)",
        # What a model's replies to a person took on a day.
        "CREATE TABLE tokens (person {text} NOT NULL, day {text} NOT NULL, requests {int} NOT NULL,"
        " input {int} NOT NULL, output {int} NOT NULL, PRIMARY KEY (person, day))",
        # What destroyed or exported something; without names, so that it survives a deletion.
        "CREATE TABLE audit (at {real} NOT NULL, actor {text} NOT NULL, action {text} NOT NULL,"
        " person {text} NOT NULL, ids {text} NOT NULL)",
        # Browsers that asked for notices, and the key that signs these, drawn once.
        "CREATE TABLE push_subscription (endpoint {text} PRIMARY KEY, person {text} NOT NULL,"
        " companion {text} NOT NULL, p256dh {text} NOT NULL, auth {text} NOT NULL,"
        " told {text} NOT NULL, at {real} NOT NULL)",
        "CREATE TABLE push_key (number {int} PRIMARY KEY, private {text} NOT NULL,"
        " public {text} NOT NULL)",
        # How many of ten questions with known answers a chat model answered rightly.
        "CREATE TABLE ability (model {text} NOT NULL, language {text} NOT NULL,"
        " edition {int} NOT NULL, day {text} NOT NULL, score {int} NOT NULL,"
        " PRIMARY KEY (model, language, edition))",
    ),
)

COUNTS = Schema(
    "counts",
    # Tries to log in and requests, by hashes, and when they count anew.
    (
        "CREATE TABLE attempt (name {text} PRIMARY KEY, times {int} NOT NULL, until {real} NOT NULL)",
    ),
    postgres=("ALTER TABLE attempt SET UNLOGGED",),
)
"""Tables that need not survive a crash; in memory if the store uses files."""

_COMPARED_EVERY = 30.0
"""Seconds between comparisons of this machine's clock with the database server's."""


class Tables:
    """The tables of an installation; ``is_shared`` if several machines use them; thread-safe."""

    def __init__(self, database: Database, seconds: Callable[[], float] | None = None) -> None:
        self.database, self.is_shared = database, database.engine == "postgresql"
        self._seconds = seconds
        self._compared: tuple[float, float] | None = None

    @property
    def exists(self) -> bool:
        """Return True if the database exists."""
        database = self.database
        return (
            not isinstance(database, SQLiteDatabase) or not database.path or database.path.exists()
        )

    def read(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """Run one SELECT; return no rows if the file is missing, without creating the file."""
        if not self.exists:
            return []
        with self.database.reading() as transaction:
            return transaction.execute(statement, values)

    def write(self) -> AbstractContextManager[Transaction]:
        """Return a write transaction."""
        return self.database.transaction()

    def change(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Run one write statement; return the number of changed rows."""
        with self.write() as transaction:
            return transaction.change(statement, values)

    def now(self) -> float:
        """Return the time in seconds since 1970, by the database server's clock if there is one."""
        if self._seconds is not None:
            return self._seconds()
        here = time.time()
        if not self.is_shared:
            return here
        if self._compared is None or time.monotonic() - self._compared[0] > _COMPARED_EVERY:
            query = "SELECT extract(epoch FROM clock_timestamp())::float8"
            ((there,),) = self.read(query)
            here = time.time()
            self._compared = (time.monotonic(), float(there) - here)
        return here + self._compared[1]


def scope_key(scope: Scope) -> str:
    """Return a hash of both names, for tables without names."""
    return hashlib.sha256(f"{scope.person}\0{scope.companion}".encode()).hexdigest()[:32]
