"""``backup``, ``restore``, ``migrate`` and ``database``: for whoever runs an installation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError, StoreError, UsageError
from siliconfriend.memory.private_files import write_settings

from .app import App, is_terminal, pass_app, print_json
from .config import OVERRULED
from .localized import Command, FilePath, Group
from .options import json_option, users_option, yes_option
from .terminal import progress_bar

if TYPE_CHECKING:
    from siliconfriend.memory.copy_store import Moved as MovedMemory
    from siliconfriend.person.administration import Moved


@click.command("backup", cls=Command)
@click.argument("file", metavar="FILE", type=FilePath())
@click.option(
    "--verify",
    is_flag=True,
    help="Write nothing; read the backup FILE to its end and compare each file in it with its hash.",
)
@click.option(
    "--with-keys", is_flag=True, help="Put in the keys of services that the settings hold, too."
)
@json_option
@pass_app
def backup_command(app: App, file: Path, verify: bool, with_keys: bool, as_json: bool) -> int:
    """Write everything into one FILE (tar.gz), settings too, without their keys."""
    from siliconfriend.person import administration

    settings = app.settings()
    if verify:
        found = administration.verify_backup(file)
        if as_json:
            whole = {"files": found.files, "made": found.made}
            print_json({"file": str(file), **whole})
        else:
            app.echo(
                "{path} is whole: {files}, each as its hash says, as it was on {made}.",
                path=file,
                files=app.count("file", found.files),
                made=found.made,
            )
        return 0
    done = administration.back_up(settings, file, app.clock, with_keys=with_keys)
    if as_json:
        counts = {"memories": done.scopes, "files": done.files}
        faults = {"damaged": list(done.damaged), "missing": list(done.missing)}
        print_json({"file": str(file), **counts, **faults})
    else:
        memories, files = app.count("memory_of", done.people), app.count("file", done.files)
        app.echo("Wrote {memories} ({files}) to {path}.", memories=memories, files=files, path=file)
    if done.has_key and with_keys:
        words = "The settings in {path} hold a key: keep that file as safe as the key itself."
        app.say(words, path=file)
    elif done.has_key:
        app.say(
            "The keys of services are not in {path}; restoring keeps those that are set there, "
            "and `backup --with-keys` puts them in.",
            path=file,
        )
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
@click.argument("file", metavar="FILE", type=FilePath())
@click.option("--yes", is_flag=True, help="Also where there is memory already; it is replaced.")
@json_option
@pass_app
def restore_command(app: App, file: Path, yes: bool, as_json: bool) -> None:
    """Put a backup in the place of what is there."""
    from siliconfriend.person.administration import restore

    settings = app.settings()
    try:
        done = restore(settings, file, replace=yes)
    except UsageError as error:
        if error.key != "restore_not_empty" or not is_terminal():
            raise
        sure = "There is memory in {home}. Replace all of it by the backup? [y/N]"
        if not app.confirm(app.text(sure, home=error.details["home"])):
            app.say("Nothing was changed.")
            return
        done = restore(settings, file, replace=True)
    if as_json:
        found = {"memories": done.scopes, "files": done.files, "made": done.made}
        print_json({**found, "left_alone": list(done.left)})
    else:
        memories = app.count("memory_of", done.people)
        app.echo("Restored {memories}, as it was on {made}.", memories=memories, made=done.made)
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
@click.option(
    "--role",
    metavar="NAME",
    help="The role that the program runs as, which should own nothing: it is given what it needs.",
)
@pass_app
def upgrade_database(app: App, role: str | None) -> None:
    """Make its tables, or bring them forward to this version; as a role that may create in the
    database. Run again, it changes nothing.
    """
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
@click.option(
    "--to",
    metavar="PLACE",
    help="Where to: a postgresql:// address, `file` for the data directory, or a path for "
    "another one.",
)
@users_option
@click.option(
    "--dry-run", is_flag=True, help="Write nothing; show what would move, and who cannot."
)
@click.option("--switch", is_flag=True, help="Also write the new store into config.toml.")
@click.option(
    "--reopen",
    is_flag=True,
    help="Instead of moving: let what was moved away or half-way here take changes again, where "
    "the other store is lost.",
)
@yes_option
@json_option
@pass_app
def migrate_command(
    app: App,
    /,
    to: str | None,
    user: tuple[str, ...],
    dry_run: bool,
    switch: bool,
    reopen: bool,
    yes: bool,
    as_json: bool,
) -> int:
    """Move everybody's memory to another store: copied, read back and compared record by record,
    then handed over; who is being moved waits. Stopped at any moment, it goes on when run again.
    """
    from siliconfriend.person.administration import move

    if (to is None) != reopen:
        raise UsageError("move_to_missing")
    settings = app.settings()
    if settings.store == "file" and not settings.home.is_dir():
        raise ConfigurationError("home_missing", home=settings.home)
    if to is None:
        _reopen(app, settings, user, yes=yes, as_json=as_json)
        return 0
    with progress_bar() as advance:
        done = move(
            settings,
            to,
            user,
            dry_run=dry_run,
            switch=switch,
            progress=lambda name, at, total: advance(
                app.text("Copying {name}", name=name), at, total
            ),
        )
    if as_json:
        names = {"from": done.source, "to": done.target, "dry_run": dry_run}
        print_json(names | _moved_json(done.outcomes) | {"unreadable": list(done.unreadable)})
    else:
        moved = [outcome for outcome in done.outcomes if outcome.error is None]
        words = "Would move {memories} to {to} ({records})."
        if not dry_run:
            words = "Moved {memories} to {to}: {records}, each read back from there and equal."
        records = app.count("record", sum(outcome.records for outcome in moved))
        app.echo(words, memories=_people(app, moved), records=records, to=done.target)
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
        _switch(app, settings, done, to, is_asked_for=switch)
    return 0 if done.is_whole else StoreError.exit_code


def _people(app: App, outcomes: Sequence[MovedMemory]) -> str:
    return app.count("memory_of", len({outcome.scope.person for outcome in outcomes}))


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
    """Say what stays where it was."""
    failed = [outcome for outcome in done.outcomes if outcome.error]
    if failed:
        app.say(
            "Not moved: {memories}. It stays in {place} and goes on there; put right what is said "
            "above and run this again before you switch.",
            memories=_people(app, failed),
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


def _switch(app: App, settings: Settings, done: Moved, to: str, *, is_asked_for: bool) -> None:
    """Switch the setting where that was asked for and everything moved, else say how."""
    there = done.there
    if there.home != settings.home:
        app.say(
            "Programs still use the old place. Start them with --home {home}, or set "
            "SILICONFRIEND_HOME.",
            home=there.home,
        )
        return
    is_wanted = is_asked_for
    if done.is_whole and not is_asked_for and is_terminal():
        question = "Use the new place from now on (writes `store` into config.toml)? [y/N]"
        is_wanted = app.confirm(app.text(question))
    if not done.is_whole or not is_wanted:
        app.say(
            "Programs still use the old place. Now run `siliconfriend config set store` with the "
            "new one ({store}), or set SILICONFRIEND_STORE, and start them again.",
            store="file" if there.store == "file" else done.target,
        )
        return
    write_settings(settings.home, {"store": "file" if there.store == "file" else to.strip()})
    app.say(
        "`store` in {home}/config.toml names the new place. Start again every program that is "
        "running.",
        home=settings.home,
    )
    if app.settings().sources["store"] == "environment":
        app.say(OVERRULED, variable="SILICONFRIEND_STORE")


def _reopen(
    app: App, settings: Settings, users: tuple[str, ...], *, yes: bool, as_json: bool
) -> None:
    """Let what was left behind take changes again, as where the new store was lost."""
    from siliconfriend.person.administration import closed_memories, reopen

    closed = closed_memories(settings, users)
    if not closed:
        app.say("Nothing here has moved away or is half-way here. Nothing was changed.")
    else:
        memories = app.count("memory_of", len({scope.person for scope in closed}))
        sure = app.text(
            "{memories} is kept in {others} now. If that still exists, there will be two memories "
            "of one person, and neither learns of the other. Open it here again? [y/N]",
            memories=memories,
            others=", ".join(sorted(set(closed.values()))),
        )
        if not yes and not app.confirm(sure):
            app.say("Nothing was changed.")
            return
        reopen(settings, list(closed))
        if not as_json:
            app.echo("Open here again: {memories}.", memories=memories)
    if as_json:
        names = [{"user": scope.person, "companion": scope.companion} for scope in closed]
        print_json({"reopened": names})
