"""A night for everyone: the stages, person by person or several people at once, and the report.

One person's fault never ends the others' night. No lock is held while a model thinks;
what is said meanwhile is never lost, it only leaves its day due.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from time import perf_counter

from siliconfriend.errors import (
    ConfigurationError,
    NightIncomplete,
    SiliconFriendError,
    UnknownPerson,
)
from siliconfriend.extraction.extractor import Subject
from siliconfriend.lore.companions import companion_name
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope, clean_name
from siliconfriend.memory.store import MemoryStore
from siliconfriend.models.base import ChatModel
from siliconfriend.models.usage import Usage
from siliconfriend.night import report_store
from siliconfriend.night.call_budget import CallBudget, MeteredChat, RetryTimer
from siliconfriend.night.concurrency import map_concurrently
from siliconfriend.night.model_writer import ModelWriter
from siliconfriend.night.night_lock import LONGEST_WAIT, hold_night
from siliconfriend.night.offline_writer import OfflineWriter
from siliconfriend.night.person_night import NightOptions, PersonNight, Progress
from siliconfriend.night.quiet_people import QuietPeople, open_quiet_people
from siliconfriend.night.report import NightReport, PersonReport
from siliconfriend.night.stages.registry import RUNS, select_stages
from siliconfriend.night.writer import Writer
from siliconfriend.prompts.loader import Prompts
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.runtime import Runtime

FOLD_SHARE = 1 / 64
"""A night leaves a journal that is a smaller part of ``memory.json`` than this: writing ten years
anew for each day would cost more than the day, and so few lines are read in no time."""

_LOG = logging.getLogger(__name__)


def run_night(
    runtime: Runtime,
    *,
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
    """Run the stages of a night for everyone or those named, and save its report.

    Args:
        runtime: store, model, recaller and settings; without a model texts are written offline.
        users: names of people; None for everyone.
        stages: names of stages; None for all.
        dry_run: change nothing, call no model, and report what would be done.
        today: take the person's present day as over.
        allow_large: forget also where more than the policy's share would go at once.
        concurrency: how many people's nights go on at once.
        max_calls: how often the model may be asked; what is left stays pending.
        wait: seconds to wait where another night is at work on the same person.
        timer: does the waits that a server asks for; by the machine's time unless given.
        progress: told what is being done.

    Raises:
        UsageError: an unknown stage or person.
        ConfigurationError: an unknown policy, a prompt that cannot be used, a data directory
            that cannot be written.
    """
    began = perf_counter()
    settings = runtime.settings
    scopes = _scopes(runtime.store, users)
    budget = CallBudget(max_calls, timer)
    chat, embedder = runtime.night_chat, runtime.recaller.embedder
    last_passes = report_store.last_passes(settings.home, scopes)
    is_usual = users is None and stages is None and not (dry_run or today or allow_large)
    quiet = open_quiet_people(runtime, chat, embedder, last_passes) if is_usual else None
    night = _Night(
        runtime=runtime,
        chat=chat,
        embedder=embedder,
        budget=budget,
        options=NightOptions(
            stages=select_stages(stages),
            dry_run=dry_run,
            today=today,
            allow_large=allow_large,
            progress=_progress(progress, concurrency),
        ),
        wait=wait,
        last_passes=last_passes,
        quiet=quiet,
    )
    people = tuple(map_concurrently(night.run, scopes, at_once=concurrency, stop=budget.stop))
    now, seconds = runtime.clock.now(settings.zone), perf_counter() - began
    unreadable = () if users is not None else tuple(runtime.store.unreadable())
    report = NightReport(runtime.policy, people, now, seconds, dry_run, unreadable)
    if not dry_run:
        report_store.save(report, settings.home)
    if quiet is not None:
        quiet.save(scopes)
    return report


def _scopes(store: MemoryStore, users: Collection[str] | None) -> Sequence[Scope]:
    """Whose night it is.

    Raises:
        UnknownPerson: nothing is kept of one of the users.
    """
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


def _progress(progress: Progress | None, concurrency: int) -> Progress:
    """What the stages report to; of several people at once only the names, not how far each is."""
    if progress is None:
        return _tell_nobody
    if concurrency == 1:
        return progress
    return lambda what, _done, _total: progress(what, 0, 0)


def _run_all(night: PersonNight) -> None:
    """Run the stages of a night that are its person's own."""
    for stage in night.options.stages:
        if stage in RUNS:
            RUNS[stage](night)


def _tell_nobody(_what: str, _done: int, _total: int) -> None:
    """Progress of what is no work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Night:
    """What is the same for everyone in one night."""

    runtime: Runtime
    chat: ChatModel | None
    embedder: Embedder | None
    budget: CallBudget
    options: NightOptions
    wait: float
    last_passes: Mapping[str, datetime]
    quiet: QuietPeople | None

    def run(self, scope: Scope) -> PersonReport:
        """Run one person's night; what goes wrong in it stands in the report."""
        if self.quiet is not None and (known := self.quiet.report(scope)) is not None:
            return known
        report = PersonReport(scope)
        chat = None if self.chat is None else MeteredChat(self.chat, self.budget)
        settings = self.runtime.settings
        try:
            self._run_stages(scope, report, chat)
        except ConfigurationError:
            raise  # it is the same for everyone, and the operator can mend it at once
        except SiliconFriendError as error:
            report.fail(error.message(settings.language), error)
        except Exception as error:  # one person's damaged data must not cost all others theirs
            _LOG.debug("a night ended by an unforeseen error", exc_info=True)
            failure = NightIncomplete("night_unexpected", cause=type(error).__name__)
            report.fail(failure.message(settings.language), failure)
        if chat is not None:
            report.usage = chat.usage
        return report

    def _run_stages(self, scope: Scope, report: PersonReport, chat: MeteredChat | None) -> None:
        home, dry_run = self._home(scope), self.options.dry_run
        now = self.runtime.clock.now(self.runtime.settings.zone)
        with hold_night(None if dry_run else home, scope, now, wait=self.wait):
            memory = self.runtime.store.load(scope)
            night = self._person_night(memory, scope, report, chat)
            _run_all(night)
            if not dry_run:
                self.runtime.store.fold(scope, least_share=FOLD_SHARE)
            if self.quiet is not None:
                report.usage = Usage() if chat is None else chat.usage
                self.quiet.note(night, memory.sequence)
                if report.status == "ok" and not self.quiet.is_noted(scope):
                    self._look_again(night, self.quiet)

    def _look_again(self, night: PersonNight, quiet: QuietPeople) -> None:
        """After a night that did something, note if the next one would find nothing to do.

        Else that next night would open everybody who talked the day before.
        """
        sequence = night.store.load(night.scope).sequence
        options = replace(night.options, dry_run=True, progress=_tell_nobody)
        report = PersonReport(night.scope, now=night.now)
        look = replace(night, options=options, report=report, last_pass=night.now)
        _run_all(look)
        quiet.note(look, sequence)

    def _person_night(
        self, memory: PersonMemory, scope: Scope, report: PersonReport, chat: MeteredChat | None
    ) -> PersonNight:
        settings, language = self.runtime.settings, memory.profile.language
        report.now = self.runtime.now(memory)
        return PersonNight(
            runtime=self.runtime,
            options=self.options,
            scope=scope,
            subject=Subject(
                scope.person, companion_name(settings, scope.companion, language), language
            ),
            home=self._home(scope),
            writer=self._writer(chat, scope),
            chat=chat,
            prompts=Prompts(language, settings.prompts),
            now=report.now,
            report=report,
            last_pass=self.last_passes.get(scope.digest),
        )

    def _writer(self, chat: MeteredChat | None, scope: Scope) -> Writer:
        if chat is None:
            return OfflineWriter(self.embedder, partial(self.runtime.recaller.kept_vectors, scope))
        settings = self.runtime.settings
        return ModelWriter(
            chat,
            lambda language: Prompts(language, settings.prompts),
            answer_tokens=settings.max_tokens,
        )

    def _home(self, scope: Scope) -> Path | None:
        """The data directory, if the person's memory lies in files there."""
        folder = self.runtime.store.folder(scope)
        return None if folder is None else self.runtime.settings.home
