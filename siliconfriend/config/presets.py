"""The services that offer models, and models to fetch: ``presets.toml``, read once."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

import msgspec


class Preset(msgspec.Struct, frozen=True, kw_only=True):
    """One service, or one kind of server on the own machine.

    Attributes:
        name: what ``llm`` is set to.
        model: one of its models that works in both languages.
        key: the setting that holds its key; None where it needs none.
        context_tokens: of prompt and answer together; None to ask the server.
        think_off, think_on: fields of a request that switch thinking off and on.
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
        """True for a server that listens on the machine itself."""
        return self.address.startswith("http://127.0.0.1")


class LocalModel(msgspec.Struct, frozen=True, kw_only=True):
    """One model file that can be fetched from the Hugging Face Hub and run on this machine.

    ``memory_gb`` is what the machine should have; ``size`` is in bytes, ``licence`` an SPDX name.
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
    """Return every preset by its name, in the order of the file."""
    services = {
        name: {"name": name, **value} for name, value in _document().items() if name != "local"
    }
    return msgspec.convert(services, dict[str, Preset])


@cache
def local_models() -> tuple[LocalModel, ...]:
    """Return the models that can be fetched, smallest first."""
    return msgspec.convert(_document()["local"], tuple[LocalModel, ...])


@cache
def _document() -> Mapping[str, Any]:
    source = files("siliconfriend.config").joinpath("presets.toml").read_text(encoding="utf-8")
    return tomllib.loads(source)


def find_preset(address: str) -> Preset | None:
    """Return the preset of the service that listens at an address; None if it is none of them."""

    def place(of: str) -> tuple[str | None, int | None]:
        parts = urlsplit(of.replace("localhost", "127.0.0.1"))
        return parts.hostname, parts.port

    return next(
        (preset for preset in presets().values() if place(preset.address) == place(address)), None
    )
