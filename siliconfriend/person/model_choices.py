"""Model choices of ``setup`` and the page, and the download of local models."""

import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from typing import Any

from filelock import FileLock

from siliconfriend.config import Settings
from siliconfriend.config.presets import LocalModel, local_models, presets
from siliconfriend.errors import ModelUnavailable
from siliconfriend.models.base import Message
from siliconfriend.models.connection import MALFORMED
from siliconfriend.models.factory import open_first
from siliconfriend.models.gguf import require_package
from siliconfriend.models.openai_compatible import OpenAICompatible
from siliconfriend.texts import Language, text

OFFLINE = "offline"
OTHER = "other"
"""A custom server, by its address."""
GGUF = "gguf"
"""An existing model file, by its path."""
OF_A_SERVICE = ("llm_address", "llm_key", "model", "context_tokens")
"""Settings that depend on the service in ``llm``."""
SPARE_BYTES = 512 * 1024 * 1024
"""Minimum free disk space after a download."""
OLLAMA = presets()["ollama"].address.removesuffix("/v1")
OLLAMA_SECONDS = 1.0
"""Timeout for detecting Ollama."""
MOST_NAMED = 10
"""Maximum number of a server's models in an error."""

DownloadProgress = Callable[[int, int], None]
"""Progress callback: bytes downloaded and total."""


def choice_settings(
    chosen: str, name: str | None = None, address: str | None = None, key: str | None = None
) -> dict[str, Any]:
    """Return the settings of a choice, by name; None takes one out of ``config.toml``.

    Settings of the previous service are removed. Keys of services stay unless a new one is given;
    the key of a custom server is bound to its address. ``name`` is a model or the path of a file;
    None for the service's default, as for ``address``.
    """
    settings: dict[str, Any] = dict.fromkeys(OF_A_SERVICE)
    if chosen == GGUF:
        return {**settings, "llm": f"gguf:{name or ''}"}
    if chosen == OTHER:
        return {**settings, "llm": "openai", "model": name, "llm_address": address, "llm_key": key}
    llm = chosen
    if key is not None and (preset := presets().get(llm)) is not None and preset.key:
        settings[preset.key] = key
    return {**settings, "llm": llm, "model": name, "llm_address": address}


def describe_choices(language: Language) -> dict[str, tuple[str, str]]:
    """Describe all choices in the order they are shown: what each is called, and a note.

    Local models are ``local:NAME``.
    """

    def note(key: str, **about: object) -> str:
        return text("models", f"choice.{key}", language, **about)

    described = {OFFLINE: (OFFLINE, note(OFFLINE))}
    for model in local_models():
        about = {"size": model.size / 1e9, "licence": model.licence, "memory": model.memory_gb}
        described[f"local:{model.name}"] = model.name, note("local", **about)
    for name, preset in presets().items():
        kind = "own_server" if preset.is_own_server else "service"
        described[name] = name, note(kind, model=preset.model, address=preset.address)
    return described | {name: (name, note(name)) for name in (OTHER, GGUF)}


def try_model(settings: Settings) -> tuple[OpenAICompatible | None, float]:
    """Open the settings' model and request one answer; return it and the seconds taken.

    ConfigurationError, ModelError: it cannot be opened, or does not answer; where the server has no
    such model, the error names those that it has.
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


def only_model(settings: Settings) -> str:
    """Return the name of the only model that the settings' server has.

    ModelError: it cannot be reached, or has none or several, which the error names.
    """
    model = open_first(settings)
    assert model is not None
    model.check()
    has = model.served().models
    if len(has) != 1:
        known = ", ".join(has[:MOST_NAMED]) or "–"
        raise ModelUnavailable("model_which", address=model.address, known=known)
    return has[0]


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


def get_local_model(home: Path, model: LocalModel, progress: DownloadProgress) -> dict[str, Any]:
    """Fetch a local model, by Ollama where it runs, else into the data directory.

    An interrupted download resumes; a file with a wrong checksum is deleted. ``HF_ENDPOINT`` names
    another hub. Returns what
    :func:`choice_settings` does. ModelUnavailable: it could not be fetched whole;
    ConfigurationError: the extra ``gguf``, which runs the file, is not installed.
    """
    if ollama_runs():
        return choice_settings("ollama", _pull_by_ollama(model, progress))
    require_package()
    path = model_path(home, model)
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path.parent / ".lock", mode=0o600):
        if not path.is_file() or path.stat().st_size != model.size:
            _fetch(path, model, progress)
    return choice_settings(GGUF, str(path))


def model_path(home: Path, model: LocalModel) -> Path:
    """Return the path of a model's file in a data directory."""
    return home / "models" / model.file


def _fetch(path: Path, model: LocalModel, progress: DownloadProgress) -> None:
    import httpx2
    from huggingface_hub import hf_hub_url
    from huggingface_hub.file_download import http_get
    from huggingface_hub.utils import disable_progress_bars, logging

    class Part(FileIO):
        def write(self, piece: Any) -> int:
            written = super().write(piece)
            progress(self.tell(), model.size)
            return written

    part = path.with_name(f"{path.name}.part")
    here = part.stat().st_size if part.is_file() else 0
    free, need = shutil.disk_usage(path.parent).free, model.size - here
    if free < need + SPARE_BYTES:
        sizes = {"need": need / 1e9, "free": free / 1e9}
        raise ModelUnavailable("fetch_no_room", name=model.name, **sizes)
    logging.set_verbosity(logging.ERROR)
    disable_progress_bars()
    url = hf_hub_url(model.repository, model.file, revision=model.revision)
    try:
        with Part(part, "a+") as file:
            http_get(url, file, resume_size=here, expected_size=model.size)
            file.seek(0)
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except (httpx2.HTTPError, OSError) as error:
        raise ModelUnavailable("fetch_failed", name=model.name, cause=error) from error
    if digest != model.sha256:
        part.unlink()
        raise ModelUnavailable("fetch_wrong_sum", name=model.name)
    part.replace(path)


def ollama_runs() -> bool:
    """Return True if an Ollama server answers at its usual address."""
    import httpx2

    try:
        found = httpx2.get(f"{OLLAMA}/api/version", timeout=OLLAMA_SECONDS, trust_env=False)
        return found.is_success and "version" in found.json()
    except (httpx2.HTTPError, ValueError):
        return False


def _pull_by_ollama(model: LocalModel, progress: DownloadProgress) -> str:
    import httpx2

    weights = model.file.removesuffix(".gguf").rpartition("-")[2]  # how they are stored: Q4_K_M
    name = f"hf.co/{model.repository}:{weights}"
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
    except (httpx2.HTTPError, *MALFORMED) as error:
        raise ModelUnavailable("fetch_ollama", name=model.name, cause=error) from error
    return name
