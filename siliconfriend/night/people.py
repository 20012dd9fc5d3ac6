"""One person's night, stage by stage, as a night over everyone and a worker both run it.

What goes wrong in one person's night stands in their report and never ends the others'.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from siliconfriend.characters.companions import companion_name
from siliconfriend.errors import (
    ConfigurationError,
    MemoryBusy,
    NightIncomplete,
    SiliconFriendError,
)
from siliconfriend.extraction.extractor import Subject
from siliconfriend.installation.leases import Lease
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import ChatModel
from siliconfriend.models.openai_compatible import WRITTEN_TOKENS
from siliconfriend.models.usage import Usage
from siliconfriend.night.calls import CallBudget, MeteredChat
from siliconfriend.night.person_night import NightOptions, PersonNight, Progress
from siliconfriend.night.quiet import QuietPeople
from siliconfriend.night.report import PersonReport
from siliconfriend.night.stages.registry import RUNS
from siliconfriend.night.writer import ModelWriter
from siliconfriend.prompts.loader import Prompts
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.runtime import Runtime

LOST = "night_lost"
"""The key of what is raised where the lease on a person's night ran out."""

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
        chat: the model that writes; None offline.
        embedder: that of this night.
        budget: the calls that are left.
        options: how the night is to go, with the names of all stages that run.
        progress: told what is being done.
        last_passes: when the last forgetting pass of each scope was.
        quiet: who is known to have nothing to do; None where everyone is looked at.
        after_stage: told after each stage what was done so far.
    """

    runtime: Runtime
    chat: ChatModel | None
    embedder: Embedder | None
    budget: CallBudget
    options: NightOptions
    progress: Progress
    last_passes: Mapping[Scope, datetime]
    quiet: QuietPeople | None
    after_stage: Callable[[PersonReport], None] = _go_on

    def run(self, scope: Scope, lease: Lease | None = None) -> PersonReport:
        """Run one person's night; what goes wrong in it stands in the report.

        Args:
            scope: whose.
            lease: on it; None for a dry run, which changes nothing.

        Raises:
            ConfigurationError: what is the same for everyone is wrong.
            NightGivenBackError: ``after_stage`` ended it.
        """
        if self.quiet is not None and (known := self.quiet.report(scope)) is not None:
            return known
        report = PersonReport(scope)
        chat = None if self.chat is None else MeteredChat(self.chat, self.budget)
        settings = self.runtime.settings
        try:
            self._run_stages(scope, report, chat, lease)
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

    def _run_stages(
        self, scope: Scope, report: PersonReport, chat: MeteredChat | None, lease: Lease | None
    ) -> None:
        memory = self.runtime.store.load(scope)
        night = self._person_night(memory, scope, report, chat)
        for _stage in _stages_run(night):
            report.usage = Usage() if chat is None else chat.usage
            if lease is not None and lease.is_lost:
                raise MemoryBusy(LOST, name=scope.person)
            self.after_stage(report)
        if not self.options.dry_run:
            self.runtime.store.tidy(scope)
        if self.quiet is not None:
            self.quiet.note(night, memory.sequence)
            if report.status == "ok" and not self.quiet.is_noted(scope):
                self._look_again(night, self.quiet)

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
        companion = companion_name(settings, scope.companion, language)
        subject, prompts = (
            Subject(scope.person, companion, language),
            Prompts(language, settings.prompts),
        )
        tokens, writer = max(settings.max_tokens, WRITTEN_TOKENS), None
        if chat is not None:
            writer = ModelWriter(chat, prompts, subject, answer_tokens=tokens)
        report.now = self.runtime.now(memory)
        return PersonNight(
            runtime=self.runtime,
            options=self.options,
            progress=self.progress,
            scope=scope,
            subject=subject,
            writer=writer,
            chat=chat,
            prompts=prompts,
            now=report.now,
            report=report,
            last_pass=self.last_passes.get(scope),
        )


def _stages_run(night: PersonNight) -> Iterator[str]:
    """Run the stages of a night that are its person's own; the name of each when it has run."""
    for stage in night.options.stages:
        if stage in RUNS:
            RUNS[stage](night)
            yield stage


def tell_nobody(_what: str, _done: int, _total: int) -> None:
    """Progress of what is no work."""
