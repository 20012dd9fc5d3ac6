"""``web``: the page in a browser, served on this machine."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module, util
from pathlib import Path
from typing import Any

import click

from siliconfriend.config import prepare_home

from .app import App, pass_app
from .localized_click import Command, help_text
from .options import companion_option
from .param_types import FilePath, WholeNumber


@click.command("web", cls=Command, help=help_text("web"))
@click.option("--host", metavar="H", default="127.0.0.1", help=help_text("host"))
@click.option("--port", metavar="P", type=WholeNumber(0, 65535), help=help_text("port"))
@companion_option()
@click.option("--auth", metavar="FILE", type=FilePath(), help=help_text("auth"))
@pass_app
def web(app: App, host: str, port: int | None, companion: str | None, auth: Path | None) -> None:
    """Serve the page until interrupted."""
    settings = app.settings(companion=companion)
    prepare_home(settings.home)
    app.say_home(settings)
    app.runtime(settings, asks=False)  # carries on what was stopped, before anybody sees the page
    find_launch()(settings, host=host, port=port, auth=auth, clock=app.clock)


def find_launch() -> Callable[..., Any]:
    """Import what serves the page: inside the package in a wheel, beside it in a checkout."""
    inside = util.find_spec("siliconfriend.webui") is not None
    page = import_module("siliconfriend.webui.app" if inside else "webui.app")
    launch: Callable[..., Any] = page.launch
    return launch
