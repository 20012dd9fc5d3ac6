"""``setup`` and ``config``: ask for the settings, write them, and show them.

``setup`` tries the model before it writes all settings at once.
"""

import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from siliconfriend.config import Settings, load_settings
from siliconfriend.config.loading import find_home, read_settings_file
from siliconfriend.config.presets import LocalModel, Preset, presets
from siliconfriend.config.settings import (
    CONFIG_FILE,
    HOME,
    OPTIONS,
    Option,
    find_option,
    nearest_option,
    parse_setting,
)
from siliconfriend.errors import SiliconFriendError, UsageError, mask_passwords
from siliconfriend.memory.scope import clean_name
from siliconfriend.person import model_choices as choices
from siliconfriend.person.settings_file import overruling, write_settings
from siliconfriend.texts import N_, sentences, text

from .app import INTERRUPTED, App, is_terminal
from .options import JSON, Command, Group
from .terminal import align, progress_bar, shell_word


@click.command("setup", cls=Command)
def setup_command(app: App) -> int:
    """Set the language, names and a model, step by step."""
    settings = app.settings()
    if not is_terminal():
        raise UsageError("setup_needs_terminal", home=settings.home)
    language = partial(parse_setting, "language")
    try:
        app.language = app.ask(N_("Language, 语言 (en, cn)"), language, usual=settings.language)
        app.echo("Press Return for the value in brackets. Ctrl-C cancels.")
        settings = replace(settings.speaking(app.language), language=app.language)
        user = app.ask(app.translate("Your name"), clean_name, usual=settings.user)
        called = settings.companion_name
        name = app.ask(app.translate("The name of your companion"), clean_name, usual=called)
        values = {"language": app.language, "user": user} | _choose_model(app, settings)
        if name != called:
            values["companion_name"] = name
    except (click.Abort, KeyboardInterrupt):
        click.echo()
        app.echo("Nothing was changed.")
        return INTERRUPTED
    path = write_settings(settings.home, values)
    app.echo("Written to {path}, which only you can read.", path=path)
    say_overruled(app, values)
    app.echo("What you tell your companion is kept in {home}.", home=settings.home)
    home = f" --home {shell_word(settings.home)}" if app.home is not None else ""
    app.echo("Talk with: siliconfriend{home} chat", home=home)
    return 0


def offer_model(app: App, settings: Settings) -> dict[str, str | None]:
    """Offer a model if none is set; return the settings to write, if any."""
    if settings.sources.get("llm", "default") != "default":
        return {}
    offer = N_(
        "No model is set, so your companion is a diary with recall: it cannot chat or advise. Give it "
        "a model now (otherwise later, by `siliconfriend setup`)?"
    )
    return _choose_model(app, settings) if app.confirm(offer) else {}


def _choose_model(app: App, settings: Settings) -> dict[str, str | None]:
    while True:
        choice = None
        try:
            choice = _ask_choice(app, settings)
            if choice is not None and choice["llm"] != choices.OFFLINE:
                app.echo("Asking it for one answer …")
                _, seconds = choices.try_model(replace(settings, **choice))
                named = choice.get("model") or choice["llm"]
                app.echo("{name} answers ({seconds:.1f} s).", name=named, seconds=seconds)
        except SiliconFriendError as error:
            app.show_error(error)
            if not (choice and app.confirm("Keep it anyway (otherwise choose again)?")):
                continue
        if choice is not None:
            return choice


def _ask_choice(app: App, settings: Settings) -> dict[str, Any] | None:
    app.echo(
        "Which model? With a model, your companion can chat. A local model keeps your words on this "
        "machine; a service receives them. Without a model, it is a diary with recall: it keeps "
        "what you tell it and finds it when you ask, but cannot chat or advise."
    )
    shown = choices.describe_choices(app.language)
    names = list(shown)
    lines = [(f"  {at}", *about) for at, about in enumerate(shown.values())]
    app.answer_lines(*align(lines))

    def read(typed: str) -> str:
        chosen = names[int(typed)] if typed.isdecimal() and int(typed) < len(names) else typed
        if chosen not in names and f"local:{chosen}" not in names:
            raise UsageError("setup_which_model", most=len(names) - 1)
        return chosen

    now = settings.llm.partition(":")[0]
    usual = choices.suggested_model().name if now == choices.OFFLINE else now
    chosen = app.ask(app.translate("Number or name"), read, usual=usual)
    if (local := choices.find_local_model(chosen)) is not None:
        return _fetch(app, settings, local)
    if chosen == choices.OFFLINE:
        return choices.choice_settings(chosen)
    if chosen == choices.GGUF:
        return choices.choice_settings(
            chosen, app.ask(app.translate("Path of the model file"), str)
        )
    is_other = chosen == choices.OTHER
    return _ask_service(app, settings, presets()["openai" if is_other else chosen], is_other)


def _fetch(app: App, settings: Settings, model: LocalModel) -> dict[str, Any] | None:
    what = {"name": model.name, "size": model.size / 1e9, "licence": model.licence}
    where = {"source": model.source, "place": choices.model_path(settings.home, model)}
    words = N_("{name}: {size:.1f} GB, {licence}, from {source}. It will be stored in {place}.")
    if choices.ollama_runs():
        words = N_(
            "Ollama is running and will download and store {name} ({size:.1f} GB, {licence})."
        )
    app.echo(words, **what, **where)
    if not app.confirm("Download it now?"):
        return None
    with progress_bar() as advance:

        def progress(done: int, whole: int) -> None:
            advance(app.translate("downloading (MB)"), done // 1_000_000, whole // 1_000_000)

        choice = choices.get_local_model(settings.home, model, progress)
    app.echo("{name} is downloaded.", name=model.name)
    return choice


def _ask_service(app: App, settings: Settings, preset: Preset, is_other: bool) -> dict[str, Any]:
    address, model = (None, None) if is_other else (preset.address, preset.model)
    usual, key = address, None
    if settings.llm == preset.name:
        usual, model = settings.llm_address or usual, settings.model or model
    if preset.is_own_server or address is None:
        read = partial(parse_setting, "llm_address")
        address = app.ask(app.translate("Its address"), read, usual=usual)
    model = app.ask(app.translate("Which model"), str, usual=model)
    if (option := find_option("llm_key" if is_other else preset.key or "")) is not None:
        words = N_("Its key, {variable} (hidden; Return keeps the current one): ")
        key = app.ask_hidden(app.translate(words, variable=option.variables[0])) or None
    own = (None if model == preset.model else model, None if address == preset.address else address)
    return choices.choice_settings(choices.OTHER if is_other else preset.name, *own, key)


setting_argument = click.argument("name", metavar="NAME")


@click.group("config", cls=Group, invoke_without_command=True, params=[JSON])
@click.pass_context
def config_command(context: click.Context, app: App) -> None:
    """Show each setting with its source and meaning."""
    if context.invoked_subcommand is not None:
        return
    settings = app.settings()
    rows = [(option, _row(option, settings)) for option in (HOME, *OPTIONS)]
    without: dict[str, str] = sentences("config", app.language)["without_value"]
    preset = presets().get(settings.llm)
    shown = []
    for option, row in rows:
        known = getattr(preset, option.name.removeprefix("llm_"), None)
        words = known or without.get(option.name, without["any"])
        words = str(words if row["value"] is None else row["value"])
        where = {"variable": option.variable_in(os.environ)}
        source = text("config", f"sources.{row['source']}", app.language, **where)
        shown.append((option.name, words, source, app.translate(option.meaning)))
    app.answer({option.name: row for option, row in rows}, *align(shown))


@config_command.command("unset")
@setting_argument
def unset_value(app: App, name: str) -> None:
    """Remove a setting from config.toml."""
    home, _ = find_home(app.home, os.environ)
    path = home / CONFIG_FILE
    known = read_settings_file(path)
    written = name if name in known else _option(name).name
    if written not in known:
        app.say("{name} is not set in {path}; nothing was changed.", name=written, path=path)
        return
    write_settings(home, {written: None})
    app.say("Removed {name} from {path}.", name=written, path=path)
    say_overruled(app, {written: ""})


# So that a negative number is not parsed as an option.
@config_command.command("set", context_settings={"ignore_unknown_options": True})
@setting_argument
@click.argument("value", metavar="[VALUE]", required=False)
@click.pass_context
def set_value(context: click.Context, app: App, name: str, value: str | None) -> None:
    """Write a setting to config.toml; a missing key is asked for."""
    option = _option(name)
    if option.name == "passphrase":
        raise UsageError("passphrase_in_file")
    if value is None and option.is_secret:
        value = app.ask_hidden(app.translate("{name} (hidden): ", name=option.name))
    if value is None:
        raise click.MissingParameter(ctx=context, param=context.command.params[1])
    if option.name in ("user", "companion"):
        value = clean_name(value)
    values: dict[str, Any] = {option.name: value}
    home = load_settings(home=app.home, **values).home
    before = read_settings_file(home / CONFIG_FILE)
    is_other = option.name == "llm" and before.get("llm") in {*presets()} - {value}
    foreign = [name for name in choices.OF_A_SERVICE if is_other and name in before]
    path = write_settings(home, values | dict.fromkeys(foreign))
    app.settings()
    app.say("{name} is set in {path}.", name=option.name, path=path)
    if foreign:
        words = N_("Removed the previous service's settings from {path}: {names}.")
        app.say(words, names=", ".join(foreign), path=path)
    say_overruled(app, values)


def say_overruled(app: App, values: dict[str, str | None]) -> None:
    """Print each environment variable that overrides a written setting."""
    for variable in overruling(values):
        app.say("{variable} in the environment overrides it.", variable=variable)


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
