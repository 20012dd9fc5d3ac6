"""``migrate``: move memories to another store, or open what was left behind again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError, StoreError, UnknownPerson, UsageError
from siliconfriend.memory.scope import Scope, clean_name

from .app import App, is_terminal, pass_app, print_json
from .config_file import write_settings
from .localized_click import Command, help_text
from .options import json_option, user_option
from .progress import progress_bar

if TYPE_CHECKING:
    from siliconfriend.memory.moving.movable import MovableStore
    from siliconfriend.memory.moving.mover import Outcome, Step


@click.command("migrate", cls=Command, help=help_text("migrate"))
@click.option("--to", "to", metavar="PLACE", help=help_text("migrate_to"))
@user_option(multiple=True)
@click.option("--dry-run", is_flag=True, help=help_text("migrate_dry_run"))
@click.option("--switch", is_flag=True, help=help_text("migrate_switch"))
@click.option("--reopen", is_flag=True, help=help_text("migrate_reopen"))
@click.option("--yes", is_flag=True, help=help_text("yes"))
@json_option()
@pass_app
def migrate(
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
    """Move the memories of everyone, or of those named, while people talk."""
    from siliconfriend.memory.factory import open_store
    from siliconfriend.memory.moving.destination import parse_destination, store_name

    if (to is None) != reopen:
        raise UsageError("move_to_missing")
    settings = app.settings()
    if settings.store == "file" and not settings.home.is_dir():
        raise ConfigurationError("home_missing", home=settings.home)
    if to is None:
        return _reopen(app, settings, user, yes=yes, as_json=as_json)
    there = parse_destination(to, settings)
    if switch and there.home != settings.home:
        raise UsageError("move_no_switch", home=there.home)
    source = open_store(settings)
    outcomes = _moved(app, settings, source, there, user, dry_run=dry_run)
    unreadable = [] if user else source.unreadable()
    if as_json:
        names = {"from": store_name(settings), "to": store_name(there), "dry_run": dry_run}
        print_json(names | _document(outcomes) | {"unreadable": unreadable})
    else:
        _show(app, there, outcomes, dry_run=dry_run)
    for it in outcomes:
        if it.error is not None:
            click.echo(it.error.message(app.language), err=True)
    for folder in unreadable:
        app.say("migrate.unreadable", folder=folder)
    is_whole = not unreadable and not any(it.error for it in outcomes)
    if not dry_run:
        _tell_the_rest(app, settings, outcomes)
        _switch(app, settings, there, to, is_whole=is_whole, is_asked_for=switch)
    return 0 if is_whole else StoreError.exit_code


def _moved(
    app: App,
    settings: Settings,
    source: MovableStore,
    there: Settings,
    users: tuple[str, ...],
    *,
    dry_run: bool,
) -> list[Outcome]:
    from siliconfriend.memory.factory import open_store
    from siliconfriend.memory.moving.destination import store_name
    from siliconfriend.memory.moving.mover import Mover
    from siliconfriend.shared.carrying import carry_access
    from siliconfriend.shared.factory import open_shared_state

    runtime = app.runtime(settings, store=source)
    runtime.take_up_erasures()
    if runtime.shared.jobs.unfinished():
        raise StoreError("move_erasing")
    scopes, target = _scopes(source, users), open_store(there)
    with progress_bar() as advance:

        def progress(step: Step, scope: Scope, done: int, total: int) -> None:
            key = "migrate.copying" if step == "copy" else "migrate.handing_over"
            advance(app.text(key, name=scope.person), done, total)

        mover = Mover(
            source,
            target,
            open_store(there),
            source_name=store_name(settings),
            target_name=store_name(there),
            progress=progress,
        )
        if dry_run:
            return mover.check(scopes)
        outcomes = mover.move(scopes)
        mover.remove_orphans()
    moved = [it for it in outcomes if it.error is None]
    for person in {it.scope.person for it in moved}:
        is_new = any(it.scope.person == person and not it.was_moved for it in moved)
        carry_access(person, runtime.shared, open_shared_state(there, target), over=is_new)
    return outcomes


def _scopes(store: MovableStore, users: Sequence[str]) -> list[Scope]:
    """Everybody's memories, or those of these people.

    Raises:
        UnknownPerson: nothing is remembered of one of them.
    """
    scopes, names = store.scopes(), [clean_name(it) for it in users]
    for name in names:
        if not any(scope.person == name for scope in scopes):
            raise UnknownPerson("unknown_person", name=name)
    return [it for it in scopes if not names or it.person in names]


def _show(app: App, there: Settings, outcomes: Sequence[Outcome], *, dry_run: bool) -> None:
    """Print what has moved, with the number of records that were compared."""
    from siliconfriend.memory.moving.destination import store_name

    done = [it for it in outcomes if it.error is None]
    memories = app.count("memory_of", _people(done))
    records = app.count("record", sum(it.records for it in done))
    key = "migrate.would_move" if dry_run else "migrate.moved"
    click.echo(app.text(key, memories=memories, records=records, to=store_name(there)))


def _people(outcomes: Sequence[Outcome]) -> int:
    return len({it.scope.person for it in outcomes})


def _document(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """Serialize the moved and the failed memories for ``--json``."""
    moved, failed = [], []
    for it in outcomes:
        whose = {"user": it.scope.person, "companion": it.scope.companion}
        if it.error is not None:
            failed.append(whose | {"error": it.error.message("en")})
            continue
        numbers = {"records": it.records, "sequence": it.sequence}
        moved.append(whose | numbers | {"sha256": it.digest, "moved_before": it.was_moved})
    return {"moved": moved, "failed": failed}


def _tell_the_rest(app: App, settings: Settings, outcomes: Sequence[Outcome]) -> None:
    """Say what stays where it was."""
    from siliconfriend.memory.moving.destination import store_name

    failed = [it for it in outcomes if it.error]
    if failed:
        memories = app.count("memory_of", _people(failed))
        app.say("migrate.failed", memories=memories, place=store_name(settings))
    if len(failed) < len(outcomes):
        app.say("migrate.left", place=store_name(settings))
        app.say("migrate.index")
        app.say("migrate.stays", home=settings.home)


def _switch(
    app: App,
    settings: Settings,
    there: Settings,
    to: str,
    *,
    is_whole: bool,
    is_asked_for: bool,
) -> None:
    """Switch the setting where that was asked for and everything moved, else say how."""
    from siliconfriend.memory.moving.destination import store_name

    if there.home != settings.home:
        app.say("migrate.other_home", home=there.home)
        return
    asks = is_whole and not is_asked_for and is_terminal()
    is_wanted = is_asked_for or (asks and app.confirm(app.text("migrate.switch_now")))
    if not is_whole or not is_wanted:
        app.say("migrate.switch", store="file" if there.store == "file" else store_name(there))
        return
    write_settings(settings.home, {"store": "file" if there.store == "file" else to.strip()})
    app.say("migrate.switched", home=settings.home)
    if app.settings().sources["store"] == "environment":
        app.say("config.overruled", name="store", variable="SILICONFRIEND_STORE")


def _reopen(
    app: App, settings: Settings, users: tuple[str, ...], *, yes: bool, as_json: bool
) -> int:
    """Let what was left behind take changes again, as where the new store was lost."""
    from siliconfriend.memory.factory import open_store

    store = open_store(settings)
    closed = {}
    for scope in _scopes(store, users):
        note = store.move_note(scope)
        if note is not None and note.standing != "open":
            closed[scope] = note
    names = [{"user": it.person, "companion": it.companion} for it in closed]
    if not closed:
        app.say("migrate.none_closed")
    else:
        others = ", ".join(sorted({note.other for note in closed.values()}))
        memories = app.count("memory_of", len({scope.person for scope in closed}))
        sure = app.text("migrate.sure", memories=memories, others=others)
        if not yes and not app.confirm(sure):
            app.say("backup.left")
            return 0
        for scope, note in closed.items():
            with store.edit(scope, move=note.id) as edit:
                # A new id: it is a memory of its own from now on, and never a copy of the other.
                edit.note = type(note).new()
        if not as_json:
            click.echo(app.text("migrate.reopened", memories=memories))
    if as_json:
        print_json({"reopened": names})
    return 0
