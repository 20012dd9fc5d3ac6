"""Work through the queue of nights, until nobody is due or without end.

Any number of processes may do so, on any machines. The night of a dead process is begun again by
another, and finished stages find nothing due.
"""

from __future__ import annotations

import logging
import signal
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal, get_args
from zoneinfo import ZoneInfo

from siliconfriend.errors import MemoryBusy, NightIncomplete, StoreError
from siliconfriend.installation.leases import TTL
from siliconfriend.memory.scope import Scope
from siliconfriend.night.calls import CallBudget, RetryTimer, may_pass
from siliconfriend.night.people import NightGivenBackError, run_person, tell_nobody
from siliconfriend.night.person_night import Progress
from siliconfriend.night.queue import MAX_ATTEMPTS, NightQueue, Queued, due_after
from siliconfriend.night.report import PersonReport
from siliconfriend.night.reports import NightReports
from siliconfriend.night.stages.registry import select_stages
from siliconfriend.runtime import Runtime

FIRST_WAIT = timedelta(minutes=1)
"""Before a night that failed is begun again; each later wait is twice as long."""
LOST = "night_lost"
"""The key of what is raised where the lease on a person's night ran out."""
POLL = 5.0
"""Seconds until a worker looks again for whose night is due."""

Outcome = Literal["done", "failed", "later", "given_back"]
"""Outcome of one person's night; ``failed`` is not retried."""
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkOptions:
    """Options of a worker.

    Attributes:
        night: only people whom this night asked for; None for everyone who is due.
        at_once: how many people's nights go on at once in this process.
        max_calls: how often a night may ask a model, over all processes; None for any number.
        retries: begin a night that failed again a while later, where that may help.
        ttl: seconds after which what a silent process was at is begun anew by another.
    """

    night: int | None = None
    at_once: int = 1
    max_calls: int | None = None
    retries: bool = True
    ttl: float = TTL


class NightLoop:
    """Takes people out of the queue and runs their nights.

    Attributes:
        reports: of the people whose night ended here.
    """

    def __init__(
        self,
        runtime: Runtime,
        options: WorkOptions,
        tell: Callable[[Scope, Outcome], None],
        timer: RetryTimer | None = None,
        progress: Progress = tell_nobody,
    ) -> None:
        self.reports: dict[Scope, PersonReport] = {}
        self._runtime, self._options, self._tell = runtime, options, tell
        self._timer, self._progress = timer or RetryTimer(), progress
        self._kept = NightReports(runtime.installation)
        self._queue = NightQueue(runtime.installation, runtime.policy, options.ttl)
        self._guard = threading.Lock()
        self._is_stopped = False
        self._budgets: dict[int, CallBudget] = {}

    def run(self) -> None:
        """Work until nobody is due whom nobody else is at, or until it is stopped.

        Raises:
            ConfigurationError: what is the same for everyone is wrong.
            StoreError: the tables cannot be read or written.
        """
        if self._options.at_once == 1:
            self._drain()
            return
        with ThreadPoolExecutor(self._options.at_once, thread_name_prefix="night") as threads:
            working = [threads.submit(self._drain) for _ in range(self._options.at_once)]
            try:
                for thread in working:
                    thread.result()
            except BaseException:
                self.stop()
                raise

    def stop(self) -> None:
        """Begin nobody's night any more, and end those that go on after their stage."""
        with self._guard:
            self._is_stopped = True
            for budget in self._budgets.values():
                budget.stop()

    def _drain(self) -> None:
        while not self._is_stopped:
            queued = self._queue.take(self._now(), self._options.night)
            if queued is None:
                return
            try:
                outcome = self._night(queued)
            except BaseException:
                # Until somebody has mended it, or at once where it was only interrupted.
                self._put_back(queued, FIRST_WAIT, counts=False)
                raise
            finally:
                queued.lease.give_back()
            self._tell(queued.scope, outcome)

    def _night(self, queued: Queued) -> Outcome:
        scope = queued.scope
        if not self._runtime.store.exists(scope):
            self._queue.remove(scope)
            return "done"
        earlier = self._kept.person(queued.night, scope)
        if queued.attempts > MAX_ATTEMPTS:
            report = PersonReport(scope)
            error = NightIncomplete("night_killed", times=MAX_ATTEMPTS)
            report.fail(error.message(self._runtime.settings.language), error)
            self._finish(queued, report)
            return "failed"

        def after_stage(report: PersonReport, stage: str) -> None:
            if queued.lease.is_lost:
                raise MemoryBusy(LOST, name=scope.person)
            if report.stages[stage]["done"]:
                self._save(queued, report)
            if self._is_stopped:
                raise NightGivenBackError

        try:
            report = run_person(
                self._runtime,
                scope,
                self._queue.last_pass(scope),
                replace(queued.options, stages=select_stages(queued.options.stages)),
                self._budget(queued.night),
                self._progress,
                earlier=earlier,
                after_stage=after_stage,
            )
        except NightGivenBackError:
            self._put_back(queued, timedelta(), counts=False)
            return "given_back"
        if any(error.key == LOST for error in report.causes):
            return "given_back"  # what another process says of it is not written over
        self.reports[scope] = report
        may_help = self._options.retries and any(may_pass(error) for error in report.causes)
        if report.status != "failed" or not may_help or queued.attempts >= MAX_ATTEMPTS:
            self._finish(queued, report)
            return "failed" if report.status == "failed" else "done"
        self._save(queued, report)
        self._put_back(queued, FIRST_WAIT * 2 ** (queued.attempts - 1), counts=True)
        return "later"

    def _budget(self, night: int) -> CallBudget:
        with self._guard:
            if night not in self._budgets:
                tables, most = self._runtime.installation.tables, self._options.max_calls
                self._budgets[night] = CallBudget(tables, night, most, self._timer)
                if self._is_stopped:
                    self._budgets[night].stop()
            return self._budgets[night]

    def _save(self, queued: Queued, report: PersonReport) -> None:
        with self._runtime.installation.tables.write() as transaction:
            self._kept.save_person(transaction, queued.night, report)

    def _finish(self, queued: Queued, report: PersonReport) -> None:
        """Write the report and when the next night begins, at once."""
        scope, now = queued.scope, self._now()
        zone = report.zone or ZoneInfo(queued.timezone)
        last_pass = report.now if "forget" in report.stages else None
        with self._runtime.installation.tables.write() as transaction:
            self._kept.save_person(transaction, queued.night, report)
            self._queue.finish(transaction, queued, due_after(now, zone, scope), zone, last_pass)

    def _put_back(self, queued: Queued, wait: timedelta, *, counts: bool) -> None:
        self._queue.put_back(queued, self._now() + wait, counts=counts)

    def _now(self) -> datetime:
        return self._runtime.clock.now(self._runtime.settings.zone)


class NightWorker:
    """Plans everyone's nights and works through the queue, until it is stopped.

    Args:
        once: end when nobody is left whose night can be begun now.
        plans: also plan the nights that come by themselves.
    """

    def __init__(
        self,
        runtime: Runtime,
        options: WorkOptions,
        tell: Callable[[Scope, Outcome], None],
        *,
        once: bool = False,
        plans: bool = True,
    ) -> None:
        self.tally: Counter[Outcome] = Counter()
        self._runtime, self._tell = runtime, tell
        self._once, self._plans = once, plans
        self._queue = NightQueue(runtime.installation, runtime.policy, options.ttl)
        self._loop = NightLoop(runtime, options, self._ended)
        self._poll = min(POLL, options.ttl / 3)
        self._stopped = threading.Event()

    def run(self) -> None:
        """Work until stopped, by a signal or because nothing is left where it is to work once.

        Raises:
            ConfigurationError: what is the same for everyone is wrong.
            StoreError: the memories cannot be reached, at the start or where it works once.
        """
        self._runtime.store.scopes()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        while not self._stopped.is_set():
            try:
                self._look()
            except (StoreError, MemoryBusy) as error:
                if self._once:
                    raise
                _LOG.warning(error.message(self._runtime.settings.language))
            if self._once:
                return
            self._stopped.wait(self._poll)

    def _look(self) -> None:
        """Release what dead processes were at, plan who is new, and work while somebody is due."""
        self._runtime.installation.leases.release_dead()
        if self._plans:
            zone = self._runtime.settings.zone
            now = self._runtime.clock.now(zone)
            self._queue.plan(self._runtime.store.scopes(), now, zone)
        self._loop.run()

    def _ended(self, scope: Scope, outcome: Outcome) -> None:
        self.tally[outcome] += 1
        self._tell(scope, outcome)

    def _stop(self, number: int, _frame: object) -> None:
        """Stop at a signal; a second one ends the process at once."""
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_DFL)
        self._stopped.set()
        # Not in the handler: the thread that it interrupts may hold the lock.
        threading.Thread(target=self._loop.stop, name=f"stop {number}").start()
