"""``config``: each setting, its value, where it came from and what it means."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from siliconfriend.config import (
    CONFIG_FILE,
    HOME,
    OPTIONS,
    Option,
    Settings,
    find_home,
    find_option,
    load_settings,
    nearest_option,
)
from siliconfriend.config.loading import read_settings_file
from siliconfriend.config.presets import presets
from siliconfriend.errors import UsageError, mask_passwords
from siliconfriend.memory.private_files import write_settings
from siliconfriend.memory.scope import clean_name
from siliconfriend.texts import lookup, text

from .app import App
from .options import Group, json_option, name_argument
from .terminal import align


@click.group("config", cls=Group, invoke_without_command=True)
@json_option
@click.pass_context
def config_command(context: click.Context, app: App) -> None:
    """Show each setting, where it came from and what it means. `set` writes one."""
    if context.invoked_subcommand is not None:
        return
    settings = app.settings()
    rows = [(option, _row(option, settings)) for option in (HOME, *OPTIONS)]
    if app.answer_json({option.name: row for option, row in rows}):
        return
    without: dict[str, str] = lookup("config", "without_value", app.language)
    preset = presets().get(settings.llm)
    shown = []
    for option, row in rows:
        known = getattr(preset, option.name.removeprefix("llm_"), None)
        words = known or without.get(option.name, without["any"])
        words = str(words if row["value"] is None else row["value"])
        where = {"variable": option.variable_in(os.environ)}
        source = text("config", f"sources.{row['source']}", app.language, **where)
        shown.append((option.name, words, source, app.text(option.meaning)))
    for line in align(shown):
        click.echo(line)


@config_command.command("unset")
@name_argument
def unset_value(app: App, name: str) -> None:
    """Take a setting out of config.toml."""
    home, _ = find_home(app.home, os.environ)
    path = home / CONFIG_FILE
    known = read_settings_file(path)
    written = name if name in known else _option(name).name
    if written not in known:
        app.say("{name} does not stand in {path}; nothing was changed.", name=written, path=path)
        return
    write_settings(home, {written: None})
    app.say("{name} is taken out of {path}.", name=written, path=path)
    say_overruled(app, {written: ""})


# A negative number is a value and no option that is not known.
@config_command.command("set", context_settings={"ignore_unknown_options": True})
@name_argument
@click.argument("value", metavar="[VALUE]", required=False)
@click.pass_context
def set_value(context: click.Context, app: App, name: str, value: str | None) -> None:
    """Write a setting into config.toml; a key left out is asked for."""
    from siliconfriend.models.choices import OF_A_SERVICE

    option = _option(name)
    if option.name == "passphrase":
        raise UsageError("passphrase_in_file")
    if value is None and option.is_secret:
        value = app.ask_hidden(app.text("{name} (it is not shown): ", name=option.name))
    if value is None:
        raise click.MissingParameter(ctx=context, param=context.command.params[1])
    if option.name in ("user", "companion"):
        value = clean_name(value)
    values: dict[str, Any] = {option.name: value}
    home = load_settings(home=app.home, **values).home
    before = read_settings_file(home / CONFIG_FILE)
    is_other = option.name == "llm" and before.get("llm") in {*presets()} - {value}
    foreign = [name for name in OF_A_SERVICE if is_other and name in before]
    path = write_settings(home, values | dict.fromkeys(foreign))
    app.settings()
    app.say("{name} is set in {path}.", name=option.name, path=path)
    if foreign:
        words = "Taken out of {path}, because it was the other service's: {names}."
        app.say(words, names=", ".join(foreign), path=path)
    say_overruled(app, values)


def say_overruled(app: App, values: dict[str, str | None]) -> None:
    """Name each variable of the environment that keeps what was written from being used."""
    for name, value in values.items():
        option = find_option(name)
        variable = "" if option is None else option.variable_in(os.environ)
        if value is not None and os.environ.get(variable, "").strip() not in ("", value):
            words = "{variable} is set in the environment and still wins over it."
            app.say(words, variable=variable)


def _option(name: str) -> Option:
    if (option := find_option(name)) is not None:
        return option
    if (near := nearest_option(name)) not in (None, HOME):
        raise UsageError("setting_unknown_near", name=name, near=near.name)
    known = ", ".join(option.name for option in OPTIONS)
    raise UsageError("setting_unknown", name=name, known=known)


def _row(option: Option, settings: Settings) -> dict[str, Any]:
    value = getattr(settings, option.name)
    if option.is_secret and value:
        value = "***" + (value[-4:] if len(value) >= 16 else "")
    elif isinstance(value, str | Path):
        value = mask_passwords(str(value))
    return {"value": value, "source": settings.sources[option.name]}
