"""The choices of a model that ``setup`` and the page offer.

A choice becomes settings to write: those of the former service (address, model, context) are
removed, keys are kept.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from siliconfriend.config import Settings
from siliconfriend.config.presets import LocalModel, local_models, presets
from siliconfriend.models.base import Message
from siliconfriend.models.local_models import (
    Progress,
    fetch_model,
    gigabytes,
    ollama_runs,
    pull_by_ollama,
)
from siliconfriend.texts import Language, text

OFFLINE = "offline"
OTHER = "other"
"""A server that is none of the presets, by its address."""
GGUF = "gguf"
"""A model file that is here already, by its path."""
OF_A_SERVICE = ("llm_address", "model", "context_tokens")
"""Settings that mean another service's when ``llm`` names another."""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model that was chosen, before it is known whether it answers.

    Attributes:
        llm: the setting of that name: ``offline``, a preset or ``gguf:PATH``.
        model: the model's name; None for the service's own choice.
        address: where it listens; None for the service's own.
        key: typed by the person; None to leave what is there.
    """

    llm: str
    model: str | None = None
    address: str | None = None
    key: str | None = None

    def settings(self, settings: Settings) -> Settings:
        """Return the settings with this model in them."""
        values: dict[str, Any] = self.values()
        return replace(settings, **values)

    def values(self) -> dict[str, str | None]:
        """Return what to write into ``config.toml``, by name; None takes a setting out."""
        values: dict[str, str | None] = {"llm": self.llm, **dict.fromkeys(OF_A_SERVICE)}
        values |= {"model": self.model, "llm_address": self.address}
        preset = presets().get(self.llm)
        if self.key is not None and preset is not None and preset.key is not None:
            values[preset.key] = self.key
        return values


def typed_choice(
    chosen: str, name: str | None = None, address: str | None = None, key: str | None = None
) -> ModelChoice:
    """Return a choice with what was typed for it; ``name`` is a model's, or the path of a file."""
    if chosen == GGUF:
        return ModelChoice(f"gguf:{name or ''}")
    return ModelChoice("openai" if chosen == OTHER else chosen, name, address, key)


def choice_names() -> tuple[str, ...]:
    """List the names of all choices in the order they are shown; local models as ``local:NAME``."""
    local = (f"local:{model.name}" for model in local_models())
    return (OFFLINE, *local, *presets(), OTHER, GGUF)


def find_local_model(name: str) -> LocalModel | None:
    """Find the local model of a choice ``local:NAME``; None for any other choice."""
    wanted = name.removeprefix("local:")
    return next((model for model in local_models() if model.name == wanted), None)


def get_local_model(home: Path, model: LocalModel, progress: Progress | None = None) -> ModelChoice:
    """Fetch a local model, by Ollama where it runs, else into the data directory.

    Raises:
        ModelUnavailable: it could not be fetched whole.
        ConfigurationError: the extra ``gguf``, which runs the file, is not installed.
    """
    if ollama_runs():
        return ModelChoice("ollama", pull_by_ollama(model, progress))
    from siliconfriend.models.gguf import require_package

    require_package()
    return ModelChoice(f"gguf:{fetch_model(home, model, progress)}")


def try_model(settings: Settings) -> float:
    """Ask the settings' model for one answer; return the seconds it took, 0 without a model.

    Raises:
        ConfigurationError, ModelError: it cannot be opened, or does not answer.
    """
    from siliconfriend.models.factory import open_chat_model

    model = open_chat_model(settings)
    if model is None:
        return 0.0
    began = time.perf_counter()
    model.complete([Message("user", text("models", "sample", settings.language))])
    return time.perf_counter() - began


def describe_choice(name: str, language: Language) -> tuple[str, str]:
    """Return the name of a choice as it is shown, and a note in the language."""
    local, preset = find_local_model(name), presets().get(name)
    if local is not None:
        about = {"size": gigabytes(local.size), "licence": local.licence, "memory": local.memory_gb}
        return local.name, text("models", "choice.local", language, **about)
    if preset is None:
        return name, text("models", f"choice.{name}", language)
    key = "choice.own_server" if preset.is_own_server else "choice.service"
    return name, text("models", key, language, model=preset.model, address=preset.address)
