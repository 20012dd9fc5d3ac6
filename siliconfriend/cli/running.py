"""``web``, ``serve`` and ``mcp``, which run until they are stopped; ``nightly``, ``worker``, ``greet``."""

from __future__ import annotations

from dataclasses import replace
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from siliconfriend.config import Settings
from siliconfriend.config.loading import require_home
from siliconfriend.config.presets import presets
from siliconfriend.errors import ConfigurationError, NightIncomplete, UsageError
from siliconfriend.shipped import import_page
from siliconfriend.texts import N_, text

from .app import App
from .options import (
    Command,
    JsonCommand,
    companion_option,
    flag,
    option,
    person_options,
    user_option,
)
from .terminal import progress_bar

if TYPE_CHECKING:
    from siliconfriend.night.run import Outcome
    from siliconfriend.person import Person

host_option = option("--host", "H", "Address to listen on.", default="127.0.0.1", show_default=True)
no_keys_option = flag("--no-keys", "Ask for no keys; only on 127.0.0.1.")
SERVED_AT_ONCE = 4
"""Default number of people processed at once with a model on a service."""
OUTCOMES: dict[Outcome, str] = {
    "done": N_("{name}: the night is done."),
    "failed": N_("{name}: the night failed; `siliconfriend nightly --last` says why."),
    "later": N_("{name}: a temporary failure; the rest is retried later."),
    "given_back": N_("{name}: returned to the queue for another worker."),
}
concurrency_option = option("--concurrency", "N", "People at once (4 with a service, else 1).")
max_calls_option = option(
    "--max-calls", "N", "Most model calls of a night.", type=click.IntRange(min=0)
)


@click.command("web", cls=Command)
@host_option
@option("--port", "P", "Port to listen on (7860, or the next free one).")
@companion_option
@option("--auth", "FILE", "Require a password from FILE.")
@option(
    "--notices",
    "EMAIL",
    "Offer push notices; push services receive this e-mail address.",
    default="",
)
def web_command(app: App, host: str, port: int | None, auth: Path | None, notices: str) -> None:
    """Start the web page on this machine."""
    settings = app.settings()
    app.open_home(settings)
    with app.bank(settings, asks=False) as bank:  # finish interrupted erasures first
        bank.check_companion()
    how = {"host": host, "port": port, "auth": auth, "notices": notices}
    import_page().launch(settings, clock=app.clock, **how)


@click.command("serve", cls=Command)
@host_option
@option("--port", "P", "Port to listen on (8010); 0 takes any free one.", default=8010)
@no_keys_option
@companion_option
def serve_command(app: App, /, **where: Any) -> None:
    """Serve the companion and its memory over HTTP: an own API, OpenAI's, and MCP."""
    _serve_over_http(app, app.settings(), **where)


@click.command("mcp", cls=Command)
@user_option
@companion_option
@flag("--http", "Over HTTP at /mcp, with the keys of `serve`.")
@host_option
@option("--port", "P", "Port to listen on (8011); 0 takes any free one.", default=8011)
@no_keys_option
def mcp_command(app: App, /, http: bool, **where: Any) -> None:
    """Serve one person's memory as MCP tools over stdio or HTTP."""
    settings = app.settings()
    if settings.llm.startswith("gguf:"):
        # A local model would slow down the client's own model.
        settings = replace(settings, llm="offline")
    if util.find_spec("mcp") is None:
        raise ConfigurationError("mcp_package")
    if http:
        _serve_over_http(app, settings, mcp_only=True, **where)
        return
    from siliconfriend.models.base import model_label
    from siliconfriend.server.mcp import serve_stdio

    app.say_home(settings)
    bank = app.bank(settings, while_indexing=True)
    bank.check_companion()
    if (model := bank.chat) is not None:
        words = N_("Older parts of the talk are sent to {model} at {address}.")
        app.say(words, model=model_label(model), address=model.address)
    serve_stdio(bank)


def _serve_over_http(
    app: App, settings: Settings, *, host: str, port: int, no_keys: bool, mcp_only: bool = False
) -> None:
    if not all(map(util.find_spec, ("fastapi", "limits", "uvicorn"))):
        raise ConfigurationError("serve_package")
    from siliconfriend.server.app import serve

    app.open_home(settings)
    bank = app.bank(settings, asks=False, while_indexing=True)
    bank.check_companion()
    serve(
        bank,
        host=host,
        port=port,
        with_keys=not no_keys,
        say=lambda line: click.echo(line, err=True),
        mcp_only=mcp_only,
    )


@click.command("nightly", cls=JsonCommand)
@option("--user", "NAME", "Only this person; repeatable.", "users", multiple=True)
@flag("--dry-run", "Only show what would be done.")
@option("--stage", "S", "Only this stage; repeatable.", "stages", multiple=True)
@flag("--today", "Include today.")
@flag("--allow-large", "Allow archiving more than a third of a person's memories.")
@concurrency_option
@max_calls_option
@flag("--enqueue", "Put the nights into the queue of the workers.")
@flag("--last", "Only show the report of the last night.")
def nightly_command(
    app: App,
    /,
    enqueue: bool,
    last: bool,
    users: tuple[str, ...],
    concurrency: int | None,
    max_calls: int | None,
    **chosen: Any,
) -> int:
    """Sum up past days, forget, and update the index."""
    from siliconfriend.night.person_night import NightOptions
    from siliconfriend.person.nights import Nights, report_text

    settings, options = app.settings(), NightOptions(**chosen)
    require_home(settings)
    if enqueue and (options.dry_run or concurrency):
        raise UsageError("enqueue_with", option="--dry-run" if options.dry_run else "--concurrency")
    bank = app.bank(settings)
    if enqueue:
        begun = bank.begin_night(options, users=users or None, max_calls=max_calls)
        enqueued = {"night": begun.number, "enqueued": len(begun.scopes)}
        told = N_("Nights in the queue: {enqueued}. `siliconfriend worker` runs them.")
        app.answer(enqueued, app.translate(told, **enqueued))
        return 0
    if last:
        document = Nights(bank).last(bank.people())
        none = text("night", "report.none_kept", app.language)
        app.answer(document, report_text(document, app.language) if document else none)
        return 0
    app.say_home(settings)
    with progress_bar() as advance:
        report = bank.night(
            options,
            users=users or None,
            max_calls=max_calls,
            concurrency=_people_at_once(settings, concurrency),
            progress=advance,
        )
    app.answer(report.to_json(), report.to_text(app.language))
    return report.exit_code


def _people_at_once(settings: Settings, asked: int | None) -> int:
    preset = presets().get(settings.llm)
    is_service = preset is not None and not preset.is_own_server
    return asked or (SERVED_AT_ONCE if is_service else 1)


@click.command("worker", cls=JsonCommand)
@flag("--once", "Exit when no night can be started now.")
@concurrency_option
@max_calls_option
@flag("--enqueued-only", "Do not start the daily nights.")
def worker_command(
    app: App, once: bool, concurrency: int | None, max_calls: int | None, enqueued_only: bool
) -> int:
    """Run nights from the queue, as one of any number of workers."""
    settings = app.settings()
    require_home(settings)
    worker = app.bank(settings, asks=False).night_worker(
        at_once=_people_at_once(settings, concurrency),
        max_calls=max_calls,
        tell=lambda scope, outcome: app.say(OUTCOMES[outcome], name=scope.person),
    )
    app.say_home(settings)
    app.say("Running nights; Ctrl-C exits after the current stage.")
    worker.run(once=once, plans=not enqueued_only)
    counts = {str(name): worker.tally[name] for name in OUTCOMES}
    words = N_("Done: {done}; failed: {failed}; to retry: {later}; returned: {given_back}.")
    app.answer(counts, app.translate(words, **counts))
    return NightIncomplete.exit_code if once and counts["failed"] else 0


@click.command("greet", cls=JsonCommand)
@person_options
@flag("--dry-run", "Do not mark it as said.")
def greet_command(app: App, person: Person, dry_run: bool) -> None:
    """Say what is due today, once each; nothing at night, or before `config set speaks_first yes`."""
    due = person.due(mark=not dry_run)
    now = {"now": person.now().astimezone(person.zone).isoformat()}
    app.answer(person.scope.to_json() | now | due.to_json(), *filter(None, [due.text]))
    if due.silent == "off" and not app.as_json:
        app.say("To let your companion speak first: siliconfriend config set speaks_first yes")
