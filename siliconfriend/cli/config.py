"""``config``: each setting, its value and where it came from."""

from __future__ import annotations

import os
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from siliconfriend.causes import mask_passwords
from siliconfriend.config import (
    CONFIG_FILE,
    HOME,
    OPTIONS,
    BadSettings,
    Option,
    Settings,
    find_option,
    load_settings,
)
from siliconfriend.config.home import find_home
from siliconfriend.config.presets import presets
from siliconfriend.errors import SiliconFriendError, UsageError
from siliconfriend.memory.scope import clean_name
from siliconfriend.texts import lookup, text

from .app import App, pass_app, print_json
from .columns import align
from .completion import complete_settings
from .config_file import apply_preset, read_settings, write_settings
from .hidden_input import ask_hidden
from .localized_click import Group, help_text
from .options import json_option


@click.group(
    "config",
    cls=Group,
    invoke_without_command=True,
    help=help_text("config"),
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
    shown = [(row["name"], _in_words(app, row, settings), row["where"]) for row in rows]
    for line in align(shown):
        click.echo(line)


@config.command("get", help=help_text("config_get"))
@click.argument("name", metavar="NAME", shell_complete=complete_settings)
@json_option()
@pass_app
def get_value(app: App, name: str, as_json: bool) -> None:
    """Print the value of one setting, a secret masked; an empty line where it has none."""
    option = HOME if name.strip().lower() in ("home", HOME.variable.lower()) else _option(name)
    settings = app.settings()
    row = _row(app, option, settings)
    if as_json:
        print_json({it: row[it] for it in ("name", "value", "source")})
        return
    click.echo("" if row["value"] is None else row["value"])


@config.command("unset", help=help_text("config_unset"))
@click.argument("name", metavar="NAME", shell_complete=complete_settings)
@pass_app
def unset_value(app: App, name: str) -> None:
    """Take one setting out of the file, also one that is no setting, or has a bad value."""
    home, _ = find_home(app.home, os.environ)
    path = home / CONFIG_FILE
    known = read_settings(home)
    written = name if name in known else _option(name).name
    if written not in known:
        app.say("config.not_there", name=written, path=path)
        return
    write_settings(home, {written: None})
    app.say("config.unset", name=written, path=path)
    option = find_option(written)
    if option is not None and os.environ.get(option.variable_in(os.environ), "").strip():
        app.say("config.overruled", name=written, variable=option.variable_in(os.environ))


# A negative number is a value and no option that is not known.
@config.command(
    "set", help=help_text("config_set"), context_settings={"ignore_unknown_options": True}
)
@click.argument("name", metavar="NAME", shell_complete=complete_settings)
@click.argument("value", metavar="[VALUE]", required=False)
@click.pass_context
@pass_app
def set_value(app: App, context: click.Context, name: str, value: str | None) -> None:
    """Write one setting into the file of the data directory; other lines stay as they are.

    A secret may be left out of the command line, where the shell would remember it: it is then
    asked for unseen, or read as one line from a pipe.
    """
    option = _option(name)
    if option.name == "passphrase":
        raise UsageError("passphrase_in_file")
    if value is None and option.secret:
        value = ask_hidden(app.text("config.ask_secret", name=option.name))
    if value is None:
        raise click.MissingParameter(ctx=context, param=context.command.params[1])
    if option.name in ("user", "companion"):
        value = clean_name(value)
    tried: dict[str, Any] = {option.name: value}
    try:
        home = load_settings(home=app.home, **tried).home
    except BadSettings as error:
        # Written by its name here, while elsewhere it would be a flag of the command.
        raise BadSettings(
            tuple(
                replace(it, written=name) if it.name == option.name else it for it in error.problems
            )
        ) from error
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
        variable = option.variable_in(os.environ)
        app.say("config.overruled", name=option.name, variable=variable)


def _option(name: str) -> Option:
    """The setting of this name.

    Raises:
        UsageError: there is none.
    """
    option = find_option(name)
    if option is None:
        names = [it.name for it in OPTIONS]
        near = get_close_matches(name.strip().lower(), names, n=1)
        if near:
            raise UsageError("setting_unknown_near", name=name, near=near[0])
        raise UsageError("setting_unknown", name=name, known=", ".join(names))
    return option


def default_in_words(app: App, name: str, settings: Settings) -> str:
    """The effective value of a setting without one: the service's own, or a word for it."""
    preset = presets().get(settings.llm)
    of_service = {
        "model": preset and preset.model,
        "llm_address": preset and preset.address,
        "context_tokens": preset and preset.context_tokens,
        "openai_base_url": presets()["openai"].address,
    }
    if of_service.get(name):
        return str(of_service[name])
    words: dict[str, str] = lookup("config", "without_value", app.language)
    return words.get(name, words["any"])


def _in_words(app: App, row: dict[str, Any], settings: Settings) -> str:
    value = row["value"]
    return default_in_words(app, row["name"], settings) if value is None else str(value)


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
    where = text(
        "config", f"sources.{source}", app.language, variable=option.variable_in(os.environ)
    )
    if isinstance(value, Path):
        value = str(value)
    if option.secret and value:
        value = _masked(value)
    elif isinstance(value, str):
        value = mask_passwords(value)
    return {"name": option.name, "value": value, "source": source, "where": where}


def _masked(secret: str) -> str:
    return "***" + (secret[-4:] if len(secret) >= 16 else "")
