"""``recall``: what would be remembered, with the parts of each score."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click

from siliconfriend.config import Settings
from siliconfriend.memory.records import Memory, PersonMemory, Turn, kind_of
from siliconfriend.memory.scope import Scope

from .app import App, known_scope, pass_app, print_json, replace_surrogates
from .localized_click import Command, help_text
from .options import companion_option, json_option, user_option
from .progress import update_index

if TYPE_CHECKING:
    from siliconfriend.recall.composing import Composed
    from siliconfriend.recall.results import Recalled, RecallResult

PROMPT_TOKENS = 2000


@click.command("recall", cls=Command, help=help_text("recall"), short_help=help_text("recall"))
@click.argument("question", metavar="QUESTION")
@user_option()
@companion_option()
@click.option("--top", metavar="N", type=click.IntRange(1), default=10, help=help_text("top"))
@click.option("--recipe", metavar="R", default="siliconfriend", help=help_text("recipe"))
@click.option("--last-reply", metavar="TEXT", default="", help=help_text("last_reply"))
@click.option("--reinforce", is_flag=True, help=help_text("reinforce"))
@json_option()
@pass_app
def recall(
    app: App,
    question: str,
    user: str | None,
    companion: str | None,
    top: int,
    recipe: str,
    last_reply: str,
    reinforce: bool,
    as_json: bool,
) -> None:
    """Recall without changing anything, unless ``--reinforce`` is given."""
    from siliconfriend.lore.companions import companion_name
    from siliconfriend.recall.cue import Utterance

    runtime = app.runtime(companion=companion)
    settings, recaller, scope = runtime.settings, runtime.recaller, known_scope(runtime, user)
    memory = runtime.store.load(scope)
    app.speak_with(memory, settings)
    now = runtime.now(memory)
    update_index(app, recaller, scope)
    recollection = recaller.recall(
        scope,
        replace_surrogates(question),
        now=now,
        top=top,
        recipe=recipe,
        talk=[Utterance(last_reply, is_reply=True)] if last_reply else (),
        companion_name=companion_name(settings, scope.companion, memory.profile.language),
    )
    if reinforce:
        recaller.reinforce(scope, recollection, now=now)
    if as_json:
        composed = _composed(recollection, memory, settings)
        print_json(_document(scope, recollection, memory.profile.zone, composed))
    else:
        _print(app, scope, recollection)


def _composed(recollection: RecallResult, memory: PersonMemory, settings: Settings) -> Composed:
    from siliconfriend.lore.companions import companion_name
    from siliconfriend.recall.composing import compose

    return compose(
        recollection,
        memory,
        language=memory.profile.language,
        now=recollection.now,
        zone=memory.profile.zone,
        companion_name=companion_name(settings, settings.companion, memory.profile.language),
        budget_tokens=PROMPT_TOKENS,
        overview_events=settings.overview_events,
    )


def _document(
    scope: Scope, recollection: RecallResult, zone: ZoneInfo, composed: Composed
) -> dict[str, Any]:
    return {
        "user": scope.person,
        "companion": scope.companion,
        "query": recollection.query,
        "recipe": recollection.recipe,
        "now": recollection.now.astimezone(zone).isoformat(),
        "memories": [_memory_json(it, zone) for it in recollection.memories],
        "facts": [_memory_json(it, zone) | _fact_fields(it.memory) for it in recollection.facts],
        "sections": dict(composed.sections),
        "dropped": list(composed.dropped),
        "timings_ms": dict(recollection.timings_ms),
    }


def _memory_json(recalled: Recalled, zone: ZoneInfo) -> dict[str, Any]:
    from siliconfriend.control.listing import words_of

    memory = recalled.memory
    said_at = memory.time if isinstance(memory, Turn) else None
    return {
        "id": memory.id,
        "kind": kind_of(memory),
        "date": memory.date,
        "time": said_at.astimezone(zone).strftime("%H:%M:%S") if said_at else None,
        "turn": memory.position if isinstance(memory, Turn) else None,
        "text": words_of(memory),
        "score": recalled.score,
        "parts": dict(recalled.parts),
        "state": recalled.state,
        "strength": recalled.strength,
        "retention": recalled.retention,
    }


def _fact_fields(memory: Memory) -> dict[str, Any]:
    """The fields of a fact beside those of every memory."""
    names = ("entity", "entity_type", "aspect", "key_word", "first", "last")
    return {name: getattr(memory, name) for name in names}


def _print(app: App, scope: Scope, recollection: RecallResult) -> None:
    if not recollection.memories and not recollection.facts:
        click.echo(app.text("recall.nothing", name=scope.person))
        return
    if recollection.facts:
        click.echo(app.text("recall.facts"))
    for recalled in recollection.facts:
        click.echo(recall_line(app, recalled, is_best=False))
    if recollection.memories:
        _print_by_date(app, recollection)
        click.echo(app.text("recall.explained"))


def _print_by_date(app: App, recollection: RecallResult) -> None:
    in_order = sorted(recollection.memories, key=lambda it: (it.memory.date, it.memory.id))
    for date, found in groupby(in_order, key=lambda it: it.memory.date):
        click.echo(app.text("recall.date", date=date))
        for recalled in found:
            click.echo(recall_line(app, recalled, is_best=recalled is recollection.memories[0]))


def recall_line(app: App, recalled: Recalled, *, is_best: bool) -> str:
    """Format one memory with its score, state and the parts of the score."""
    from siliconfriend.control.listing import words_of

    parts = ", ".join(f"{name} {value:.3f}" for name, value in recalled.parts.items())
    line = app.text(
        "recall.line",
        mark="*" if is_best else " ",
        score=recalled.score,
        state=app.text(f"states.{recalled.state}"),
        kind=app.text(f"kinds.{kind_of(recalled.memory)}"),
        parts=parts,
    )
    words = "\n".join(f"      {it}" for it in words_of(recalled.memory).splitlines())
    return f"{line}\n{words}"
