"""Tables of nights: the schedule of each person, the running process, and recent reports.

A night begins in the small hours of the person's time zone. A missed night is run once, also by
day. A report has a row per night and a row per person, without names. Each process writes its
person's row, so reports survive a killed process.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from siliconfriend.installation.installation import Installation
from siliconfriend.installation.leases import TTL, Lease
from siliconfriend.installation.tables import Tables, scope_key
from siliconfriend.memory.database import Transaction
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import Usage
from siliconfriend.night.person_night import NightOptions
from siliconfriend.night.report import NightReport, PersonReport
from siliconfriend.runtime import Runtime

MAX_NIGHTS = 60
"""Number of nights whose reports are kept."""
HOUR = 3
"""Local hour of the night; each person's night starts at a different minute."""
SMALL_HOURS = timedelta(hours=3)
"""Grace period after that time for nights not yet planned."""
MAX_ATTEMPTS = 6
"""Maximum number of starts of one night, including crashes."""

_PLAN = """
INSERT INTO night_person (scope, person, companion, due, night, attempts)
VALUES (?, ?, ?, ?, ?, 0) ON CONFLICT (scope) DO
"""
_NEXT = """
SELECT scope, person, companion, due, night, attempts,
    (SELECT options FROM night n WHERE n.id = p.night)
FROM night_person p WHERE due <= ? AND (? = 0 OR night = ?)
    AND NOT EXISTS (SELECT 1 FROM lease l WHERE l.name = 'night/' || p.scope AND l.until >= ?)
ORDER BY due, person, companion LIMIT 1
"""


class NightReports:
    """The reports of an installation."""

    def __init__(self, installation: Installation) -> None:
        self._tables: Tables = installation.tables

    def last(self, scopes: Sequence[Scope]) -> dict[str, Any] | None:
        """Load the newest report, including that of a running night, or None."""
        return next(self._newest_first(scopes), None)

    def of(self, scope: Scope, most: int) -> list[dict[str, Any]]:
        """Load the newest reports of one person, without other people, newest first."""
        found = islice(self._newest_first([scope], key=scope_key(scope)), most)
        return [{**form, "unreadable": []} for form in found]

    def named(self, name: str, scopes: Sequence[Scope]) -> dict[str, Any] | None:
        """Load the report so far of a named night, or None.

        Adds ``is_over`` (finished), ``waiting`` (people left) and ``error`` (reason of an abort) to
        :meth:`last`.
        """
        rows = self._tables.read("SELECT id, head FROM night WHERE name = ?", (name,))
        for number, head in rows:
            found = next(self._newest_first(scopes, night=number))
            return {**found, "is_over": "seconds" in json.loads(head)}
        return None

    def is_worked_on(self, name: str) -> bool:
        """Return True if somebody's part of a named night is being done now."""
        query = (
            "SELECT 1 FROM night n JOIN night_person p ON p.night = n.id"
            " JOIN lease l ON l.name = 'night/' || p.scope WHERE n.name = ? AND l.until >= ?"
        )
        return bool(self._tables.read(query, (name, self._tables.now())))

    def _newest_first(
        self, scopes: Sequence[Scope], *, key: str = "", night: int = 0
    ) -> Iterator[dict[str, Any]]:
        """Yield the reports with names, optionally of one person or one night."""
        known = {scope_key(scope): scope for scope in scopes}
        nights = self._tables.read(
            "SELECT id, began, head, (SELECT max(at) FROM night_report r WHERE r.night = n.id),"
            " (SELECT count(*) FROM night_person p WHERE p.night = n.id) FROM night n"
            " WHERE (? = 0 OR id = ?) AND (? = '' OR EXISTS (SELECT 1 FROM night_report r"
            " WHERE r.night = n.id AND r.scope = ?)) ORDER BY id DESC",
            (night, night, key, key),
        )
        for number, began, head, ended, waiting in nights:
            rows = self._tables.read(
                "SELECT scope, form FROM night_report WHERE night = ? AND (scope = ? OR ? = '')",
                (number, key, key),
            )
            people, usage = [], Usage()
            for scope, written in rows:
                form = json.loads(written)
                usage += Usage(**form["llm"])
                named = known.get(scope)
                user, companion = (named.person, named.companion) if named else (None, None)
                people.append({"user": user, "companion": companion, **form})
            people.sort(
                key=lambda person: (person["user"] is None, person["user"], person["companion"])
            )
            counted = {"llm": usage.document(), "seconds": round((ended or began) - began, 3)}
            yield {**counted, **json.loads(head), "users": people, "waiting": waiting}


@dataclass(frozen=True, slots=True)
class Queued:
    """One person's leased night; ``attempts`` includes this one."""

    scope: Scope
    night: int
    options: NightOptions
    attempts: int
    lease: Lease


class NightQueue(NightReports):
    """The queue of an installation with the reports; safe between processes."""

    def __init__(self, runtime: Runtime, ttl: float = TTL) -> None:
        super().__init__(runtime.installation)
        self._runtime, self._leases, self._ttl = runtime, runtime.installation.leases, ttl

    def begin(
        self,
        scopes: Iterable[Scope],
        options: NightOptions,
        *,
        name: str | None = None,
        max_calls: int | None = None,
    ) -> int:
        """Create a night, queue people's nights in it, and return its number.

        A ``name`` identifies one night.
        """
        now = self._now()
        with self._tables.write() as transaction:
            night = self._begin(transaction, options, name, max_calls)
            transaction.many(
                f"{_PLAN} UPDATE SET due = excluded.due, night = excluded.night, attempts = 0",
                [_row(scope, now, night) for scope in scopes],
            )
        return night

    def plan(self) -> None:
        """Schedule the first night of new people, tonight if the small hours are not over.

        It begins in the small hours of the installation, each later one in those of the person.
        Deleted people are removed from the schedule.
        """
        rows = self._tables.read("SELECT person, companion FROM night_person")
        known, there = {Scope(*row) for row in rows}, set(self._runtime.store.scopes())
        if known == there:
            return
        after, zone = self._now() - SMALL_HOURS, self._runtime.settings.zone
        planned = [_row(scope, due_after(after, zone, scope), None) for scope in there - known]
        with self._tables.write() as transaction:
            transaction.many(f"{_PLAN} NOTHING", planned)
        for scope in known - there:
            self.remove(scope)

    def take(self, night: int | None = None) -> Queued | None:
        """Lease the next person whose night is due and not leased, or return None."""
        while True:
            with self._tables.write() as transaction:
                values = (self._now().timestamp(), night or 0, night or 0, self._tables.now())
                row = transaction.one(_NEXT + transaction.skip_locked, values)
                if row is None:
                    return None
                key, person, companion, due, number, attempts, kept = row
                lease = self._leases.lease(f"night/{key}", ttl=self._ttl)
                if not lease.take_in(transaction):
                    continue  # another process was faster
                if not kept:
                    day = datetime.fromtimestamp(due, self._runtime.settings.zone).date()
                    number = self._begin(transaction, NightOptions(), day.isoformat())
                options = msgspec.json.decode(kept or "{}", type=NightOptions)
                statement = "UPDATE night_person SET night = ?, attempts = ? WHERE scope = ?"
                transaction.execute(statement, (number, attempts + 1, key))
            self._leases.keep(lease)
            scope = Scope(person, companion)
            return Queued(scope, number, options, attempts + 1, lease)

    def finish(self, queued: Queued, report: PersonReport) -> None:
        """Write the report; schedule the next night unless another night requested this person."""
        zone, key = report.zone or self._runtime.settings.zone, scope_key(queued.scope)
        due = due_after(self._now(), zone, queued.scope).timestamp()
        with self._tables.write() as transaction:
            self._save_person(transaction, queued.night, report)
            if report.now is not None and "forget" in report.stages:
                statement = "UPDATE night_person SET last_pass = ? WHERE scope = ?"
                transaction.execute(statement, (report.now.timestamp(), key))
            transaction.execute(
                "UPDATE night_person SET due = ?, night = NULL, attempts = 0"
                " WHERE scope = ? AND night = ?",
                (due, key, queued.night),
            )

    def put_back(
        self, queued: Queued, wait: timedelta | None = None, *, counts: bool = False
    ) -> None:
        """Return a person to the queue; ``counts`` keeps the attempt counted."""
        due, attempts = self._now() + (wait or timedelta()), queued.attempts - (not counts)
        self._tables.change(
            "UPDATE night_person SET due = ?, attempts = ? WHERE scope = ? AND night = ?",
            (due.timestamp(), attempts, scope_key(queued.scope), queued.night),
        )

    def remove(self, scope: Scope) -> None:
        """Remove a deleted person."""
        self._tables.change("DELETE FROM night_person WHERE scope = ?", (scope_key(scope),))

    def waiting(self, night: int) -> list[Scope]:
        """Return the people of this night who are not finished."""
        query = "SELECT person, companion FROM night_person WHERE night = ? AND due <= ?"
        values = (night, self._now().timestamp())
        rows = self._tables.read(f"{query} ORDER BY person, companion", values)
        return [Scope(*row) for row in rows]

    def give_up(self, night: int, scopes: Iterable[Scope]) -> None:
        """Detach people from this night; their regular schedule applies again."""
        statement = "UPDATE night_person SET night = NULL WHERE scope = ? AND night = ?"
        with self._tables.write() as transaction:
            transaction.many(statement, [(scope_key(scope), night) for scope in scopes])

    def last_pass(self, scope: Scope) -> datetime | None:
        """Return the moment of a scope's last forgetting pass, or None."""
        query = "SELECT last_pass FROM night_person WHERE scope = ?"
        moments = (moment for (moment,) in self._tables.read(query, (scope_key(scope),)) if moment)
        return next((datetime.fromtimestamp(moment, UTC) for moment in moments), None)

    def person(self, night: int, scope: Scope) -> dict[str, Any]:
        """Return the report of a person's night so far, or an empty one."""
        query = "SELECT form FROM night_report WHERE night = ? AND scope = ?"
        rows = self._tables.read(query, (night, scope_key(scope)))
        return json.loads(rows[0][0]) if rows else {}

    def save_person(self, night: int, report: PersonReport) -> None:
        """Write one person's part."""
        with self._tables.write() as transaction:
            self._save_person(transaction, night, report)

    def _save_person(self, transaction: Transaction, night: int, report: PersonReport) -> None:
        transaction.execute(
            "INSERT INTO night_report (night, scope, at, form) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (night, scope) DO UPDATE SET form = excluded.form, at = excluded.at",
            (night, scope_key(report.scope), self._tables.now(), json.dumps(_nameless(report))),
        )

    def save(self, night: int, report: NightReport | None, error: str = "") -> None:
        """Write a night's overall report, or the reason it was aborted."""
        if report is not None:
            head = _head(report)
        else:
            (row,) = self._tables.read("SELECT head FROM night WHERE id = ?", (night,))
            head = {**json.loads(row[0]), "error": error}
        self._tables.change("UPDATE night SET head = ? WHERE id = ?", (json.dumps(head), night))

    def _begin(
        self,
        transaction: Transaction,
        options: NightOptions,
        name: str | None = None,
        max_calls: int | None = None,
    ) -> int:
        head = _head(NightReport(self._runtime.policy, (), self._now(), 0.0))
        del head["seconds"]
        given = (json.dumps(head), msgspec.json.encode(options).decode(), max_calls)
        row = transaction.one(
            "INSERT INTO night (name, began, head, options, max_calls, calls)"
            " VALUES (?, ?, ?, ?, ?, 0) ON CONFLICT (name) DO NOTHING RETURNING id",
            (name, self._tables.now(), *given),
        )
        if row is None:
            row = transaction.one("SELECT id FROM night WHERE name = ?", (name,))
            assert row is not None
        else:
            _prune(transaction)
        return int(row[0])

    def _now(self) -> datetime:
        return self._runtime.clock.now(self._runtime.settings.zone)


def _head(report: NightReport) -> dict[str, Any]:
    head = report.to_json()
    del head["users"], head["llm"]
    # A directory name starts with the person's letters; the part after the last dash is anonymous.
    head["unreadable"] = [name.rpartition("-")[2] for name in report.unreadable]
    return head


def _nameless(report: PersonReport) -> dict[str, Any]:
    """Serialize one person's part of a report without their name."""
    form = report.to_json()
    del form["user"], form["companion"]
    return form


def _prune(transaction: Transaction) -> None:
    """Delete all but the newest nights, with their reports."""
    newest = "SELECT id FROM night ORDER BY id DESC LIMIT ?"
    transaction.execute(f"DELETE FROM night WHERE id NOT IN ({newest})", (MAX_NIGHTS,))  # noqa: S608


def _row(scope: Scope, due: datetime, night: int | None) -> tuple[object, ...]:
    return scope_key(scope), scope.person, scope.companion, due.timestamp(), night


def due_after(moment: datetime, zone: ZoneInfo, scope: Scope) -> datetime:
    """Return the first moment after another, in UTC, at which a person's night is to begin."""
    at = time(HOUR, int(scope_key(scope)[:8], 16) % 60, tzinfo=zone)
    day = moment.astimezone(zone).date()
    while (due := datetime.combine(day, at).astimezone(UTC)) <= moment:
        day += timedelta(days=1)
    return due
