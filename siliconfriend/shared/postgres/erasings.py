"""The intents of erasings, which any process on any host takes up."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from psycopg import errors

from siliconfriend.errors import MemoryBusy
from siliconfriend.memory.jobs import Job
from siliconfriend.memory.postgres.database import Database

AT_ONCE = 4
"""Erasings of one process at once: each holds a connection, and needs others beside it."""
_LOCKS = 0x65726173
"""First key of the advisory locks of erasings; the second is the person's."""


class JobRows:
    """The :class:`~siliconfriend.memory.jobs.Jobs` of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._room = threading.Semaphore(AT_ONCE)

    def begin(self, kind: str, intent: Mapping[str, Any]) -> Job:
        """Keep a new intent, durable on return."""
        return self.keep(f"{kind}-{secrets.token_hex(8)}", {"job": kind, **intent})

    def keep(self, name: str, intent: Mapping[str, Any]) -> Job:
        """Keep the intent of a job as it is now, durable on return."""
        person = str(intent.get("person", ""))
        with self._database.transaction(person) as connection:
            connection.execute(
                "INSERT INTO siliconfriend.erasing (name, person, intent) VALUES (%s, %s, %s)"
                " ON CONFLICT (name) DO UPDATE SET intent = excluded.intent",
                (name, person, json.dumps(intent).encode()),
            )
        return self._job(name, intent)

    def remove(self, job: Job) -> None:
        """Remove the intent of a job that is done."""
        with self._database.transaction(str(job.intent.get("person", ""))) as connection:
            connection.execute("DELETE FROM siliconfriend.erasing WHERE name = %s", (job.name,))

    def unfinished(self) -> list[Job]:
        """Every job that was begun and not ended."""
        with self._database.connection() as connection:
            rows = connection.execute("SELECT name, intent FROM siliconfriend.erasings()")
            return [self._job(str(name), json.loads(intent)) for name, intent in rows]

    @contextmanager
    def one_at_a_time(self, person: str, wait: float) -> Iterator[None]:
        """Hold the lock of a person's erasings, which ends with this process too."""
        if not self._room.acquire(timeout=max(wait, 0.001)):
            raise MemoryBusy("erasing_going_on", seconds=round(wait))
        try:
            with self._holding(person, wait):
                yield
        finally:
            self._room.release()

    @contextmanager
    def _holding(self, person: str, wait: float) -> Iterator[None]:
        with self._database.transaction() as connection:
            milliseconds = str(max(1, round(wait * 1000)))
            connection.execute("SELECT set_config('lock_timeout', %s, true)", (milliseconds,))
            try:
                connection.execute(
                    "SELECT pg_advisory_xact_lock(%s, hashtext(%s))", (_LOCKS, person)
                )
            except errors.LockNotAvailable as error:
                raise MemoryBusy("erasing_going_on", seconds=round(wait)) from error
            yield

    def _job(self, name: str, intent: Mapping[str, Any]) -> Job:
        return Job(name, f"{self._database.place} {name}", intent, self)
