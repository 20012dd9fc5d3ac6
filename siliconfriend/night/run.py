"""A night for everyone or some: make it due, work until none is left, and tell what was done."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from time import perf_counter

from siliconfriend.errors import MemoryBusy, UnknownPerson
from siliconfriend.memory.scope import Scope, clean_name
from siliconfriend.memory.store import MemoryStore
from siliconfriend.night.calls import CallBudget
from siliconfriend.night.people import run_person, select_stages
from siliconfriend.night.person_night import USUAL, NightOptions, Progress, tell_nobody
from siliconfriend.night.queue import NightQueue
from siliconfriend.night.report import NightReport, PersonReport
from siliconfriend.night.reports import NightReports
from siliconfriend.night.worker import NightWorker, WorkOptions
from siliconfriend.runtime import Runtime

MAX_WAIT = 30.0
"""Seconds a night waits for another one at work on the same person."""
_POLL = 0.1


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

    Another process that works through the queue carries it on where this one dies. Who waits
    already for a night that was asked for before is in this one from now on. With a ``name`` its
    report is found by :meth:`NightReports.named`; all else is as for :func:`run_night`.
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

        options = WorkOptions(night=self.number, at_once=at_once, retries=False)
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
        """Take everyone out of it who is left, and keep why."""
        NightReports(self.runtime.installation).save_error(self.number, error)
        for scope in self.scopes:
            NightQueue(self.runtime).give_up(self.number, scope)

    def _work(self, worker: NightWorker) -> dict[Scope, PersonReport]:
        """Work until nobody is left; the reports of those whom another night was at all the time."""
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
            time.sleep(_POLL)
        busy = {scope: PersonReport(scope) for scope in waiting}
        for scope, report in busy.items():
            report.fail(MemoryBusy("night_held", name=scope.person), runtime.settings.language)
            queue.give_up(self.number, scope)
        return busy


def scopes_of(store: MemoryStore, users: Collection[str] | None) -> Sequence[Scope]:
    """Whose night it is (UnknownPerson: nothing is kept of one of the users)."""
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
