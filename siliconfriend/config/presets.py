"""The services that offer models, and models to fetch: ``presets.toml``, read once."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """One service, or one kind of server on the own machine.

    Attributes:
        name: what ``llm`` is set to.
        address: up to ``/v1``.
        model: one of its models that works in both languages.
        key: the setting that holds its key; None where it needs none.
        context_tokens: of prompt and answer together; None to ask the server.
        think_off, think_on: fields of a request that switch thinking off and on.
        checked: the day on which all this was compared with ``sources``, the service's pages.
    """

    name: str
    address: str
    model: str
    key: str | None = None
    context_tokens: int | None = None
    think_off: Mapping[str, Any] = field(default_factory=dict)
    think_on: Mapping[str, Any] = field(default_factory=dict)
    checked: date
    sources: list[str]

    @property
    def is_own_server(self) -> bool:
        """True for a server that listens on the machine itself."""
        return self.address.startswith("http://127.0.0.1")


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalModel:
    """One model file that can be fetched from the Hugging Face Hub and run on this machine.

    Attributes:
        memory_gb: memory the machine should have, in gigabytes.
        size: bytes.
        licence: SPDX name.
        checked: the day on which all this was compared with ``source``, a page.
    """

    name: str
    memory_gb: int
    repository: str
    revision: str
    file: str
    size: int
    sha256: str
    licence: str
    checked: date
    source: str

    @property
    def quantization(self) -> str:
        """The part of the file's name that says how its weights are stored, ``Q4_K_M`` say."""
        return self.file.removesuffix(".gguf").rpartition("-")[2]


@cache
def presets() -> Mapping[str, Preset]:
    """Return every preset by its name, in the order of the file."""
    services = {name: values for name, values in _document().items() if name != "local"}
    return MappingProxyType({name: Preset(name=name, **it) for name, it in services.items()})


@cache
def local_models() -> tuple[LocalModel, ...]:
    """Return the models that can be fetched, smallest first."""
    return tuple(LocalModel(**values) for values in _document()["local"])


@cache
def _document() -> Mapping[str, Any]:
    source = files("siliconfriend.config").joinpath("presets.toml").read_text(encoding="utf-8")
    return tomllib.loads(source)


def find_preset(address: str) -> Preset | None:
    """Return the preset of the service that listens at an address; None if it is none of them."""
    place = _place(address)
    return next((it for it in presets().values() if _place(it.address) == place), None)


def _place(address: str) -> tuple[str, int | None]:
    parts = urlsplit(address)
    host = (parts.hostname or "").replace("localhost", "127.0.0.1")
    return host, parts.port
