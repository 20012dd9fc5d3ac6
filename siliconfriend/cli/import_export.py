"""``import`` and ``export``: whole memories in and out, as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.chat_exports.date_order import parse_order
from siliconfriend.chat_exports.formats import FORMATS, recognise
from siliconfriend.chat_exports.options import Options
from siliconfriend.chat_exports.source import sources_of
from siliconfriend.config import prepare_home
from siliconfriend.errors import ConfigurationError, ModelError, UnreadableFile, UsageError
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import text

from .app import App, known_scope, pass_app, print_json, write_private_file
from .export_notes import export_notes
from .import_chats import import_chats, parse_zone
from .localized_click import Command, help_text
from .options import companion_option, json_option, language_option, user_option
from .param_types import FilePath, OneOf
from .progress import progress_bar

if TYPE_CHECKING:
    from siliconfriend.memory.import_export import ImportReport
    from siliconfriend.runtime import Runtime

OWN_FORMATS = ("memorybank", "native")
"""Whole memories: a file says itself which of the two each of its people is in."""


MARKDOWN = (".md", ".markdown")


@click.command("import", cls=Command, help=help_text("import"))
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=FilePath())
@click.option(
    "--from",
    "form",
    type=OneOf([*FORMATS, *OWN_FORMATS]),
    help=help_text("import_from", names=", ".join(FORMATS)),
)
@click.option("--user", metavar="NAME", help=help_text("import_user"))
@click.option("--me", metavar="NAME", help=help_text("import_me"))
@click.option("--other", metavar="NAME", help=help_text("import_other"))
@click.option("--timezone", metavar="ZONE", help=help_text("import_zone"))
@click.option("--date-order", type=OneOf(["day", "month", "year"]), help=help_text("import_order"))
@click.option("--day", metavar="YYYY-MM-DD", help=help_text("import_day"))
@click.option("--encoding", metavar="NAME", help=help_text("import_encoding"))
@click.option("--dry-run", is_flag=True, help=help_text("import_dry_run"))
@language_option()
@companion_option()
@click.option("--index", is_flag=True, help=help_text("index"))
@json_option()
@pass_app
def import_file(
    app: App,
    /,
    files: tuple[Path, ...],
    form: str | None,
    user: str | None,
    lang: str | None,
    companion: str | None,
    index: bool,
    dry_run: bool,
    as_json: bool,
    **told: str | None,
) -> None:
    """Import the people of files; turns that are there already are not added again."""
    runtime = app.runtime(language=lang, companion=companion)
    if form not in OWN_FORMATS and (form or any(_is_chat_export(it) for it in files)):
        options = _options(runtime, user, told)
        scopes = [
            import_chats(app, runtime, files, form, options, dry_run=dry_run, as_json=as_json)
        ]
    else:
        _refuse_for_own(files[0], told)
        scopes = _import_own(app, runtime, files, user, dry_run=dry_run, as_json=as_json)
    if index and not dry_run:
        _index(app, runtime, scopes)


@click.command("export", cls=Command, help=help_text("export"))
@user_option()
@companion_option()
@click.option(
    "--format",
    "form",
    type=OneOf(["memorybank", "native", "markdown"]),
    default="memorybank",
    help=help_text("format"),
)
@click.option("--out", metavar="FILE", type=FilePath(), help=help_text("out"))
@pass_app
def export(app: App, user: str | None, companion: str | None, form: str, out: Path | None) -> None:
    """Export everything of one person, or of everyone, archived turns too."""
    from siliconfriend.memory.import_export import export_memorybank, export_native

    if form == "markdown":
        export_notes(app, user, companion, out)
        return
    if out is not None and out.suffix.lower() in MARKDOWN:
        raise UsageError("export_is_json", path=out)
    runtime = app.runtime(companion=companion)
    settings, store = runtime.settings, runtime.store
    if user is None and settings.user is None:
        scopes = [it for it in store.scopes() if it.companion == settings.companion]
    else:
        scopes = [known_scope(runtime, user)]
    document: dict[str, Any] = {}
    for scope in scopes:
        memory = store.load(scope)
        if form == "native":
            document |= export_native(memory, scope.companion)
        else:
            document |= export_memorybank(memory)
    if out is None:
        print_json(document)
        return
    write_private_file(out, json.dumps(document, ensure_ascii=False, indent=2) + "\n")
    app.say("export.done", people=app.count("person", len(scopes)), path=out)


def _is_chat_export(path: Path) -> bool:
    """True if another program wrote this file, as far as its beginning tells."""
    return any(recognise(source) for source in sources_of(path))


def _options(runtime: Runtime, user: str | None, told: Mapping[str, str | None]) -> Options:
    zone = told["timezone"]
    return Options(
        runtime.scope(user).person,
        me=told["me"] or "",
        other=told["other"] or "",
        zone=parse_zone(zone) if zone else None,
        date_order=parse_order(told["date_order"]),
        day=told["day"] or "",
        encoding=told["encoding"],
    )


def _refuse_for_own(path: Path, told: Mapping[str, str | None]) -> None:
    """Refuse what only says something about an export of another program."""
    for name, value in told.items():
        if value is not None:
            raise UsageError("import_alone", option=name.replace("_", "-"), path=path)


def _import_own(
    app: App,
    runtime: Runtime,
    files: Sequence[Path],
    user: str | None,
    *,
    dry_run: bool,
    as_json: bool,
) -> list[Scope]:
    """Import files of ours or of MemoryBank, each whole or not at all."""
    from siliconfriend.memory.import_export import ImportReport, import_bank

    settings = runtime.settings
    banks = [_read(path) for path in files]
    if not dry_run:
        prepare_home(settings.home)
        app.say_home(settings)
    people = [
        person
        for bank in banks
        for person in import_bank(
            runtime.store,
            bank,
            language=settings.language,
            companion=settings.companion,
            zone=settings.zone,
            now=app.now(settings),
            only=user,
            dry_run=dry_run,
        ).people
    ]
    report = ImportReport(tuple(people))
    if as_json:
        print_json(report.to_json())
    else:
        _print(app, report)
        if dry_run:
            click.echo(text("chat_exports", "report.dry", app.language))
    return [runtime.scope(it.user) for it in report.people]


def _print(app: App, report: ImportReport) -> None:
    for person in report.people:
        key = "import.line" if person.turns else "import.known"
        click.echo(app.text(key, name=person.user, turns=app.count("turn", person.turns)))
        if person.kept_erased:
            kept = app.count("turn", person.kept_erased)
            click.echo(app.text("import.kept_erased", name=person.user, turns=kept))
    people, turns = app.count("person", len(report.people)), app.count("turn", report.turns)
    click.echo(app.text("import.done", people=people, turns=turns))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnreadableFile("file_missing", path=path, cause=error) from error


def _index(app: App, runtime: Runtime, scopes: list[Scope]) -> None:
    """Update the indexes now rather than in the first chat; the import stands without it."""
    try:
        recaller = runtime.recaller
        with progress_bar() as advance:
            for number, scope in enumerate(scopes, 1):
                advance(scope.person, number, len(scopes))
                recaller.rebuild_index(scope)
    except (ConfigurationError, ModelError) as error:
        click.echo(error.message(app.language), err=True)
        app.say("import.index_later")
