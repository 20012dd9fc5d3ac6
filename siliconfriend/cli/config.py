"""``config``: each setting, its value and where it came from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from siliconfriend.config import (
    CONFIG_FILE,
    HOME,
    OPTIONS,
    Option,
    Settings,
    find_option,
    load_settings,
)
from siliconfriend.config.presets import presets
from siliconfriend.errors import SiliconFriendError, UsageError
from siliconfriend.texts import text

from .app import App, pass_app, print_json
from .completion import complete_settings
from .config_file import apply_preset, write_settings
from .localized_click import Group, help_text
from .options import json_option


@click.group(
    "config",
    cls=Group,
    invoke_without_command=True,
    help=help_text("config"),
    short_help=help_text("config"),
)
@json_option()
@click.pass_context
@pass_app
def config(app: App, context: click.Context, as_json: bool) -> None:
    """Print the settings, secrets masked."""
    if context.invoked_subcommand is not None:
        return
    settings = app.settings()
    rows = [_row(app, option, settings) for option in (HOME, *OPTIONS)]
    if as_json:
        print_json({row["name"]: {it: row[it] for it in ("value", "source")} for row in rows})
        return
    for row in rows:
        value = "-" if row["value"] is None else row["value"]
        click.echo(f"{row['name']:<16} {value!s:<32} {row['where']}")


@config.command("set", help=help_text("config_set"))
@click.argument("name", metavar="NAME", shell_complete=complete_settings)
@click.argument("value", metavar="VALUE")
@pass_app
def set_value(app: App, name: str, value: str) -> None:
    """Write one setting into the file of the data directory; other lines stay as they are."""
    option = find_option(name)
    if option is None:
        known = ", ".join(it.name for it in OPTIONS)
        raise UsageError("setting_unknown", name=name, known=known)
    tried: dict[str, Any] = {option.name: value}
    home = load_settings(home=app.home, **tried).home
    taken_out: tuple[str, ...] = ()
    if option.name == "llm" and value in presets():
        taken_out = apply_preset(home, value)
    else:
        write_settings(home, {option.name: value})
    settings = app.settings()
    path = home / CONFIG_FILE
    app.say("config.written", name=option.name, path=path)
    if taken_out:
        app.say("config.taken_out", names=", ".join(taken_out), path=path)
    if option.name == "llm" and settings.llm in presets():
        _say_service(app, settings)
    if settings.sources[option.name] == "environment":
        app.say("config.overruled", name=option.name, variable=option.variable)


def _say_service(app: App, settings: Settings) -> None:
    """Say which model at which address is now asked, or which key is missing for it."""
    from siliconfriend.models.factory import find_service
    from siliconfriend.models.server_errors import host_of

    try:
        service = find_service(settings)
    except SiliconFriendError as error:
        click.echo(error.message(app.language), err=True)
        return
    model = settings.model or service.model
    app.say("config.service", model=model, address=host_of(service.address))


def _row(app: App, option: Option, settings: Settings) -> dict[str, Any]:
    value = getattr(settings, option.name)
    source = settings.sources[option.name]
    where = text("config", f"sources.{source}", app.language, variable=option.variable)
    if isinstance(value, Path):
        value = str(value)
    if option.secret and value:
        value = _masked(value)
    return {"name": option.name, "value": value, "source": source, "where": where}


def _masked(secret: str) -> str:
    return "***" + (secret[-4:] if len(secret) >= 16 else "")
