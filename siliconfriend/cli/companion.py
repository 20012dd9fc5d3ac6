"""``companion``: who companions are, and what they share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.config import Settings, prepare_home
from siliconfriend.errors import StoreError, UsageError
from siliconfriend.memory.scope import clean_name

from .app import App, pass_app, print_json
from .completion import complete_companions
from .localized_click import Group, help_text
from .options import json_option
from .samples import SAMPLE_COMPANION, read_sample_companion
from .terminal import shell_word

if TYPE_CHECKING:
    from siliconfriend.lore.character import Character, CharacterTexts
    from siliconfriend.lore.companions import Companions, LoreDefaults

TEXTS = ("called", "persona", "speaking_style", "greeting")


@click.group(
    "companion",
    cls=Group,
    help=help_text("companion_group"),
)
def companion() -> None:
    """Group of the commands about companions."""


def character_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for the texts of a character and their language."""
    for name in reversed(TEXTS):
        option = f"--{name.replace('_', '-')}"
        command = click.option(option, metavar="TEXT", help=help_text(f"companion_{name}"))(command)
    return click.option("--lang", metavar="en|cn", help=help_text("companion_lang"))(command)


@companion.command("list", help=help_text("companion_list"))
@json_option()
@pass_app
def list_companions(app: App, as_json: bool) -> int:
    """List all companions, one a line, and those that come with the program."""
    from siliconfriend.lore.companions import Companions

    companions = Companions(app.settings().home)
    names, faults = companions.names(), companions.faults()
    readable = [item for name in names if (item := _json_if_readable(companions, name)) is not None]
    samples = [name for name in (SAMPLE_COMPANION,) if name not in names]
    if as_json:
        print_json({"companions": readable, "samples": samples})
    else:
        for item in readable:
            click.echo(_line(app, item))
        for name in samples:
            click.echo(app.text("companion.sample", name=name))
    for fault in faults:
        click.echo(fault.message(app.language), err=True)
    return StoreError.exit_code if faults else 0


@companion.command("create", help=help_text("companion_create"))
@click.argument("name", metavar="NAME", shell_complete=complete_companions)
@click.option("--sample", is_flag=True, help=help_text("companion_sample"))
@character_options
@json_option()
@pass_app
def create_companion(
    app: App, /, name: str, sample: bool, lang: str | None, as_json: bool, **texts: str | None
) -> None:
    """Create a companion; its texts can also be added later."""
    from siliconfriend.lore.character import Character
    from siliconfriend.lore.companions import Companions
    from siliconfriend.lore.importing import import_companion

    settings = app.settings(language=lang)
    companions = Companions(settings.home)
    character = Character(clean_name(name)).with_texts(settings.language, _given(texts))
    prepare_home(settings.home)
    companions.create(character)
    if sample:
        brought = read_sample_companion(settings, character.name)
        import_companion(
            companions, character.name, brought, beginning(app, settings), made_by="import"
        )
    item = companion_json(companions, character.name)
    if as_json:
        print_json(item)
        return
    click.echo(_line(app, item))
    click.echo(app.text("companion.talk", name=shell_word(character.name)))


@companion.command("show", help=help_text("companion_show"))
@click.argument("name", metavar="NAME", shell_complete=complete_companions)
@json_option()
@pass_app
def show_companion(app: App, name: str, as_json: bool) -> None:
    """Show one companion with every text of its character."""
    from siliconfriend.lore.companions import Companions

    item = companion_json(Companions(app.settings().home), clean_name(name))
    if as_json:
        print_json(item)
        return
    click.echo(_line(app, item))
    for language, told in item["languages"].items():
        click.echo(f"\n{app.text(f'languages.{language}')}")
        for field, words in told.items():
            several = words if isinstance(words, list) else [words]
            for it in several:
                click.echo(app.text(f"companion.{field}", words=it.replace("\n", "\n      ")))


@companion.command("edit", help=help_text("companion_edit"))
@click.argument("name", metavar="NAME", shell_complete=complete_companions)
@character_options
@click.option("--share", metavar="OTHER", multiple=True, help=help_text("companion_share"))
@click.option("--unshare", metavar="OTHER", multiple=True, help=help_text("companion_unshare"))
@json_option()
@pass_app
def edit_companion(
    app: App,
    /,
    name: str,
    lang: str | None,
    share: tuple[str, ...],
    unshare: tuple[str, ...],
    as_json: bool,
    **texts: str | None,
) -> None:
    """Change texts of one language, or what it may recall of others."""
    from siliconfriend.lore.companions import Companions

    settings = app.settings(language=lang)
    companions = Companions(settings.home)
    given = _given(texts)
    if not (given or share or unshare):
        raise UsageError("companion_nothing_given")

    def change(character: Character) -> Character:
        return character.with_texts(settings.language, given).with_shares(share, unshare)

    after = companions.edit(name, change)
    if as_json:
        print_json(companion_json(companions, after.name))
        return
    click.echo(app.text("companion.edited", name=after.name))
    for other in share:
        click.echo(app.text("companion.shares_now", name=after.name, other=clean_name(other)))


@companion.command("delete", help=help_text("companion_delete"))
@click.argument("name", metavar="NAME", shell_complete=complete_companions)
@click.option("--yes", is_flag=True, help=help_text("yes"))
@json_option()
@pass_app
def delete_companion(app: App, name: str, yes: bool, as_json: bool) -> int:
    """Delete character and lore; the memories of its users are theirs and stay."""
    from siliconfriend.lore.companions import Companions

    runtime = app.runtime()
    settings = runtime.settings
    companions, name = Companions(settings.home), clean_name(name)
    if not companions.exists(name):
        raise UsageError("companion_unknown", name=name)
    if not yes and not app.confirm(app.text("companion.sure", name=name)):
        app.say("users.kept")
        return 0
    companions.delete(name)
    told = sorted(it.person for it in runtime.store.scopes() if it.companion == name)
    if as_json:
        print_json({"deleted": name, "memories_kept": told})
        return 0
    click.echo(app.text("companion.deleted", name=name))
    if told:
        people = app.count("memory_of", len(told))
        click.echo(app.text("companion.memories_stay", name=name, people=people))
    return 0


def companion_json(companions: Companions, name: str) -> dict[str, Any]:
    """Serialize a companion for ``--json`` and for its line."""
    character, lore = companions.character(name), companions.lore(name)
    return {
        "name": character.name,
        "languages": {language: _texts_json(texts) for language, texts in character.texts.items()},
        "shares": list(character.shares),
        "facts": 0 if lore is None else sum(1 for _ in lore.facts()),
        "events": 0 if lore is None else sum(1 for _ in lore.events()),
    }


def _texts_json(texts: CharacterTexts) -> dict[str, Any]:
    told: dict[str, Any] = {field: words for field in TEXTS if (words := getattr(texts, field))}
    others = list(texts.other_greetings)
    return {**told, "other_greetings": others} if others else told


def _json_if_readable(companions: Companions, name: str) -> dict[str, Any] | None:
    try:
        return companion_json(companions, name)
    except StoreError:
        return None


def beginning(app: App, settings: Settings) -> LoreDefaults:
    """Time zone and moment for lore that is begun by this command."""
    from siliconfriend.lore.companions import LoreDefaults

    return LoreDefaults(settings.timezone, app.now(settings))


def _given(texts: dict[str, str | None]) -> dict[str, str]:
    return {name: words for name, words in texts.items() if words is not None}


def _line(app: App, item: dict[str, Any]) -> str:
    between = app.text("companion.separator")
    languages = [app.text(f"languages.{it}") for it in item["languages"]]
    line = app.text(
        "companion.line",
        name=item["name"],
        languages=between.join(languages) or app.text("companion.no_character"),
        facts=app.count("fact", item["facts"]),
        events=app.count("event", item["events"]),
    )
    shares = app.text("companion.shares", names=between.join(item["shares"]))
    return line + shares if item["shares"] else line
