"""The part of ``setup`` that finds a model: which service, with what key, and whether it answers.

A key is asked for unseen and goes nowhere but into the file and to its own service. The model
is asked for one answer before anything is written, since a wrong key is found nowhere sooner.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import click

from siliconfriend.config import Settings
from siliconfriend.config.parsers import address as parse_address
from siliconfriend.config.presets import Preset, presets
from siliconfriend.errors import SiliconFriendError, UsageError
from siliconfriend.texts import text

from .app import App
from .columns import align
from .config_file import key_variable, service_values
from .hidden_input import ask_hidden
from .questions import ask, ask_yes

OFFLINE = "offline"
OTHER = "other"
GGUF = "gguf"


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model that was named, before it is known whether it answers.

    Attributes:
        llm: the setting of that name.
        model: the model's name; None for the service's own choice.
        address: where it listens; None for the service's own.
        key: that was typed; None to leave what is there.
    """

    llm: str
    model: str | None = None
    address: str | None = None
    key: str | None = None

    def settings(self, settings: Settings) -> Settings:
        """The settings with this model in them."""
        named: dict[str, Any] = {
            "llm": self.llm,
            "model": self.model,
            "llm_address": self.address,
            "context_tokens": settings.context_tokens if settings.llm == self.llm else None,
        }
        preset = presets().get(self.llm)
        if self.key is not None and preset is not None and preset.key is not None:
            named[preset.key] = self.key
        return replace(settings, **named)

    def values(self, settings: Settings) -> dict[str, str | None]:
        """The settings to write, by name; None for one to take out."""
        return service_values(
            settings.home, self.llm, key=self.key, model=self.model, address=self.address
        ) | {
            name: None
            for name, value in (("model", self.model), ("llm_address", self.address))
            if value is None
        }


def choose_model(app: App, settings: Settings) -> dict[str, str | None]:
    """Ask which model shall answer and try it out; the settings to write."""
    while True:
        choice = _ask_choice(app, settings)
        if choice.llm == OFFLINE or _answers(app, choice.settings(settings)):
            return choice.values(settings)
        if ask_yes(app, _text(app, "keep_anyway")):
            return choice.values(settings)


def _ask_choice(app: App, settings: Settings) -> ModelChoice:
    names = (OFFLINE, *presets(), OTHER, GGUF)
    click.echo(_text(app, "model"))
    for line in align([(str(number), *row) for number, row in enumerate(_rows(app, names))]):
        click.echo(f"  {line}")

    def read(typed: str) -> str:
        chosen = names[int(typed)] if typed.isdecimal() and int(typed) < len(names) else typed
        if chosen not in names:
            raise UsageError("setup_which_model", most=len(names) - 1)
        return chosen

    usual = settings.llm.partition(":")[0]
    chosen = ask(app, _text(app, "which_model"), read, usual=usual)
    if chosen == OFFLINE:
        return ModelChoice(OFFLINE)
    if chosen == GGUF:
        return ModelChoice(f"gguf:{ask(app, _text(app, 'gguf_path'), _some)}")
    if chosen == OTHER:
        address = ask(app, _text(app, "address"), _address)
        name = ask(app, _text(app, "model_name"), _some)
        key = ask_hidden(_text(app, "other_key"))
        return ModelChoice("openai", name, address, key or None)
    return _ask_service(app, settings, presets()[chosen])


def _ask_service(app: App, settings: Settings, preset: Preset) -> ModelChoice:
    """Ask for what a service of the presets needs: its address where it is one's own, key, model."""
    is_now = settings.llm == preset.name
    address, key = None, None
    if preset.is_own_server:
        usual = (settings.llm_address if is_now else None) or preset.address
        address = ask(app, _text(app, "address"), _address, usual=usual)
    if preset.key is not None:
        known = getattr(settings, preset.key)
        variable = key_variable(preset.name)
        hint = "key_optional" if preset.is_own_server else "key_known" if known else "key"
        key = ask_hidden(_text(app, hint, name=preset.name, variable=variable)) or None
    model = (settings.model if is_now else None) or preset.model
    chosen = ask(app, _text(app, "model_name"), _some, usual=model)
    return ModelChoice(
        preset.name,
        None if chosen == preset.model else chosen,
        None if address == preset.address else address,
        key,
    )


def _answers(app: App, settings: Settings) -> bool:
    """True if the model answers; says so, or what is wrong."""
    from siliconfriend.models.base import Message

    click.echo(_text(app, "trying"))
    runtime = app.runtime(settings)
    began = time.perf_counter()
    try:
        model = runtime.chat
        if model is not None:
            model.complete([Message("user", app.text("doctor.sample"))])
            seconds = time.perf_counter() - began
            name, address = model.name, model.address
            click.echo(_text(app, "answers", name=name, address=address, seconds=seconds))
    except SiliconFriendError as error:
        click.echo(error.message(app.language), err=True)
        return False
    finally:
        runtime.close()
    return True


def _rows(app: App, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for name in names:
        preset = presets().get(name)
        if preset is None:
            yield name, _text(app, f"models.{name}")
        else:
            key = "own_server" if preset.is_own_server else "service"
            yield name, _text(app, f"models.{key}", model=preset.model, address=preset.address)


def _some(typed: str) -> str:
    if not typed:
        raise UsageError("setup_nothing_typed")
    return typed


def _address(typed: str) -> str:
    try:
        return parse_address(typed)
    except ValueError as error:
        raise UsageError("setup_address") from error


def _text(app: App, key: str, **values: object) -> str:
    return text("setup", key, app.language, **values)
