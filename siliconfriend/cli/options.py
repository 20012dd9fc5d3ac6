"""Options that several commands share, so that they read the same everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from .completion import complete_companions, complete_people
from .localized_click import help_text
from .param_types import WholeNumber

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def user_option(*, multiple: bool = False) -> Decorator:
    """``--user NAME``; may be given several times where ``multiple``."""
    key = "users_named" if multiple else "user"
    return click.option(
        "--user",
        metavar="NAME",
        multiple=multiple,
        help=help_text(key),
        shell_complete=complete_people,
    )


def companion_option() -> Decorator:
    """``--companion NAME``."""
    return click.option(
        "--companion",
        metavar="NAME",
        help=help_text("companion"),
        shell_complete=complete_companions,
    )


def language_option() -> Decorator:
    """``--lang en|cn``, checked with the settings; ``zh`` is accepted."""
    return click.option("--lang", metavar="en|cn", help=help_text("lang"))


def json_option() -> Decorator:
    """``--json``."""
    return click.option("--json", "as_json", is_flag=True, help=help_text("json"))


def server_options(default_port: int, *, port_help: str) -> Decorator:
    """``--host H``, ``--port P`` and ``--no-keys`` of a server that asks for keys."""
    options = (
        click.option("--host", metavar="H", default="127.0.0.1", help=help_text("serve_host")),
        click.option(
            "--port",
            metavar="P",
            type=WholeNumber(0, 65535),
            default=default_port,
            help=help_text(port_help),
        ),
        click.option("--no-keys", is_flag=True, help=help_text("no_keys")),
    )

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate
