"""Run one person's night: the stages in order, for a night of everyone and for a worker.

A failure of one person is reported and does not end the others' nights.
"""

import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from siliconfriend.background_reading import subject_of
from siliconfriend.errors import (
    ConfigurationError,
    ModelError,
    NightIncomplete,
    SiliconFriendError,
    UsageError,
)
from siliconfriend.extraction.ability import forget_ability, is_able, known_ability
from siliconfriend.extraction.judge import UNRELIABLE
from siliconfriend.models.base import (
    Answer,
    ChatModel,
    CompletionModel,
    FallbackModel,
    JsonSchema,
    Message,
)
from siliconfriend.models.openai_compatible import WRITTEN_TOKENS
from siliconfriend.night.calls import CallBudget, MeteredChat, NoMoreCallsError
from siliconfriend.night.person_night import NightOptions, PersonNight, Progress
from siliconfriend.night.queue import NightQueue
from siliconfriend.night.report import PersonReport
from siliconfriend.night.stages import extract, forget, portrait, reflect, summarise
from siliconfriend.night.writer import ModelWriter
from siliconfriend.prompts.loader import Prompts
from siliconfriend.runtime import Runtime
from siliconfriend.texts import Language

TIDY, INDEX = "tidy", "index"
TOO_WEAK = "model"
"""Stages reported as skipped when the model may not write."""

_LOG = logging.getLogger(__name__)


def _tidy(night: PersonNight) -> None:
    done, memory = 0, night.runtime.store.load(night.scope)
    ids = [turn.id for turn in memory.turns() if turn.unkept]
    if ids and not night.options.dry_run:
        night.runtime.eraser.erase(night.scope, ids)
        done = len(ids)
    night.report.count(TIDY, due=len(ids), done=done)


def _index(night: PersonNight) -> None:
    embedded = 0
    if not night.options.dry_run:
        try:
            told = partial(night.progress, f"{night.scope.person}: {INDEX}")
            embedded = night.runtime.recaller.index_night(night.scope, told)
        except ModelError as error:
            night.report.fail(error, INDEX)
    night.report.count(INDEX, due=embedded, done=embedded)


RUNS: Mapping[str, Callable[[PersonNight], None]] = {
    TIDY: _tidy,
    summarise.NAME: summarise.run,
    extract.NAME: extract.run,
    portrait.NAME: portrait.run,
    reflect.NAME: reflect.run,
    forget.NAME: forget.run,
    INDEX: _index,
}
"""Function of each stage for one person, in order."""
STAGES = (*RUNS, "report")
"""The names of all stages, in order; the report of a night is always kept."""


def select_stages(names: Collection[str]) -> tuple[str, ...]:
    """Return the stages to run in order: the named ones (UsageError: unknown name), or all."""
    for name in names:
        if name not in STAGES:
            raise UsageError("stage_unknown", name=name, known=", ".join(STAGES))
    selected = {*(names or STAGES), *([INDEX] if forget.NAME in names else [])}
    return tuple(stage for stage in RUNS if stage in selected)


def run_stages(
    runtime: Runtime,
    report: PersonReport,
    options: NightOptions,
    budget: CallBudget,
    progress: Progress,
) -> Iterator[str]:
    """Run one person's night into their report; yield each stage after it.

    Errors go into the report and end this person's night only; ConfigurationError applies to
    everyone.
    """
    stages, settings, model = select_stages(options.stages), runtime.settings, runtime.night_chat
    scope = report.scope
    chat: CompletionModel | None = None
    try:
        profile = runtime.store.load(scope).profile
        subject = subject_of(settings, scope, profile)
        prompts = Prompts(profile.language, settings.prompts)
        tokens = max(settings.max_tokens, WRITTEN_TOKENS)
        report.now, report.zone = runtime.clock.now(profile.zone), profile.zone
        if model is not None:
            language, is_dry = profile.language, options.dry_run
            chat = _able(runtime, model, budget, report, language, is_dry=is_dry)
            if chat is None:
                report.skipped.append(TOO_WEAK)
        night = PersonNight(
            runtime=runtime,
            options=replace(options, stages=stages),
            progress=progress,
            scope=scope,
            subject=subject,
            writer=None if chat is None else ModelWriter(chat, prompts, subject, tokens),
            chat=chat,
            prompts=prompts,
            now=report.now,
            report=report,
            last_pass=NightQueue(runtime).last_pass(scope),
        )
        for stage in stages:
            RUNS[stage](night)
            if night.chat and any(cause.key == UNRELIABLE for cause in report.causes):
                forget_ability(night.chat.name, runtime.installation.tables)
                report.skipped.append(TOO_WEAK)
                night = replace(night, writer=None, chat=None)
            yield stage
        if not options.dry_run:
            runtime.store.tidy(scope)
    except ConfigurationError:
        raise  # the operator can fix it at once
    except SiliconFriendError as error:
        report.fail(error)
    except Exception as error:  # damaged data of one person must not end other nights
        _LOG.debug("a night ended by an unforeseen error", exc_info=True)
        report.fail(NightIncomplete("night_unexpected"), type(error).__name__)


class _Unreachable:
    """Placeholder for a model whose measurement failed: each call raises that error."""

    def __init__(self, chat: ChatModel, error: Exception) -> None:
        self.name, self.context_tokens, self._error = chat.name, chat.context_tokens, error

    def complete(self, messages: Sequence[Message], schema: JsonSchema | None = None) -> Answer:
        """Raise the error."""
        raise self._error


def _able(
    runtime: Runtime,
    model: ChatModel,
    budget: CallBudget,
    report: PersonReport,
    language: Language,
    *,
    is_dry: bool,
) -> CompletionModel | None:
    """Return the model if it is able to write, else None; a dry run measures nothing.

    A second model is measured too, and takes part only if it is able.
    """
    tables, now = runtime.installation.tables, runtime.clock.now(runtime.settings.zone)

    def writes(one: ChatModel) -> bool | None:
        metered = MeteredChat(one, budget, report)
        return (known_ability if is_dry else is_able)(metered, language, tables, now)

    first = model.first if isinstance(model, FallbackModel) else model
    try:
        if writes(first) is False:
            return None
    except (ModelError, NoMoreCallsError) as error:
        return _Unreachable(first, error)
    if isinstance(model, FallbackModel):
        with suppress(ModelError, NoMoreCallsError):
            if writes(model.second):
                return MeteredChat(model, budget, report)
    return MeteredChat(first, budget, report)
