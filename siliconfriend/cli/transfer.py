"""``import`` and ``export``: whole memories, and exports of other programs."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click

from siliconfriend.config.settings import parse_timezone
from siliconfriend.errors import (
    ConfigurationError,
    StoreError,
    Undecided,
    UsageError,
)
from siliconfriend.importers.messages import Options, visible
from siliconfriend.importers.reading import FORMATS, is_foreign
from siliconfriend.memory.scope import folder_id
from siliconfriend.person.settings_file import write_private_file
from siliconfriend.texts import N_, Counted, text

from .app import App, is_terminal, print_json
from .options import (
    Command,
    JsonCommand,
    companion_option,
    flag,
    language_option,
    option,
    user_option,
)
from .terminal import progress_bar, shell_word

if TYPE_CHECKING:
    from siliconfriend.person import Person
    from siliconfriend.person.views import Imported

OWN_FORMATS = ("memorybank", "native")
WRITTEN = (*OWN_FORMATS, "markdown")
Paths = tuple[Path, ...]
KEPT_ERASED = N_("{name}: not imported, because they were erased here: {turns}")


@click.command("import", cls=JsonCommand)
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@option("--from", (*FORMATS, *OWN_FORMATS), "Format of the files, if not recognised.", "form")
@option("--user", "NAME", "Import as this person, or only this person of several.")
@option("--me", "NAME", "Your name in the file.")
@option("--other", "NAME", "The companion's name in the file.")
@option("--timezone", "ZONE", "Time zone of the times, such as Europe/Berlin.")
@option("--date-order", ("day", "month", "year"), "First part of dates such as 03/04/2023.")
@option("--day", "YYYY-MM-DD", "Day of messages without a date.")
@option("--encoding", "NAME", "Encoding of the text, if not detected.")
@flag("--dry-run", "Write nothing; show what would be imported.")
@language_option
@companion_option
def import_command(
    app: App, /, files: Paths, form: str | None, user: str | None, dry_run: bool, **told: str | None
) -> None:
    """Import people from MemoryBank's or our own files, or chats exported by other programs. Known
    turns are not added twice.
    """
    from siliconfriend.memory.import_export import ImportReport

    bank = app.bank()
    given = {name: value for name, value in told.items() if value is not None}
    if form not in OWN_FORMATS and (form or any(map(is_foreign, files))):
        _import_chats(app, bank.person(user), files, form, given, dry_run=dry_run)
        return
    reports = [bank.import_(path, only=user, dry_run=True) for path in files]  # all can be read
    for name in given:
        raise UsageError("import_alone", option=name.replace("_", "-"), path=files[0])
    if not dry_run:
        app.open_home(bank.settings)
        reports = [bank.import_(path, only=user) for path in files]
    report = ImportReport(tuple(person for report in reports for person in report.people))
    app.answer(report.to_json())
    for one in report.people:
        _print_added(app, one.user, one.turns, one.kept_erased)
    words, people = N_("Read {people}, added {turns}."), len(report.people)
    app.echo(words, people=Counted(people, "person"), turns=Counted(report.turns, "turn"))
    if dry_run:
        app.answer_lines(_report(app, "dry"))


@click.command("export", cls=Command)
@user_option
@companion_option
@option(
    "--format", WRITTEN, "Native is complete; markdown is for reading.", "form", default=WRITTEN[0]
)
@option("--out", "FILE", "Output file, or folder of the notes.")
def export_command(app: App, form: str, out: Path | None) -> int:
    """Export people with archived turns as JSON, or as Markdown notes."""
    bank, document, exit_code = app.bank(), dict[str, Any](), 0
    is_one = bank.settings.user is not None
    mine = (scope for scope in bank.people() if scope.companion == bank.settings.companion)
    people = [bank.known_person()] if is_one else [bank.person(scope.person) for scope in mine]
    notes_in = out if form == "markdown" else None
    if form == "markdown" and out is None:
        raise UsageError("notes_need_out")
    if notes_in is None and out is not None and out.suffix.lower() in (".md", ".markdown"):
        raise UsageError("export_is_json", path=out)
    for person in people:
        name = person.scope.person
        try:
            if notes_in is None:
                document |= person.export(native=form == "native")
            else:
                folder = notes_in if is_one else notes_in / folder_id(name)
                notes = person.notes(folder)
                app.say(
                    "{name}: {notes} in {path}",
                    name=name,
                    notes=Counted(notes, "note"),
                    path=folder,
                )
        except (ConfigurationError, StoreError) as error:  # continue with the others
            app.say("{name} is not exported. {why}", name=name, why=error.message(app.language))
            exit_code = error.exit_code
    if notes_in is None and (document or not exit_code):
        if out is None:
            print_json(document)
        else:
            write_private_file(out, json.dumps(document, ensure_ascii=False, indent=2) + "\n")
            app.say("Wrote {people} to {path}.", people=Counted(len(document), "person"), path=out)
    return exit_code


def _import_chats(
    app: App,
    person: Person,
    files: Paths,
    form: str | None,
    given: dict[str, Any],
    *,
    dry_run: bool,
) -> None:
    if "timezone" in given:
        given["zone"] = ZoneInfo(parse_timezone(given.pop("timezone")))
    options = Options(person.scope.person, **given)
    if not dry_run:
        app.open_home(person.settings)
    read, name = _report(app, "reading", name="{name}"), visible(person.scope.person)
    done = None
    while done is None:
        try:
            with progress_bar() as advance:
                done = person.import_(
                    files,
                    options,
                    form=form,
                    dry_run=dry_run,
                    reading=lambda file: advance(read.format(name=visible(file)), 0, 1),
                    progress=partial(advance, name),
                )
        except Undecided as question:
            options = _decide(app, question, options, person.zone)
    app.answer(done.to_json())
    _print_chats(app, done)
    if not done.taken.dates or dry_run or app.as_json:
        return
    if not is_terminal():
        click.echo(_report(app, "night", user=shell_word(person.scope.person)), err=True)
    elif app.confirm(_report(app, "ask_night")):
        with progress_bar() as advance:
            report = person.night(progress=advance)
        click.echo(report.to_text(app.language))


def _decide(app: App, question: Undecided, options: Options, zone: ZoneInfo) -> Options:
    if question.option == "timezone":
        if not is_terminal():
            click.echo(_report(app, "zone_taken", zone=zone.key), err=True)
            return replace(options, zone=zone)
        asked = app.ask_beside(_report(app, "ask_zone", zone=zone.key))
        return replace(options, zone=ZoneInfo(parse_timezone(asked or zone.key)))
    if not is_terminal():
        raise question
    app.show_error(question)
    for number, name in enumerate(question.choices, 1):
        click.echo(f"  {number}  {visible(name)}", err=True)
    answer = app.ask_beside(_report(app, "ask_name" if question.choices else "ask"))
    if answer.isdecimal() and 0 < int(answer) <= len(question.choices):
        answer = question.choices[int(answer) - 1]
    if question.choices and answer not in question.choices:
        raise question
    given: dict[str, Any] = {question.option.replace("-", "_"): answer}
    return replace(options, **given)


def _print_chats(app: App, done: Imported) -> None:
    def tell(key: str, **values: object) -> None:
        app.answer_lines(_report(app, key, **values))

    past, taken, nobody = done.past, done.taken, _report(app, "nobody")
    formats = ", ".join(past.formats)
    counts = {"chats": Counted(past.chats, "talk"), "messages": Counted(past.messages, "message")}
    tell("formats", formats=formats, **counts)
    for me, other in past.speakers:
        tell("people", person=visible(me) or nobody, companion=visible(other) or nobody)
    if days := past.dates:
        span = {"days": Counted(len(days), "day"), "turns": Counted(len(past.drafts), "turn")}
        tell("span", first=days[0], last=days[-1], **span)
    for reason, number in sorted(past.left_out.items()):
        if reason == "keys":
            tell("keys", count=number)
        else:
            why = text("importers", f"skipped.{reason}", app.language)
            tell("left_out", messages=Counted(number, "message"), reason=why)
    if done.dry_run:
        tell("would", turns=Counted(taken.added, "turn"))
    elif taken.added or not taken.grown:
        _print_added(app, done.scope.person, taken.added)
    if taken.added and not done.dry_run:
        tell("fades")
    for key, number in (("grown", taken.grown), ("known", taken.known)):
        if number:
            tell(key, turns=Counted(number, "turn"))
    if taken.kept_erased:
        app.echo(KEPT_ERASED, name=done.scope.person, turns=Counted(taken.kept_erased, "turn"))
    if done.dry_run:
        tell("dry")


def _print_added(app: App, name: str, turns: int, kept_erased: int = 0) -> None:
    words = N_("{name}: {turns} added") if turns else N_("{name}: nothing new")
    app.echo(words, name=name, turns=Counted(turns, "turn"))
    if kept_erased:
        app.echo(KEPT_ERASED, name=name, turns=Counted(kept_erased, "turn"))


def _report(app: App, key: str, **values: object) -> str:
    return text("importers", f"report.{key}", app.language, **values)
