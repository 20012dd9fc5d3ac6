"""One person's night as a job: the stages in order, and what becomes of one that does not end.

A job does for one person what ``nightly`` does for each of many. Where that is worth it, it is begun
again a while later; what was done by then stays done, since each stage finds by itself what is due.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Literal, get_args

from siliconfriend.errors import NightIncomplete
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.scope import Scope
from siliconfriend.night.call_budget import CallBudget
from siliconfriend.night.night_lock import LONGEST_WAIT
from siliconfriend.night.people import NightGivenBackError, PeopleNight, tell_nobody
from siliconfriend.night.person_night import NightOptions
from siliconfriend.night.postgres.call_rows import CallRows
from siliconfriend.night.postgres.job_queue import MOST_ATTEMPTS
from siliconfriend.night.postgres.night_hold import LOST
from siliconfriend.night.postgres.night_plan import settle_zone
from siliconfriend.night.postgres.night_rows import JobOptions, options_of
from siliconfriend.night.postgres.state import PostgresNightState
from siliconfriend.night.quiet_people import QuietPeople, conditions
from siliconfriend.night.report import PersonReport
from siliconfriend.night.retries import may_pass
from siliconfriend.night.stages.registry import select_stages
from siliconfriend.runtime import Runtime

FIRST_WAIT = timedelta(minutes=1)
"""Before a job is begun again for the first time; each later wait is twice as long."""

Outcome = Literal["done", "failed", "later", "given_back"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a job ended.

    Attributes:
        outcome: ``failed`` for one that nobody begins again.
        wait: before it is begun again; None where it is not.
    """

    outcome: Outcome
    wait: timedelta | None = None


class PersonJobs:
    """Runs jobs, several at once; safe between threads.

    Args:
        runtime: the parts of the program, with memory in a database.
        database: that one.
        state: what nights share.
        max_calls: how often a night may ask a model, with all its jobs on all machines; None for
            any number.
    """

    def __init__(
        self,
        runtime: Runtime,
        database: Database,
        state: PostgresNightState,
        *,
        max_calls: int | None = None,
    ) -> None:
        self._runtime = runtime
        self._database = database
        self._state = state
        self._max_calls = max_calls
        self._lock = threading.Lock()
        self._stopped = False
        self._budgets: set[CallBudget] = set()

    def stop(self) -> None:
        """Let every job end after the stage it is at, with no further call of a model."""
        with self._lock:
            self._stopped = True
            for budget in self._budgets:
                budget.stop()

    def run(self, night: int, scope: Scope, attempts: int) -> Ended:
        """Run one person's night.

        Args:
            night: the number of its row.
            scope: whose.
            attempts: how often it was begun before.

        Raises:
            ConfigurationError: what is the same for everyone is wrong.
            StoreError: the database cannot be reached, so that nothing can be told of it there.
        """
        options = options_of(self._database, night)
        if options is None or not self._runtime.store.exists(scope):
            return Ended("done")  # so old that it is done since, or of somebody who is gone
        earlier = self._state.reports.earlier(night, scope)
        save = partial(self._state.reports.save_person, night, earlier=earlier)
        budget = self._begin_budget(night)
        try:
            report = self._people(options, scope, budget, save).run(scope)
        except NightGivenBackError:
            return Ended("given_back", timedelta())
        finally:
            with self._lock:
                self._budgets.discard(budget)
        if any(error.key == LOST for error in report.causes):
            return Ended("given_back", timedelta())  # what another says of it is not written over
        save(report)
        return _ended(report, attempts)

    def give_up(self, night: int, scope: Scope) -> None:
        """Write into the report of a night that it was too much for the workers."""
        report = PersonReport(scope)
        error = NightIncomplete("night_killed", times=MOST_ATTEMPTS)
        report.fail(error.message(self._runtime.settings.language), error)
        if options_of(self._database, night) is not None:
            earlier = self._state.reports.earlier(night, scope)
            self._state.reports.save_person(night, report, earlier)

    def _begin_budget(self, night: int) -> CallBudget:
        chat = self._runtime.night_chat
        name = "" if chat is None else chat.name
        budget = CallBudget(CallRows(self._database, night, name, self._max_calls))
        with self._lock:
            self._budgets.add(budget)
            if self._stopped:
                budget.stop()
        return budget

    def _people(
        self,
        options: JobOptions,
        scope: Scope,
        budget: CallBudget,
        save: Callable[[PersonReport], None],
    ) -> PeopleNight:
        def after_stage(report: PersonReport) -> None:
            save(report)
            if len(report.stages) == 1:  # the memory is at hand now, and was not before
                self._settle_zone(scope)
            if self._stopped:
                raise NightGivenBackError

        runtime = self._runtime
        chat, embedder = runtime.night_chat, runtime.recaller.embedder
        last_passes = self._state.reports.last_passes([scope])
        notes = self._state.notes(conditions(runtime, chat, embedder)) if options.is_usual else None
        return PeopleNight(
            runtime=runtime,
            state=self._state,
            chat=chat,
            embedder=embedder,
            budget=budget,
            options=NightOptions(
                stages=select_stages(options.stages or ()),
                today=options.today,
                allow_large=options.allow_large,
            ),
            progress=tell_nobody,
            wait=LONGEST_WAIT,
            last_passes=last_passes,
            quiet=None if notes is None else QuietPeople(runtime, notes, last_passes),
            after_stage=after_stage,
        )

    def _settle_zone(self, scope: Scope) -> None:
        memory = self._runtime.store.load(scope)
        settle_zone(self._runtime, self._database, scope, memory.profile.zone)


def _ended(report: PersonReport, attempts: int) -> Ended:
    if report.status != "failed":
        return Ended("done")
    if attempts + 1 < MOST_ATTEMPTS and any(may_pass(error) for error in report.causes):
        return Ended("later", FIRST_WAIT * 2**attempts)
    return Ended("failed")
