"""``backup``, ``restore``, ``migrate``, ``database`` and ``doctor``: run an installation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.errors import DamagedMemory, StoreError, UsageError
from siliconfriend.texts import N_, Counted

from .app import App, is_terminal
from .options import Group, JsonCommand, file_argument, flag, option
from .terminal import BAD, GOOD, progress_bar, shell_word, styled

if TYPE_CHECKING:
    from siliconfriend.person.checkup import Repaired

STAYS = N_(
    "Nothing in {place} was deleted; the moved memories are read-only there. Erasing in the new "
    "place does not erase the old copy: `siliconfriend users delete` does. Passwords and keys were "
    "moved too; settings, the operator's key, companions' files, backups and reports stay in {home}."
)

CHECKS = {
    "home": N_("data directory"),
    "store": N_("store"),
    "texts": N_("texts"),
    "companions": N_("companions"),
    "jobs": N_("unfinished"),
    "embedder": N_("embedder"),
    "index": N_("index"),
    "model": N_("model"),
    "second_model": N_("second model"),
}
EMPTY = N_("No turn of the damaged memory of {name} ({files}) can be read; it is empty now.")
RIGHT = N_("The damaged memory of {name} ({files}) is repaired: {turns}, the last of {until}.")
DOUBTFUL = N_(" It was changed by another program, so its words may differ from what was said.")


@click.command("backup", cls=JsonCommand)
@file_argument
@flag("--verify", "Only check FILE against its hashes.")
def backup_command(app: App, file: Path, verify: bool) -> int:
    """Write everything into one FILE (ZIP), settings too, without their keys."""
    from siliconfriend.person import administration

    settings = app.settings()
    if verify:
        found = administration.verify_backup(file)
        whole = {"file": str(file), "files": found.files, "made": found.made}
        words = N_("{file} of {made} is intact: {files} match their checksums.")
        app.answer(whole, app.translate(words, **whole | {"files": Counted(found.files, "file")}))
        return 0
    done = administration.back_up(settings, file, app.clock)
    counts = {"file": str(file), "memories": done.scopes, "files": done.files}
    faults = {"damaged": list(done.damaged), "missing": list(done.missing)}
    written = N_("Wrote the memory of {people} ({files}) to {file}.")
    shown = {"people": Counted(done.people, "person"), "files": Counted(done.files, "file")}
    app.answer(counts | faults, app.translate(written, file=file, **shown))
    if done.has_key:
        words = N_(
            "{path} does not contain the keys of services; restoring keeps the current ones."
        )
        app.say(words, path=file)
    if file.absolute().is_relative_to(settings.home.absolute()):
        app.say("{path} is inside the data directory and would be lost with it.", path=file)
    for folder in done.damaged:
        app.say("people/{folder} is damaged; it is backed up as it is.", folder=folder)
    for name in done.missing:
        words = N_("{path} is missing in the backup, since this account cannot read it.")
        app.say(words, path=settings.home / name)
    return StoreError.exit_code if done.damaged or done.missing else 0


@click.command("restore", cls=JsonCommand)
@file_argument
@flag("--yes", "Replace existing memories without asking.")
def restore_command(app: App, file: Path, yes: bool) -> None:
    """Replace everything by a backup."""
    from siliconfriend.person.administration import restore

    settings = app.settings()
    try:
        done = restore(settings, file, replace=yes)
    except UsageError as error:
        if error.key != "restore_not_empty" or not is_terminal():
            raise
        sure = N_("{home} contains memories. Replace all of them by the backup?")
        if not app.confirm(sure, home=error.details["home"]):
            app.say("Nothing was changed.")
            return
        done = restore(settings, file, replace=True)
    found = {"memories": done.scopes, "files": done.files, "made": done.made}
    words = N_("Restored the memory of {people}, as it was on {made}.")
    app.answer(found, app.translate(words, people=Counted(done.people, "person"), made=done.made))


database_command = Group(
    "database", help=N_("The PostgreSQL database that SILICONFRIEND_STORE names.")
)


@database_command.command("upgrade")
@option("--role", "NAME", "Grant this role the rights that the program needs.")
def upgrade_database(app: App, role: str | None) -> None:
    """Make its missing tables; run again, it changes nothing."""
    from siliconfriend.person import administration

    settings = app.settings()
    if settings.store == "file":
        raise UsageError("database_none")
    done = administration.upgrade_database(settings, role)
    for name in done:
        app.say("Made the tables of {name}.", name=name)
    if not done:
        app.say("All tables exist already.")
    if role is not None:
        app.say("The role {role} has the rights that the program needs.", role=role)


@click.command("migrate", cls=JsonCommand)
@option("--to", "PLACE", "A postgresql:// address, `file`, or a path.", required=True)
@flag("--dry-run", "Write nothing; show what would move.")
def migrate_command(app: App, to: str, dry_run: bool) -> int:
    """Move all memories to another store and compare every record. An interrupted move is continued
    when run again.
    """
    from siliconfriend.person.administration import move

    bank = app.bank()
    with progress_bar() as advance:
        done = move(bank, to, dry_run=dry_run, progress=advance)
    words = N_("Moved the memory of {people} to {to}: {records}, each compared.")
    if dry_run:
        words = N_("Would move the memory of {people} to {to} ({records}).")
    records = sum(outcome.records for outcome in done.moved)
    people = len({outcome.scope.person for outcome in done.moved})
    counts = {"people": Counted(people, "person"), "records": Counted(records, "record")}
    app.answer(done.to_json(), app.translate(words, to=done.target, **counts))
    for error in done.failed.values():
        app.show_error(error)
    for folder in done.unreadable:
        words = N_(
            "The owner of people/{folder} is unknown, so it was not moved; see `siliconfriend doctor`."
        )
        app.say(words, folder=folder)
    if done.failed and not dry_run:
        words = N_("Not moved: {people}, who stay in {place}. Fix the cause, then run it again.")
        people = len({scope.person for scope in done.failed})
        app.say(words, people=Counted(people, "person"), place=done.source)
    if not dry_run and (done.moved or not done.failed):
        app.say(STAYS, place=done.source, home=bank.settings.home)
    if not dry_run and not done.failed:
        words = N_("To use the new place: siliconfriend config set store {store}")
        if done.there.home != bank.settings.home:
            words = N_("To use the new place, start programs with --home {home}.")
        store = "file" if done.there.store == "file" else done.target
        app.say(words, home=shell_word(done.there.home), store=store)
    return StoreError.exit_code if done.failed or done.unreadable else 0


@click.command("doctor", cls=JsonCommand)
@flag("--repair", "Repair damaged memories, and keep the damaged files.", "repairs")
def doctor_command(app: App, repairs: bool) -> int:
    """Check store, texts, companions, embedder, index and model."""
    from siliconfriend.person.checkup import check, repair

    bank = app.bank()
    repaired = list(repair(bank)) if repairs else []
    with progress_bar() as advance:
        checks = list(check(bank, advance))
    rows = list[dict[str, Any]]()
    for one in checks:
        lines = [app.translate(words, **values) for words, values in one.said]
        detail = one.error.message(app.language) if one.error else "\n      ".join(lines)
        rows.append({"name": one.name, "ok": one.error is None, "detail": detail})
    document = {"repaired": [one.to_json(app.language) for one in repaired]} if repairs else {}
    app.answer(document | {"ok": all(row["ok"] for row in rows), "checks": rows})
    if repairs and not repaired:
        app.echo("No memory is damaged.")
    for done in repaired:
        app.answer_lines(_repair_sentence(app, done))
        for path in () if isinstance(done.outcome, DamagedMemory) else done.outcome.kept:
            app.echo("  Damaged file kept as {path}", path=path)
        words = N_(
            "  A backup of {made} contains it: siliconfriend --home NEW_DIRECTORY restore {path}"
        )
        for path, made in done.backups.items():
            app.echo(words, path=shell_word(path), made=made)
    for row in rows:
        mark = (
            styled(app.translate("ok   "), GOOD)
            if row["ok"]
            else styled(app.translate("FAULT"), BAD)
        )
        name = app.translate(CHECKS[row["name"]])
        app.answer_lines(f"{mark} {name}: {row['detail']}")
    return next((one.error.exit_code for one in checks if one.error), 0)


def _repair_sentence(app: App, one: Repaired) -> str:
    done, name = one.outcome, one.scope and one.scope.person
    if isinstance(done, DamagedMemory):
        return done.message(app.language)
    given = {"name": name, "files": ", ".join(done.files), "until": done.until, "lost": done.lost}
    if not (done.turns or done.is_whole):
        return app.translate(EMPTY, **given)
    more = N_(" {lost} of the changes are lost.")
    if done.lost is None:
        more = N_(" Everything after them is lost; it is unknown how much.")
    elif not done.lost:
        more = DOUBTFUL if done.is_doubtful else N_(" Nothing is lost.")
    return app.translate(RIGHT, turns=Counted(done.turns, "turn"), **given) + app.translate(
        more, **given
    )
