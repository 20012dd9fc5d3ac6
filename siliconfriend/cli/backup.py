"""``backup`` and ``restore``: a whole data directory as one file, and back."""

from __future__ import annotations

from pathlib import Path

import click

from siliconfriend.errors import ConfigurationError, DamagedMemory, UsageError

from .app import App, is_terminal, pass_app, print_json
from .localized_click import Command, help_text
from .options import json_option


@click.command("backup", cls=Command, help=help_text("backup"), short_help=help_text("backup"))
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@json_option()
@pass_app
def backup(app: App, file: Path, as_json: bool) -> int:
    """Write everything of everyone, settings too, into one file, while others may write."""
    from siliconfriend.memory.backup import back_up

    settings = app.settings()
    if not settings.home.is_dir():
        raise ConfigurationError("home_missing", home=settings.home)
    done = back_up(settings.home, file, now=app.now(settings))
    if as_json:
        counts = {"memories": done.scopes, "files": done.files}
        print_json({"file": str(file), **counts, "damaged": list(done.damaged)})
    else:
        memories = app.count("memory_of", done.people)
        files = app.count("file", done.files)
        click.echo(app.text("backup.done", memories=memories, files=files, path=file))
    if done.has_key:
        app.say("backup.has_key", path=file)
    if file.absolute().is_relative_to(settings.home.absolute()):
        app.say("backup.inside", path=file)
    for folder in done.damaged:
        app.say("backup.damaged", folder=folder)
    return DamagedMemory.exit_code if done.damaged else 0


@click.command("restore", cls=Command, help=help_text("restore"), short_help=help_text("restore"))
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--yes", is_flag=True, help=help_text("restore_yes"))
@json_option()
@pass_app
def restore_backup(app: App, file: Path, yes: bool, as_json: bool) -> int:
    """Replace the data directory by a backup."""
    from siliconfriend.memory.restore import restore

    settings = app.settings()
    try:
        done = restore(file, settings.home, replace=yes)
    except UsageError as error:
        if error.key != "restore_not_empty" or not is_terminal():
            raise
        if not app.confirm(app.text("backup.sure", home=settings.home)):
            app.say("backup.left")
            return 0
        done = restore(file, settings.home, replace=True)
    if as_json:
        print_json({"memories": done.scopes, "files": done.files, "made": done.made})
    else:
        memories = app.count("memory_of", done.people)
        click.echo(app.text("backup.restored", memories=memories, made=done.made))
    return 0
