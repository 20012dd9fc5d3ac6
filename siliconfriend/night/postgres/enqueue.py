"""Put the nights of everyone, or of those named, into the queue for workers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.queue_tables import check_queue_tables
from siliconfriend.night.person_night import USUAL, NightOptions
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
    options: NightOptions = USUAL,
    *,
    users: Collection[str] | None = None,
    max_calls: int | None = None,
) -> Enqueued:
    """Put nights into the queue; arguments as for :func:`~siliconfriend.night.run.run_night`.

    Raises:
        UsageError: an unknown stage or person.
        ConfigurationError, StoreError: the queue cannot be written.
    """
    check_queue_tables()
    of_jobs = JobOptions(
        stages=select_stages(options.stages) if options.stages else None,
        today=options.today,
        allow_large=options.allow_large,
        everyone=users is None,
    )
    scopes = scopes_of(runtime.store, users)
    now = runtime.clock.now(runtime.settings.zone)
    night = begin_night(database, runtime.policy, now, of_jobs, max_calls=max_calls)
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
