"""``recall``: what would be remembered, with the parts of each score."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import click

from siliconfriend.memory.records import kind_of
from siliconfriend.memory.scope import Scope

from .app import App, pass_app, print_json, replace_surrogates
from .localized_click import Command, help_text
from .opened_memory import OpenedMemory, memory_options
from .options import json_option
from .param_types import WholeNumber
from .progress import update_index

if TYPE_CHECKING:
    from siliconfriend.recall.results import Recalled, RecallResult


@click.command("recall", cls=Command, help=help_text("recall"))
@click.argument("question", metavar="QUESTION")
@memory_options
@click.option("--top", metavar="N", type=WholeNumber(1), default=10, help=help_text("top"))
@click.option("--recipe", metavar="R", default="siliconfriend", help=help_text("recipe"))
@click.option("--last-reply", metavar="TEXT", default="", help=help_text("last_reply"))
@click.option("--reinforce", is_flag=True, help=help_text("reinforce"))
@json_option()
@pass_app
def recall(
    app: App,
    opened: OpenedMemory,
    question: str,
    top: int,
    recipe: str,
    last_reply: str,
    reinforce: bool,
    as_json: bool,
) -> None:
    """Recall without changing anything, unless ``--reinforce`` is given."""
    from siliconfriend.control.recall_document import recall_document
    from siliconfriend.lore.companions import companion_name
    from siliconfriend.recall.cue import Utterance

    settings, scope, memory = opened.runtime.settings, opened.scope, opened.memory
    recaller, now = opened.runtime.recaller, opened.now
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
        print_json(recall_document(scope, recollection, memory, settings))
    else:
        _print(app, scope, recollection)


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
