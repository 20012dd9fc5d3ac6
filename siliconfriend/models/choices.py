"""The choices of a model that ``setup`` and the page offer, and the download of those that run here.

A local model is one GGUF file: it is fetched from the Hugging Face Hub into the data directory,
resumed after a broken connection and compared with its published hash; or Ollama fetches and serves
it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from siliconfriend.config import Settings
from siliconfriend.config.presets import LocalModel, local_models, presets
from siliconfriend.errors import ModelUnavailable
from siliconfriend.models.base import Message
from siliconfriend.models.factory import open_first
from siliconfriend.models.gguf import require_package
from siliconfriend.models.openai_compatible import OpenAICompatible
from siliconfriend.texts import Language, text

if TYPE_CHECKING:
    from tqdm import tqdm

OFFLINE = "offline"
OTHER = "other"
"""A server that is none of the presets, by its address."""
GGUF = "gguf"
"""A model file that is here already, by its path."""
OF_A_SERVICE = ("llm_address", "model", "context_tokens")
"""Settings that mean another service's when ``llm`` names another."""
SPARE_BYTES = 512 * 1024 * 1024
"""Disk space that a fetched model must leave free."""
OLLAMA = presets()["ollama"].address.removesuffix("/v1")
OLLAMA_SECONDS = 1.0
"""Longest wait for Ollama to say that it runs."""
MOST_NAMED = 10
"""Models of a server that an error lists."""

Progress = Callable[[int, int], None]
"""Hears how many bytes of how many are there."""


def choice_settings(
    chosen: str, name: str | None = None, address: str | None = None, key: str | None = None
) -> dict[str, Any]:
    """Return the settings of a choice, by name; None takes one out of ``config.toml``.

    What belonged to the former service goes; keys stay unless one was typed. ``name`` is a model's,
    or the path of a file; None for the service's own, as for ``address``.
    """
    usual: dict[str, Any] = dict.fromkeys(OF_A_SERVICE)
    if chosen == GGUF:
        return {"llm": f"gguf:{name or ''}", **usual}
    llm = "openai" if chosen == OTHER else chosen
    preset = presets().get(llm)
    keys = {preset.key: key} if key is not None and preset is not None and preset.key else {}
    return {"llm": llm, **usual, "model": name, "llm_address": address, **keys}


def choice_names() -> tuple[str, ...]:
    """List the names of all choices in the order they are shown; local models as ``local:NAME``."""
    local = (f"local:{model.name}" for model in local_models())
    return (OFFLINE, *local, *presets(), OTHER, GGUF)


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


def try_model(settings: Settings) -> tuple[OpenAICompatible | None, float]:
    """Open the settings' model and ask it for one answer; return it and the seconds that took.

    Raises:
        ConfigurationError, ModelError: it cannot be opened, or does not answer; where the server
            has no such model, it names those that it has.
    """
    model, began = open_first(settings), time.perf_counter()
    try:
        if model is not None:
            model.complete([Message("user", text("models", "sample", settings.language))])
    except ModelUnavailable as error:
        has = model.served().models if model and error.key == "model_missing" else ()
        if not has:
            raise
        known = ", ".join(has[:MOST_NAMED]) + (" …" if len(has) > MOST_NAMED else "")
        raise ModelUnavailable("model_missing_has", cause=error, known=known) from error
    return model, time.perf_counter() - began


def find_local_model(name: str) -> LocalModel | None:
    """Find the local model of a choice ``local:NAME``; None for any other choice."""
    wanted = name.removeprefix("local:")
    return next((model for model in local_models() if model.name == wanted), None)


def suggested_model() -> LocalModel:
    """Return the largest model that fits this machine's memory, else the smallest."""
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    except (AttributeError, OSError, ValueError):
        memory = 8.0
    fitting = [model for model in local_models() if model.memory_gb <= memory]
    return fitting[-1] if fitting else local_models()[0]


def get_local_model(home: Path, model: LocalModel, progress: Progress) -> dict[str, Any]:
    """Fetch a local model, by Ollama where it runs, else into the data directory.

    Returns:
        The settings of its choice, as :func:`choice_settings`.

    Raises:
        ModelUnavailable: it could not be fetched whole.
        ConfigurationError: the extra ``gguf``, which runs the file, is not installed.
    """
    if ollama_runs():
        return choice_settings("ollama", pull_by_ollama(model, progress))
    require_package()
    return choice_settings(GGUF, str(fetch_model(home, model, progress)))


def model_path(home: Path, model: LocalModel) -> Path:
    """Return where the file of a model lies, or would lie, in a data directory."""
    return home / "models" / model.file


def fetch_model(home: Path, model: LocalModel, progress: Progress) -> Path:
    """Fetch a model's file into the data directory unless it is there; return its path.

    A broken fetch goes on where it stopped. ``HF_ENDPOINT`` names another hub, a mirror say.

    Raises:
        ModelUnavailable: no room on the disk, the hub cannot be reached, or the file that came
            is not the published one; it is deleted then.
    """
    import httpx2
    from huggingface_hub import hf_hub_download
    from huggingface_hub.utils import logging

    path = model_path(home, model)
    if path.is_file() and path.stat().st_size == model.size:
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    free, need = shutil.disk_usage(path.parent).free, gigabytes(model.size)
    if free < model.size + SPARE_BYTES:
        raise ModelUnavailable("fetch_no_room", name=model.name, need=need, free=gigabytes(free))
    logging.set_verbosity(logging.ERROR)
    bar = _progress_bar(progress, model.size)
    options: dict[str, Any] = {"local_dir": path.parent, "token": False, "tqdm_class": bar}
    try:
        hf_hub_download(model.repository, model.file, revision=model.revision, **options)
    except (httpx2.HTTPError, OSError, RuntimeError, ValueError) as error:
        cause = error.__cause__ or error
        raise ModelUnavailable("fetch_failed", name=model.name, cause=cause) from error
    finally:
        if path.is_file():
            shutil.rmtree(path.parent / ".cache", ignore_errors=True)
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != model.sha256:
        path.unlink()
        raise ModelUnavailable("fetch_wrong_sum", name=model.name)
    return path


def ollama_runs() -> bool:
    """Return True if an Ollama server answers at its usual address."""
    import httpx2

    try:
        found = httpx2.get(f"{OLLAMA}/api/version", timeout=OLLAMA_SECONDS, trust_env=False)
        return found.is_success and "version" in found.json()
    except (httpx2.HTTPError, ValueError):
        return False


def pull_by_ollama(model: LocalModel, progress: Progress) -> str:
    """Have Ollama fetch a model from the hub; return the name that Ollama knows it by.

    Raises:
        ModelUnavailable: Ollama cannot be reached, or could not fetch it.
    """
    import httpx2

    name = f"hf.co/{model.repository}:{model.quantization}"
    timeout = httpx2.Timeout(None, connect=OLLAMA_SECONDS)
    asked: dict[str, Any] = {"json": {"model": name}, "timeout": timeout, "trust_env": False}
    try:
        with httpx2.stream("POST", f"{OLLAMA}/api/pull", **asked) as answer:
            for line in answer.iter_lines():
                told = json.loads(line or "{}")
                if told.get("error"):
                    raise ModelUnavailable("fetch_ollama", name=model.name, cause=told["error"])
                if told.get("total"):
                    progress(int(told.get("completed") or 0), int(told["total"]))
    except (httpx2.HTTPError, AttributeError, TypeError, ValueError) as error:
        raise ModelUnavailable("fetch_ollama", name=model.name, cause=error) from error
    return name


def gigabytes(size: int) -> str:
    """Write a number of bytes as gigabytes with one decimal."""
    return f"{size / 1e9:.1f} GB"


def _progress_bar(progress: Progress, size: int) -> type[tqdm]:
    """Make a class of progress bars that draws nothing and tells ``progress``."""
    from tqdm import tqdm

    class Told(tqdm):  # type: ignore[misc]
        def __init__(self, *args: Any, **options: Any) -> None:
            options.pop("name", None)
            super().__init__(*args, **{**options, "disable": True})
            self.n = options.get("initial") or 0

        def update(self, n: float | None = 1) -> None:
            self.n += n or 0
            progress(min(int(self.n), size), size)

    return Told
