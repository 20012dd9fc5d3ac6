"""``setup``: a few questions, and everything a person needs to begin is set.

Everything is asked, and the model tried out, before anything is written; then all of it is
written in one go. Whoever leaves in the middle finds everything as it was.
"""

from __future__ import annotations

from dataclasses import replace

import click

from siliconfriend.config import Settings, kinds
from siliconfriend.errors import UsageError
from siliconfriend.memory.private_files import write_settings
from siliconfriend.memory.scope import clean_name
from siliconfriend.texts import Language

from .app import App, is_terminal, pass_app
from .config import say_overruled
from .localized import Command
from .setup_model import choose_model
from .terminal import shell_word


@click.command("setup", cls=Command)
@pass_app
def setup_command(app: App) -> None:
    """Set up what you need: language, names and a model."""
    settings = app.settings()
    if not is_terminal():
        raise UsageError("setup_needs_terminal", home=settings.home)
    try:
        values = _ask_everything(app, settings)
    except (click.Abort, KeyboardInterrupt):
        click.echo()
        app.echo("Nothing was changed.")
        raise
    path = write_settings(settings.home, values)
    app.echo("Written to {path}, which only you can read.", path=path)
    say_overruled(app, values)
    app.echo("What you tell your companion is kept in {home}.", home=settings.home)
    home = f" --home {shell_word(str(settings.home))}" if app.home is not None else ""
    app.echo("Talk with: siliconfriend{home} chat", home=home)


def _ask_everything(app: App, settings: Settings) -> dict[str, str | None]:
    """Return the settings to write, by name; None for one to take out."""
    app.language = app.ask("Language, 语言 (en, cn)", _read_language, usual=settings.language)
    app.echo(
        "Return alone takes what stands in brackets. Ctrl-C leaves, and then nothing is changed."
    )
    settings = replace(settings.speaking(app.language), language=app.language)
    user = app.ask(app.text("Your name"), clean_name, usual=settings.user)
    called = settings.companion_name
    name = app.ask(app.text("The name of your companion"), clean_name, usual=called)
    values: dict[str, str | None] = {"language": app.language, "user": user}
    if name != called:
        values["companion_name"] = name
    return values | choose_model(app, settings)


def _read_language(typed: str) -> Language:
    """Return the language that was typed, by its short name or its own.

    Raises:
        UsageError: it is neither of the two.
    """
    named = {"english": "en", "中文": "cn", "汉语": "cn", "chinese": "cn"}
    try:
        return kinds.language(named.get(typed.lower(), typed))
    except ValueError as error:
        raise UsageError("setup_language") from error
