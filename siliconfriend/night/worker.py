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
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from siliconfriend.errors import NightIncomplete, StoreError
from siliconfriend.installation.leases import TTL
from siliconfriend.memory.scope import Scope
from siliconfriend.night.calls import CallBudget, may_pass
from siliconfriend.night.people import NightGivenBackError, run_person
from siliconfriend.night.person_night import Progress, tell_nobody
from siliconfriend.night.queue import MAX_ATTEMPTS, NightQueue, Queued
from siliconfriend.night.report import PersonReport
from siliconfriend.night.reports import NightReports
from siliconfriend.runtime import Runtime

FIRST_WAIT = timedelta(minutes=1)
"""Before a night that failed is begun again; each later wait is twice as long."""
POLL = 5.0
"""Seconds until a worker looks again for whose night is due."""

Outcome = Literal["done", "failed", "later", "given_back"]
"""Outcome of one person's night; ``failed`` is not retried."""

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


class NightWorker:
    """Takes people out of the queue and runs their nights.

    Args:
        tell: told of each person's night how it ended.

    Attributes:
        tally: how many nights ended how.
        reports: of the people whose night ended here.
    """

    def __init__(
        self,
        runtime: Runtime,
        options: WorkOptions,
        tell: Callable[[Scope, Outcome], None] = lambda _scope, _outcome: None,
        *,
        progress: Progress = tell_nobody,
    ) -> None:
        self.tally: Counter[Outcome] = Counter()
        self.reports: dict[Scope, PersonReport] = {}
        self._runtime, self._options, self._tell = runtime, options, tell
        self._progress = progress
        self._kept = NightReports(runtime.installation)
        self._queue = NightQueue(runtime, options.ttl)
        self._stopped = threading.Event()
        self._budgets: dict[int, CallBudget] = {}

    def run(self, *, once: bool = False, plans: bool = True) -> None:
        """Work until stopped by a signal, or ``once`` until nobody is left who can be begun now.

        ``plans``: also plan the nights that come by themselves.

        Raises:
            ConfigurationError: what is the same for everyone is wrong.
            StoreError: the memories cannot be reached, at the start or where it works once.
        """
        runtime, zone = self._runtime, self._runtime.settings.zone
        runtime.store.scopes()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        while not self._stopped.is_set():
            try:
                runtime.installation.leases.release_dead()
                if plans:
                    self._queue.plan(runtime.store.scopes(), self._now(), zone)
                self.drain()
            except StoreError as error:
                if once:
                    raise
                _LOG.warning(error.message(runtime.settings.language))
            if once:
                return
            self._stopped.wait(min(POLL, self._options.ttl / 3))

    def drain(self) -> None:
        """Work until nobody is due whom nobody else is at, or until it is stopped.

        Raises:
            ConfigurationError: what is the same for everyone is wrong.
            StoreError: the tables cannot be read or written.
        """
        if self._options.at_once == 1:
            self._take_all()
            return
        with ThreadPoolExecutor(self._options.at_once, thread_name_prefix="night") as threads:
            working = [threads.submit(self._take_all) for _ in range(self._options.at_once)]
            try:
                for thread in working:
                    thread.result()
            except BaseException:
                self._stopped.set()
                raise

    def _stop(self, _number: int, _frame: object) -> None:
        """Begin nobody's night any more; a second signal ends the process at once."""
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_DFL)
        # Not in the handler: the thread that it interrupts may hold the event's lock.
        threading.Thread(target=self._stopped.set, name="stop").start()

    def _take_all(self) -> None:
        while not self._stopped.is_set():
            queued = self._queue.take(self._now(), self._options.night)
            if queued is None:
                return
            try:
                outcome = self._night(queued)
            except BaseException:
                # Until somebody has mended it, or at once where it was only interrupted.
                self._queue.put_back(queued, self._now() + FIRST_WAIT, counts=False)
                raise
            finally:
                queued.lease.give_back()
            self.tally[outcome] += 1
            self._tell(queued.scope, outcome)

    def _night(self, queued: Queued) -> Outcome:
        scope = queued.scope
        if not self._runtime.store.exists(scope):
            self._queue.remove(scope)
            return "done"
        if queued.attempts > MAX_ATTEMPTS:
            report = PersonReport(scope)
            failure = NightIncomplete("night_killed", times=MAX_ATTEMPTS)
            report.fail(failure, self._runtime.settings.language)
            self._queue.finish(queued, report, self._now())
            return "failed"

        def after_stage(report: PersonReport, stage: str) -> None:
            if queued.lease.is_lost:
                raise NightGivenBackError  # what another process says of it is not written over
            if report.stages[stage]["done"]:
                self._kept.save_person(queued.night, report)
            if self._stopped.is_set():
                raise NightGivenBackError

        try:
            report = run_person(
                self._runtime,
                scope,
                queued.options,
                self._budget(queued.night),
                self._progress,
                earlier=self._kept.person(queued.night, scope),
                after_stage=after_stage,
            )
        except NightGivenBackError:
            if not queued.lease.is_lost:
                self._queue.put_back(queued, self._now(), counts=False)
            return "given_back"
        self.reports[scope] = report
        may_help = self._options.retries and any(map(may_pass, report.causes))
        if report.status != "failed" or not may_help or queued.attempts >= MAX_ATTEMPTS:
            self._queue.finish(queued, report, self._now())
            return "failed" if report.status == "failed" else "done"
        self._kept.save_person(queued.night, report)
        wait = FIRST_WAIT * 2 ** (queued.attempts - 1)
        self._queue.put_back(queued, self._now() + wait, counts=True)
        return "later"

    def _budget(self, night: int) -> CallBudget:
        """Return the budget of a night, which all its people here share."""
        tables, most = self._runtime.installation.tables, self._options.max_calls
        budget = CallBudget(tables, night, most, self._stopped)
        return self._budgets.setdefault(night, budget)

    def _now(self) -> datetime:
        return self._runtime.clock.now(self._runtime.settings.zone)
