"""Known model services and downloadable models, from ``presets.toml``."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

import msgspec


class Preset(msgspec.Struct, frozen=True, kw_only=True):
    """One service, or one kind of local server.

    Attributes:
        name: value of the setting ``llm``.
        model: default model, which works in both languages.
        key: setting with its key; None if it needs none.
        context_tokens: tokens of prompt and answer together; None to ask the server.
        think_off, think_on: request fields that turn thinking off and on.
    """

    name: str
    address: str
    model: str
    key: str | None = None
    context_tokens: int | None = None
    think_off: dict[str, Any] = {}
    think_on: dict[str, Any] = {}

    @property
    def is_own_server(self) -> bool:
        """True for a server on this machine."""
        return self.address.startswith("http://127.0.0.1")


class LocalModel(msgspec.Struct, frozen=True, kw_only=True):
    """One model file that can be downloaded from the Hugging Face Hub and run on this machine.

    ``memory_gb`` is the recommended memory, ``size`` is in bytes, ``licence`` an SPDX name.
    """

    name: str
    memory_gb: int
    repository: str
    revision: str
    file: str
    size: int
    sha256: str
    licence: str
    source: str


@cache
def presets() -> Mapping[str, Preset]:
    """Return all presets by name, in the order of the file."""
    services = {
        name: {"name": name, **value} for name, value in _document().items() if name != "local"
    }
    return msgspec.convert(services, dict[str, Preset])


@cache
def local_models() -> tuple[LocalModel, ...]:
    """Return the downloadable models, smallest first."""
    return msgspec.convert(_document()["local"], tuple[LocalModel, ...])


@cache
def _document() -> Mapping[str, Any]:
    source = files("siliconfriend.config").joinpath("presets.toml").read_text(encoding="utf-8")
    return tomllib.loads(source)


def find_preset(address: str) -> Preset | None:
    """Return the preset of an address; None for an unknown one."""

    def place(of: str) -> tuple[str | None, int | None]:
        parts = urlsplit(of.replace("localhost", "127.0.0.1"))
        return parts.hostname, parts.port

    return next(
        (preset for preset in presets().values() if place(preset.address) == place(address)), None
    )
