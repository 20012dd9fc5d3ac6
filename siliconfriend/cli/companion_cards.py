"""``companion import`` and ``companion export``: companions from files and to them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.config import prepare_home
from siliconfriend.errors import UnreadableFile, UsageError
from siliconfriend.memory.scope import clean_name

from .app import App, pass_app, print_json, write_private_file
from .companion import beginning
from .completion import complete_companions
from .localized_click import Command, help_text
from .options import json_option
from .param_types import FilePath, OneOf
from .terminal import harmless_json, shell_word

if TYPE_CHECKING:
    from siliconfriend.lore.cards.unused import Unused
    from siliconfriend.lore.importing import ImportResult


@click.command("import", cls=Command, help=help_text("companion_import"))
@click.argument("file", metavar="FILE", type=FilePath())
@click.option("--name", metavar="NAME", help=help_text("companion_import_name"))
@json_option()
@pass_app
def import_companion(app: App, file: Path, name: str | None, as_json: bool) -> None:
    """Import a folder, a card or a file; entries that are there already are not added again."""
    from siliconfriend.lore.companions import Companions
    from siliconfriend.lore.importing import import_companion, read_source

    settings = app.settings()
    wanted = None if name is None else clean_name(name)
    brought = read_source(file, settings.zone)
    if wanted is None:
        if brought.character is None or not brought.character.name:
            raise UnreadableFile("companion_name_missing", path=file)
        wanted = brought.character.name
    prepare_home(settings.home)
    companions = Companions(settings.home)
    done = import_companion(companions, wanted, brought, beginning(app, settings), made_by="import")
    if as_json:
        print_json(_import_json(done))
        return
    facts, events = app.count("fact", done.facts), app.count("event", done.events)
    click.echo(app.text("companion.imported", name=done.name, facts=facts, events=events))
    if done.known:
        click.echo(app.text("companion.known", entries=app.count("entry", done.known)))
    if brought.card is not None:
        _print_card(app, done)
    if done.unused:
        click.echo(
            app.text("companion.unused_kept" if done.keeps_card else "companion.unused_lost")
        )
        for unused in done.unused:
            click.echo(_unused_line(app, unused))


@click.command("export", cls=Command, help=help_text("companion_export"))
@click.argument("name", metavar="NAME", shell_complete=complete_companions)
@click.option(
    "--format",
    "form",
    type=OneOf(["v3", "card"]),
    default="v3",
    help=help_text("companion_format"),
)
@click.option("--lang", metavar="en|cn", help=help_text("companion_export_lang"))
@click.option("--out", metavar="FILE", type=FilePath(), help=help_text("companion_out"))
@pass_app
def export_companion(app: App, name: str, form: str, lang: str | None, out: Path | None) -> None:
    """Export a companion as a Character Card V3, as JSON or inside its picture."""
    from siliconfriend.lore.cards.exporting import in_picture, to_bytes, to_card
    from siliconfriend.lore.companions import Companions

    settings = app.settings(language=lang)
    companions = Companions(settings.home)
    character = companions.character(name)
    kept, picture = companions.card(character.name)
    card = to_card(
        character,
        companions.lore(character.name),
        kept,
        language=settings.language,
        now=app.now(settings),
    )
    data = to_bytes(card) if form == "v3" else in_picture(card, picture, character.name)
    if out is None and form == "card":
        raise UsageError("card_needs_out")
    if out is None:
        click.echo(harmless_json(data.decode()), nl=False)
        return
    write_private_file(out, data)
    app.say("companion.exported", name=character.name, path=out)


def _import_json(done: ImportResult) -> dict[str, Any]:
    return {
        "companion": done.name,
        "created": done.created,
        "facts": done.facts,
        "events": done.events,
        "known": done.known,
        "greetings": done.greetings,
        "card": done.keeps_card,
        "picture": done.keeps_picture,
        "unused": [
            {"reason": it.reason, "names": list(it.names), "count": it.count} for it in done.unused
        ],
    }


def _print_card(app: App, done: ImportResult) -> None:
    if done.greetings > 1:
        greetings = app.count("greeting", done.greetings)
        click.echo(app.text("companion.greetings", greetings=greetings))
    if done.keeps_picture:
        click.echo(app.text("companion.picture"))
    if done.created:
        click.echo(app.text("companion.talk", name=shell_word(done.name)))


def _unused_line(app: App, unused: Unused) -> str:
    names = app.text("companion.separator").join(unused.names)
    return app.text(f"companion.unused.{unused.reason}", names=names, count=unused.count)
