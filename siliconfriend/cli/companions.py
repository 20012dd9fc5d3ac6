"""``companion``: who companions are, what they share, and their cards."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.config import Settings, prepare_home
from siliconfriend.errors import StoreError, UnreadableFile, UsageError
from siliconfriend.memory.private_files import write_private_file
from siliconfriend.memory.scope import clean_name

from .app import App, pass_app, print_json
from .localized import FilePath, Group, OneOf, WholeNumber
from .options import complete_companions, json_option, yes_option
from .terminal import harmless_json, shell_word
from .users import LANGUAGES

if TYPE_CHECKING:
    from siliconfriend.characters.character import Character
    from siliconfriend.characters.companions import Companions, LoreDefaults
    from siliconfriend.characters.importing import ImportResult

TEXTS = {
    "called": "What it calls itself.",
    "persona": "Who it is.",
    "speaking_style": "How it speaks.",
    "greeting": "How it begins a talk; {{person}} stands for the person's name.",
}
SHOWN = {
    "called": "  Calls itself\n      {words}",
    "persona": "  Persona\n      {words}",
    "speaking_style": "  Speaking style\n      {words}",
    "greeting": "  Greeting\n      {words}",
    "other_greetings": "  Another greeting\n      {words}",
}
KINDS = {"fact": "fact", "event": "event"}
companion_argument = click.argument("name", metavar="NAME", shell_complete=complete_companions)


@click.group("companion", cls=Group)
def companion_command() -> None:
    """Companions: list, create, show, edit, delete, import, export, and what they have lived."""


def character_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for the texts of a character and their language."""
    for name, words in reversed(TEXTS.items()):
        option = f"--{name.replace('_', '-')}"
        command = click.option(option, metavar="TEXT", help=words)(command)
    language = click.option("--lang", metavar="en|cn", help="Which language these texts are in.")
    return language(command)


@companion_command.command("list")
@json_option
@pass_app
def list_companions(app: App, as_json: bool) -> int:
    """List the companions, and the one that comes with the program."""
    from siliconfriend.characters.companions import Companions
    from siliconfriend.person.sample_people import SAMPLE_COMPANION

    companions = Companions(app.settings().home)
    names, faults = companions.names(), companions.faults()
    readable = [item for name in names if (item := _readable(companions, name)) is not None]
    samples = [name for name in (SAMPLE_COMPANION,) if name not in names]
    if as_json:
        print_json({"companions": readable, "samples": samples})
    else:
        for item in readable:
            click.echo(_line(app, item))
        for name in samples:
            words = "{name} comes with the program: siliconfriend companion create {name} --sample"
            app.echo(words, name=name)
    for fault in faults:
        app.show_error(fault)
    return StoreError.exit_code if faults else 0


@companion_command.command("create")
@companion_argument
@click.option(
    "--sample",
    is_flag=True,
    help="Give it everything of the companion that comes with the program.",
)
@character_options
@json_option
@pass_app
def create_companion(
    app: App, /, name: str, sample: bool, lang: str | None, as_json: bool, **texts: str | None
) -> None:
    """Create a companion; texts can be added later, in either language."""
    from siliconfriend.characters.character import Character
    from siliconfriend.characters.companions import Companions
    from siliconfriend.characters.importing import import_companion
    from siliconfriend.person.sample_people import read_sample_companion

    settings = app.settings(language=lang)
    companions = Companions(settings.home)
    character = Character(clean_name(name)).with_texts(settings.language, _given(texts))
    prepare_home(settings.home)
    companions.create(character)
    if sample:
        source = read_sample_companion(settings, character.name)
        began = _beginning(app, settings)
        import_companion(companions, character.name, source, began, made_by="import")
    item = companion_json(companions, character.name)
    if as_json:
        print_json(item)
        return
    click.echo(_line(app, item))
    _say_how_to_talk(app, character.name)


@companion_command.command("show")
@companion_argument
@json_option
@pass_app
def show_companion(app: App, name: str, as_json: bool) -> None:
    """Show a companion with the texts of its character."""
    from siliconfriend.characters.companions import Companions

    item = companion_json(Companions(app.settings().home), clean_name(name))
    if as_json:
        print_json(item)
        return
    click.echo(_line(app, item))
    for language, texts in item["languages"].items():
        click.echo(f"\n{app.text(LANGUAGES[language])}")
        for field, words in texts.items():
            for part in words if isinstance(words, list) else [words]:
                app.echo(SHOWN[field], words=part.replace("\n", "\n      "))


@companion_command.command("edit")
@companion_argument
@character_options
@click.option(
    "--share",
    metavar="OTHER",
    multiple=True,
    help="It may also recall what a person told OTHER; may be given several times.",
)
@click.option(
    "--unshare",
    metavar="OTHER",
    multiple=True,
    help="It may no longer; may be given several times.",
)
@json_option
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
    """Change a companion's texts, or what it may recall of others."""
    from siliconfriend.characters.companions import Companions

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
    app.echo("{name} is changed.", name=after.name)
    for other in share:
        words = "{name} may now recall what a person told {other} too."
        app.echo(words, name=after.name, other=clean_name(other))


@companion_command.command("delete")
@companion_argument
@yes_option
@json_option
@pass_app
def delete_companion(app: App, name: str, yes: bool, as_json: bool) -> None:
    """Remove a companion's character and lore; what people told it stays."""
    bank = app.bank()
    companions, name = bank.companions, clean_name(name)
    if not companions.exists(name):
        raise UsageError("companion_unknown", name=name)
    sure = (
        "Remove {name}'s character and lore for good? What people told it stays in their memories. "
        "[y/N]"
    )
    if not yes and not app.confirm(app.text(sure, name=name)):
        app.say("Nothing was erased.")
        return
    companions.delete(name)
    told = sorted(scope.person for scope in bank.people() if scope.companion == name)
    if as_json:
        print_json({"deleted": name, "memories_kept": told})
        return
    app.echo("{name} is removed.", name=name)
    if told:
        app.echo(
            "What was told to it is untouched: {people}. `siliconfriend users delete PERSON "
            "--companion {name}` erases that.",
            name=name,
            people=app.count("memory_of", len(told)),
        )


@companion_command.command("import")
@click.argument("file", metavar="FILE", type=FilePath())
@click.option(
    "--name",
    metavar="NAME",
    help="Into this companion; needed where the file names none. A new name creates it.",
)
@json_option
@pass_app
def import_card(app: App, file: Path, name: str | None, as_json: bool) -> None:
    """Take in a companion's FOLDER, a character card or lorebook of another program (JSON, PNG,
    charx), or a JSON FILE of facts and events; what is known is not added twice.
    """
    from siliconfriend.characters.companions import Companions
    from siliconfriend.characters.importing import import_companion, read_source

    settings = app.settings()
    wanted = None if name is None else clean_name(name)
    source = read_source(file, settings.zone)
    if wanted is None:
        if source.character is None or not source.character.name:
            raise UnreadableFile("companion_name_missing", path=file)
        wanted = source.character.name
    prepare_home(settings.home)
    began = _beginning(app, settings)
    done = import_companion(Companions(settings.home), wanted, source, began, made_by="import")
    if as_json:
        print_json(_import_json(done))
        return
    facts, events = app.count("fact", done.facts), app.count("event", done.events)
    app.echo("{name}: {facts} and {events} added.", name=done.name, facts=facts, events=events)
    if done.known:
        app.echo("Already there: {entries}.", entries=app.count("entry", done.known))
    if source.card is not None and done.greetings > 1:
        greetings = app.count("greeting", done.greetings)
        app.echo("It has {greetings}, another one each day.", greetings=greetings)
    if source.card is not None and done.created:
        _say_how_to_talk(app, done.name)
    if done.ignored:
        app.echo("Ignored: {names}", names=app.join(done.ignored))


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
        "ignored": list(done.ignored),
    }


@companion_command.command("export")
@companion_argument
@click.option(
    "--format",
    "form",
    type=OneOf(["v3", "card"]),
    default="v3",
    help="v3 is JSON; card is the companion's picture with the card inside, which needs --out.",
)
@click.option("--lang", metavar="en|cn", help="Which language's texts, where it has both.")
@click.option(
    "--out",
    metavar="FILE",
    type=FilePath(),
    help="Write to this file, for your eyes only, instead of standard output.",
)
@pass_app
def write_card(app: App, name: str, form: str, lang: str | None, out: Path | None) -> None:
    """Write a companion as a character card (V3) that other programs read; nothing of any person
    is in it.
    """
    from siliconfriend.characters.cards.exporting import export_card

    settings = app.settings(language=lang)
    bank, name = app.bank(settings), clean_name(name)
    data = export_card(
        bank.companions,
        name,
        language=settings.language,
        now=app.now(settings),
        in_picture=form == "card",
    )
    if out is None and form == "card":
        raise UsageError("card_needs_out")
    if out is None:
        click.echo(harmless_json(data.decode()), nl=False)
        return
    write_private_file(out, data)
    app.say("{name} is written to {path}.", name=name, path=out)


@companion_command.command("lore")
@companion_argument
@click.argument("words", metavar="[WORDS]...", nargs=-1)
@click.option("--kind", metavar="K", type=OneOf(tuple(KINDS)), help="fact or event.")
@click.option("--top", metavar="N", type=WholeNumber(1), default=20, help="At most this many (20).")
@json_option
@pass_app
def show_lore(
    app: App, name: str, words: tuple[str, ...], kind: str | None, top: int, as_json: bool
) -> None:
    """Show what a companion knows and has lived; with words, only what fits them."""
    from siliconfriend.memory.records import kind_of

    bank = app.bank()
    character = bank.companions.character(name)
    found = bank.lore(character.name, " ".join(words), kind)
    if words:
        found = found[:top]
    if as_json:
        entries = [
            {"id": entry.id, "kind": kind_of(entry), "date": entry.date, "text": entry.text}
            for entry in found
        ]
        print_json({"companion": character.name, "entries": entries})
        return
    if not found:
        app.echo("{name} has nothing like that.", name=character.name)
    for entry in found:
        click.echo(f"{entry.date}  {app.text(KINDS[kind_of(entry)])}  {entry.id}")
        for line in entry.text.splitlines():
            click.echo(f"      {line}")


def companion_json(companions: Companions, name: str) -> dict[str, Any]:
    """Serialize a companion for ``--json`` and for its line."""
    character, lore = companions.character(name), companions.lore(name)
    languages: dict[str, dict[str, Any]] = {}
    for language, texts in character.texts.items():
        languages[language] = {field: words for field in TEXTS if (words := getattr(texts, field))}
        if texts.other_greetings:
            languages[language]["other_greetings"] = list(texts.other_greetings)
    return {
        "name": character.name,
        "languages": languages,
        "shares": list(character.shares),
        "facts": 0 if lore is None else sum(1 for _ in lore.facts()),
        "events": 0 if lore is None else sum(1 for _ in lore.events()),
    }


def _readable(companions: Companions, name: str) -> dict[str, Any] | None:
    try:
        return companion_json(companions, name)
    except StoreError:
        return None


def _beginning(app: App, settings: Settings) -> LoreDefaults:
    """Return time zone and moment for lore that is begun by this command."""
    from siliconfriend.characters.companions import LoreDefaults

    return LoreDefaults(settings.timezone, app.now(settings))


def _given(texts: dict[str, str | None]) -> dict[str, str]:
    return {name: words for name, words in texts.items() if words is not None}


def _say_how_to_talk(app: App, name: str) -> None:
    app.echo("Talk to it with: siliconfriend chat --companion {name}", name=shell_word(name))


def _line(app: App, item: dict[str, Any]) -> str:
    languages = [app.text(LANGUAGES[language]) for language in item["languages"]]
    line = app.text(
        "{name} ({languages}): {facts}, {events}",
        name=item["name"],
        languages=app.join(languages) or app.text("no texts yet"),
        facts=app.count("fact", item["facts"]),
        events=app.count("event", item["events"]),
    )
    shares = app.text("; also recalls what people told {names}", names=app.join(item["shares"]))
    return line + shares if item["shares"] else line
