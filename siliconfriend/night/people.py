"""Run one person's night, stage by stage, for a night of everyone and for a worker.

A failure of one person is reported and does not end the others' nights.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from siliconfriend.characters.companions import companion_name
from siliconfriend.errors import ConfigurationError, NightIncomplete, SiliconFriendError
from siliconfriend.extraction.extractor import Subject
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


def run_person(
    runtime: Runtime,
    scope: Scope,
    last_pass: datetime | None,
    options: NightOptions,
    budget: CallBudget,
    progress: Progress,
    *,
    earlier: Mapping[str, Any] = NOTHING,
    after_stage: Callable[[PersonReport, str], None] = _go_on,
) -> PersonReport:
    """Run one person's night; what goes wrong in it stands in the report.

    ``options`` name all stages that run; ``earlier`` is the part of the report that this night
    has written of them already; ``after_stage`` is told what was done so far, and the stage.

    Raises:
        ConfigurationError: what is the same for everyone is wrong.
        NightGivenBackError: ``after_stage`` ended it.
    """
    report, settings = PersonReport.going_on(scope, earlier), runtime.settings
    model = runtime.night_chat
    chat = None if model is None else MeteredChat(model, budget, report.usage)
    try:
        memory = runtime.store.load(scope)
        report.now, report.zone = runtime.now(memory), memory.profile.zone
        language = memory.profile.language
        companion = companion_name(settings, scope.companion, language)
        subject = Subject(memory.profile.called, companion, language)
        prompts, tokens = (
            Prompts(language, settings.prompts),
            max(settings.max_tokens, WRITTEN_TOKENS),
        )
        night = PersonNight(
            runtime=runtime,
            options=options,
            progress=progress,
            scope=scope,
            subject=subject,
            writer=None
            if chat is None
            else ModelWriter(chat, prompts, subject, answer_tokens=tokens),
            chat=chat,
            prompts=prompts,
            now=report.now,
            report=report,
            last_pass=last_pass,
        )
        for stage in options.stages:
            if stage in RUNS:
                RUNS[stage](night)
                if chat is not None:
                    report.usage = chat.usage
                after_stage(report, stage)
        if not options.dry_run:
            runtime.store.tidy(scope)
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


def tell_nobody(_what: str, _done: int, _total: int) -> None:
    """Progress of what is no work."""
