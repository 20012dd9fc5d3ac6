"""Run nights: queue people, and process the queue once or until stopped.

Any number of processes on any machines may take part. Another process restarts the night of a dead
one; finished stages have nothing left to do.
"""

import logging
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import wait
from datetime import timedelta
from time import perf_counter
from typing import Literal

from siliconfriend.errors import MemoryBusy, NightIncomplete, StoreError, UnknownPerson
from siliconfriend.installation.leases import TTL
from siliconfriend.memory.scope import Scope, clean_name
from siliconfriend.memory.store import MemoryStore
from siliconfriend.night.calls import CallBudget, may_pass
from siliconfriend.night.person_night import NightOptions, Progress, ignore_progress
from siliconfriend.night.queue import MAX_ATTEMPTS, NightQueue, Queued
from siliconfriend.night.report import NightReport, PersonReport
from siliconfriend.night.stage_order import run_stages, select_stages
from siliconfriend.runtime import Runtime
from siliconfriend.threads import in_background

FIRST_WAIT = timedelta(minutes=1)
"""Delay before a failed night is retried; doubled with each retry."""
POLL = 5.0
"""Polling interval of a worker in seconds."""
MAX_WAIT = 30.0
"""Seconds to wait for another process that holds the same person."""

Outcome = Literal["done", "failed", "later", "given_back"]
"""Outcome of one person's night; ``failed`` is not retried."""

_LOG = logging.getLogger(__name__)


class NightWorker:
    """Leases people from the queue and runs their nights; collects ``tally`` and ``reports``.

    Args:
        night: number of the night to process, each person once; None for everyone who is due, with
            retries after temporary failures.
        at_once: number of concurrent nights in this process.
        max_calls: limit of model calls per night over all processes; None for no limit.
        ttl: seconds of silence after which another process takes over this one's people.
        tell: called with the outcome of each person's night.
    """

    def __init__(
        self,
        runtime: Runtime,
        *,
        night: int | None = None,
        at_once: int = 1,
        max_calls: int | None = None,
        ttl: float = TTL,
        tell: Callable[[Scope, Outcome], None] = lambda _scope, _outcome: None,
        progress: Progress = ignore_progress,
    ) -> None:
        self.tally: Counter[Outcome] = Counter()
        self.reports: dict[Scope, PersonReport] = {}
        self._runtime, self._tell, self._progress = runtime, tell, progress
        self._only, self._at_once, self._max_calls = night, at_once, max_calls
        self._poll = min(POLL, ttl / 3)
        self._queue = NightQueue(runtime, ttl)
        self._stopped = threading.Event()
        self._budgets: dict[int, CallBudget] = {}

    def run(self, *, once: bool = False, plans: bool = True) -> None:
        """Work until stopped by a signal, or with ``once`` until no due person is left.

        ``plans``: also plan the nights that come by themselves. ConfigurationError is the same for
        everyone; StoreError is raised at the start, or where it works once.
        """
        self._runtime.store.scopes()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        while not self._stopped.is_set():
            try:
                self._runtime.installation.leases.release_dead()
                if plans:
                    self._queue.plan()
                self.drain()
            except StoreError as error:
                if once:
                    raise
                _LOG.warning(error.message(self._runtime.settings.language))
            if once:
                return
            self._stopped.wait(self._poll)

    def drain(self) -> None:
        """Work until every due person is done or leased by another worker, or until stopped."""
        if self._at_once == 1:
            self._take_all()
            return
        working = [in_background(self._take_all) for _ in range(self._at_once)]
        try:
            for one in working:
                one.result()
        except StoreError:
            wait(working)  # the others meet it too, and all go on when it is over
            raise
        except BaseException:
            self._stopped.set()  # running calls are not awaited
            raise

    def _stop(self, _number: int, _frame: object) -> None:
        """Stop starting nights; a second signal ends the process at once."""
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_DFL)
        # Not in the handler: the thread that it interrupts may hold the event's lock.
        threading.Thread(target=self._stopped.set, name="stop").start()

    def _take_all(self) -> None:
        while not self._stopped.is_set() and (queued := self._queue.take(self._only)):
            try:
                outcome = self._night(queued)
            except BaseException:
                # Retry after a repair, or at once after an interruption.
                self._queue.put_back(queued, FIRST_WAIT)
                raise
            finally:
                queued.lease.give_back()
            self.tally[outcome] += 1
            self._tell(queued.scope, outcome)

    def _night(self, queued: Queued) -> Outcome:
        scope, night = queued.scope, queued.night
        if not self._runtime.store.exists(scope):
            self._queue.remove(scope)
            return "done"
        report = PersonReport.of_kept(scope, self._queue.person(night, scope), goes_on=True)
        if queued.attempts > MAX_ATTEMPTS:
            report.fail(NightIncomplete("night_killed"))
            self._queue.finish(queued, report)
            return "failed"
        tables = self._runtime.installation.tables
        budget = CallBudget(tables, night, self._max_calls, self._stopped)
        budget = self._budgets.setdefault(night, budget)
        for stage in run_stages(self._runtime, report, queued.options, budget, self._progress):
            if queued.lease.is_lost:
                return "given_back"  # keep the report that another process wrote
            if report.stages[stage]["done"]:
                self._queue.save_person(night, report)
            if self._stopped.is_set():
                self._queue.put_back(queued)
                return "given_back"
        self.reports[scope] = report
        may_help = self._only is None and any(map(may_pass, report.causes))
        if report.status == "failed" and may_help and queued.attempts < MAX_ATTEMPTS:
            self._queue.save_person(night, report)
            wait = FIRST_WAIT * 2 ** (queued.attempts - 1)
            self._queue.put_back(queued, wait, counts=True)
            return "later"
        self._queue.finish(queued, report)
        return "failed" if report.status == "failed" else "done"


def run_night(
    runtime: Runtime,
    options: NightOptions | None = None,
    *,
    users: Collection[str] | None = None,
    concurrency: int = 1,
    max_calls: int | None = None,
    progress: Progress = ignore_progress,
) -> NightReport:
    """Run the stages of a night for everyone or those named, and keep its report.

    ``concurrency``: number of concurrent nights. ``max_calls``: limit of model calls; the rest
    stays pending.

    Raises:
        UsageError: an unknown stage or person.
        ConfigurationError: an unknown policy, a prompt that cannot be used, a data directory
            that cannot be written.
    """
    options = options or NightOptions()
    if not options.dry_run:
        night = BegunNight(runtime, options, users=users, max_calls=max_calls)
        return night.run(concurrency=concurrency, progress=progress)
    began, budget = perf_counter(), CallBudget(runtime.installation.tables, 0)
    reports = [PersonReport(scope) for scope in scopes_of(runtime.store, users)]
    for report in reports:
        for _stage in run_stages(runtime, report, options, budget, progress):
            pass
    return _report(runtime, reports, began, is_for_all=users is None, is_dry=True)


class BegunNight:
    """A queued night, for this process or for workers; never a dry run.

    If this process dies, another that works through the queue continues it. People who wait for an
    earlier night move to this one. With a ``name`` its report is found by
    :meth:`NightQueue.named`; all else is as for :func:`run_night`.
    """

    def __init__(
        self,
        runtime: Runtime,
        options: NightOptions,
        *,
        users: Collection[str] | None = None,
        max_calls: int | None = None,
        name: str | None = None,
    ) -> None:
        select_stages(options.stages)
        self._runtime, self._began = runtime, perf_counter()
        self._queue, self._is_for_all = NightQueue(runtime), users is None
        self.scopes = scopes_of(runtime.store, users)
        self.number = self._queue.begin(self.scopes, options, name=name, max_calls=max_calls)

    def run(self, *, concurrency: int = 1, progress: Progress = ignore_progress) -> NightReport:
        """Process the night's people and keep the report; see :func:`run_night`."""
        runtime, at_once = self._runtime, max(1, min(concurrency, len(self.scopes)))

        def shown(what: str, done: int, total: int) -> None:
            # Progress of one concurrent night does not describe the others.
            progress(what, *((done, total) if at_once == 1 else (0, 0)))

        worker = NightWorker(runtime, night=self.number, at_once=at_once, progress=shown)
        reports = worker.reports
        for scope in self._work(worker):
            reports[scope] = PersonReport(scope)
            reports[scope].fail(MemoryBusy("night_held"))
            self._queue.save_person(self.number, reports[scope])
        for scope in self.scopes:
            if scope not in reports and (form := self._queue.person(self.number, scope)):
                reports[scope] = PersonReport.of_kept(scope, form)
        people = [reports[scope] for scope in self.scopes if scope in reports]
        report = _report(runtime, people, self._began, is_for_all=self._is_for_all)
        self._queue.save(self.number, report)
        return report

    def fail(self, error: str) -> None:
        """Remove the remaining people from the night, and store the error code."""
        self._queue.save(self.number, None, error)
        self._queue.give_up(self.number, self.scopes)

    def _work(self, worker: NightWorker) -> list[Scope]:
        """Process all people; return those leased by another night."""
        deadline, left = 0.0, -1
        while True:
            worker.drain()
            waiting = self._queue.waiting(self.number)
            if len(waiting) != left:
                deadline, left = time.monotonic() + MAX_WAIT, len(waiting)
            if not waiting or time.monotonic() >= deadline:
                self._queue.give_up(self.number, waiting)
                return waiting
            self._runtime.installation.leases.release_dead()
            time.sleep(0.1)  # until it looks again whether that one has ended


def scopes_of(store: MemoryStore, users: Collection[str] | None) -> Sequence[Scope]:
    """Return the scopes of all people or of some users (UnknownPerson: one has no memory)."""
    scopes = store.scopes()
    if users is None:
        return scopes
    names = {clean_name(user) for user in users}
    for name in sorted(names - {scope.person for scope in scopes}):
        if not store.exists(Scope.of(name)):
            raise UnknownPerson("unknown_person", name=name)
        # Its owner is unreadable: its own night reports that.
        scopes.append(Scope.of(name))
    return [scope for scope in scopes if scope.person in names]


def _report(
    runtime: Runtime,
    people: Sequence[PersonReport],
    began: float,
    *,
    is_for_all: bool,
    is_dry: bool = False,
) -> NightReport:
    now, seconds = runtime.clock.now(runtime.settings.zone), perf_counter() - began
    unreadable = tuple(runtime.store.unreadable()) if is_for_all else ()
    return NightReport(runtime.policy, tuple(people), now, seconds, is_dry, unreadable)
