"""``setup``: ask for language, names and a model, and write the settings.

The model is tried first, and all settings are written at once, so that an interrupted setup
changes nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from siliconfriend.config import Settings, find_option
from siliconfriend.config.presets import LocalModel, Preset, presets
from siliconfriend.config.settings import ADDRESS, parse_language
from siliconfriend.errors import SiliconFriendError, UsageError
from siliconfriend.memory.private_files import write_settings
from siliconfriend.memory.scope import clean_name
from siliconfriend.models.choices import (
    GGUF,
    OFFLINE,
    OTHER,
    choice_names,
    choice_settings,
    describe_choice,
    find_local_model,
    get_local_model,
    gigabytes,
    model_path,
    ollama_runs,
    suggested_model,
    try_model,
)
from siliconfriend.texts import Language

from .app import App, is_terminal
from .config import say_overruled
from .options import Command
from .terminal import align, progress_bar, shell_word


@click.command("setup", cls=Command)
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
    home = f" --home {shell_word(settings.home)}" if app.home is not None else ""
    app.echo("Talk with: siliconfriend{home} chat", home=home)


def offer_model(app: App, settings: Settings) -> dict[str, str | None]:
    """Offer a model to whoever begins without one; return the settings to write, if any."""
    if settings.sources.get("llm", "default") != "default":
        return {}
    offer = (
        "No model is set, so your companion can only quote you. Give it one now (otherwise later, "
        "by `siliconfriend setup`)?"
    )
    return _choose_model(app, settings) if app.confirm(offer) else {}


def _ask_everything(app: App, settings: Settings) -> dict[str, str | None]:
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
    return values | _choose_model(app, settings)


def _read_language(typed: str) -> Language:
    named = {"english": "en", "中文": "cn", "汉语": "cn", "chinese": "cn"}
    try:
        return parse_language(named.get(typed.lower(), typed))
    except ValueError as error:
        raise UsageError("setup_language") from error


def _choose_model(app: App, settings: Settings) -> dict[str, str | None]:
    while True:
        choice = None
        try:
            choice = _ask_choice(app, settings)
            if choice is not None and choice["llm"] != OFFLINE:
                app.echo("Asking it for one answer …")
                _, seconds = try_model(replace(settings, **choice))
                app.echo("{name} answers ({seconds:.1f} s).", name=choice["llm"], seconds=seconds)
        except SiliconFriendError as error:
            app.show_error(error)
            if not (choice and app.confirm("Keep it all the same (otherwise choose again)?")):
                continue
        if choice is not None:
            return choice


def _ask_choice(app: App, settings: Settings) -> dict[str, Any] | None:
    names = choice_names()
    app.echo(
        "Who answers? A model makes your companion talk. On this machine nothing you say leaves "
        "it; a service hears what you say. Without a model it only quotes you."
    )
    rows = [(f"  {at}", *describe_choice(name, app.language)) for at, name in enumerate(names)]
    for line in align(rows):
        click.echo(line)

    def read(typed: str) -> str:
        chosen = names[int(typed)] if typed.isdecimal() and int(typed) < len(names) else typed
        if chosen not in names and f"local:{chosen}" not in names:
            raise UsageError("setup_which_model", most=len(names) - 1)
        return chosen

    now = settings.llm.partition(":")[0]
    usual = suggested_model().name if now == OFFLINE else now
    chosen = app.ask(app.text("Number or name"), read, usual=usual)
    if (local := find_local_model(chosen)) is not None:
        return _fetch(app, settings, local)
    if chosen == OFFLINE:
        return choice_settings(OFFLINE)
    if chosen == GGUF:
        return choice_settings(GGUF, app.ask(app.text("Path of the model file"), str))
    is_other = chosen == OTHER
    return _ask_service(app, settings, presets()["openai" if is_other else chosen], is_other)


def _fetch(app: App, settings: Settings, model: LocalModel) -> dict[str, Any] | None:
    what = {"name": model.name, "size": gigabytes(model.size), "licence": model.licence}
    where = {"source": model.source, "place": model_path(settings.home, model)}
    words = "{name}: {size}, {licence}, from {source}. It will lie in {place}."
    if ollama_runs():
        words = "Ollama runs here, so it fetches {name} ({size}, {licence}) and keeps it."
    app.echo(words, **what, **where)
    if not app.confirm("Fetch it now?"):
        return None
    with progress_bar() as advance:

        def progress(done: int, whole: int) -> None:
            advance(app.text("fetching (MB)"), done // 1_000_000, whole // 1_000_000)

        choice = get_local_model(settings.home, model, progress)
    app.echo("{name} is here.", name=model.name)
    return choice


def _ask_service(app: App, settings: Settings, preset: Preset, is_other: bool) -> dict[str, Any]:
    address, model = (None, None) if is_other else (preset.address, preset.model)
    usual, key = address, None
    if settings.llm == preset.name:
        usual, model = settings.llm_address or usual, settings.model or model
    if preset.is_own_server or address is None:
        address = app.ask(app.text("Its address"), _address, usual=usual)
    model = app.ask(app.text("Which model"), str, usual=model)
    if (option := find_option(preset.key or "")) is not None:
        words = "Its key, {variable} (it is not shown; return leaves it as it is): "
        key = app.ask_hidden(app.text(words, variable=option.variable)) or None
    own = (None if model == preset.model else model, None if address == preset.address else address)
    return choice_settings(preset.name, *own, key)


def _address(typed: str) -> str:
    try:
        return str(ADDRESS.parse(typed))
    except ValueError as error:
        raise UsageError("setup_address") from error
