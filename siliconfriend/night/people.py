"""One person's night, stage by stage, as a night over everyone and a worker both run it.

What goes wrong in one person's night stands in their report and never ends the others'.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
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
from siliconfriend.models.openai_compatible import WRITTEN_TOKENS
from siliconfriend.models.usage import Usage
from siliconfriend.night.calls import CallBudget, MeteredChat
from siliconfriend.night.person_night import NightOptions, PersonNight, Progress
from siliconfriend.night.quiet import QuietPeople
from siliconfriend.night.report import PersonReport
from siliconfriend.night.stages.registry import RUNS
from siliconfriend.night.writer import ModelWriter
from siliconfriend.prompts.loader import Prompts
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
        budget: the calls of a model that are left.
        options: how the night is to go, with the names of all stages that run.
        progress: told what is being done.
    """

    runtime: Runtime
    budget: CallBudget
    options: NightOptions
    progress: Progress

    def run(
        self,
        scope: Scope,
        last_pass: datetime | None,
        *,
        quiet: QuietPeople | None = None,
        lease: Lease | None = None,
        after_stage: Callable[[PersonReport], None] = _go_on,
    ) -> PersonReport:
        """Run one person's night; what goes wrong in it stands in the report.

        Args:
            scope: whose.
            last_pass: when their last forgetting pass was; None for the first.
            quiet: notes that nothing was to do; None for a night that does not tell that.
            lease: on the night; None for a dry run, which changes nothing.
            after_stage: told after each stage what was done so far.

        Raises:
            ConfigurationError: what is the same for everyone is wrong.
            NightGivenBackError: ``after_stage`` ended it.
        """
        report, settings = PersonReport(scope), self.runtime.settings
        model = self.runtime.night_chat
        chat = None if model is None else MeteredChat(model, self.budget)
        try:
            memory = self.runtime.store.load(scope)
            night = self._person_night(memory, report, chat, last_pass)
            for stage in self.options.stages:
                if stage in RUNS:
                    RUNS[stage](night)
                    report.usage = Usage() if chat is None else chat.usage
                    _still_held(lease, scope)
                    after_stage(report)
            if not self.options.dry_run:
                self.runtime.store.tidy(scope)
            if quiet is not None:
                quiet.note(night, memory.sequence)
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

    def _person_night(
        self,
        memory: PersonMemory,
        report: PersonReport,
        chat: MeteredChat | None,
        last_pass: datetime | None,
    ) -> PersonNight:
        settings, language, scope = self.runtime.settings, memory.profile.language, report.scope
        companion = companion_name(settings, scope.companion, language)
        subject = Subject(memory.profile.called, companion, language)
        prompts = Prompts(language, settings.prompts)
        tokens, writer = max(settings.max_tokens, WRITTEN_TOKENS), None
        if chat is not None:
            writer = ModelWriter(chat, prompts, subject, answer_tokens=tokens)
        report.now, report.zone = self.runtime.now(memory), memory.profile.zone
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
            last_pass=last_pass,
        )


def _still_held(lease: Lease | None, scope: Scope) -> None:
    if lease is not None and lease.is_lost:
        raise MemoryBusy(LOST, name=scope.person)


def tell_nobody(_what: str, _done: int, _total: int) -> None:
    """Progress of what is no work."""
