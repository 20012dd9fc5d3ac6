"""One person after another through the stages of a night, whoever runs it.

A night over everyone and a worker that was given one person do the same here. What goes wrong
in one person's night stands in their report, and never ends the others'.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from siliconfriend.errors import ConfigurationError, NightIncomplete, SiliconFriendError
from siliconfriend.extraction.extractor import Subject
from siliconfriend.lore.companions import companion_name
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import ChatModel
from siliconfriend.models.usage import Usage
from siliconfriend.night.call_budget import CallBudget, MeteredChat
from siliconfriend.night.model_writer import ModelWriter
from siliconfriend.night.night_lock import Held, HeldHere
from siliconfriend.night.night_state import NightState
from siliconfriend.night.offline_writer import OfflineWriter
from siliconfriend.night.person_night import NightOptions, PersonNight, Progress
from siliconfriend.night.quiet_people import QuietPeople
from siliconfriend.night.report import PersonReport
from siliconfriend.night.stages.registry import RUNS
from siliconfriend.night.writer import Writer
from siliconfriend.prompts.loader import Prompts
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.runtime import Runtime

FOLD_SHARE = 1 / 64
"""A night leaves a journal that is a smaller part of ``memory.json`` than this: writing ten years
anew for each day would cost more than the day, and so few lines are read in no time."""

_LOG = logging.getLogger(__name__)


class NightGivenBackError(Exception):
    """A person's night ends after a stage, for another process to go on with."""


def _go_on(_report: PersonReport) -> None:
    """Let the night go on after each stage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleNight:
    """What is the same for everyone in one night.

    Attributes:
        runtime: the parts of the program.
        state: what nights share.
        chat: the model that writes; None offline.
        embedder: that of this night.
        budget: the calls that are left.
        options: how the night is to go, with the names of all stages that run.
        progress: told what is being done.
        wait: seconds to wait where another night is at work on the same person.
        last_passes: when the last forgetting pass of each scope was.
        quiet: who is known to have nothing to do; None where everyone is looked at.
        after_stage: told after each stage what was done so far.
    """

    runtime: Runtime
    state: NightState
    chat: ChatModel | None
    embedder: Embedder | None
    budget: CallBudget
    options: NightOptions
    progress: Progress
    wait: float
    last_passes: Mapping[Scope, datetime]
    quiet: QuietPeople | None
    after_stage: Callable[[PersonReport], None] = _go_on

    def run(self, scope: Scope) -> PersonReport:
        """Run one person's night; what goes wrong in it stands in the report."""
        if self.quiet is not None and (known := self.quiet.report(scope)) is not None:
            return known
        report = PersonReport(scope)
        chat = None if self.chat is None else MeteredChat(self.chat, self.budget)
        settings = self.runtime.settings
        try:
            self._run_stages(scope, report, chat)
        except (ConfigurationError, NightGivenBackError):
            raise  # the first is the same for everyone, and the operator can mend it at once
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
        with self._hold(scope) as held:
            memory = self.runtime.store.load(scope)
            night = self._person_night(memory, scope, report, chat)
            for _stage in _stages_run(night):
                report.usage = Usage() if chat is None else chat.usage
                held.check()
                self.after_stage(report)
            if not self.options.dry_run:
                self.runtime.store.fold(scope, least_share=FOLD_SHARE)
            if self.quiet is not None:
                self.quiet.note(night, memory.sequence)
                if report.status == "ok" and not self.quiet.is_noted(scope):
                    self._look_again(night, self.quiet)

    def _hold(self, scope: Scope) -> AbstractContextManager[Held]:
        """Keep other nights out; a dry run changes nothing and waits for nobody."""
        if self.options.dry_run:
            return nullcontext(HeldHere())
        now = self.runtime.clock.now(self.runtime.settings.zone)
        return self.state.hold(scope, now, wait=self.wait)

    def _look_again(self, night: PersonNight, quiet: QuietPeople) -> None:
        """After a night that did something, note if the next one would find nothing to do.

        Else that next night would open everybody who talked the day before.
        """
        sequence = night.store.load(night.scope).sequence
        report = PersonReport(night.scope, now=night.now)
        look = replace(
            night,
            options=replace(night.options, dry_run=True),
            progress=tell_nobody,
            report=report,
            last_pass=night.now,
        )
        for _stage in _stages_run(look):
            pass
        quiet.note(look, sequence)

    def _person_night(
        self, memory: PersonMemory, scope: Scope, report: PersonReport, chat: MeteredChat | None
    ) -> PersonNight:
        settings, language = self.runtime.settings, memory.profile.language
        report.now = self.runtime.now(memory)
        return PersonNight(
            runtime=self.runtime,
            options=self.options,
            progress=self.progress,
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
            last_pass=self.last_passes.get(scope),
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


def _stages_run(night: PersonNight) -> Iterator[str]:
    """Run the stages of a night that are its person's own; the name of each when it has run."""
    for stage in night.options.stages:
        if stage in RUNS:
            RUNS[stage](night)
            yield stage


def tell_nobody(_what: str, _done: int, _total: int) -> None:
    """Progress of what is no work."""
