"""``companion``: characters, lore, sharing and cards of companions."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.errors import StoreError, UsageError
from siliconfriend.memory.records import kind_of
from siliconfriend.person.settings_file import write_private_file
from siliconfriend.texts import N_, Counted, Language

from .app import App
from .memories import SHOWN_KINDS
from .options import Group, JsonCommand, file_argument, flag, name_argument, option, yes_option
from .terminal import harmless_json, shell_word
from .users import LANGUAGES

if TYPE_CHECKING:
    from siliconfriend.characters.character import Character

TEXTS = {
    "called": (N_("Calls itself"), N_("Its name for itself.")),
    "persona": (N_("Persona"), N_("Its character.")),
    "speaking_style": (N_("Speaking style"), N_("Its way of speaking.")),
    "greeting": (N_("Greeting"), N_("Its greeting; {{person}} is the person's name.")),
    "other_greetings": (N_("Other greetings"), ""),
}
"""Heading of each text of a character, and the help of its option, if it has one."""
TALK = N_("Talk to it with: siliconfriend chat --companion {name}")
MOST_FOUND = 20
Names = tuple[str, ...]
lang_option = option("--lang", LANGUAGES, "Language of the texts.")
companion_command = Group("companion", help=N_("Create, show and change companions."))


def character_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for the texts of a character."""
    for name, (_, words) in reversed(TEXTS.items()):
        if words:
            command = option(f"--{name.replace('_', '-')}", "TEXT", words)(command)
    return lang_option(command)


@companion_command.command("list", cls=JsonCommand)
def list_companions(app: App) -> int:
    """List the companions and the sample."""
    from siliconfriend.person.companions import SAMPLE_COMPANION, companion_json

    companions = app.bank().companions
    names, faults, readable = companions.names(), companions.faults(), []
    for name in names:
        with suppress(StoreError):  # one of the faults
            readable.append(companion_json(companions, name))
    samples = [name for name in (SAMPLE_COMPANION,) if name not in names]
    lines = (_line(app, item) for item in readable)
    app.answer({"companions": readable, "samples": samples}, *lines)
    for name in samples:
        words = N_("{name} is a sample: siliconfriend companion create {name} --sample")
        app.echo(words, name=name)
    for fault in faults:
        app.show_error(fault)
    return StoreError.exit_code if faults else 0


@companion_command.command("create", cls=JsonCommand)
@name_argument
@flag("--sample", "Copy the sample companion.")
@character_options
def create_companion(
    app: App, /, name: str, sample: bool, lang: Language | None, **texts: str | None
) -> None:
    """Create a companion; texts can be added later, in either language."""
    from siliconfriend.characters.character import Character
    from siliconfriend.person import companions

    bank = app.bank()
    character = Character(name).with_texts(lang or bank.settings.language, _given(texts))
    companions.create_companion(bank, character, is_sample=sample)
    item = companions.companion_json(bank.companions, name)
    app.answer(item, _line(app, item))
    app.echo(TALK, name=shell_word(name))


@companion_command.command("show", cls=JsonCommand)
@name_argument
def show_companion(app: App, name: str) -> None:
    """Show a companion with the texts of its character."""
    from siliconfriend.person.companions import companion_json

    item = companion_json(app.bank().companions, name)
    app.answer(item, _line(app, item))
    for language, texts in item["languages"].items():
        app.answer_lines("", app.translate(LANGUAGES[language]))
        for field, words in texts.items():
            words = words if isinstance(words, str) else "\n\n".join(words)
            app.answer_lines(f"  {app.translate(TEXTS[field][0])}", indent(words, "      "))


@companion_command.command("edit", cls=JsonCommand)
@name_argument
@character_options
@option("--share", "OTHER", "Let it recall what people tell OTHER; repeatable.", multiple=True)
@option("--unshare", "OTHER", "Stop that; repeatable.", multiple=True)
def edit_companion(
    app: App, /, name: str, lang: Language | None, share: Names, unshare: Names, **texts: str | None
) -> None:
    """Change a companion's texts or sharing."""
    from siliconfriend.person.companions import companion_json

    bank, given = app.bank(), _given(texts)
    if not (given or share or unshare):
        raise UsageError("companion_nothing_given")

    def change(character: Character) -> Character:
        changed = character.with_texts(lang or bank.settings.language, given)
        return changed.with_shares(share, unshare)

    bank.companions.edit(name, change)
    app.answer(
        companion_json(bank.companions, name), app.translate("{name} is changed.", name=name)
    )


@companion_command.command("delete", cls=JsonCommand)
@name_argument
@yes_option
def delete_companion(app: App, name: str, yes: bool) -> None:
    """Delete a companion's character and lore; what people told it is kept."""
    bank = app.bank()
    if not bank.companions.exists(name):
        raise UsageError("companion_unknown", name=name)
    sure = N_("Delete {name}'s character and lore for good? What people told it is kept.")
    if not yes and not app.confirm(sure, name=name):
        app.say("Nothing was erased.")
        return
    bank.companions.delete(name)
    told = sorted(scope.person for scope in bank.people() if scope.companion == name)
    words = N_("{name} is deleted. What {people} told it is kept.")
    people = Counted(len(told), "person")
    line = app.translate(words if told else "{name} is deleted.", name=name, people=people)
    app.answer({"deleted": name, "memories_kept": told}, line)


@companion_command.command("import", cls=JsonCommand)
@file_argument
@option("--name", "NAME", "Import into this companion; a new name creates it.")
def import_card(app: App, file: Path, name: str | None) -> None:
    """Import a character card, a lorebook, a companion's folder, or JSON of facts and events. Known
    entries are not added twice.
    """
    from siliconfriend.person.companions import import_companion_file

    done = import_companion_file(app.bank(), file, name=name)
    document = {"companion": done.name, "created": done.created}
    counts = {"facts": done.facts, "events": done.events, "known": done.known}
    app.answer(document | counts | {"ignored": list(done.ignored)})
    added = {"facts": Counted(done.facts, "fact"), "events": Counted(done.events, "event")}
    app.echo("{name}: {facts} and {events} added.", name=done.name, **added)
    if done.written_name:
        words = N_(
            'A companion cannot be called "{written}", so it is "{name}" here; --name chooses '
            "another name."
        )
        app.say(words, written=" ".join(done.written_name.split()), name=done.name)
    if done.known:
        app.echo("Already there: {known}.", known=Counted(done.known, "entry"))
    if done.created:
        app.echo(TALK, name=shell_word(done.name))
    if done.ignored:
        app.echo("Ignored: {names}", names=app.translate(", ").join(done.ignored))


@companion_command.command("export")
@name_argument
@lang_option
@option("--out", "FILE", "Output file; a .png contains the card and the picture.")
def write_card(app: App, name: str, lang: Language | None, out: Path | None) -> None:
    """Write a companion as a character card (V3) without data of people."""
    from siliconfriend.characters.cards import export_card

    bank = app.bank()
    how: dict[str, Any] = {"language": lang or bank.settings.language, "now": bank.now()}
    in_picture = out is not None and out.suffix.lower() == ".png"
    data = export_card(bank.companions, name, in_picture=in_picture, **how)
    if out is None:
        click.echo(harmless_json(data.decode()), nl=False)
        return
    write_private_file(out, data)
    app.say("Wrote {name} to {path}.", name=name, path=out)


@companion_command.command("lore", cls=JsonCommand)
@name_argument
@click.argument("words", metavar="[WORDS]...", nargs=-1)
@option("--kind", ("fact", "event"), "Only facts or events.")
def show_lore(app: App, name: str, words: tuple[str, ...], kind: str | None) -> None:
    """Show a companion's facts and events, or search them."""
    found = app.bank().lore(name, " ".join(words), kind)
    entries = [
        {"id": entry.id, "kind": kind_of(entry), "date": entry.date, "text": entry.text}
        for entry in (found[:MOST_FOUND] if words else found)
    ]
    app.answer({"companion": name, "entries": entries})
    if not entries:
        app.echo("{name} has nothing like that.", name=name)
    for item in entries:
        head = f"{item['date']}  {app.translate(SHOWN_KINDS[item['kind']])}  {item['id']}"
        app.answer_lines(head, indent(item["text"], "      "))


def _given(texts: dict[str, str | None]) -> dict[str, str]:
    return {field: words for field, words in texts.items() if words is not None}


def _line(app: App, item: dict[str, Any]) -> str:
    known = app.translate(", ").join(
        app.translate(LANGUAGES[language]) for language in item["languages"]
    )
    known = known or app.translate("no texts yet")
    words = N_("{name} ({languages}): {facts}, {events}")
    counts = {
        "facts": Counted(item["facts"], "fact"),
        "events": Counted(item["events"], "event"),
    }
    line = app.translate(words, name=item["name"], languages=known, **counts)
    shares = app.translate(
        "; also recalls what people told {names}", names=app.translate(", ").join(item["shares"])
    )
    return line + shares if item["shares"] else line
