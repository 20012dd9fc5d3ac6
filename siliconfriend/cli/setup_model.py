"""The part of ``setup`` that finds a model: which one, fetched or with what key, and tried out.

A key is asked for unseen and goes nowhere but into the file and to its own service. The model
is asked for one answer before anything is written, since a wrong key is found nowhere sooner.
"""

from __future__ import annotations

import click

from siliconfriend.config import Settings, find_option
from siliconfriend.config.kinds import ADDRESS
from siliconfriend.config.presets import LocalModel, Preset, presets
from siliconfriend.errors import SiliconFriendError, UsageError
from siliconfriend.models.choices import (
    GGUF,
    OFFLINE,
    OTHER,
    ModelChoice,
    choice_names,
    describe_choice,
    find_local_model,
    get_local_model,
    try_model,
)
from siliconfriend.models.local_models import gigabytes, model_path, ollama_runs, suggested_model

from .app import App
from .terminal import align, progress_bar

KEY = "Your key for {name} (it is not shown; {variable} would be the variable): "
GGUF_PATH = "Path of the model file"
KEY_KNOWN = "Your key for {name} (it is not shown; return keeps the one there is): "
KEY_OPTIONAL = "Its key, if it asks for one (it is not shown; return for none): "


def choose_model(app: App, settings: Settings) -> dict[str, str | None]:
    """Ask which model shall answer and try it out; return the settings to write."""
    while True:
        try:
            choice = _ask_choice(app, settings)
            if choice is None:
                continue
            if choice.llm == OFFLINE or _answers(app, choice, settings):
                return choice.values()
        except SiliconFriendError as error:
            app.show_error(error)
            continue
        if app.confirm("Keep it all the same (otherwise choose again)?"):
            return choice.values()


def offer_model(app: App, settings: Settings) -> dict[str, str | None]:
    """Offer a model to whoever begins without one; return the settings to write, if any."""
    if settings.sources.get("llm", "default") != "default":
        return {}
    offer = (
        "No model is set, so your companion can only quote you. Give it one now (otherwise later, "
        "by `siliconfriend setup`)?"
    )
    return choose_model(app, settings) if app.confirm(offer) else {}


def _ask_choice(app: App, settings: Settings) -> ModelChoice | None:
    """Ask for one of the choices and what it needs; None to ask again."""
    names = choice_names()
    app.echo(
        "Who answers? A model makes your companion talk. On this machine nothing you say leaves "
        "it; a service hears what you say. Without a model it only quotes you."
    )
    rows = (describe_choice(name, app.language) for name in names)
    numbered = [(str(at), str(row["name"]), str(row["note"])) for at, row in enumerate(rows)]
    for line in align(numbered):
        click.echo(f"  {line}")

    def read(typed: str) -> str:
        chosen = names[int(typed)] if typed.isdecimal() and int(typed) < len(names) else typed
        if chosen not in names and f"local:{chosen}" not in names:
            raise UsageError("setup_which_model", most=len(names) - 1)
        return chosen

    is_new = settings.llm == OFFLINE
    usual = suggested_model().name if is_new else settings.llm.partition(":")[0]
    chosen = app.ask(app.text("Number or name"), read, usual=usual)
    local = find_local_model(chosen)
    if local is not None:
        return _fetch(app, settings, local)
    if chosen == OFFLINE:
        return ModelChoice(OFFLINE)
    if chosen == GGUF:
        return ModelChoice(f"gguf:{app.ask(app.text(GGUF_PATH), _some)}")
    if chosen == OTHER:
        address = app.ask(app.text("Its address"), _address)
        name = app.ask(app.text("Which model"), _some)
        key = app.ask_hidden(app.text(KEY_OPTIONAL))
        return ModelChoice("openai", name, address, key or None)
    return _ask_service(app, settings, presets()[chosen])


def _fetch(app: App, settings: Settings, model: LocalModel) -> ModelChoice | None:
    """Say what a local model is and where it will lie, and fetch it after a yes."""
    what = {"name": model.name, "size": gigabytes(model.size), "licence": model.licence}
    if ollama_runs():
        app.echo("Ollama runs here, so it fetches {name} ({size}, {licence}) and keeps it.", **what)
    else:
        place = model_path(settings.home, model)
        app.echo(
            "{name}: {size}, {licence}, from {source}. It will lie in {place}.",
            source=model.source,
            place=place,
            **what,
        )
    if not app.confirm("Fetch it now?"):
        return None
    with progress_bar() as advance:
        label, million = app.text("fetching (MB)"), 1_000_000
        choice = get_local_model(
            settings.home,
            model,
            lambda done, whole: advance(label, done // million, whole // million),
        )
    app.echo("{name} is here.", name=model.name)
    return choice


def _ask_service(app: App, settings: Settings, preset: Preset) -> ModelChoice:
    """Ask for what a preset needs: the address of one's own server, a key, the model."""
    is_now = settings.llm == preset.name
    address, key = None, None
    if preset.is_own_server:
        usual = (settings.llm_address if is_now else None) or preset.address
        address = app.ask(app.text("Its address"), _address, usual=usual)
    if preset.key is not None:
        known = getattr(settings, preset.key)
        option = find_option(preset.key)
        variable = "" if option is None else option.variable
        hint = KEY_KNOWN if known else KEY
        hint = KEY_OPTIONAL if preset.is_own_server else hint
        key = app.ask_hidden(app.text(hint, name=preset.name, variable=variable)) or None
    model = (settings.model if is_now else None) or preset.model
    chosen = app.ask(app.text("Which model"), _some, usual=model)
    return ModelChoice(
        preset.name,
        None if chosen == preset.model else chosen,
        None if address == preset.address else address,
        key,
    )


def _answers(app: App, choice: ModelChoice, settings: Settings) -> bool:
    """True if the model answers; prints so, or what is wrong."""
    app.echo("Asking it for one answer …")
    chosen = choice.settings(settings)
    try:
        seconds = try_model(chosen)
    except SiliconFriendError as error:
        app.show_error(error)
        return False
    app.echo("{name} answers ({seconds:.1f} s).", name=chosen.llm, seconds=seconds)
    return True


def _some(typed: str) -> str:
    if not typed:
        raise UsageError("setup_nothing_typed")
    return typed


def _address(typed: str) -> str:
    try:
        return str(ADDRESS.parse(typed))
    except ValueError as error:
        raise UsageError("setup_address") from error
