"""``backup``, ``restore``, ``migrate`` and ``database``: for whoever runs an installation."""

from __future__ import annotations

from pathlib import Path

import click

from siliconfriend.errors import StoreError, UsageError

from .app import App, is_terminal
from .options import Command, Group, file_argument, flag, json_option, option
from .terminal import progress_bar

STAYS = (
    "Nothing in {place} was deleted. What moved can be read there and takes no changes; what is "
    "erased in the new place stays in the old one until `siliconfriend users delete` removes it "
    "there. Passwords and keys went along; settings, the operator's key, companions' files, "
    "backups and reports stay in {home}."
)


@click.command("backup", cls=Command)
@file_argument
@flag("--verify", "Only compare what is in FILE with its hashes.")
@json_option
def backup_command(app: App, file: Path, verify: bool) -> int:
    """Write everything into one FILE (tar.gz), settings too, without their keys."""
    from siliconfriend.person import administration

    settings = app.settings()
    if verify:
        found = administration.verify_backup(file)
        whole = {"file": str(file), "files": found.files, "made": found.made}
        words = "{file} is whole: {files}, each as its hash says, as it was on {made}."
        app.answer(whole, words, **whole)
        return 0
    done = administration.back_up(settings, file, app.clock)
    counts = {"file": str(file), "memories": done.scopes, "files": done.files}
    faults = {"damaged": list(done.damaged), "missing": list(done.missing)}
    written = "Wrote {memory_of} ({files}) to {file}."
    app.answer(counts | faults, written, memory_of=done.people, **counts)
    if done.has_key:
        words = "The keys of services are not in {path}; restoring keeps those that are set there."
        app.say(words, path=file)
    if file.absolute().is_relative_to(settings.home.absolute()):
        app.say("{path} lies in the data directory and would be lost with it.", path=file)
    for folder in done.damaged:
        words = "people/{folder} cannot be read whole; it is in the backup as it is."
        app.say(words, folder=folder)
    for name in done.missing:
        words = "{path} is not in the backup: this account cannot read it. Everything else is."
        app.say(words, path=settings.home / name)
    return StoreError.exit_code if done.damaged or done.missing else 0


@click.command("restore", cls=Command)
@file_argument
@flag("--yes", "Also where there is memory already; it is replaced.")
@json_option
def restore_command(app: App, file: Path, yes: bool) -> None:
    """Put a backup in the place of what is there."""
    from siliconfriend.person.administration import restore

    settings = app.settings()
    try:
        done = restore(settings, file, replace=yes)
    except UsageError as error:
        if error.key != "restore_not_empty" or not is_terminal():
            raise
        sure = "There is memory in {home}. Replace all of it by the backup?"
        if not app.confirm(sure, home=error.details["home"]):
            app.say("Nothing was changed.")
            return
        done = restore(settings, file, replace=True)
    found = {"memories": done.scopes, "files": done.files, "made": done.made}
    words = "Restored {memory_of}, as it was on {made}."
    app.answer(found, words, memory_of=done.people, **found)


@click.group("database", cls=Group)
def database_command(_: App) -> None:
    """The PostgreSQL database that SILICONFRIEND_STORE names."""


@database_command.command("upgrade")
@option("--role", "NAME", "Give this role the rights that the program needs.")
def upgrade_database(app: App, role: str | None) -> None:
    """Make its tables, or bring them forward to this version; run again, it changes nothing."""
    from siliconfriend.person import administration

    settings = app.settings()
    if settings.store == "file":
        raise UsageError("database_none")
    done = administration.upgrade_database(settings, role)
    for name in done:
        app.say("Applied {name}.", name=name)
    if not done:
        app.say("The tables are those of this version already.")
    if role is not None:
        app.say("The role {role} has the rights that a program needs.", role=role)


@click.command("migrate", cls=Command)
@option("--to", "PLACE", "A postgresql:// address, `file`, or a path.", required=True)
@flag("--dry-run", "Write nothing; show what would move.")
@json_option
def migrate_command(app: App, to: str, dry_run: bool) -> int:
    """Move everybody's memory to another store, compared record by record. Stopped at any moment,
    it goes on when run again.
    """
    from siliconfriend.person.administration import move

    settings = app.settings()
    with progress_bar() as advance:
        done = move(settings, to, dry_run=dry_run, progress=advance)
    moved = [outcome for outcome in done.outcomes if outcome.error is None]
    failed = [(outcome.scope, outcome.error) for outcome in done.outcomes if outcome.error]
    document = {
        "from": done.source,
        "to": done.target,
        "dry_run": dry_run,
        "moved": [
            outcome.scope.to_json()
            | {"records": outcome.records, "sha256": outcome.digest}
            | {"moved_before": outcome.was_moved}
            for outcome in moved
        ],
        "failed": [scope.to_json() | {"error": error.message("en")} for scope, error in failed],
        "unreadable": list(done.unreadable),
    }
    words = "Moved {memory_of} to {to}: {records}, each read back from there and equal."
    if dry_run:
        words = "Would move {memory_of} to {to} ({records})."
    records, people = sum(it.records for it in moved), len({it.scope.person for it in moved})
    app.answer(document, words, memory_of=people, records=records, to=done.target)
    for _, error in failed:
        app.show_error(error)
    for folder in done.unreadable:
        words = "people/{folder} is nobody's memory and was not moved; see `siliconfriend doctor`."
        app.say(words, folder=folder)
    if failed and not dry_run:
        words = "Not moved: {memory_of}. It goes on in {place}; mend that, then run this again."
        app.say(words, memory_of=len({scope.person for scope, _ in failed}), place=done.source)
    if not dry_run and (moved or not failed):
        app.say(STAYS, place=done.source, home=settings.home)
    if not dry_run and not failed:
        words = "Programs still use the old place. Now: siliconfriend config set store {store}"
        if done.there.home != settings.home:
            words = "Programs still use the old place. Start them with --home {home}."
        store = "file" if done.there.store == "file" else done.target
        app.say(words, home=done.there.home, store=store)
    return 0 if done.is_whole else StoreError.exit_code
