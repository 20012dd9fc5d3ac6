"""``nightly``: the batch that summarises, forgets and brings the index up to date."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.config import Settings
from siliconfriend.config.presets import presets
from siliconfriend.errors import ConfigurationError, UsageError
from siliconfriend.texts import text

from .app import App, pass_app, print_json
from .localized_click import Command, help_text
from .options import json_option, user_option
from .param_types import WholeNumber
from .progress import progress_bar

if TYPE_CHECKING:
    from siliconfriend.night.person_night import NightOptions
    from siliconfriend.night.report import NightReport

SERVED_AT_ONCE = 4
"""People at once where the model is on a server, unless told: what a small one bears too."""


@click.command("nightly", cls=Command, help=help_text("nightly"))
@user_option(multiple=True)
@click.option("--dry-run", is_flag=True, help=help_text("dry_run"))
@click.option("--stage", "stages", metavar="S", multiple=True, help=help_text("stage"))
@click.option("--today", is_flag=True, help=help_text("today"))
@click.option("--allow-large", is_flag=True, help=help_text("allow_large"))
@click.option("--concurrency", metavar="N", type=WholeNumber(1), help=help_text("concurrency"))
@click.option("--max-calls", metavar="N", type=WholeNumber(0), help=help_text("max_calls"))
@click.option("--enqueue", is_flag=True, help=help_text("enqueue"))
@click.option("--last", is_flag=True, help=help_text("last"))
@json_option()
@pass_app
def nightly(
    app: App,
    /,
    as_json: bool,
    enqueue: bool,
    last: bool,
    user: tuple[str, ...],
    concurrency: int | None,
    max_calls: int | None,
    **chosen: Any,
) -> int:
    """Run the night for everyone or those named, on days before the person's today."""
    from siliconfriend.night.person_night import NightOptions

    settings = app.settings()
    if settings.store == "file" and not settings.home.is_dir():
        raise ConfigurationError("home_missing", home=settings.home)
    if last and not enqueue:
        _show_last(app, settings, as_json=as_json)
        return 0
    options, how = NightOptions(**chosen), {"users": user or None, "max_calls": max_calls}
    if enqueue:
        _enqueue(app, settings, options, concurrency, as_json=as_json, **how)
        return 0
    if not as_json:
        app.say_home(settings)
    report = _run(app, settings, options, concurrency=people_at_once(settings, concurrency), **how)
    if as_json:
        print_json(report.to_json())
    else:
        click.echo(report.to_text(app.language))
    return report.exit_code


def people_at_once(settings: Settings, asked: int | None) -> int:
    """How many people's nights go on at once: as asked, else several where the model is a service."""
    preset = presets().get(settings.llm)
    is_service = preset is not None and not preset.is_own_server
    return asked or (SERVED_AT_ONCE if is_service else 1)


def _enqueue(
    app: App,
    settings: Settings,
    options: NightOptions,
    concurrency: int | None,
    *,
    as_json: bool,
    **how: Any,
) -> None:
    """Put the nights into the queue."""
    if settings.store == "file":
        raise ConfigurationError("worker_needs_database")
    for option, is_given in (("--dry-run", options.dry_run), ("--concurrency", concurrency)):
        if is_given:
            raise UsageError("enqueue_with", option=option)
    runtime = app.runtime(settings)
    assert runtime.database is not None
    from siliconfriend.night.postgres.enqueue import enqueue_nights

    done = enqueue_nights(runtime, runtime.database, options, **how)
    if as_json:
        print_json(asdict(done))
    else:
        click.echo(app.text("worker.enqueued", enqueued=done.enqueued, waiting=done.waiting))


def _show_last(app: App, settings: Settings, *, as_json: bool) -> None:
    """Print the last report; ``null``, or a sentence, if there has been no night."""
    from siliconfriend.control.policy_text import formula
    from siliconfriend.forgetting.policy import ForgettingPolicy
    from siliconfriend.night.night_state import open_night_state
    from siliconfriend.night.report import report_text

    runtime = app.runtime(settings)
    document = open_night_state(runtime).reports.last(
        runtime.store.scopes(), lambda path: app.say("malformed_report", path=path)
    )
    if as_json:
        print_json(document)
    elif document is None:
        click.echo(text("night", "report.none_kept", app.language))
    else:
        shown = formula(ForgettingPolicy.named(document["policy"]), app.language)
        click.echo(report_text(document, shown, app.language))


def _run(app: App, settings: Settings, options: NightOptions, **how: Any) -> NightReport:
    from siliconfriend.night.run import run_night

    with progress_bar() as advance:
        return run_night(app.runtime(settings), options, progress=advance, **how)
