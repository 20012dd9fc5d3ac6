"""``import`` and ``export``: whole memories and pasts from elsewhere, in and out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click

from siliconfriend.config.settings import parse_timezone
from siliconfriend.errors import Undecided, UnreadableFile, UsageError
from siliconfriend.memory.atomic import write_private_file
from siliconfriend.memory.scope import folder_id
from siliconfriend.texts import text

from .app import App, counted, is_terminal, known_person, named_person, print_json
from .options import (
    FILE,
    Command,
    companion_option,
    flag,
    json_option,
    language_option,
    option,
    user_option,
)
from .terminal import progress_bar, shell_word

if TYPE_CHECKING:
    from siliconfriend.memory.import_export import ImportReport
    from siliconfriend.person import Person
    from siliconfriend.person.bank import MemoryBank
    from siliconfriend.person.views import Imported

OWN_FORMATS = ("memorybank", "native")
"""Whole memories: a file says itself which of the two each of its people is in."""
CHAT_FORMATS = (
    *("chatgpt", "claude", "sillytavern", "characterai"),
    *("whatsapp", "telegram", "wechat-text", "text"),
)
FORMATS = click.Choice([*CHAT_FORMATS, *OWN_FORMATS])
DATE_ORDERS = click.Choice(["day", "month", "year"])
WRITTEN = click.Choice([*OWN_FORMATS, "markdown"])
MARKDOWN = (".md", ".markdown")
KEPT_ERASED = "{name}: not brought back, because it was erased here: {turns:turn}"


@click.command("import", cls=Command)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=FILE)
@click.option("--from", "form", type=FORMATS, help="What the files are; else recognised.")
@option("--user", "NAME", "Whose memory it becomes; of several, only this one.")
@option("--me", "NAME", "How the file names you.")
@option("--other", "NAME", "Whose words become the companion's.")
@option("--timezone", "ZONE", "Of times without one, such as Europe/Berlin.")
@click.option("--date-order", type=DATE_ORDERS, help="What stands first in 03/04/2023.")
@option("--day", "YYYY-MM-DD", "The day of words that have none.")
@option("--encoding", "NAME", "Of the text, where it is not found out.")
@flag("--dry-run", "Write nothing; show what would come in.")
@language_option
@companion_option
@json_option
def import_command(
    app: App,
    /,
    files: tuple[Path, ...],
    form: str | None,
    user: str | None,
    lang: str | None,
    companion: str | None,
    dry_run: bool,
    **told: str | None,
) -> None:
    """Read people from MemoryBank's or our own files, or a past from other programs' exports. What
    is known is not added twice.
    """
    from siliconfriend.importers.reading import is_foreign

    bank = app.bank(app.settings(language=lang, companion=companion))
    if form not in OWN_FORMATS and (form or any(map(is_foreign, files))):
        person = named_person(bank, user)
        done = _import_chats(app, bank, person, files, form, told, dry_run=dry_run)
        app.answer_json(done.to_json())
        if not app.as_json:
            _print_chats(app, done)
            if done.taken.dates and not dry_run:
                _offer_night(app, person)
        return
    for name, value in told.items():
        if value is not None:
            raise UsageError("import_alone", option=name.replace("_", "-"), path=files[0])
    report = _import_own(app, bank, files, user, dry_run=dry_run)
    app.answer_json(report.to_json())
    for one in report.people:
        _print_added(app, one.user, one.turns, one.kept_erased)
    words, people = "Read {people:person|people}, added {turns:turn}.", len(report.people)
    app.echo(words, people=people, turns=report.turns)
    if dry_run:
        app.answer_lines(_report(app, "dry"))


@click.command("export", cls=Command)
@user_option
@companion_option
@click.option(
    "--format",
    "form",
    type=WRITTEN,
    default="memorybank",
    help="Native holds all; markdown is to read.",
)
@option("--out", "FILE", "This file, or the folder of the notes.", type=FILE)
def export_command(
    app: App, user: str | None, companion: str | None, form: str, out: Path | None
) -> None:
    """Write people as JSON, or as Markdown notes; archived turns too."""
    bank = app.bank(app.settings(companion=companion))
    is_one = user is not None or bank.settings.user is not None
    mine = (scope for scope in bank.people() if scope.companion == bank.settings.companion)
    people = [known_person(bank, user)] if is_one else [bank.person(it.person) for it in mine]
    if form == "markdown":
        if out is None:
            raise UsageError("notes_need_out")
        for person in people:
            folder = out if is_one else out / folder_id(person.scope.person)
            name, notes = person.scope.person, person.notes(folder)
            app.say("{name}: {notes:note} in {path}", name=name, notes=notes, path=folder)
        return
    document: dict[str, Any] = {}
    for person in people:
        document |= person.export(native=form == "native")
    if out is None:
        print_json(document)
    elif out.suffix.lower() in MARKDOWN:
        raise UsageError("export_is_json", path=out)
    else:
        write_private_file(out, json.dumps(document, ensure_ascii=False, indent=2) + "\n")
        app.say("Wrote {people:person|people} to {path}.", people=len(people), path=out)


def _import_own(
    app: App, bank: MemoryBank, files: Sequence[Path], user: str | None, *, dry_run: bool
) -> ImportReport:
    from siliconfriend.memory.import_export import ImportReport

    contents = []
    for path in files:
        try:
            contents.append(path.read_bytes())
        except OSError as error:
            raise UnreadableFile("file_missing", path=path, cause=error) from error
    if not dry_run:
        app.open_home(bank.settings)
    reports = [bank.import_(content, only=user, dry_run=dry_run) for content in contents]
    return ImportReport(tuple(person for report in reports for person in report.people))


def _import_chats(
    app: App,
    bank: MemoryBank,
    person: Person,
    files: Sequence[Path],
    form: str | None,
    told: dict[str, Any],
    *,
    dry_run: bool,
) -> Imported:
    from siliconfriend.importers.messages import Options, visible

    zone = told.pop("timezone")
    given = {name: value for name, value in told.items() if value is not None}
    options = Options(person.scope.person, zone=_parse_zone(zone) if zone else None, **given)
    if not dry_run:
        app.open_home(bank.settings)
    read, name = _report(app, "reading", name="{name}"), visible(person.scope.person)
    while True:
        try:
            with progress_bar() as advance:
                return person.import_(
                    files,
                    options,
                    form=form,
                    dry_run=dry_run,
                    reading=lambda file: advance(read.format(name=visible(file)), 0, 1),
                    progress=partial(advance, name),
                )
        except Undecided as question:
            options = _decide(app, question, options, person.zone)


def _decide(app: App, question: Undecided, options: Any, zone: ZoneInfo) -> Any:
    from siliconfriend.importers.messages import visible

    if question.option == "timezone":
        if not is_terminal():
            click.echo(_report(app, "zone_taken", zone=zone.key), err=True)
            return replace(options, zone=zone)
        asked = app.ask_beside(_report(app, "ask_zone", zone=zone.key))
        return replace(options, zone=_parse_zone(asked or zone.key))
    if not is_terminal():
        raise question
    app.show_error(question)
    for number, choice in enumerate(question.choices, 1):
        click.echo(f"  {number}  {visible(choice)}", err=True)
    answer = app.ask_beside(_report(app, "ask_name" if question.choices else "ask"))
    if answer.isdecimal() and 0 < int(answer) <= len(question.choices):
        answer = question.choices[int(answer) - 1]
    if question.choices and answer not in question.choices:
        raise question
    return replace(options, **{question.option.replace("-", "_"): answer})


def _parse_zone(written: str) -> ZoneInfo:
    try:
        return ZoneInfo(parse_timezone(written.strip()))
    except ValueError as error:
        raise UsageError("import_wrong_zone", zone=written) from error


def _print_chats(app: App, done: Imported) -> None:
    from siliconfriend.importers.messages import visible

    past, taken, say = done.past, done.taken, partial(_report, app)
    read = {"formats": ", ".join(past.formats), "chats": past.chats, "messages": past.messages}
    click.echo(say("formats", **read))
    for me, other in past.speakers:
        person, companion = (visible(name) or say("nobody") for name in (me, other))
        click.echo(say("people", person=person, companion=companion))
    if days := past.dates:
        span = {"first": days[0], "last": days[-1], "days": len(days)}
        click.echo(say("span", turns=len(past.drafts), **span))
    for reason, number in sorted(past.left_out.items()):
        if reason == "keys":
            click.echo(say("keys", count=number))
        else:
            why = text("importers", f"skipped.{reason}", app.language)
            click.echo(say("left_out", messages=number, reason=why))
    if done.dry_run:
        click.echo(say("would", turns=taken.added))
    elif taken.added or not taken.grown:
        _print_added(app, done.scope.person, taken.added)
    if taken.added and not done.dry_run:
        click.echo(say("fades"))
    for key, number in (("grown", taken.grown), ("known", taken.known)):
        if number:
            click.echo(say(key, turns=number))
    if taken.kept_erased:
        app.echo(KEPT_ERASED, name=done.scope.person, turns=taken.kept_erased)
    if done.dry_run:
        click.echo(say("dry"))


def _print_added(app: App, name: str, turns: int, kept_erased: int = 0) -> None:
    app.echo(
        "{name}: {turns:turn} added" if turns else "{name}: nothing new", name=name, turns=turns
    )
    if kept_erased:
        app.echo(KEPT_ERASED, name=name, turns=kept_erased)


def _offer_night(app: App, person: Person) -> None:
    if not is_terminal():
        click.echo(_report(app, "night", user=shell_word(person.scope.person)), err=True)
    elif app.confirm(_report(app, "ask_night")):
        with progress_bar() as advance:
            report = person.night(progress=advance)
        click.echo(report.to_text(app.language))


def _report(app: App, key: str, **values: object) -> str:
    return text("importers", f"report.{key}", app.language, **counted(values))
