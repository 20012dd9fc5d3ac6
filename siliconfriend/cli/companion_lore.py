"""``companion lore``: what a companion knows and has lived, entry by entry."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, get_args
from zoneinfo import ZoneInfo

import click

from siliconfriend.config import Settings
from siliconfriend.errors import UsageError
from siliconfriend.memory.knowledge import Aspect, EntityType, Event, Fact
from siliconfriend.memory.records import kind_of

from .app import App, parse_now, pass_app, print_json, replace_surrogates
from .companion import beginning
from .completion import complete_companions, complete_lore_ids
from .localized_click import Group, help_text
from .options import json_option
from .param_types import OneOf, WholeNumber

if TYPE_CHECKING:
    from siliconfriend.lore.companions import Companions
    from siliconfriend.lore.entries import Entry
    from siliconfriend.memory.records import PersonMemory
    from siliconfriend.runtime import Runtime

KINDS = ("fact", "event")
OF_FACTS = ("entity", "entity_type", "aspect")
OF_EVENTS = ("time", "place", "scene", "insight")
BOTH = "both"


@click.group("lore", cls=Group, help=help_text("lore"))
def lore() -> None:
    """Group of the commands about single entries."""


@dataclass(frozen=True)
class OpenedLore:
    """A companion's lore, opened for a command."""

    runtime: Runtime
    companions: Companions
    name: str
    lore: PersonMemory | None

    @classmethod
    def of(cls, app: App, name: str) -> OpenedLore:
        """Open the lore of a companion that exists."""
        from siliconfriend.lore.companions import Companions

        runtime = app.runtime()
        companions = Companions(runtime.settings.home)
        character = companions.character(name)
        return cls(runtime, companions, character.name, companions.lore(character.name))

    @property
    def settings(self) -> Settings:
        """The settings of the command."""
        return self.runtime.settings

    def entries(self, kind: str | None = None) -> list[Entry]:
        """All entries, or those of a kind."""
        from siliconfriend.lore.entries import all_entries

        there = [] if self.lore is None else all_entries(self.lore)
        return [it for it in there if kind in (None, kind_of(it))]

    def found(self, identifier: str) -> Entry:
        """The entry with an id.

        Raises:
            UsageError: there is none.
        """
        for entry in self.entries():
            if entry.id == identifier.strip():
                return entry
        raise UsageError("lore_unknown", id=ascii(identifier), name=self.name)


def kind_option(*, usual: str | None = None) -> Callable[..., Any]:
    """``--kind fact|event``."""
    return click.option(
        "--kind", metavar="K", type=OneOf(KINDS), default=usual, help=help_text("lore_kind")
    )


def entry_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for the fields of an entry."""
    choices = {"entity_type": get_args(EntityType), "aspect": get_args(Aspect)}
    for name in reversed((*OF_FACTS, *OF_EVENTS)):
        option = "--type" if name == "entity_type" else f"--{name}"
        known = choices.get(name)
        command = click.option(
            option,
            name,
            metavar="|".join(known) if known else "TEXT",
            type=OneOf(known) if known else str,
            help=help_text(f"lore_{name}"),
        )(command)
    languages = OneOf(("en", "cn", BOTH))
    for decorate in (
        click.option("--key-word", metavar="WORD", multiple=True, help=help_text("lore_key_word")),
        click.option("--lang", metavar="en|cn|both", type=languages, help=help_text("lore_lang")),
    ):
        command = decorate(command)
    return command


@lore.command("list", help=help_text("lore_list"))
@click.argument("name", metavar="NAME", shell_complete=complete_companions)
@kind_option()
@json_option()
@pass_app
def list_lore(app: App, name: str, kind: str | None, as_json: bool) -> None:
    """List all entries, facts first."""
    opened = OpenedLore.of(app, name)
    _print(app, opened, opened.entries(kind), as_json=as_json)


@lore.command("search", help=help_text("lore_search"))
@click.argument("name", metavar="NAME", shell_complete=complete_companions)
@click.argument("words", metavar="WORDS...", nargs=-1, required=True)
@kind_option()
@click.option("--top", metavar="N", type=WholeNumber(1), default=20, help=help_text("most"))
@json_option()
@pass_app
def search_lore(
    app: App, name: str, words: tuple[str, ...], kind: str | None, top: int, as_json: bool
) -> None:
    """Search by meaning and words as in a chat, then for entries that hold all the words."""
    from siliconfriend.recall.documents import searched_text

    opened = OpenedLore.of(app, name)
    query = replace_surrogates(" ".join(words))
    own = opened.runtime.lore(opened.name)
    assert own is not None  # a companion that is opened has a folder
    remembered = own.recall(query, now=app.now(opened.settings), top=top, top_facts=top)
    there = {entry.id: entry for entry in opened.entries(kind)}
    recalled = [it.memory.id for it in (*remembered.facts, *remembered.memories)]
    wanted = query.casefold().split()
    holding = [
        entry.id
        for entry in there.values()
        if all(word in searched_text(entry).casefold() for word in wanted)
    ]
    found = [there[it] for it in dict.fromkeys((*recalled, *holding)) if it in there]
    _print(app, opened, found[:top], as_json=as_json)


@lore.command("show", help=help_text("lore_show"))
@click.argument("name", metavar="NAME", shell_complete=complete_companions)
@click.argument("identifier", metavar="ID", shell_complete=complete_lore_ids)
@json_option()
@pass_app
def show_lore(app: App, name: str, identifier: str, as_json: bool) -> None:
    """Show one entry with all its fields."""
    opened = OpenedLore.of(app, name)
    entry = opened.found(identifier)
    if as_json:
        print_json({"companion": opened.name, "entry": entry_json(entry)})
        return
    click.echo(entry_line(app, entry))
    for field, value in entry_json(entry).items():
        if value and field not in ("id", "kind", "date", "text"):
            click.echo(app.text(f"lore.{field}", value=_shown(app, field, value)))


@lore.command("add", help=help_text("lore_add"))
@click.argument("name", metavar="NAME", shell_complete=complete_companions)
@click.argument("text", metavar="TEXT")
@kind_option(usual="fact")
@entry_options
@json_option()
@pass_app
def add_lore(
    app: App,
    /,
    name: str,
    text: str,
    kind: str,
    lang: str | None,
    key_word: tuple[str, ...],
    as_json: bool,
    **fields: str | None,
) -> None:
    """Add an entry; the same words again add nothing."""
    from siliconfriend.extraction.drafts import EventDraft, FactDraft
    from siliconfriend.lore.entries import add_entries

    opened = OpenedLore.of(app, name)
    given = _validated_fields(opened, kind, lang, key_word, {**fields, "text": text})
    draft = FactDraft(**given) if kind == "fact" else EventDraft(**given)
    began = beginning(app, opened.settings)
    with opened.companions.edit_lore(opened.name, began) as edit:
        new = add_entries(edit.memory, [draft], now=began.now, made_by="person")
        edit.add(*new.changes)
    if not new.entries:
        app.say("lore.known", name=opened.name)
    _print(app, opened, new.entries, as_json=as_json, none="")


@lore.command("edit", help=help_text("lore_edit"))
@click.argument("name", metavar="NAME", shell_complete=complete_companions)
@click.argument("identifier", metavar="ID", shell_complete=complete_lore_ids)
@click.option("--text", metavar="TEXT", help=help_text("lore_text"))
@entry_options
@json_option()
@pass_app
def edit_lore(
    app: App,
    /,
    name: str,
    identifier: str,
    lang: str | None,
    key_word: tuple[str, ...],
    as_json: bool,
    **fields: str | None,
) -> None:
    """Correct an entry; fields that are not named stay."""
    from siliconfriend.lore.entries import edit_entry, entry_draft

    opened = OpenedLore.of(app, name)
    entry = opened.found(identifier)
    given = _validated_fields(opened, kind_of(entry), lang, key_word, fields)
    if not given:
        raise UsageError("lore_nothing_given")
    began = beginning(app, opened.settings)
    with opened.companions.edit_lore(opened.name, began) as edit:
        there = edit.memory.find(entry.id)
        if not isinstance(there, Fact | Event):  # deleted meanwhile
            raise UsageError("lore_unknown", id=entry.id, name=opened.name)
        draft = replace(entry_draft(there), **given)
        made, changes = edit_entry(edit.memory, there, draft, now=began.now)
        edit.add(*changes)
    _print(app, opened, [made], as_json=as_json)


@lore.command("delete", help=help_text("lore_delete"))
@click.argument("name", metavar="NAME", shell_complete=complete_companions)
@click.argument(
    "identifiers", metavar="ID...", nargs=-1, required=True, shell_complete=complete_lore_ids
)
@click.option("--yes", is_flag=True, help=help_text("yes"))
@json_option()
@pass_app
def delete_lore(app: App, name: str, identifiers: tuple[str, ...], yes: bool, as_json: bool) -> int:
    """Delete entries for good, from the file and its cache."""
    from siliconfriend.memory.changes import Erase

    opened = OpenedLore.of(app, name)
    ids = tuple(dict.fromkeys(opened.found(it).id for it in identifiers))
    question = app.text("lore.sure", entries=app.count("entry", len(ids)), name=opened.name)
    if not yes and not app.confirm(question):
        app.say("users.kept")
        return 0
    with opened.companions.edit_lore(opened.name, beginning(app, opened.settings)) as edit:
        edit.add(Erase(ids))
    if as_json:
        print_json({"companion": opened.name, "deleted": list(ids)})
        return 0
    for identifier in ids:
        click.echo(app.text("lore.deleted", id=identifier))
    return 0


def entry_json(entry: Entry) -> dict[str, Any]:
    """Serialize an entry for ``--json``."""
    from siliconfriend.lore.entries import entry_language

    head = {"id": entry.id, "kind": kind_of(entry), "date": entry.date, "text": entry.text}
    if isinstance(entry, Fact):
        fields = {name: getattr(entry, name) for name in ("entity", "entity_type", "aspect")}
        own = {**fields, "key_word": entry.key_word}
    else:
        own = {
            "time": None if entry.time is None else entry.time.isoformat(),
            "place": entry.place,
            "scene": entry.scene,
            "key_words": list(entry.key_words),
            "insight": entry.insight,
        }
    return {**head, **own, "language": entry_language(entry)}


def entry_line(app: App, entry: Entry) -> str:
    """Format one entry for reading: day, kind, id, the words."""
    item = {**entry_json(entry), "kind": app.text(f"kinds.{kind_of(entry)}")}
    words = "\n".join(f"      {it}" for it in entry.text.splitlines())
    return f"{app.text('lore.line', **item)}\n{words}"


def _print(
    app: App,
    opened: OpenedLore,
    entries: Iterable[Entry],
    *,
    as_json: bool,
    none: str = "lore.none",
) -> None:
    listed = list(entries)
    if as_json:
        print_json({"companion": opened.name, "entries": [entry_json(it) for it in listed]})
        return
    if not listed and none:
        click.echo(app.text(none, name=opened.name))
    for entry in listed:
        click.echo(entry_line(app, entry))


def _validated_fields(
    opened: OpenedLore,
    kind: str,
    lang: str | None,
    key_word: tuple[str, ...],
    fields: dict[str, Any],
) -> dict[str, Any]:
    """Validate the given options as fields of a draft of this kind.

    Raises:
        UsageError: one belongs to the other kind, or cannot be what it should be.
    """
    given = {name: value for name, value in fields.items() if value is not None}
    for name in OF_EVENTS if kind == "fact" else OF_FACTS:
        if name in given:
            option = "type" if name == "entity_type" else name
            raise UsageError("lore_wrong_option", option=f"--{option}", kind=kind)
    given = {name: replace_surrogates(value).strip() for name, value in given.items()}
    if given.get("text") == "":
        raise UsageError("lore_empty")
    if "time" in given:
        given["time"] = _moment(given["time"], opened.settings.zone)
    if key_word:
        words = [replace_surrogates(it).strip() for it in key_word]
        given |= {"key_word": " ".join(words)} if kind == "fact" else {"key_words": tuple(words)}
    if lang is not None:
        given["language"] = None if lang == BOTH else lang
    return given


def _moment(written: str, zone: ZoneInfo) -> datetime | None:
    return parse_now(written).now(zone) if written else None


def _shown(app: App, field: str, value: Any) -> str:
    if field in ("entity_type", "aspect"):
        return app.text(f"lore.{field}s.{value}")
    if field == "language":
        return app.text(f"languages.{value}")
    return app.text("companion.separator").join(value) if isinstance(value, list) else str(value)
