"""Put the nights of everyone, or of those named, into the queue for workers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.queue_tables import check_queue_tables
from siliconfriend.night.postgres.job_queue import defer_night, with_a_job
from siliconfriend.night.postgres.night_rows import JobOptions, begin_night, drop_night
from siliconfriend.night.run import scopes_of
from siliconfriend.night.stages.registry import select_stages
from siliconfriend.runtime import Runtime

AT_ONCE = 500
"""Jobs a transaction."""


@dataclass(frozen=True, slots=True)
class Enqueued:
    """What was put into the queue.

    Attributes:
        night: its number.
        enqueued: how many people's nights.
        waiting: of how many people one waited there already, which will do.
    """

    night: int
    enqueued: int
    waiting: int


def enqueue_nights(
    runtime: Runtime,
    database: Database,
    *,
    users: Collection[str] | None = None,
    stages: Collection[str] | None = None,
    today: bool = False,
    allow_large: bool = False,
    max_calls: int | None = None,
) -> Enqueued:
    """Put nights into the queue; arguments as for :func:`~siliconfriend.night.run.run_night`.

    Raises:
        UsageError: an unknown stage or person.
        ConfigurationError, StoreError: the queue cannot be written.
    """
    check_queue_tables()
    options = JobOptions(
        stages=None if stages is None else select_stages(stages),
        today=today,
        allow_large=allow_large,
        everyone=users is None,
    )
    scopes = scopes_of(runtime.store, users)
    now = runtime.clock.now(runtime.settings.zone)
    night = begin_night(database, runtime.policy, now, options, max_calls=max_calls)
    enqueued = 0
    for first in range(0, len(scopes), AT_ONCE):
        some = scopes[first : first + AT_ONCE]
        with database.transaction() as connection:
            waiting = with_a_job(connection, night, some)
            for scope in some:
                if scope not in waiting:
                    enqueued += defer_night(connection, night, scope)
    if not enqueued:
        drop_night(database, night)
    return Enqueued(night, enqueued, len(scopes) - enqueued)
