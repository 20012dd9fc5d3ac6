"""``backup`` and ``restore``: a whole data directory as one file, and back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from siliconfriend.errors import ConfigurationError, StoreError, UsageError

from .app import App, is_terminal, pass_app, print_json
from .localized_click import Command, help_text
from .options import json_option
from .param_types import FilePath

if TYPE_CHECKING:
    from siliconfriend.config import Settings
    from siliconfriend.memory.backup import Backup
    from siliconfriend.memory.restore import Restored
    from siliconfriend.memory.scope import Scope


@click.command("backup", cls=Command, help=help_text("backup"))
@click.argument("file", metavar="FILE", type=FilePath())
@click.option("--verify", is_flag=True, help=help_text("backup_verify"))
@click.option("--with-keys", is_flag=True, help=help_text("backup_keys"))
@json_option()
@pass_app
def backup(app: App, file: Path, verify: bool, with_keys: bool, as_json: bool) -> int:
    """Write everything of everyone, settings too, into one file, while others may write."""
    settings = app.settings()
    if verify:
        return _verify(app, file, as_json=as_json)
    if not settings.home.is_dir():
        raise ConfigurationError("home_missing", home=settings.home)
    done = _back_up(app, settings, file, with_keys=with_keys)
    if as_json:
        counts = {"memories": done.scopes, "files": done.files}
        faults = {"damaged": list(done.damaged), "missing": list(done.missing)}
        print_json({"file": str(file), **counts, **faults})
    else:
        memories = app.count("memory_of", done.people)
        files = app.count("file", done.files)
        click.echo(app.text("backup.done", memories=memories, files=files, path=file))
    if done.has_key:
        app.say("backup.has_key" if with_keys else "backup.without_keys", path=file)
    if file.absolute().is_relative_to(settings.home.absolute()):
        app.say("backup.inside", path=file)
    for folder in done.damaged:
        app.say("backup.damaged", folder=folder)
    for name in done.missing:
        app.say("backup.missing", path=settings.home / name)
    return StoreError.exit_code if done.damaged or done.missing else 0


def _back_up(app: App, settings: Settings, file: Path, *, with_keys: bool) -> Backup:
    """Write the file; of memories in a database, and of who may log in there, as files would be."""
    from siliconfriend.memory.backup import back_up

    now = app.now(settings)
    if settings.store == "file":
        return back_up(settings.home, file, now=now, with_keys=with_keys)
    from siliconfriend.shared.carrying import carry_access
    from siliconfriend.shared.factory import state_on_files

    runtime = app.runtime(settings)
    with TemporaryDirectory() as folder:
        for person in {scope.person for scope in runtime.store.scopes()}:
            carry_access(person, runtime.shared, state_on_files(Path(folder)), over=True)
        found = {it.name: it for it in Path(folder).glob("*.json")}
        more = {name: path.read_bytes() for name, path in found.items()}
    store = runtime.store
    return back_up(settings.home, file, now=now, with_keys=with_keys, store=store, more=more)


def _restore(app: App, settings: Settings, file: Path, *, replace: bool) -> Restored:
    """Put the file back; into a database where memories are kept in one."""
    from siliconfriend.memory.restore import restore

    if settings.store == "file":
        return restore(file, settings.home, replace=replace)
    from siliconfriend.memory.factory import open_store
    from siliconfriend.memory.moving.destination import store_name
    from siliconfriend.memory.restore_rows import restore_rows
    from siliconfriend.shared.carrying import carry_access
    from siliconfriend.shared.factory import state_on_files

    store = open_store(settings)
    shared = app.runtime(settings, store=store).shared

    def put_rows(fresh: Path, scopes: Sequence[Scope]) -> None:
        restore_rows(store, fresh, scopes, place=store_name(settings), replace=replace)
        for person in {scope.person for scope in scopes}:
            carry_access(person, state_on_files(fresh), shared, over=True)

    return restore(file, settings.home, replace=replace, put_rows=put_rows)


def _verify(app: App, file: Path, *, as_json: bool) -> int:
    """Compare a backup with its hashes and say that it is whole."""
    from siliconfriend.memory.backup_file import verify_backup

    found = verify_backup(file)
    if as_json:
        whole = {"files": found.files, "made": found.made, "hashes": found.has_hashes}
        print_json({"file": str(file), **whole})
    else:
        key = "backup.whole" if found.has_hashes else "backup.whole_unhashed"
        files = app.count("file", found.files)
        click.echo(app.text(key, path=file, files=files, made=found.made))
    return 0


@click.command("restore", cls=Command, help=help_text("restore"))
@click.argument("file", metavar="FILE", type=FilePath())
@click.option("--yes", is_flag=True, help=help_text("restore_yes"))
@json_option()
@pass_app
def restore_backup(app: App, file: Path, yes: bool, as_json: bool) -> int:
    """Replace the data directory, or what is in the database, by a backup."""
    settings = app.settings()
    try:
        done = _restore(app, settings, file, replace=yes)
    except UsageError as error:
        if error.key != "restore_not_empty" or not is_terminal():
            raise
        if not app.confirm(app.text("backup.sure", home=error.details["home"])):
            app.say("backup.left")
            return 0
        done = _restore(app, settings, file, replace=True)
    if as_json:
        found = {"memories": done.scopes, "files": done.files, "made": done.made}
        print_json({**found, "left_alone": list(done.left)})
    else:
        memories = app.count("memory_of", done.people)
        click.echo(app.text("backup.restored", memories=memories, made=done.made))
    for name in done.left:
        app.say("backup.left_alone", path=settings.home / name)
    return 0
