"""A worker: takes nights out of the queue, one after another or several at once, until it is stopped.

Any number of them may run, on any number of machines. Each says every few seconds that it lives;
what a silent one was at is begun anew by another. Each also starts the nights that are due, so that
there is no machine that must not fail.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from procrastinate import App, BaseRetryStrategy, PsycopgConnector, RetryDecision
from procrastinate.exceptions import ConnectorException
from procrastinate.job_context import JobContext
from procrastinate.jobs import DeleteJobCondition, Job
from psycopg import AsyncConnection, OperationalError

from siliconfriend.errors import ConfigurationError, SiliconFriendError, StoreError
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.queue_tables import check_queue_tables
from siliconfriend.memory.scope import Scope
from siliconfriend.night.postgres.job_queue import (
    MOST_ATTEMPTS,
    QUEUE,
    TASK,
    take_up_stalled,
)
from siliconfriend.night.postgres.night_hold import LONGEST_SILENCE
from siliconfriend.night.postgres.night_plan import plan_new, start_due
from siliconfriend.night.postgres.person_jobs import FIRST_WAIT, Outcome, PersonJobs
from siliconfriend.night.postgres.state import PostgresNightState
from siliconfriend.night.retries import may_pass
from siliconfriend.runtime import Runtime

LONGEST_POLL = 5.0
"""Seconds; a new job is told of at once, one that waits for its time is looked for so often."""

RECONNECT = 5.0
"""Seconds until a worker that lost the database tries it again."""

_Result = TypeVar("_Result")

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerOptions:
    """How a worker goes about it.

    Attributes:
        once: end when nothing is left that can be begun now.
        at_once: how many people's nights go on at once in this process.
        max_calls: how often a night may ask a model, over all workers; None for any number.
        silence: how long a worker is silent before its jobs are begun anew by another.
        starts: also start the nights that are due.
    """

    once: bool = False
    at_once: int = 1
    max_calls: int | None = None
    silence: timedelta = LONGEST_SILENCE
    starts: bool = True


class _AgainError(Exception):
    """A job is to be begun again after a wait."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__(f"again in {wait}")
        self.wait = wait


class _Retries(BaseRetryStrategy):
    """When a job is begun again; one that ended by itself says so."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        """Decide by what the job raised."""
        if isinstance(exception, _AgainError):
            return RetryDecision(retry_at=datetime.now(UTC) + exception.wait)
        if isinstance(exception, ConfigurationError):
            return RetryDecision(retry_at=datetime.now(UTC) + FIRST_WAIT)
        passes = isinstance(exception, SiliconFriendError) and may_pass(exception)
        if passes and job.attempts + 1 < MOST_ATTEMPTS:
            return RetryDecision(retry_at=datetime.now(UTC) + FIRST_WAIT * 2**job.attempts)
        return None


class NightWorker:
    """One worker.

    Args:
        runtime: the parts of the program, with memory in a database.
        database: that one.
        options: how it goes about it.
        tell: told how each job ended.

    Attributes:
        tally: how many jobs ended how.

    Raises:
        ConfigurationError: the queue's tables are those of another version.
    """

    def __init__(
        self,
        runtime: Runtime,
        database: Database,
        options: WorkerOptions,
        tell: Callable[[Scope, Outcome], None],
    ) -> None:
        check_queue_tables()
        self.tally: Counter[Outcome] = Counter()
        self._runtime = runtime
        self._database = database
        self._options = options
        self._tell = tell
        state = PostgresNightState(database, runtime.shared.jobs, options.silence)
        self._jobs = PersonJobs(runtime, database, state, max_calls=options.max_calls)
        self._threads = ThreadPoolExecutor(options.at_once + 1, thread_name_prefix="night")
        self._serving: asyncio.Task[None] | None = None
        self._is_stopped = False
        self._failure: SiliconFriendError | None = None

    def run(self) -> None:
        """Work until stopped, by a signal or because nothing is left where it is to work once.

        Raises:
            ConfigurationError: what is the same for everyone is wrong.
            StoreError: the database cannot be reached, at the start or where it works once.
        """
        self._runtime.store.scopes()  # connects, and checks the tables
        try:
            asyncio.run(self._work())
        finally:
            self._threads.shutdown()
        if self._failure is not None:
            raise self._failure

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        # What became of a job that could not be told stands in the queue, and another takes it up.
        loop.set_exception_handler(_note_failure)
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stop, loop)
        while not self._is_stopped:
            try:
                await self._work_connected()
            except (ConnectorException, OperationalError, StoreError) as error:
                lost = self._lost(error)
                if self._options.once:
                    raise lost from error
                _LOG.warning(lost.message(self._runtime.settings.language))
            if self._options.once or self._failure is not None:
                return
            if not self._is_stopped:
                await asyncio.sleep(RECONNECT)

    def _lost(self, error: Exception) -> StoreError:
        """What to say of a queue that cannot be reached."""
        if isinstance(error, StoreError):
            return error
        cause = error.__cause__ or error
        return StoreError("database_unreachable", place=self._database.place, cause=cause)

    async def _work_connected(self) -> None:
        """Work until stopped, or until the database is gone."""
        app = App(connector=self._connector())
        app.task(name=TASK, queue=QUEUE, pass_context=True, retry=_Retries())(self._night)
        silence = self._options.silence.total_seconds()
        async with app.open_async():
            await self._in_thread(self._tick)
            if self._is_stopped:
                return
            serving = app.run_worker_async(
                queues=[QUEUE],
                concurrency=self._options.at_once,
                wait=not self._options.once,
                fetch_job_polling_interval=min(LONGEST_POLL, silence / 3),
                delete_jobs=DeleteJobCondition.ALWAYS,
                install_signal_handlers=False,
                update_heartbeat_interval=silence / 3,
                stalled_worker_timeout=silence,
            )
            self._serving = asyncio.create_task(serving)
            ticking = asyncio.create_task(self._tick_on(silence / 3))
            try:
                with contextlib.suppress(asyncio.CancelledError):
                    await self._serving
            finally:
                ticking.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await ticking

    def _connector(self) -> PsycopgConnector:
        async def configure(connection: AsyncConnection) -> None:
            await connection.execute("SET search_path = siliconfriend")
            await connection.commit()

        return PsycopgConnector(
            conninfo=self._database.address, min_size=1, max_size=4, configure=configure
        )

    def _stop(self, loop: asyncio.AbstractEventLoop) -> None:
        """Stop at a signal; a second one ends the process at once."""
        self._is_stopped = True
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
            signal.signal(number, signal.SIG_DFL)
        self._end()

    def _end(self) -> None:
        """Begin no more jobs, and end what is at work after its stage."""
        self._jobs.stop()
        if self._serving is not None:
            self._serving.cancel()

    async def _night(self, context: JobContext, night: int, person: str, companion: str) -> None:
        """The job: one person's night."""
        scope = Scope(person, companion)
        try:
            ended = await self._in_thread(self._jobs.run, night, scope, context.job.attempts)
        except ConfigurationError as error:
            self._failure = error
            self._end()
            raise
        self.tally[ended.outcome] += 1
        self._tell(scope, ended.outcome)
        if ended.wait is not None:
            raise _AgainError(ended.wait)

    async def _tick_on(self, pause: float) -> None:
        while True:
            await asyncio.sleep(pause)
            try:
                await self._in_thread(self._tick)
            except StoreError as error:
                _LOG.warning(error.message(self._runtime.settings.language))

    def _tick(self) -> None:
        """Take up what silent workers were at, and start what is due."""
        for night, scope in take_up_stalled(self._database, self._options.silence):
            self._jobs.give_up(night, scope)
        if self._options.starts:
            plan_new(self._runtime, self._database)
            start_due(self._runtime, self._database)

    async def _in_thread(self, work: Callable[..., _Result], *given: object) -> _Result:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *given)


def _note_failure(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    _LOG.warning("the queue could not be told how a job ended: %s", context.get("exception"))
