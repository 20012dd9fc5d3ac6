"""``web``, ``serve`` and ``mcp``: the doors that run until they are stopped."""

from __future__ import annotations

from dataclasses import replace
from importlib import util
from pathlib import Path
from typing import Any

import click

from siliconfriend.config import Settings, prepare_home
from siliconfriend.errors import ConfigurationError
from siliconfriend.shipped import import_page

from .app import App
from .options import FILE, Command, companion_option, flag, option, user_option

PORT = click.IntRange(0, 65535)
_PACKAGES = ("fastapi", "limits", "uvicorn")
host_option = option("--host", "H", "Address to listen on.", default="127.0.0.1", show_default=True)
no_keys_option = flag("--no-keys", "Ask for no keys; only on 127.0.0.1.")


@click.command("web", cls=Command)
@host_option
@option("--port", "P", "Port to listen on (7860, or the next free one).", type=PORT)
@companion_option
@option("--auth", "FILE", "Let in only who has a password in FILE.", type=FILE)
def web_command(
    app: App, host: str, port: int | None, companion: str | None, auth: Path | None
) -> None:
    """Open the web page on this machine."""
    settings = app.settings(companion=companion)
    prepare_home(settings.home)
    app.say_home(settings)
    app.bank(settings, asks=False).close()  # finishes what was stopped before anybody sees the page
    import_page().launch(settings, host=host, port=port, auth=auth, clock=app.clock)


@click.command("serve", cls=Command)
@host_option
@option("--port", "P", "Port to listen on (8010); 0 takes any free one.", type=PORT, default=8010)
@no_keys_option
@companion_option
def serve_command(app: App, /, companion: str | None, **where: Any) -> None:
    """Serve the companion and its memory over HTTP: our own API, OpenAI's, and MCP."""
    _serve_over_http(app, app.settings(companion=companion), **where)


@click.command("mcp", cls=Command)
@user_option
@companion_option
@flag("--http", "Over HTTP at /mcp, with the keys of `serve`.")
@host_option
@option("--port", "P", "Port to listen on (8011); 0 takes any free one.", type=PORT, default=8011)
@no_keys_option
def mcp_command(
    app: App, /, user: str | None, companion: str | None, http: bool, **where: Any
) -> None:
    """Serve one person's memory as MCP tools, over standard input and output or HTTP."""
    settings = app.settings(user=user, companion=companion)
    if settings.llm != "openai":
        # A model file would answer the client's own model later for what it reads in between.
        settings = replace(settings, llm="offline")
    if util.find_spec("mcp") is None:
        raise ConfigurationError("mcp_package")
    if http:
        _serve_over_http(app, settings, mcp_only=True, **where)
        return
    from siliconfriend.server.mcp import serve_stdio

    app.say_home(settings)
    bank = app.bank(settings, meanwhile=True)
    if (model := bank.runtime.chat) is not None:
        words = "What leaves the talk is read by {model}; its words go to {address}."
        app.say(words, model=model.name, address=model.address)
    serve_stdio(bank)


def _serve_over_http(
    app: App, settings: Settings, *, host: str, port: int, no_keys: bool, mcp_only: bool = False
) -> None:
    if not all(map(util.find_spec, _PACKAGES)):
        raise ConfigurationError("serve_package")
    from siliconfriend.server.app import serve

    prepare_home(settings.home)
    app.say_home(settings)
    serve(
        app.bank(settings, asks=False, meanwhile=True),
        host=host,
        port=port,
        with_keys=not no_keys,
        say=lambda line: click.echo(line, err=True),
        mcp_only=mcp_only,
    )
