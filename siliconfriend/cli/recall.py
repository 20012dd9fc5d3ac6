"""``recall``: what would be remembered at a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .app import App, pass_app, print_json, replace_surrogates
from .lines import recalled_line
from .localized import Command, WholeNumber
from .memories import update_index
from .options import json_option, person_options

if TYPE_CHECKING:
    from siliconfriend.person import Person


@click.command("recall", cls=Command)
@click.argument("question", metavar="QUESTION")
@person_options
@click.option("--top", metavar="N", type=WholeNumber(1), default=10, help="How many memories (10).")
@click.option(
    "--recipe", metavar="R", default="siliconfriend", help="Which way of finding (siliconfriend)."
)
@click.option(
    "--last-reply", metavar="TEXT", default="", help="What the companion said just before."
)
@click.option("--reinforce", is_flag=True, help="Strengthen what is found, as a reply would.")
@click.option("--why", is_flag=True, help="Show the parts of each score.")
@json_option
@pass_app
def recall_command(
    app: App,
    person: Person,
    question: str,
    top: int,
    recipe: str,
    last_reply: str,
    reinforce: bool,
    why: bool,
    as_json: bool,
) -> None:
    """Show what would be remembered at a question, best first."""
    from siliconfriend.recall.cue import Utterance

    update_index(app, person)
    found = person.recall(
        replace_surrogates(question),
        top=top,
        recipe=recipe,
        talk=[Utterance(last_reply, is_reply=True)] if last_reply else (),
        reinforce=reinforce,
    )
    if as_json:
        print_json(person.recall_document(found))
        return
    if not found.memories and not found.facts:
        app.echo("Nothing that {name} said comes to mind.", name=person.scope.person)
    for recalled in found.memories:
        click.echo(recalled_line(app, recalled, why=why))
    if found.facts:
        app.echo("What is known:")
    for recalled in found.facts:
        click.echo(recalled_line(app, recalled, why=why))
