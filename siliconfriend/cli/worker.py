"""``worker``: take nights out of the queue, as one of any number of processes on any machines."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

import click

from siliconfriend.errors import ConfigurationError, NightIncomplete

from .app import App, pass_app, print_json
from .localized_click import Command, help_text
from .nightly import people_at_once
from .options import json_option
from .param_types import WholeNumber

if TYPE_CHECKING:
    from siliconfriend.memory.scope import Scope
    from siliconfriend.night.postgres.person_jobs import Outcome


@click.command("worker", cls=Command, help=help_text("worker"))
@click.option("--once", is_flag=True, help=help_text("once"))
@click.option("--concurrency", metavar="N", type=WholeNumber(1), help=help_text("concurrency"))
@click.option("--max-calls", metavar="N", type=WholeNumber(0), help=help_text("worker_max_calls"))
@click.option("--enqueued-only", is_flag=True, help=help_text("enqueued_only"))
@click.option(
    "--silence",
    metavar="SECONDS",
    type=WholeNumber(1),
    default=30,
    show_default=True,
    help=help_text("silence"),
)
@json_option()
@pass_app
def worker(
    app: App,
    /,
    as_json: bool,
    once: bool,
    concurrency: int | None,
    max_calls: int | None,
    enqueued_only: bool,
    silence: int,
) -> int:
    """Run nights until stopped, or with ``--once`` until none is left that can be begun."""
    settings = app.settings()
    if settings.store == "file":
        raise ConfigurationError("worker_needs_database")
    runtime = app.runtime(settings, asks=False)
    database = runtime.database
    assert database is not None
    from siliconfriend.night.postgres.person_jobs import OUTCOMES
    from siliconfriend.night.postgres.worker import NightWorker, WorkerOptions

    options = WorkerOptions(
        once=once,
        at_once=people_at_once(settings, concurrency),
        max_calls=max_calls,
        silence=timedelta(seconds=silence),
        starts=not enqueued_only,
    )

    def tell(scope: Scope, outcome: Outcome) -> None:
        app.say(f"worker.{outcome}", name=scope.person)

    if not as_json:
        app.say_home(settings)
        app.say("worker.ready", place=database.place)
    if not app.debug:
        # What they would tell of each job names people and shows traces; the outcome is told here.
        logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
        logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)
    worker = NightWorker(runtime, database, options, tell)
    worker.run()
    counts = {name: worker.tally[name] for name in OUTCOMES}
    if as_json:
        print_json(counts)
    else:
        click.echo(app.text("worker.ended", **counts))
    return NightIncomplete.exit_code if once and counts["failed"] else 0
