"""Run nights: put people into the queue, and work through it once or until stopped.

Any number of processes may do so, on any machines. The night of a dead process is begun again by
another, and finished stages find nothing due.
"""

from __future__ import annotations

import logging
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import perf_counter
from typing import Literal

from siliconfriend.errors import MemoryBusy, NightIncomplete, StoreError, UnknownPerson
from siliconfriend.installation.leases import TTL
from siliconfriend.memory.scope import Scope, clean_name
from siliconfriend.memory.store import MemoryStore
from siliconfriend.night.calls import CallBudget, may_pass
from siliconfriend.night.people import NightGivenBackError, run_person, select_stages
from siliconfriend.night.person_night import USUAL, NightOptions, Progress, tell_nobody
from siliconfriend.night.queue import MAX_ATTEMPTS, NightQueue, Queued
from siliconfriend.night.report import NightReport, PersonReport
from siliconfriend.night.reports import NightReports
from siliconfriend.runtime import Runtime

FIRST_WAIT = timedelta(minutes=1)
"""Wait before a failed night is tried again; it doubles with each try."""
POLL = 5.0
"""Seconds until a worker looks again for whose night is due."""
MAX_WAIT = 30.0
"""Seconds a night waits for another one at work on the same person."""
WAITING_POLL = 0.1
"""Seconds between two looks whether that one has ended."""

Outcome = Literal["done", "failed", "later", "given_back"]
"""Outcome of one person's night; ``failed`` is not retried."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkOptions:
    """Options of a worker.

    Attributes:
        night: number of the night to work on, each of its people once; None for everyone who is
            due, with another try a while later where a night failed and that may help.
        at_once: how many people's nights go on at once in this process.
        max_calls: how often a night may ask a model, over all processes; None for any number.
        ttl: seconds of silence after which another process takes over a process's people.
    """

    night: int | None = None
    at_once: int = 1
    max_calls: int | None = None
    ttl: float = TTL


class NightWorker:
    """Takes people out of the queue and runs their nights.

    Args:
        tell: told of each person's night how it ended.

    Attributes:
        tally: number of people's nights by outcome.
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
        """Work until everyone who is due is done or taken by another worker, or until stopped.

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
        may_help = self._options.night is None and any(map(may_pass, report.causes))
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


def run_night(
    runtime: Runtime,
    options: NightOptions = USUAL,
    *,
    users: Collection[str] | None = None,
    concurrency: int = 1,
    max_calls: int | None = None,
    progress: Progress = tell_nobody,
) -> NightReport:
    """Run the stages of a night for everyone or those named, and keep its report.

    ``concurrency``: how many people's nights go on at once.
    ``max_calls``: how often the model may be asked; what is left stays pending.

    Raises:
        UsageError: an unknown stage or person.
        ConfigurationError: an unknown policy, a prompt that cannot be used, a data directory
            that cannot be written.
    """
    if options.dry_run:
        began, budget = perf_counter(), CallBudget(runtime.installation.tables, 0)
        people = [
            run_person(runtime, scope, options, budget, progress)
            for scope in scopes_of(runtime.store, users)
        ]
        return _report(runtime, people, began, is_for_all=users is None, is_dry=True)
    night = begin_night(runtime, options, users=users, max_calls=max_calls)
    return night.run(concurrency=concurrency, progress=progress)


def begin_night(
    runtime: Runtime,
    options: NightOptions = USUAL,
    *,
    users: Collection[str] | None = None,
    max_calls: int | None = None,
    name: str | None = None,
) -> BegunNight:
    """Put a night that is not a dry run into the queue, for this process to run or for workers.

    If this process dies, another that works through the queue continues it. People who wait for an
    earlier night move to this one. With a ``name`` its report is found by
    :meth:`NightReports.named`; all else is as for :func:`run_night`.
    """
    began = perf_counter()
    select_stages(options.stages)
    scopes, zone = scopes_of(runtime.store, users), runtime.settings.zone
    now = runtime.clock.now(zone)
    number = NightQueue(runtime).begin(scopes, now, zone, options, name=name, max_calls=max_calls)
    return BegunNight(runtime, number, scopes, users is None, began)


@dataclass(frozen=True, slots=True)
class BegunNight:
    """A night that stands in the queue."""

    runtime: Runtime
    number: int
    scopes: Sequence[Scope]
    is_for_all: bool
    began: float

    def run(self, *, concurrency: int = 1, progress: Progress = tell_nobody) -> NightReport:
        """Work until nobody is left in it, and keep its report; see :func:`run_night`."""
        runtime, at_once = self.runtime, max(1, min(concurrency, len(self.scopes)))

        def shown(what: str, done: int, total: int) -> None:
            # How far one of several is says nothing of the others.
            progress(what, *((done, total) if at_once == 1 else (0, 0)))

        options = WorkOptions(night=self.number, at_once=at_once)
        worker = NightWorker(runtime, options, progress=shown)
        busy = self._work(worker) if self.scopes else {}
        reports, kept = {**busy, **worker.reports}, NightReports(runtime.installation)
        for scope in self.scopes:
            if scope not in reports and (form := kept.person(self.number, scope)):
                reports[scope] = PersonReport.of_kept(scope, form)
        people = [reports[scope] for scope in self.scopes if scope in reports]
        report = _report(runtime, people, self.began, is_for_all=self.is_for_all, is_dry=False)
        kept.save(self.number, report, busy.values())
        return report

    def fail(self, error: str) -> None:
        """Remove everyone who is left from the night, and store the error."""
        NightReports(self.runtime.installation).save_error(self.number, error)
        for scope in self.scopes:
            NightQueue(self.runtime).give_up(self.number, scope)

    def _work(self, worker: NightWorker) -> dict[Scope, PersonReport]:
        """Work until nobody is left; return reports of those whom another night kept busy."""
        runtime, queue = self.runtime, NightQueue(self.runtime)
        deadline, left = time.monotonic() + MAX_WAIT, -1
        while True:
            worker.drain()
            waiting = queue.waiting(self.number, runtime.clock.now(runtime.settings.zone))
            if len(waiting) != left:
                deadline, left = time.monotonic() + MAX_WAIT, len(waiting)
            if not waiting or time.monotonic() >= deadline:
                break
            runtime.installation.leases.release_dead()
            time.sleep(WAITING_POLL)
        busy = {scope: PersonReport(scope) for scope in waiting}
        for scope, report in busy.items():
            report.fail(MemoryBusy("night_held", name=scope.person), runtime.settings.language)
            queue.give_up(self.number, scope)
        return busy


def scopes_of(store: MemoryStore, users: Collection[str] | None) -> Sequence[Scope]:
    """Return everyone's scopes or those of the users (UnknownPerson: nothing is kept of one)."""
    scopes = store.scopes()
    if users is None:
        return scopes
    names = {clean_name(user) for user in users}
    for name in sorted(names - {scope.person for scope in scopes}):
        if not store.exists(Scope.of(name)):
            raise UnknownPerson("unknown_person", name=name)
        # Damaged beyond knowing whose it is: its own night says so.
        scopes.append(Scope.of(name))
    return [scope for scope in scopes if scope.person in names]


def _report(
    runtime: Runtime,
    people: Sequence[PersonReport],
    began: float,
    *,
    is_for_all: bool,
    is_dry: bool,
) -> NightReport:
    now, seconds = runtime.clock.now(runtime.settings.zone), perf_counter() - began
    unreadable = tuple(runtime.store.unreadable()) if is_for_all else ()
    return NightReport(runtime.policy, tuple(people), now, seconds, is_dry, unreadable)
