"""``nightly``, ``worker`` and ``greet``: what runs by itself."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.config import Settings
from siliconfriend.config.presets import presets
from siliconfriend.errors import ConfigurationError, NightIncomplete, UsageError
from siliconfriend.texts import text

from .app import App, pass_app, print_json
from .localized import Command, WholeNumber
from .options import json_option, person_options, users_option
from .terminal import progress_bar

if TYPE_CHECKING:
    from siliconfriend.person import Person

SERVED_AT_ONCE = 4
"""People at once where the model is on a server, unless told: what a small one bears too."""
OUTCOMES = {
    "done": "{name}: the night is done.",
    "failed": "{name}: the night failed; `siliconfriend nightly --last` says why.",
    "later": "{name}: something failed that may pass; the rest is tried again in a while.",
    "given_back": "{name}: given back, for another worker to go on.",
}
concurrency_option = click.option(
    "--concurrency",
    metavar="N",
    type=WholeNumber(1),
    help="How many people at once (4 where the model is on a server, else 1).",
)


@click.command("nightly", cls=Command)
@users_option
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option(
    "--stage",
    "stages",
    metavar="S",
    multiple=True,
    help="Only this stage; may be given several times.",
)
@click.option("--today", is_flag=True, help="Include the day that is not over yet.")
@click.option(
    "--allow-large", is_flag=True, help="Let one pass archive more than a third of a person."
)
@concurrency_option
@click.option(
    "--max-calls",
    metavar="N",
    type=WholeNumber(0),
    help="Ask the model at most this often; what is left waits for the next night.",
)
@click.option(
    "--enqueue",
    is_flag=True,
    help="Put the nights into the queue for workers instead of running them here.",
)
@click.option("--last", is_flag=True, help="Only show the report of the last night.")
@json_option
@pass_app
def nightly_command(
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
    """Sum up past days, forget, bring the index up to date."""
    from siliconfriend.night.person_night import NightOptions
    from siliconfriend.person.administration import enqueue_night

    settings = app.settings()
    if settings.store == "file" and not settings.home.is_dir():
        raise ConfigurationError("home_missing", home=settings.home)
    options = NightOptions(**chosen)
    if enqueue:
        for option, is_given in (("--dry-run", options.dry_run), ("--concurrency", concurrency)):
            if is_given:
                raise UsageError("enqueue_with", option=option)
        bank = app.bank(settings)
        done = enqueue_night(bank, options, users=user or None, max_calls=max_calls)
        if as_json:
            print_json(asdict(done))
        else:
            app.echo(
                "Put into the queue: {enqueued}; waiting there already: {waiting}. "
                "`siliconfriend worker` does them.",
                enqueued=done.enqueued,
                waiting=done.waiting,
            )
        return 0
    if last:
        _show_last(app, settings, as_json=as_json)
        return 0
    if not as_json:
        app.say_home(settings)
    with progress_bar() as advance:
        report = app.bank(settings).night(
            options,
            users=user or None,
            max_calls=max_calls,
            concurrency=people_at_once(settings, concurrency),
            progress=advance,
        )
    if as_json:
        print_json(report.to_json())
    else:
        click.echo(report.to_text(app.language))
    return report.exit_code


def people_at_once(settings: Settings, asked: int | None) -> int:
    """Return how many nights go on at once: as asked, else several where the model is a service."""
    preset = presets().get(settings.llm)
    is_service = preset is not None and not preset.is_own_server
    return asked or (SERVED_AT_ONCE if is_service else 1)


def _show_last(app: App, settings: Settings, *, as_json: bool) -> None:
    """Print the last report; ``null``, or a sentence, if there has been no night."""
    from siliconfriend.person.administration import last_night, night_text

    document = last_night(app.bank(settings))
    if as_json:
        print_json(document)
    elif document is None:
        click.echo(text("night", "report.none_kept", app.language))
    else:
        click.echo(night_text(document, app.language))


@click.command("worker", cls=Command)
@click.option("--once", is_flag=True, help="End when nothing is left that can be begun now.")
@concurrency_option
@click.option(
    "--max-calls",
    metavar="N",
    type=WholeNumber(0),
    help="Let each night ask the model at most this often, with all workers together.",
)
@click.option(
    "--enqueued-only",
    is_flag=True,
    help="Only do what was enqueued; start no night in the small hours.",
)
@click.option(
    "--silence",
    metavar="SECONDS",
    type=WholeNumber(1),
    default=30,
    show_default=True,
    help="After so long without a sign of life the jobs of a worker are taken up by others.",
)
@json_option
@pass_app
def worker_command(
    app: App,
    /,
    as_json: bool,
    once: bool,
    concurrency: int | None,
    max_calls: int | None,
    enqueued_only: bool,
    silence: int,
) -> int:
    """Take nights out of the queue, as one of any number of workers."""
    from siliconfriend.night.worker import WorkOptions
    from siliconfriend.person.administration import night_worker

    settings = app.settings()
    at_once = people_at_once(settings, concurrency)
    worker = night_worker(
        app.bank(settings, asks=False),
        WorkOptions(at_once=at_once, max_calls=max_calls, ttl=silence),
        lambda scope, outcome: app.say(OUTCOMES[outcome], name=scope.person),
        once=once,
        plans=not enqueued_only,
    )
    if not as_json:
        app.say_home(settings)
        app.say("Working on the nights; Ctrl-C ends after the stage that is under way.")
    worker.run()
    counts = {str(name): number for name, number in worker.tally.items()}
    counts = {name: counts.get(name, 0) for name in OUTCOMES}
    if as_json:
        print_json(counts)
    else:
        app.echo(
            "Nights done: {done}; failed: {failed}; to be tried again: {later}; "
            "given back: {given_back}.",
            **counts,
        )
    return NightIncomplete.exit_code if once and counts["failed"] else 0


@click.command(
    "greet", cls=Command, short_help="Say what is due today, if your companion may speak first."
)
@person_options
@click.option("--dry-run", is_flag=True, help="Only show it; it is said another time.")
@json_option
@pass_app
def greet_command(app: App, person: Person, dry_run: bool, as_json: bool) -> None:
    """Say what is due today, once each: a day that has come, something left open, an anniversary.
    Nothing where there is nothing, at night, or until `config set speaks_first yes`.
    """
    due = person.due(mark=not dry_run)
    if not as_json:
        if due.text:
            click.echo(due.text)
        elif due.silent == "off":
            app.say(
                "Your companion does not speak first. To switch it on: "
                "siliconfriend config set speaks_first yes"
            )
        return
    zone = person.memory().profile.zone
    matters = [
        {
            "kind": matter.kind,
            "id": matter.turn.id,
            "day": matter.day.isoformat(),
            "told": matter.turn.date,
            "text": matter.turn.query,
        }
        for matter in due.matters
    ]
    print_json(
        {
            "user": person.scope.person,
            "companion": person.scope.companion,
            "now": person.now().astimezone(zone).isoformat(),
            "greeting": due.text or None,
            "silent": due.silent,
            "matters": matters,
        }
    )
