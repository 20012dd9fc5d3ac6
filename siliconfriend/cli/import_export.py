"""``import`` and ``export``: whole memories in and out, as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.config import prepare_home
from siliconfriend.errors import ConfigurationError, ModelError, UnreadableFile, UsageError
from siliconfriend.memory.scope import Scope

from .app import App, known_scope, pass_app, print_json, write_private_file
from .localized_click import Command, help_text
from .options import companion_option, json_option, language_option, user_option
from .param_types import FilePath, OneOf
from .progress import progress_bar

if TYPE_CHECKING:
    from siliconfriend.runtime import Runtime


MARKDOWN = (".md", ".markdown")


@click.command("import", cls=Command, help=help_text("import"), short_help=help_text("import"))
@click.argument("file", metavar="FILE", type=FilePath())
@language_option()
@companion_option()
@click.option("--index", is_flag=True, help=help_text("index"))
@json_option()
@pass_app
def import_file(
    app: App, file: Path, lang: str | None, companion: str | None, index: bool, as_json: bool
) -> None:
    """Import the people of a file; turns that are there already are not added again."""
    from siliconfriend.memory.import_export import import_bank

    runtime = app.runtime(language=lang, companion=companion)
    settings = runtime.settings
    bank = _read(file)
    prepare_home(settings.home)
    app.say_home(settings)
    report = import_bank(
        runtime.store,
        bank,
        language=settings.language,
        companion=settings.companion,
        zone=settings.zone,
        now=app.now(settings),
    )
    if index:
        _index(app, runtime, [runtime.scope(it.user) for it in report.people])
    if as_json:
        print_json(report.to_json())
        return
    for person in report.people:
        key = "import.line" if person.turns else "import.known"
        click.echo(app.text(key, name=person.user, turns=app.count("turn", person.turns)))
        if person.kept_erased:
            kept = app.count("turn", person.kept_erased)
            click.echo(app.text("import.kept_erased", name=person.user, turns=kept))
    people, turns = app.count("person", len(report.people)), app.count("turn", report.turns)
    click.echo(app.text("import.done", people=people, turns=turns))


@click.command("export", cls=Command, help=help_text("export"), short_help=help_text("export"))
@user_option()
@companion_option()
@click.option(
    "--format",
    "form",
    type=OneOf(["memorybank", "native"]),
    default="memorybank",
    help=help_text("format"),
)
@click.option("--out", metavar="FILE", type=FilePath(), help=help_text("out"))
@pass_app
def export(app: App, user: str | None, companion: str | None, form: str, out: Path | None) -> None:
    """Export everything of one person, or of everyone, archived turns too."""
    from siliconfriend.memory.import_export import export_memorybank, export_native

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
