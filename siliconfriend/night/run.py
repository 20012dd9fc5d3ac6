"""A night for everyone: the steps, person by person or several people at once, and the report.

One person's fault never ends the others' night. No lock is held while a model thinks;
what is said meanwhile is never lost, it only leaves its day due.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from time import perf_counter

from siliconfriend.clock import Clock
from siliconfriend.config import Settings
from siliconfriend.errors import (
    ConfigurationError,
    NightIncomplete,
    SiliconFriendError,
    UnknownPerson,
)
from siliconfriend.extraction.extractor import Subject
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.lore.companions import companion_name
from siliconfriend.memory.scope import Scope, clean_name
from siliconfriend.memory.store import MemoryStore
from siliconfriend.models.base import ChatModel
from siliconfriend.night import report_store
from siliconfriend.night.call_budget import CallBudget, RetryTimer
from siliconfriend.night.concurrency import map_concurrently
from siliconfriend.night.model_writer import ModelWriter
from siliconfriend.night.night_lock import LONGEST_WAIT, NightLocks
from siliconfriend.night.offline_writer import OfflineWriter
from siliconfriend.night.person_night import PersonNight, Progress
from siliconfriend.night.report import NightReport, PersonReport
from siliconfriend.night.stages.registry import RUNS, select_stages
from siliconfriend.night.usage import MeteredChat
from siliconfriend.night.writer import Writer
from siliconfriend.prompts import Prompts
from siliconfriend.recall.recaller import Recaller

_LOG = logging.getLogger(__name__)


def run_night(
    store: MemoryStore,
    *,
    recaller: Recaller,
    chat: ChatModel | None,
    settings: Settings,
    clock: Clock,
    users: Collection[str] | None = None,
    stages: Collection[str] | None = None,
    dry_run: bool = False,
    today: bool = False,
    allow_large: bool = False,
    concurrency: int = 1,
    max_calls: int | None = None,
    wait: float = LONGEST_WAIT,
    timer: RetryTimer | None = None,
    progress: Progress | None = None,
) -> NightReport:
    """Sum up, portray, reflect, forget and refresh the index, for everyone or those named.

    Args:
        store: whose memory.
        recaller: keeps the search index; its embedder serves the offline writer too.
        chat: writes the texts; None for the offline writer.
        settings: policy, data directory, language of the report, prompts.
        clock: tells each person's now.
        users: names of people; None for everyone.
        stages: names of steps; None for all.
        dry_run: change nothing, call no model, and report what would be done.
        today: take the person's present day as over.
        allow_large: forget also where more than the policy's share would go at once.
        concurrency: how many people's nights go on at once.
        max_calls: how often the model may be asked; what is left stays pending.
        wait: seconds to wait where another night is at work on the same person.
        timer: how the waits that a server asks for are done.
        progress: told what is being done.

    Raises:
        UsageError: an unknown step or person.
        ConfigurationError: an unknown policy, a prompt that cannot be used, a data directory
            that cannot be written.
    """
    began = perf_counter()
    scopes = _scopes(store, users)
    budget = CallBudget(max_calls, timer)
    shift = _NightRun(
        store=store,
        recaller=recaller,
        chat=chat,
        budget=budget,
        locks=NightLocks(None if dry_run else getattr(store, "home", None), wait),
        settings=settings,
        clock=clock,
        policy=ForgettingPolicy.of(settings),
        stages=select_stages(stages),
        dry_run=dry_run,
        today=today,
        allow_large=allow_large,
        progress=_progress(progress, concurrency),
        passes=report_store.last_passes(settings.home, scopes),
    )
    people = tuple(map_concurrently(shift.run, scopes, at_once=concurrency, stop=budget.stop))
    now, seconds = clock.now(settings.zone), perf_counter() - began
    unreadable = () if users is not None else tuple(store.unreadable())
    report = NightReport(shift.policy, people, now, seconds, dry_run, unreadable)
    if not dry_run:
        report_store.save(report, settings.home)
    return report


def _scopes(store: MemoryStore, users: Collection[str] | None) -> Sequence[Scope]:
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


def _progress(told: Progress | None, concurrency: int) -> Progress:
    """What the steps tell; of several people at once only the names, not how far each is."""
    if told is None:
        return lambda _what, _done, _total: None
    if concurrency == 1:
        return told
    return lambda what, _done, _total: told(what, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _NightRun:
    """What is the same for everyone in one night."""

    store: MemoryStore
    recaller: Recaller
    chat: ChatModel | None
    budget: CallBudget
    locks: NightLocks
    settings: Settings
    clock: Clock
    policy: ForgettingPolicy
    stages: tuple[str, ...]
    dry_run: bool
    today: bool
    allow_large: bool
    progress: Progress
    passes: Mapping[str, datetime]

    def run(self, scope: Scope) -> PersonReport:
        """One person's night; what goes wrong in it stands in the report."""
        report = PersonReport(scope)
        metered = None if self.chat is None else MeteredChat(self.chat, self.budget)
        try:
            with self.locks.hold(scope, self.clock.now(self.settings.zone)):
                self._go_through(self._night(scope, report, metered))
        except ConfigurationError:
            raise  # it is the same for everyone, and the operator can mend it at once
        except SiliconFriendError as error:
            report.fail(error.message(self.settings.language), error)
        except Exception as error:  # one person's damaged data must not cost all others theirs
            _LOG.debug("a night ended by an unforeseen error", exc_info=True)
            failure = NightIncomplete("night_unexpected", cause=type(error).__name__)
            report.fail(failure.message(self.settings.language), failure)
        if metered is not None:
            report.usage = metered.usage
        return report

    def _go_through(self, night: PersonNight) -> None:
        for stage in self.stages:
            if stage in RUNS:
                RUNS[stage](night)
        if not self.dry_run:
            self.store.fold(night.scope)

    def _night(
        self, scope: Scope, report: PersonReport, metered: MeteredChat | None
    ) -> PersonNight:
        profile = self.store.load(scope).profile
        report.now = self.clock.now(profile.zone)
        named = companion_name(self.settings, scope.companion, profile.language)
        return PersonNight(
            scope=scope,
            subject=Subject(scope.person, named, profile.language),
            store=self.store,
            recaller=self.recaller,
            writer=self._writer(metered),
            chat=metered,
            prompts=Prompts(profile.language, self.settings.prompts),
            policy=self.policy,
            now=report.now,
            report=report,
            stages=self.stages,
            language=self.settings.language,
            today=self.today,
            dry_run=self.dry_run,
            allow_large=self.allow_large,
            answer_tokens=self.settings.max_tokens,
            reflect_threshold=self.settings.reflect_threshold,
            reflect_window=self.settings.reflect_window,
            topic_heat=self.settings.topic_heat,
            topic_capacity=self.settings.topic_capacity,
            knowledge_capacity=self.settings.knowledge_capacity,
            last_pass=self.passes.get(scope.digest),
            progress=self.progress,
        )

    def _writer(self, metered: MeteredChat | None) -> Writer:
        if metered is None:
            return OfflineWriter(self.recaller.embedder)
        return ModelWriter(
            metered,
            lambda language: Prompts(language, self.settings.prompts),
            answer_tokens=self.settings.max_tokens,
        )
