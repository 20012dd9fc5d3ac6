"""``serve``: the HTTP API and OpenAI's door to the companion."""

from __future__ import annotations

import click

from siliconfriend.config import Settings, prepare_home
from siliconfriend.errors import ConfigurationError

from .app import App, pass_app
from .localized_click import Command, help_text
from .options import companion_option, server_options

DEFAULT_PORT = 8010
_PACKAGES = ("fastapi", "limits", "prometheus_client", "uvicorn")


@click.command("serve", cls=Command, help=help_text("serve"))
@server_options(DEFAULT_PORT, port_help="serve_port")
@companion_option()
@pass_app
def serve(app: App, host: str, port: int, no_keys: bool, companion: str | None) -> None:
    """Serve until interrupted."""
    settings = app.settings(companion=companion)
    serve_over_http(app, settings, host=host, port=port, with_keys=not no_keys)


def serve_over_http(
    app: App,
    settings: Settings,
    *,
    host: str,
    port: int,
    with_keys: bool,
    mcp_only: bool = False,
) -> None:
    """Serve the API, or MCP alone, until interrupted.

    Raises:
        ConfigurationError: a package is missing, or what
            :func:`siliconfriend.server.serving.serve` refuses.
    """
    try:
        from siliconfriend.server import serving
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _PACKAGES:
            raise
        raise ConfigurationError("serve_package") from error
    prepare_home(settings.home)
    app.say_home(settings)
    serving.serve(
        app.runtime(settings, asks=False, answers_meanwhile=True),
        host=host,
        port=port,
        with_keys=with_keys,
        say=lambda line: click.echo(line, err=True),
        mcp_only=mcp_only,
    )
