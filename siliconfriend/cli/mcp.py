"""``mcp``: the memory as tools for another program, over standard input and output."""

from __future__ import annotations

from dataclasses import replace

import click

from siliconfriend.errors import ConfigurationError

from .app import App, pass_app
from .localized_click import Command, help_text
from .options import companion_option, user_option


@click.command("mcp", cls=Command, help=help_text("mcp"), short_help=help_text("mcp"))
@user_option()
@companion_option()
@pass_app
def mcp(app: App, user: str | None, companion: str | None) -> None:
    """Serve until the client leaves; without a user every call says so."""
    settings = app.settings(user=user, companion=companion)
    app.say_home(settings)
    try:
        from siliconfriend.service.mcp_server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise ConfigurationError("mcp_package") from error
    from siliconfriend.service.context import ServiceContext

    if settings.llm != "openai":
        # A model file would answer the client's own model later for what it reads in between.
        settings = replace(settings, llm="offline")
    runtime = app.runtime(settings)
    if runtime.chat is not None:
        app.say("mcp.read_by", model=runtime.chat.name, address=runtime.chat.address)
    serve(ServiceContext(runtime))
