"""``nightly``: the batch that summarises, forgets and brings the index up to date."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError, NightIncomplete

from .app import App, pass_app, print_json
from .opening import open_recaller
from .options import json_option, user_option
from .progress import progress_bar
from .speech import Command, help_text

if TYPE_CHECKING:
    from siliconfriend.night.report import NightReport


@click.command("nightly", cls=Command, help=help_text("nightly"), short_help=help_text("nightly"))
@user_option(multiple=True)
@click.option("--dry-run", is_flag=True, help=help_text("dry_run"))
@click.option("--stage", "stages", metavar="S", multiple=True, help=help_text("stage"))
@click.option("--today", is_flag=True, help=help_text("today"))
@click.option("--allow-large", is_flag=True, help=help_text("allow_large"))
@click.option("--max-calls", metavar="N", type=click.IntRange(0), help=help_text("max_calls"))
@json_option()
@pass_app
def nightly(app: App, /, as_json: bool, user: tuple[str, ...], **chosen: Any) -> int:
    """Everyone, or those named; only days before the person's today."""
    settings = app.settings()
    if not settings.home.is_dir():
        raise ConfigurationError("home_missing", home=settings.home)
    if not as_json:
        app.say_home(settings)
    report = _run(app, settings, users=user or None, **chosen)
    document = report.to_json()
    if as_json:
        print_json(document)
    else:
        click.echo(report.to_text(app.language))
    failed = any(it["status"] == "failed" for it in document["users"])
    return NightIncomplete.exit_code if failed else 0


def _run(app: App, settings: Settings, *, stages: tuple[str, ...], **chosen: Any) -> NightReport:
    from siliconfriend.memory.factory import open_store
    from siliconfriend.models.factory import open_chat_model
    from siliconfriend.night.shift import run_night

    store = open_store(settings)
    with progress_bar() as advance:
        return run_night(
            store,
            recaller=open_recaller(settings, store),
            chat=open_chat_model(settings),
            settings=settings,
            clock=app.clock,
            stages=stages or None,
            progress=advance,
            **chosen,
        )
