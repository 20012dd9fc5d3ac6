"""Options that several commands share, so that they read the same everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from .localized_click import help_text

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def user_option(*, multiple: bool = False) -> Decorator:
    """``--user NAME``; may be given several times where ``multiple``."""
    key = "users_named" if multiple else "user"
    return click.option("--user", metavar="NAME", multiple=multiple, help=help_text(key))


def companion_option() -> Decorator:
    """``--companion NAME``."""
    return click.option("--companion", metavar="NAME", help=help_text("companion"))


def language_option() -> Decorator:
    """``--lang en|cn``, checked with the settings; ``zh`` is accepted."""
    return click.option("--lang", metavar="en|cn", help=help_text("lang"))


def json_option() -> Decorator:
    """``--json``."""
    return click.option("--json", "as_json", is_flag=True, help=help_text("json"))
