"""The queue of nights: when each person's next night begins, and which process runs it.

A night begins in the small hours of the person's time zone. A missed one is made up once, by day
too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import msgspec

from siliconfriend.control.policy_text import formula
from siliconfriend.installation.leases import TTL, Lease
from siliconfriend.installation.tables import scope_key
from siliconfriend.memory.database import Transaction
from siliconfriend.memory.scope import Scope
from siliconfriend.night.person_night import USUAL, NightOptions
from siliconfriend.night.report import PersonReport
from siliconfriend.night.reports import NightReports, prune_nights
from siliconfriend.runtime import Runtime

HOUR = 3
"""Hour of the night by the person's clock; each person has a minute of their own in it."""
SMALL_HOURS = timedelta(hours=3)
"""Time after that moment in which an unplanned night still begins."""
MAX_ATTEMPTS = 6
"""Most starts of one night, crashes included."""

_PERSON = """
INSERT INTO night_person (person, companion, lease, timezone, due, night, attempts)
VALUES (?, ?, ?, ?, ?, ?, 0)
"""
_MAKE_DUE = f"""{_PERSON} ON CONFLICT (person, companion) DO UPDATE SET
    due = excluded.due, night = excluded.night, attempts = 0
"""
_NEXT = """
SELECT person, companion, lease, timezone, due, night, attempts FROM night_person p
WHERE due <= ? AND (? = 0 OR night = ?)
    AND NOT EXISTS (SELECT 1 FROM lease l WHERE l.name = p.lease AND l.until >= ?)
ORDER BY due, person, companion LIMIT 1
"""
_REMOVE = "DELETE FROM night_person WHERE person = ? AND companion = ?"
_IS_STILL = " WHERE person = ? AND companion = ? AND (night = ? OR (night IS NULL AND ? = 0))"


@dataclass(frozen=True, slots=True)
class Queued:
    """One person's night, taken out of the queue.

    Attributes:
        asked: the night that asked for it, 0 for one that comes by itself.
        attempts: how often it was begun, this time with it.
    """

    scope: Scope
    night: int
    asked: int
    options: NightOptions
    attempts: int
    timezone: str
    lease: Lease


class NightQueue:
    """The queue of an installation; safe between processes."""

    def __init__(self, runtime: Runtime, ttl: float = TTL) -> None:
        self._tables, self._leases = runtime.installation.tables, runtime.installation.leases
        self._reports = NightReports(runtime.installation)
        self._policy, self._ttl = runtime.policy, ttl

    def begin(
        self,
        scopes: Iterable[Scope],
        now: datetime,
        zone: ZoneInfo,
        options: NightOptions,
        *,
        name: str | None = None,
        max_calls: int | None = None,
    ) -> int:
        """Begin a night and make people's nights due as part of it; return its number.

        ``zone`` holds for who was never planned; of a ``name`` there is only one night.
        """
        due = now.timestamp()
        with self._tables.write() as transaction:
            night = self._begin(transaction, now, options, name, max_calls)
            rows = [(*_names(scope), zone.key, due, night) for scope in scopes]
            transaction.many(_MAKE_DUE, rows)
        return night

    def plan(self, scopes: Sequence[Scope], now: datetime, zone: ZoneInfo) -> None:
        """Plan the first night of everyone new, tonight's where the small hours are not over.

        It begins in the small hours of ``zone``, each later one in those of the person's own. Who
        is not there any more is left out from now on.
        """
        rows = self._tables.read("SELECT person, companion FROM night_person")
        known = {Scope(person, companion) for person, companion in rows}
        new = [scope for scope in scopes if scope not in known]
        gone = known.difference(scopes)
        if not new and not gone:
            return
        planned = [
            (*_names(scope), zone.key, due_after(now - SMALL_HOURS, zone, scope).timestamp(), None)
            for scope in new
        ]
        with self._tables.write() as transaction:
            transaction.many(f"{_PERSON} ON CONFLICT (person, companion) DO NOTHING", planned)
            transaction.many(_REMOVE, [(scope.person, scope.companion) for scope in gone])

    def take(self, now: datetime, night: int | None = None) -> Queued | None:
        """Take the next person whose night is due and whom nobody else is at; None for nobody."""
        while True:
            with self._tables.write() as transaction:
                values = (now.timestamp(), night or 0, night or 0, self._tables.now())
                row = transaction.one(_NEXT + transaction.skip_locked, values)
                if row is None:
                    return None
                person, companion, name, timezone, due, asked, attempts = row
                scope, lease = Scope(person, companion), self._leases.lease(name, ttl=self._ttl)
                if not lease.take_in(transaction):
                    continue  # another process was faster
                statement = (
                    "UPDATE night_person SET attempts = ? WHERE person = ? AND companion = ?"
                )
                transaction.execute(statement, (attempts + 1, person, companion))
                number, options = asked, USUAL
                kept = transaction.one("SELECT options FROM night WHERE id = ?", (asked or 0,))
                if kept is not None:
                    options = msgspec.json.decode(kept[0], type=NightOptions)
                else:
                    day = datetime.fromtimestamp(due, ZoneInfo(timezone)).date().isoformat()
                    number = self._begin(transaction, now, options, day, None)
            self._leases.keep(lease)
            return Queued(scope, number, asked or 0, options, attempts + 1, timezone, lease)

    def finish(self, queued: Queued, report: PersonReport, now: datetime) -> None:
        """Write the report, and when the next night begins unless another asked for it meanwhile."""
        zone, scope = report.zone or ZoneInfo(queued.timezone), queued.scope
        last_pass = report.now.timestamp() if report.now and "forget" in report.stages else None
        due = due_after(now, zone, scope).timestamp()
        with self._tables.write() as transaction:
            self._reports.put(transaction, queued.night, report)
            transaction.execute(
                "UPDATE night_person SET timezone = ?, last_pass = coalesce(?, last_pass)"
                " WHERE person = ? AND companion = ?",
                (zone.key, last_pass, scope.person, scope.companion),
            )
            transaction.execute(
                f"UPDATE night_person SET due = ?, night = NULL, attempts = 0{_IS_STILL}",  # noqa: S608
                (due, scope.person, scope.companion, queued.asked, queued.asked),
            )

    def put_back(self, queued: Queued, due: datetime, *, counts: bool) -> None:
        """Put a person back into the queue; ``counts`` where the attempt stays counted."""
        scope = queued.scope
        self._tables.change(
            f"UPDATE night_person SET due = ?, attempts = ?{_IS_STILL}",  # noqa: S608
            (
                *(due.timestamp(), queued.attempts - (0 if counts else 1)),
                *(scope.person, scope.companion, queued.asked, queued.asked),
            ),
        )

    def remove(self, scope: Scope) -> None:
        """Remove somebody who is not there any more."""
        self._tables.change(_REMOVE, (scope.person, scope.companion))

    def waiting(self, night: int, now: datetime) -> list[Scope]:
        """Return the people whose night, asked for by this one, is due and not finished."""
        query = "SELECT person, companion FROM night_person WHERE night = ? AND due <= ?"
        rows = self._tables.read(f"{query} ORDER BY person, companion", (night, now.timestamp()))
        return [Scope(person, companion) for person, companion in rows]

    def give_up(self, night: int, scope: Scope) -> None:
        """Ask no more for a person's night as part of this one; it comes by itself again."""
        statement = (
            "UPDATE night_person SET night = NULL WHERE person = ? AND companion = ? AND night = ?"
        )
        self._tables.change(statement, (scope.person, scope.companion, night))

    def last_pass(self, scope: Scope) -> datetime | None:
        """Return the moment of a scope's last forgetting pass, or None."""
        query = "SELECT last_pass FROM night_person WHERE person = ? AND companion = ?"
        rows = self._tables.read(query, (scope.person, scope.companion))
        if not rows or rows[0][0] is None:
            return None
        return datetime.fromtimestamp(rows[0][0], UTC)

    def _begin(
        self,
        transaction: Transaction,
        now: datetime,
        options: NightOptions,
        name: str | None,
        max_calls: int | None,
    ) -> int:
        head = {
            "policy": self._policy.name,
            "formula": formula(self._policy, "en"),
            "now": now.isoformat(),
            "dry_run": False,
            "unreadable": [],
        }
        written = msgspec.json.encode(options).decode()
        row = transaction.one(
            "INSERT INTO night (name, began, head, options, max_calls, calls)"
            " VALUES (?, ?, ?, ?, ?, 0) ON CONFLICT (name) DO NOTHING RETURNING id",
            (name, self._tables.now(), json.dumps(head), written, max_calls),
        )
        if row is None:
            row = transaction.one("SELECT id FROM night WHERE name = ?", (name,))
        else:
            prune_nights(transaction)
        assert row is not None
        return int(row[0])


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


def _names(scope: Scope) -> tuple[str, str, str]:
    return scope.person, scope.companion, lease_name(scope)
