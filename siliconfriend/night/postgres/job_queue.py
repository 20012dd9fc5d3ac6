"""The queue of nights: one job a person and night, one at a time a person.

procrastinate keeps the jobs, hands each to one worker, retries and notices workers that died. What
stands here beside it is what must be one statement: its own way of taking up stalled jobs looks
first and changes then, and another worker may have begun the job in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from procrastinate import SyncPsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued
from procrastinate.manager import JobManager
from procrastinate.tasks import configure_task
from psycopg import Connection

from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.scope import Scope
from siliconfriend.night.postgres.scope_key import scope_key

QUEUE = "nights"
TASK = "night"

MOST_ATTEMPTS = 6
"""How often a job is begun, by workers that died too; one that kills its worker must end."""

_TAKE_UP = """
UPDATE siliconfriend.procrastinate_jobs j
SET status = 'todo', attempts = attempts + 1, scheduled_at = NULL, worker_id = NULL
WHERE status = 'doing' AND queue_name = %(queue)s AND attempts + 1 < %(most)s
    AND siliconfriend.is_stalled(j, %(silence)s)
"""
_GIVE_UP = """
DELETE FROM siliconfriend.procrastinate_jobs j
WHERE status = 'doing' AND queue_name = %(queue)s AND attempts + 1 >= %(most)s
    AND siliconfriend.is_stalled(j, %(silence)s)
RETURNING (args ->> 'night')::bigint, args ->> 'person', args ->> 'companion'
"""
_WAITING = """
SELECT j.lock FROM siliconfriend.procrastinate_jobs j
JOIN siliconfriend.night n ON n.id = (j.args ->> 'night')::bigint
WHERE j.status = 'todo' AND j.queue_name = %s AND j.lock = ANY(%s)
    AND n.options = (SELECT options FROM siliconfriend.night WHERE id = %s)
"""


def defer_night(connection: Connection, night: int, scope: Scope) -> bool:
    """Put one person's night into the queue; False where it stands there already.

    Args:
        connection: in a transaction, with which the job begins to be.
        night: the number of the night's row.
        scope: whose.
    """
    key = scope_key(scope)
    connection.execute("SET LOCAL search_path = siliconfriend")
    deferrer = configure_task(
        name=TASK,
        job_manager=JobManager(SyncPsycopgConnector()),
        queue=QUEUE,
        lock=key,
        queueing_lock=f"{key}/{night}",
        task_kwargs={"night": night, "person": scope.person, "companion": scope.companion},
        connection=connection,
    )
    try:
        with connection.transaction():
            deferrer.defer()
    except AlreadyEnqueued:
        return False
    return True


def with_a_job(connection: Connection, night: int, scopes: Sequence[Scope]) -> set[Scope]:
    """Those of whom a job waits already, of any night that is to go as this one."""
    known = {scope_key(scope): scope for scope in scopes}
    rows = connection.execute(_WAITING, (QUEUE, list(known), night)).fetchall()
    return {known[key] for (key,) in rows}


def take_up_stalled(database: Database, silence: timedelta) -> list[tuple[int, Scope]]:
    """Let jobs of workers that are silent for so long be begun anew.

    Returns:
        The night and the person of each that is given up instead, because too many workers died
        at it.
    """
    values = {"queue": QUEUE, "silence": silence, "most": MOST_ATTEMPTS}
    with database.transaction() as connection:
        connection.execute(_TAKE_UP, values)
        rows = connection.execute(_GIVE_UP, values).fetchall()
    return [(night, Scope(person, companion)) for night, person, companion in rows]
