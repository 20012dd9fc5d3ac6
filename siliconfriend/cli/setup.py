"""``setup``: a few questions, and everything a person needs to begin is set.

Everything is asked, and the model tried out, before anything is written; then all of it is
written in one go. Whoever leaves in the middle finds everything as it was.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace

import click

from siliconfriend.config import CONFIG_FILE, Settings, find_option
from siliconfriend.config.parsers import language as parse_language
from siliconfriend.errors import UsageError
from siliconfriend.memory.scope import clean_name
from siliconfriend.texts import Language, text

from .app import App, is_terminal, pass_app
from .config_file import write_settings
from .localized_click import Command, help_text
from .questions import ask
from .setup_model import choose_model


@click.command("setup", cls=Command, help=help_text("setup"))
@pass_app
def setup(app: App) -> None:
    """Ask for language, names and model, and write them."""
    settings = app.settings()
    if not is_terminal():
        raise UsageError("setup_needs_terminal", home=settings.home)
    try:
        values = _ask_everything(app, settings)
    except (click.Abort, KeyboardInterrupt):
        click.echo()
        _say(app, "left")
        raise
    write_settings(settings.home, values)
    _say(app, "written", path=settings.home / CONFIG_FILE)
    _say_overruled(app, values)
    _say(app, "lies_in", home=settings.home)
    _say(app, "begin")


def _ask_everything(app: App, settings: Settings) -> dict[str, str | None]:
    """The settings to write, by name; None for one to take out."""
    app.language = ask(app, _text(app, "language"), _read_language, usual=settings.language)
    _say(app, "begins")
    settings = replace(settings.speaking(app.language), language=app.language)
    user = ask(app, _text(app, "user"), clean_name, usual=settings.user)
    name = ask(app, _text(app, "companion_name"), clean_name, usual=settings.companion_name)
    values: dict[str, str | None] = {"language": app.language, "user": user}
    if name != settings.companion_name:
        values["companion_name"] = name
    return values | choose_model(app, settings)


def _read_language(typed: str) -> Language:
    """The language that was typed, by its short name or its own.

    Raises:
        UsageError: it is neither of the two.
    """
    named = {"english": "en", "中文": "cn", "汉语": "cn", "chinese": "cn"}
    try:
        return parse_language(named.get(typed.lower(), typed))
    except ValueError as error:
        raise UsageError("setup_language") from error


def _say_overruled(app: App, values: Mapping[str, str | None]) -> None:
    """Name each variable of the environment that keeps what was written from being used."""
    for name, value in values.items():
        option = find_option(name)
        variable = "" if option is None else option.variable_in(os.environ)
        if value is not None and os.environ.get(variable, "").strip() not in ("", value):
            app.say("config.overruled", name=name, variable=variable)


def _text(app: App, key: str, **values: object) -> str:
    return text("setup", key, app.language, **values)


def _say(app: App, key: str, **values: object) -> None:
    click.echo(_text(app, key, **values))
