"""``backup``, ``restore``, ``migrate`` and ``database``: for whoever runs an installation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError, StoreError, UsageError

from .app import App, is_terminal, pass_app
from .localized import Command, Group
from .options import FILE, json_option, yes_option
from .terminal import progress_bar

if TYPE_CHECKING:
    from siliconfriend.memory.copy_store import Moved as MovedMemory
    from siliconfriend.person.administration import Moved


@click.command("backup", cls=Command)
@click.argument("file", metavar="FILE", type=FILE)
@click.option(
    "--verify", is_flag=True, help="Write nothing; compare what is in FILE with its hashes."
)
@json_option
@pass_app
def backup_command(app: App, file: Path, verify: bool) -> int:
    """Write everything into one FILE (tar.gz), settings too, without their keys."""
    from siliconfriend.person import administration

    settings = app.settings()
    if verify:
        found = administration.verify_backup(file)
        whole = {"file": str(file), "files": found.files, "made": found.made}
        if not app.answer_json(whole):
            words = "{file} is whole: {files}, each as its hash says, as it was on {made}."
            app.echo(words, **whole)
        return 0
    done = administration.back_up(settings, file, app.clock)
    counts = {"file": str(file), "memories": done.scopes, "files": done.files}
    faults = {"damaged": list(done.damaged), "missing": list(done.missing)}
    if not app.answer_json(counts | faults):
        app.echo("Wrote {memory_of} ({files}) to {file}.", memory_of=done.people, **counts)
    if done.has_key:
        words = "The keys of services are not in {path}; restoring keeps those that are set there."
        app.say(words, path=file)
    if file.absolute().is_relative_to(settings.home.absolute()):
        app.say(
            "{path} lies in the data directory itself and would be lost with it. Better keep it "
            "elsewhere.",
            path=file,
        )
    for folder in done.damaged:
        words = "people/{folder} cannot be read whole; it is in the backup as it is."
        app.say(words, folder=folder)
    for name in done.missing:
        app.say(
            "{path} could not be read, and nothing of it is in the backup. Everything else is; "
            "make it readable for this account and back up again.",
            path=settings.home / name,
        )
    return StoreError.exit_code if done.damaged or done.missing else 0


@click.command("restore", cls=Command)
@click.argument("file", metavar="FILE", type=FILE)
@click.option("--yes", is_flag=True, help="Also where there is memory already; it is replaced.")
@json_option
@pass_app
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
    if not app.answer_json(found | {"left_alone": list(done.left)}):
        app.echo("Restored {memory_of}, as it was on {made}.", memory_of=done.people, **found)
    for name in done.left:
        app.say(
            "{path} was not taken from the backup: there is a file of that name already, and it "
            "is yours.",
            path=settings.home / name,
        )


@click.group("database", cls=Group)
def database_command() -> None:
    """The PostgreSQL database that SILICONFRIEND_STORE names."""


@database_command.command("upgrade")
@click.option("--role", metavar="NAME", help="Give this role the rights that the program needs.")
@pass_app
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
@click.option("--to", metavar="PLACE", help="A postgresql:// address, `file`, or a path.")
@click.option("--dry-run", is_flag=True, help="Write nothing; show what would move.")
@click.option(
    "--reopen",
    is_flag=True,
    help="Instead, where the other store is lost: let what moved away take changes here again.",
)
@yes_option
@json_option
@pass_app
def migrate_command(app: App, to: str | None, dry_run: bool, reopen: bool, yes: bool) -> int:
    """Move everybody's memory to another store, compared record by record. Stopped at any moment,
    it goes on when run again.
    """
    from siliconfriend.person.administration import move

    if (to is None) != reopen:
        raise UsageError("move_to_missing")
    settings = app.settings()
    if settings.store == "file" and not settings.home.is_dir():
        raise ConfigurationError("home_missing", home=settings.home)
    if to is None:
        _reopen(app, settings, yes=yes)
        return 0
    with progress_bar() as advance:

        def copying(name: str, at: int, total: int) -> None:
            advance(app.text("Copying {name}", name=name), at, total)

        done = move(settings, to, dry_run=dry_run, progress=copying)
    names = {"from": done.source, "to": done.target, "dry_run": dry_run}
    unreadable = {"unreadable": list(done.unreadable)}
    if not app.answer_json(names | _moved_json(done.outcomes) | unreadable):
        moved = [outcome for outcome in done.outcomes if outcome.error is None]
        words = "Would move {memory_of} to {to} ({records})."
        if not dry_run:
            words = "Moved {memory_of} to {to}: {records}, each read back from there and equal."
        records = sum(outcome.records for outcome in moved)
        app.echo(words, memory_of=_people(moved), records=records, to=done.target)
    for outcome in done.outcomes:
        if outcome.error is not None:
            app.show_error(outcome.error)
    for folder in done.unreadable:
        app.say(
            "people/{folder} cannot be read as anybody's memory and was not moved; "
            "`siliconfriend doctor` says more.",
            folder=folder,
        )
    if not dry_run:
        _say_the_rest(app, settings, done)
    return 0 if done.is_whole else StoreError.exit_code


def _people(outcomes: Sequence[MovedMemory]) -> int:
    return len({outcome.scope.person for outcome in outcomes})


def _moved_json(outcomes: Sequence[MovedMemory]) -> dict[str, object]:
    moved, failed = [], []
    for outcome in outcomes:
        whose = {"user": outcome.scope.person, "companion": outcome.scope.companion}
        if outcome.error is not None:
            failed.append(whose | {"error": outcome.error.message("en")})
            continue
        found = {"records": outcome.records, "sha256": outcome.digest}
        moved.append(whose | found | {"moved_before": outcome.was_moved})
    return {"moved": moved, "failed": failed}


def _say_the_rest(app: App, settings: Settings, done: Moved) -> None:
    """Say what stays where it was, and how programs come to use the new place."""
    failed = [outcome for outcome in done.outcomes if outcome.error]
    if failed:
        app.say(
            "Not moved: {memory_of}. It stays in {place} and goes on there; put right what is said "
            "above and run this again before you switch.",
            memory_of=_people(failed),
            place=done.source,
        )
    if len(failed) < len(done.outcomes):
        app.say(
            "Nothing in {place} was deleted. What moved can be read there and takes no changes; "
            "what is erased in the new place stays in the old one until `siliconfriend users "
            "delete` removes it there.",
            place=done.source,
        )
        app.say(
            "Passwords and keys went with those who moved; whoever was logged in to the page logs "
            "in again. Settings, the operator's key, companions' files, backups and the reports "
            "of nights stay in {home}.",
            home=settings.home,
        )
    if done.there.home != settings.home:
        app.say(
            "Programs still use the old place. Start them with --home {home}, or set "
            "SILICONFRIEND_HOME.",
            home=done.there.home,
        )
    else:
        app.say(
            "Programs still use the old place. Now run `siliconfriend config set store` with the "
            "new one ({store}), or set SILICONFRIEND_STORE, and start them again.",
            store="file" if done.there.store == "file" else done.target,
        )


def _reopen(app: App, settings: Settings, *, yes: bool) -> None:
    """Let what was left behind take changes again, as where the new store was lost."""
    from siliconfriend.person.administration import closed_memories, reopen

    closed = closed_memories(settings)
    people = len({scope.person for scope in closed})
    sure = (
        "{memory_of} is kept in {others} now. If that still exists, there will be two memories of "
        "one person, and neither learns of the other. Open it here again?"
    )
    if not closed:
        app.say("Nothing here has moved away or is half-way here. Nothing was changed.")
    elif not yes and not app.confirm(
        sure, memory_of=people, others=", ".join(sorted(set(closed.values())))
    ):
        app.say("Nothing was changed.")
        return
    else:
        reopen(settings, list(closed))
    names = [{"user": scope.person, "companion": scope.companion} for scope in closed]
    if not app.answer_json({"reopened": names}) and closed:
        app.echo("Open here again: {memory_of}.", memory_of=people)
