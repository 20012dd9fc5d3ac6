"""Ask for the person's name once, where neither the command nor a setting gives it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from siliconfriend.memory.scope import clean_name
from siliconfriend.texts import text

from .app import App
from .config_file import write_settings
from .questions import ask

if TYPE_CHECKING:
    from siliconfriend.runtime import Runtime


def ask_person(app: App, runtime: Runtime, *, remember: bool) -> str:
    """Ask for the person's name; offers the one person there is, if there is only one.

    Args:
        app: whose language the question is in.
        runtime: of the data directory.
        remember: write the name, so that no later command asks again.

    Raises:
        Abort: the input ended instead.
    """
    settings = runtime.settings
    known = {scope.person for scope in runtime.store.scopes()}
    usual = known.pop() if len(known) == 1 else None
    name = ask(app, text("setup", "user", app.language), clean_name, usual=usual)
    if remember:
        write_settings(settings.home, {"user": name})
        click.echo(text("setup", "remembered", app.language, name=name), err=True)
    return name
