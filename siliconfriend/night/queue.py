"""The queue of nights: when each person's next night begins, and which process runs it.

A night begins in the small hours of the person's time zone. A missed one is made up once, by day
too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import msgspec

from siliconfriend.installation.leases import TTL, Lease
from siliconfriend.installation.tables import scope_key
from siliconfriend.memory.scope import Scope
from siliconfriend.night.person_night import NightOptions
from siliconfriend.night.report import PersonReport
from siliconfriend.night.reports import NightReports
from siliconfriend.runtime import Runtime

HOUR = 3
"""Hour of the night by the person's clock; each person has a minute of their own in it."""
SMALL_HOURS = timedelta(hours=3)
"""Time after that moment in which an unplanned night still begins."""
MAX_ATTEMPTS = 6
"""Most starts of one night, crashes included."""
NOW = timedelta(0)

_PLAN = """
INSERT INTO night_person (person, companion, lease, timezone, due, night, attempts)
VALUES (?, ?, ?, ?, ?, ?, 0) ON CONFLICT (person, companion) DO
"""
_NEXT = """
SELECT person, companion, lease, timezone, due, night, attempts FROM night_person p
WHERE due <= ? AND (? = 0 OR night = ?)
    AND NOT EXISTS (SELECT 1 FROM lease l WHERE l.name = p.lease AND l.until >= ?)
ORDER BY due, person, companion LIMIT 1
"""
_PERSON = " WHERE person = ? AND companion = ?"


@dataclass(frozen=True, slots=True)
class Queued:
    """One person's night, taken out of the queue; ``attempts`` counts this time too."""

    scope: Scope
    night: int
    options: NightOptions
    attempts: int
    timezone: str
    lease: Lease


class NightQueue:
    """The queue of an installation; safe between processes."""

    def __init__(self, runtime: Runtime, ttl: float = TTL) -> None:
        self._tables, self._leases = runtime.installation.tables, runtime.installation.leases
        self._reports = NightReports(runtime.installation)
        self._runtime, self._ttl = runtime, ttl

    def begin(
        self,
        scopes: Iterable[Scope],
        options: NightOptions,
        *,
        name: str | None = None,
        max_calls: int | None = None,
    ) -> int:
        """Begin a night and make people's nights due as part of it; return its number.

        Of a ``name`` there is only one night.
        """
        now = self._now()
        with self._tables.write() as transaction:
            night = self._reports.begin(
                transaction, self._runtime.policy, now, options, name, max_calls
            )
            transaction.many(
                f"{_PLAN} UPDATE SET due = excluded.due, night = excluded.night, attempts = 0",
                [self._row(scope, now, night) for scope in scopes],
            )
        return night

    def plan(self) -> None:
        """Plan the first night of everyone new, tonight's where the small hours are not over.

        It begins in the small hours of the installation, each later one in those of the person.
        Who is not there any more is left out from now on.
        """
        rows = self._tables.read("SELECT person, companion FROM night_person")
        known, there = {Scope(*row) for row in rows}, set(self._runtime.store.scopes())
        if known == there:
            return
        after, zone = self._now() - SMALL_HOURS, self._runtime.settings.zone
        planned = [self._row(scope, due_after(after, zone, scope), None) for scope in there - known]
        with self._tables.write() as transaction:
            transaction.many(f"{_PLAN} NOTHING", planned)
        for scope in known - there:
            self.remove(scope)

    def take(self, night: int | None = None) -> Queued | None:
        """Take the next person whose night is due and whom nobody else is at; None for nobody."""
        while True:
            now = self._now()
            with self._tables.write() as transaction:
                values = (now.timestamp(), night or 0, night or 0, self._tables.now())
                row = transaction.one(_NEXT + transaction.skip_locked, values)
                if row is None:
                    return None
                person, companion, name, timezone, due, number, attempts = row
                lease = self._leases.lease(name, ttl=self._ttl)
                if not lease.take_in(transaction):
                    continue  # another process was faster
                kept = transaction.one("SELECT options FROM night WHERE id = ?", (number or 0,))
                if kept is not None:
                    options = msgspec.json.decode(kept[0], type=NightOptions)
                else:  # it comes by itself
                    policy, options = self._runtime.policy, NightOptions()
                    day = datetime.fromtimestamp(due, ZoneInfo(timezone)).date().isoformat()
                    number = self._reports.begin(transaction, policy, now, options, day)
                transaction.execute(
                    f"UPDATE night_person SET night = ?, attempts = ?{_PERSON}",  # noqa: S608
                    (number, attempts + 1, person, companion),
                )
            self._leases.keep(lease)
            scope = Scope(person, companion)
            return Queued(scope, number, options, attempts + 1, timezone, lease)

    def finish(self, queued: Queued, report: PersonReport) -> None:
        """Write the report, and when the next night begins unless another asked for it meanwhile."""
        zone, scope = report.zone or ZoneInfo(queued.timezone), queued.scope
        last_pass = report.now.timestamp() if report.now and "forget" in report.stages else None
        due, place = due_after(self._now(), zone, scope), (scope.person, scope.companion)
        with self._tables.write() as transaction:
            self._reports.put(transaction, queued.night, report)
            transaction.execute(
                "UPDATE night_person SET timezone = ?, last_pass = coalesce(?, last_pass)"  # noqa: S608
                f"{_PERSON}",
                (zone.key, last_pass, *place),
            )
            transaction.execute(
                "UPDATE night_person SET due = ?, night = NULL, attempts = 0"  # noqa: S608
                f"{_PERSON} AND night = ?",
                (due.timestamp(), *place, queued.night),
            )

    def put_back(self, queued: Queued, wait: timedelta = NOW, *, counts: bool = False) -> None:
        """Put a person back into the queue; ``counts`` where the attempt stays counted."""
        due, attempts = (self._now() + wait).timestamp(), queued.attempts - (0 if counts else 1)
        self._tables.change(
            f"UPDATE night_person SET due = ?, attempts = ?{_PERSON} AND night = ?",  # noqa: S608
            (due, attempts, queued.scope.person, queued.scope.companion, queued.night),
        )

    def remove(self, scope: Scope) -> None:
        """Remove somebody who is not there any more."""
        statement = f"DELETE FROM night_person{_PERSON}"  # noqa: S608
        self._tables.change(statement, (scope.person, scope.companion))

    def waiting(self, night: int) -> list[Scope]:
        """Return the people whose night, asked for by this one, is due and not finished."""
        query = "SELECT person, companion FROM night_person WHERE night = ? AND due <= ?"
        values = (night, self._now().timestamp())
        rows = self._tables.read(f"{query} ORDER BY person, companion", values)
        return [Scope(*row) for row in rows]

    def give_up(self, night: int, scope: Scope) -> None:
        """Ask no more for a person's night as part of this one; it comes by itself again."""
        statement = f"UPDATE night_person SET night = NULL{_PERSON} AND night = ?"  # noqa: S608
        self._tables.change(statement, (scope.person, scope.companion, night))

    def last_pass(self, scope: Scope) -> datetime | None:
        """Return the moment of a scope's last forgetting pass, or None."""
        query = f"SELECT last_pass FROM night_person{_PERSON}"  # noqa: S608
        rows = self._tables.read(query, (scope.person, scope.companion))
        return datetime.fromtimestamp(rows[0][0], UTC) if rows and rows[0][0] else None

    def _now(self) -> datetime:
        return self._runtime.clock.now(self._runtime.settings.zone)

    def _row(self, scope: Scope, due: datetime, night: int | None) -> tuple[object, ...]:
        zone = self._runtime.settings.zone.key  # for who was never planned
        name = lease_name(scope)
        return scope.person, scope.companion, name, zone, due.timestamp(), night


def due_after(moment: datetime, zone: ZoneInfo, scope: Scope) -> datetime:
    """Return the first moment after another, in UTC, at which a person's night is to begin."""
    at = time(HOUR, int(scope_key(scope)[:8], 16) % 60, tzinfo=zone)
    day = moment.astimezone(zone).date()
    while (due := datetime.combine(day, at).astimezone(UTC)) <= moment:
        day += timedelta(days=1)
    return due


def lease_name(scope: Scope) -> str:
    """Return the name of the lease on a person's night."""
    return f"night/{scope_key(scope)}"
