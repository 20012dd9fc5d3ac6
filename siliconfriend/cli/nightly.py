"""``nightly``: the batch that summarises, forgets and brings the index up to date."""

from __future__ import annotations

from typing import Any

import click

from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError, NightIncomplete

from .app import App, pass_app, print_json, scopes_named
from .opening import open_recaller
from .options import json_option, user_option
from .progress import progress_bar
from .speech import Command, help_text


@click.command("nightly", cls=Command, help=help_text("nightly"), short_help=help_text("nightly"))
@user_option(multiple=True)
@click.option("--dry-run", is_flag=True, help=help_text("dry_run"))
@click.option("--stage", "stages", metavar="S", multiple=True, help=help_text("stage"))
@click.option("--today", is_flag=True, help=help_text("today"))
@click.option("--allow-large", is_flag=True, help=help_text("allow_large"))
@json_option()
@pass_app
def nightly(
    app: App,
    user: tuple[str, ...],
    dry_run: bool,
    stages: tuple[str, ...],
    today: bool,
    allow_large: bool,
    as_json: bool,
) -> int:
    """Everyone, or those named; only days before the person's today."""
    settings = app.settings()
    if not settings.home.is_dir():
        raise ConfigurationError("home_missing", home=settings.home)
    if not as_json:
        app.say_home(settings)
    report = _run(app, settings, user, stages or None, dry_run, today, allow_large)
    document = report.to_json()
    if as_json:
        print_json(document)
    else:
        click.echo(report.to_text(app.language))
    failed = any(it["status"] == "failed" for it in document["users"])
    return NightIncomplete.exit_code if failed else 0


def _run(
    app: App,
    settings: Settings,
    users: tuple[str, ...],
    stages: tuple[str, ...] | None,
    dry_run: bool,
    today: bool,
    allow_large: bool,
) -> Any:
    from siliconfriend.memory.factory import open_store
    from siliconfriend.models.factory import open_chat_model
    from siliconfriend.night.shift import run_night

    store = open_store(settings)
    scopes_named(store, users)
    with progress_bar() as advance:
        return run_night(
            store,
            recaller=open_recaller(settings, store),
            chat=open_chat_model(settings),
            settings=settings,
            clock=app.clock,
            users=users or None,
            stages=stages,
            dry_run=dry_run,
            today=today,
            allow_large=allow_large,
            progress=advance,
        )
