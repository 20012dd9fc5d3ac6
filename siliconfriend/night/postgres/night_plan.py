"""When each person's night begins by itself: in the small hours where they live.

The plan has a row a person with that moment, so that to find who is due no memory is opened. A
night that was missed because no worker ran is made up for once, by day too: it keeps nobody waiting.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from siliconfriend.errors import SiliconFriendError
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.scope import Scope
from siliconfriend.night.postgres.job_queue import defer_night
from siliconfriend.night.postgres.night_rows import JobOptions, begin_night
from siliconfriend.night.postgres.scope_key import scope_key
from siliconfriend.runtime import Runtime

HOUR = 3
"""By the person's own clock. Each has a minute of their own in it, so that not all begin at once."""

SMALL_HOURS = timedelta(hours=3)
"""So long after that moment a night that nobody planned yet begins still."""

AT_ONCE = 1000
"""How many people are looked at in one go."""

_THERE = "SELECT 1 FROM siliconfriend.scope WHERE person = %s AND companion = %s FOR KEY SHARE"
_ADD = """
INSERT INTO siliconfriend.night_plan (person, companion, timezone, due) VALUES (%s, %s, %s, %s)
ON CONFLICT DO NOTHING
"""
_MOVE = """
UPDATE siliconfriend.night_plan SET due = %s WHERE person = %s AND companion = %s AND due = %s
"""
_SETTLE = """
UPDATE siliconfriend.night_plan SET timezone = %s, due = %s
WHERE person = %s AND companion = %s AND timezone <> %s
"""


def due_after(moment: datetime, zone: ZoneInfo, scope: Scope) -> datetime:
    """The first moment after another, in UTC, at which a person's night is to begin."""
    at = time(HOUR, int(scope_key(scope)[:8], 16) % 60, tzinfo=zone)
    day = moment.astimezone(zone).date()
    while (due := datetime.combine(day, at).astimezone(UTC)) <= moment:
        day += timedelta(days=1)
    return due


def plan_new(runtime: Runtime, database: Database) -> None:
    """Give everyone who has none a moment: of tonight, where the small hours are not over."""
    with database.transaction() as connection:
        query = "SELECT person, companion FROM siliconfriend.nights_unplanned(%s)"
        scopes = [Scope(*row) for row in connection.execute(query, (AT_ONCE,))]
    for scope in scopes:
        zone = _zone(runtime, scope)
        due = due_after(runtime.clock.now(runtime.settings.zone) - SMALL_HOURS, zone, scope)
        with database.transaction(scope.person) as connection:
            if connection.execute(_THERE, (scope.person, scope.companion)).fetchone():
                connection.execute(_ADD, (scope.person, scope.companion, zone.key, due))


def start_due(runtime: Runtime, database: Database) -> int:
    """Put the night of everyone who is due into the queue; how many those are.

    Any number of workers may do so at once: whoever moves the plan's row puts the job in, in the
    same transaction.
    """
    now = runtime.clock.now(runtime.settings.zone)
    query = "SELECT person, companion, timezone, due FROM siliconfriend.nights_due(%s, %s)"
    with database.transaction() as connection:
        rows = connection.execute(query, (now, AT_ONCE)).fetchall()
    nights: dict[str, int] = {}
    started = 0
    for person, companion, timezone, due in rows:
        scope, zone = Scope(person, companion), ZoneInfo(timezone)
        day = due.astimezone(zone).date().isoformat()
        if day not in nights:
            nights[day] = begin_night(database, runtime.policy, now, JobOptions(), name=day)
        moved = (due_after(now, zone, scope), person, companion, due)
        with database.transaction(person) as connection:
            if connection.execute(_MOVE, moved).rowcount:
                started += defer_night(connection, nights[day], scope)
    return started


def settle_zone(runtime: Runtime, database: Database, scope: Scope, zone: ZoneInfo) -> None:
    """Move a person's plan where they live now by another clock than it was made for."""
    due = due_after(runtime.clock.now(runtime.settings.zone), zone, scope)
    values = (zone.key, due, scope.person, scope.companion, zone.key)
    with database.transaction(scope.person) as connection:
        connection.execute(_SETTLE, values)


def _zone(runtime: Runtime, scope: Scope) -> ZoneInfo:
    """The person's time zone; that of the settings where their memory cannot be opened."""
    try:
        return runtime.store.load(scope).profile.zone
    except SiliconFriendError:
        return runtime.settings.zone
