"""``mcp``: the memory as tools for another program, over standard input and output or HTTP."""

from __future__ import annotations

from dataclasses import replace
from importlib import util

import click

from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError

from .app import App, pass_app
from .localized_click import Command, help_text
from .options import companion_option, server_options, user_option
from .serve import serve_over_http

DEFAULT_PORT = 8011


@click.command("mcp", cls=Command, help=help_text("mcp"))
@user_option()
@companion_option()
@click.option("--http", is_flag=True, help=help_text("mcp_http"))
@server_options(DEFAULT_PORT, port_help="mcp_port")
@pass_app
def mcp(
    app: App,
    user: str | None,
    companion: str | None,
    http: bool,
    host: str,
    port: int,
    no_keys: bool,
) -> None:
    """Serve until the client leaves, or over HTTP until interrupted."""
    settings = app.settings(user=user, companion=companion)
    if settings.llm != "openai":
        # A model file would answer the client's own model later for what it reads in between.
        settings = replace(settings, llm="offline")
    if util.find_spec("mcp") is None:
        raise ConfigurationError("mcp_package")
    if http:
        serve_over_http(app, settings, host=host, port=port, with_keys=not no_keys, mcp_only=True)
    else:
        _serve_over_stdio(app, settings)


def _serve_over_stdio(app: App, settings: Settings) -> None:
    """Serve until the client leaves; without a user every call says so."""
    from siliconfriend.service.context import ServiceContext
    from siliconfriend.service.stdio import serve

    app.say_home(settings)
    runtime = app.runtime(settings, answers_meanwhile=True)
    if runtime.chat is not None:
        app.say("mcp.read_by", model=runtime.chat.name, address=runtime.chat.address)
    serve(ServiceContext(runtime))
