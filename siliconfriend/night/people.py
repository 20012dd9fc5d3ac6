"""One person's night, stage by stage, as a night over everyone and a worker both run it.

What goes wrong in one person's night stands in their report and never ends the others'.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from siliconfriend.characters.companions import companion_name
from siliconfriend.errors import (
    ConfigurationError,
    NightIncomplete,
    SiliconFriendError,
)
from siliconfriend.extraction.extractor import Subject
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.models.openai_compatible import WRITTEN_TOKENS
from siliconfriend.night.calls import CallBudget, MeteredChat
from siliconfriend.night.person_night import NightOptions, PersonNight, Progress
from siliconfriend.night.report import PersonReport
from siliconfriend.night.stages.registry import RUNS
from siliconfriend.night.writer import ModelWriter
from siliconfriend.prompts.loader import Prompts
from siliconfriend.runtime import Runtime

NOTHING: Mapping[str, Any] = {}

_LOG = logging.getLogger(__name__)


class NightGivenBackError(Exception):
    """A person's night ends after a stage, for another process to go on with."""


def _go_on(_report: PersonReport, _stage: str) -> None:
    """Let the night go on after each stage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleNight:
    """What is the same for everyone in one night."""

    runtime: Runtime
    budget: CallBudget
    options: NightOptions
    progress: Progress

    def run(
        self,
        scope: Scope,
        last_pass: datetime | None,
        *,
        earlier: Mapping[str, Any] = NOTHING,
        after_stage: Callable[[PersonReport, str], None] = _go_on,
    ) -> PersonReport:
        """Run one person's night; what goes wrong in it stands in the report.

        ``earlier``: the part of the report that this night has written of them already.

        Raises:
            ConfigurationError: what is the same for everyone is wrong.
            NightGivenBackError: ``after_stage`` ended it.
        """
        report, settings = PersonReport.going_on(scope, earlier), self.runtime.settings
        model = self.runtime.night_chat
        chat = None if model is None else MeteredChat(model, self.budget, report.usage)
        try:
            memory = self.runtime.store.load(scope)
            night = self._person_night(memory, report, chat, last_pass)
            for stage in self.options.stages:
                if stage in RUNS:
                    RUNS[stage](night)
                    if chat is not None:
                        report.usage = chat.usage
                    after_stage(report, stage)
            if not self.options.dry_run:
                self.runtime.store.tidy(scope)
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


def tell_nobody(_what: str, _done: int, _total: int) -> None:
    """Progress of what is no work."""
