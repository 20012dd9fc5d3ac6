"""A night for everyone: the steps, person by person, and the report.

One person's fault never ends the others' night. No lock is held while a model thinks;
what is said meanwhile is never lost, it only leaves its day due.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
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
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.scope import Scope, clean_name
from siliconfriend.memory.store import MemoryStore
from siliconfriend.models.base import ChatModel
from siliconfriend.night import forget, index, kept_reports, portrait, summarise
from siliconfriend.night.extractive import ExtractiveWriter
from siliconfriend.night.meter import Meter, Spent
from siliconfriend.night.model_writer import ModelWriter
from siliconfriend.night.person import PersonNight, Progress
from siliconfriend.night.report import NightReport, PersonReport
from siliconfriend.night.stages import Stage, chosen
from siliconfriend.night.writer import Subject, Writer
from siliconfriend.prompts import Prompts
from siliconfriend.recall.recaller import Recaller

_STEPS: Mapping[Stage, Callable[[PersonNight], None]] = {
    summarise.NAME: summarise.run,
    portrait.NAME: portrait.run,
    forget.NAME: forget.run,
    index.NAME: index.run,
}
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
    max_calls: int | None = None,
    progress: Progress | None = None,
) -> NightReport:
    """Sum up, portray, forget and refresh the index, for everyone or those named.

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
        max_calls: how often the model may be asked; what is left stays pending.
        progress: told what is being done.

    Raises:
        UsageError: an unknown step or person.
        ConfigurationError: an unknown policy, a prompt that cannot be used.
    """
    began = perf_counter()
    scopes = _scopes(store, users)
    shift = _Shift(
        store=store,
        recaller=recaller,
        meter=None if chat is None else Meter(chat, max_calls),
        settings=settings,
        clock=clock,
        policy=ForgettingPolicy.named(settings.policy),
        stages=chosen(stages),
        dry_run=dry_run,
        today=today,
        allow_large=allow_large,
        progress=progress or (lambda _what, _done, _total: None),
        passes=kept_reports.last_passes(settings.home, scopes),
    )
    people = tuple(shift.run(scope) for scope in scopes)
    now, seconds = clock.now(settings.zone), perf_counter() - began
    report = NightReport(shift.policy, people, now, seconds, dry_run)
    if not dry_run:
        kept_reports.keep(report, settings.home)
    return report


def _scopes(store: MemoryStore, users: Collection[str] | None) -> Sequence[Scope]:
    scopes = store.scopes()
    if users is None:
        return scopes
    names = {clean_name(user) for user in users}
    for name in sorted(names - {scope.person for scope in scopes}):
        raise UnknownPerson("unknown_person", name=name)
    return [scope for scope in scopes if scope.person in names]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shift:
    """What is the same for everyone in one night."""

    store: MemoryStore
    recaller: Recaller
    meter: Meter | None
    settings: Settings
    clock: Clock
    policy: ForgettingPolicy
    stages: tuple[Stage, ...]
    dry_run: bool
    today: bool
    allow_large: bool
    progress: Progress
    passes: Mapping[str, datetime]

    def run(self, scope: Scope) -> PersonReport:
        """One person's night; what goes wrong in it stands in the report."""
        report = PersonReport(scope)
        before = self.meter.spent if self.meter else Spent()
        try:
            night = self._night(scope, report)
            for stage in self.stages:
                if stage in _STEPS:
                    _STEPS[stage](night)
            if not self.dry_run:
                self.store.fold(scope)
        except ConfigurationError:
            raise  # it is the same for everyone, and the operator can mend it at once
        except SiliconFriendError as error:
            report.errors.append(error.message(self.settings.language))
        except Exception as error:  # one person's damaged data must not cost all others theirs
            _LOG.debug("a night ended by an unforeseen error", exc_info=True)
            failure = NightIncomplete("night_unexpected", cause=type(error).__name__)
            report.errors.append(failure.message(self.settings.language))
        if self.meter is not None:
            report.spent = self.meter.spent - before
        return report

    def _night(self, scope: Scope, report: PersonReport) -> PersonNight:
        profile = self.store.load(scope).profile
        report.now = self.clock.now(profile.zone)
        named = self.settings.speaking(profile.language).companion_name
        return PersonNight(
            scope=scope,
            subject=Subject(scope.person, named, profile.language),
            store=self.store,
            recaller=self.recaller,
            writer=self._writer(),
            policy=self.policy,
            now=report.now,
            report=report,
            stages=self.stages,
            language=self.settings.language,
            today=self.today,
            dry_run=self.dry_run,
            allow_large=self.allow_large,
            last_pass=self.passes.get(scope.digest),
            progress=self.progress,
        )

    def _writer(self) -> Writer:
        if self.meter is None:
            return ExtractiveWriter(self.recaller.embedder)
        return ModelWriter(
            self.meter,
            lambda language: Prompts(language, self.settings.prompts),
            answer_tokens=self.settings.max_tokens,
        )
