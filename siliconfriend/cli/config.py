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
    prepare_home,
)
from siliconfriend.errors import ConfigurationError, UsageError
from siliconfriend.texts import text

from .app import App, pass_app, print_json, write_private_file
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
@click.argument("name", metavar="NAME")
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
    prepare_home(home)
    path = home / CONFIG_FILE
    _write(path, option.name, value)
    settings = app.settings()
    app.say("config.written", name=option.name, path=path)
    if settings.sources[option.name] == "environment":
        app.say("config.overruled", name=option.name, variable=option.variable)


def _write(path: Path, name: str, value: str) -> None:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(path.read_text(encoding="utf-8") if path.exists() else "")
    except (OSError, TOMLKitError) as error:
        raise ConfigurationError("config_unreadable", path=path, cause=error) from error
    document[name] = value
    write_private_file(path, tomlkit.dumps(document))


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
