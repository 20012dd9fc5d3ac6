"""Models that run on this machine, and their download.

A model is one GGUF file: it is fetched from the Hugging Face Hub into the data directory, resumed
after a broken connection and compared with its published hash; or Ollama fetches and serves it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from siliconfriend.config.presets import LocalModel, local_models, presets
from siliconfriend.errors import ModelUnavailable

if TYPE_CHECKING:
    from tqdm import tqdm

FOLDER = "models"
"""Folder of model files in the data directory."""
SPARE_BYTES = 512 * 1024 * 1024
"""Disk space that a fetched model must leave free."""
OLLAMA_SECONDS = 1.0
"""Longest wait for Ollama to say that it runs."""

Progress = Callable[[int, int], None]
"""Hears how many bytes of how many are there."""


def suggested_model() -> LocalModel:
    """Return the largest model that fits this machine's memory, else the smallest."""
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    except (AttributeError, OSError, ValueError):
        memory = 8.0
    fitting = [model for model in local_models() if model.memory_gb <= memory]
    return fitting[-1] if fitting else local_models()[0]


def model_path(home: Path, model: LocalModel) -> Path:
    """Return where the file of a model lies, or would lie, in a data directory."""
    return home / FOLDER / model.file


def fetch_model(home: Path, model: LocalModel, progress: Progress | None = None) -> Path:
    """Fetch a model's file into the data directory unless it is there; return its path.

    A fetch that was broken off is carried on where it stopped. ``HF_ENDPOINT`` names another
    hub, a mirror say.

    Raises:
        ModelUnavailable: no room on the disk, the hub cannot be reached, or the file that came
            is not the published one; it is deleted then.
    """
    path = model_path(home, model)
    if path.is_file() and path.stat().st_size == model.size:
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(path.parent).free
    if free < model.size + SPARE_BYTES:
        need = gigabytes(model.size)
        raise ModelUnavailable("fetch_no_room", name=model.name, need=need, free=gigabytes(free))
    _download(path, model, progress)
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != model.sha256:
        path.unlink()
        raise ModelUnavailable("fetch_wrong_sum", name=model.name)
    return path


def ollama_runs(address: str | None = None) -> bool:
    """Return True if an Ollama server answers at an address, by default its usual one."""
    import httpx2

    place = f"{_ollama_root(address)}/api/version"
    try:
        found = httpx2.get(place, timeout=OLLAMA_SECONDS, trust_env=False)
        return found.is_success and "version" in found.json()
    except (httpx2.HTTPError, ValueError):
        return False


def pull_by_ollama(
    model: LocalModel, progress: Progress | None = None, *, address: str | None = None
) -> str:
    """Have Ollama fetch a model from the hub; return the name that Ollama knows it by.

    Raises:
        ModelUnavailable: Ollama cannot be reached, or could not fetch it.
    """
    import httpx2

    name = f"hf.co/{model.repository}:{model.quantization}"
    place, timeout = (
        f"{_ollama_root(address)}/api/pull",
        httpx2.Timeout(None, connect=OLLAMA_SECONDS),
    )
    with httpx2.Client(timeout=timeout, trust_env=False) as client:
        try:
            with client.stream("POST", place, json={"model": name}) as answer:
                for line in answer.iter_lines():
                    told = json.loads(line or "{}")
                    if told.get("error"):
                        raise ModelUnavailable("fetch_ollama", name=model.name, cause=told["error"])
                    if progress is not None and told.get("total"):
                        progress(int(told.get("completed") or 0), int(told["total"]))
        except (httpx2.HTTPError, AttributeError, TypeError, ValueError) as error:
            raise ModelUnavailable("fetch_ollama", name=model.name, cause=error) from error
    return name


def gigabytes(size: int) -> str:
    """Write a number of bytes as gigabytes with one decimal."""
    return f"{size / 1e9:.1f} GB"


def _ollama_root(address: str | None) -> str:
    return (address or presets()["ollama"].address).rstrip("/").removesuffix("/v1")


def _download(path: Path, model: LocalModel, progress: Progress | None) -> None:
    import httpx2
    from huggingface_hub import hf_hub_download
    from huggingface_hub.utils import logging

    logging.set_verbosity(logging.ERROR)
    try:
        hf_hub_download(
            model.repository,
            model.file,
            revision=model.revision,
            local_dir=path.parent,
            token=False,
            tqdm_class=_progress_bar(progress, model.size),
        )
    except (httpx2.HTTPError, OSError, RuntimeError, ValueError) as error:
        cause = error.__cause__ or error
        raise ModelUnavailable("fetch_failed", name=model.name, cause=cause) from error
    finally:
        if path.is_file():
            shutil.rmtree(path.parent / ".cache", ignore_errors=True)


def _progress_bar(progress: Progress | None, size: int) -> type[tqdm]:
    """Make a class of progress bars that draws nothing and tells ``progress``."""
    from tqdm import tqdm

    class Told(tqdm):  # type: ignore[misc]
        def __init__(self, *args: Any, **options: Any) -> None:
            options.pop("name", None)
            super().__init__(*args, **{**options, "disable": True})
            self.n = options.get("initial") or 0

        def update(self, n: float | None = 1) -> None:
            self.n += n or 0
            if progress is not None:
                progress(min(int(self.n), size), size)

    return Told
