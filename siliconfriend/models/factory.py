"""Open the chat model of the settings.

A key in the environment alone opens no model, and no service gets the key of another.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from siliconfriend.config import Settings, find_option
from siliconfriend.config.presets import Preset, find_preset, presets
from siliconfriend.errors import ConfigurationError
from siliconfriend.models.base import ChatModel
from siliconfriend.models.fallback import FallbackModel
from siliconfriend.models.served_context import ask_server, is_own_address


@dataclass(frozen=True, slots=True)
class Service:
    """Location of the configured model.

    Attributes:
        name: what ``llm`` is set to.
        address: up to ``/v1``.
        api_key: None where there is none.
        preset: what is known of the service; None of a server at an address of one's own.
        key_variable, address_variable: where key and address are set.
    """

    name: str
    address: str
    api_key: str | None
    preset: Preset | None
    key_variable: str
    address_variable: str

    @property
    def model(self) -> str:
        """A model of the service, for where the settings name none."""
        return (self.preset or presets()["openai"]).model


def find_service(settings: Settings) -> Service:
    """Find the service that ``settings.llm`` names.

    Raises:
        ConfigurationError: it asks for a key and there is none.
    """
    preset = presets()[settings.llm]
    key = None if preset.key is None else getattr(settings, preset.key)
    option = find_option(preset.key or "openai_api_key")
    assert option is not None
    address, set_in = settings.llm_address, "SILICONFRIEND_LLM_ADDRESS"
    if preset.name == "openai" and address is None and settings.openai_base_url:
        address, set_in = settings.openai_base_url, "OPENAI_BASE_URL"
    if address is None and key is None and not preset.is_own_server:
        raise ConfigurationError("llm_no_key", llm=preset.name, variable=option.variable)
    known = find_preset(address) if preset.name == "openai" and address is not None else preset
    return Service(preset.name, address or preset.address, key, known, option.variable, set_in)


def open_chat_model(settings: Settings, *, somebody_waits: bool = True) -> ChatModel | None:
    """Open the model of ``settings.llm``, with the one to fall back on; None for ``offline``.

    Args:
        settings: name it.
        somebody_waits: for the answers: decides whether the model may think before them, and
            whether it is asked again at once where it was busy.

    Raises:
        ConfigurationError: a service without its key; a model file that is missing or none;
            the extra for model files is not installed.
    """
    if settings.llm == "offline":
        return None
    first = _open(settings, somebody_waits)
    if settings.fallback_llm in (None, "offline"):
        return first
    try:
        second = _open(second_settings(settings), somebody_waits)
    except ConfigurationError as error:
        if error.key != "llm_no_key":
            raise
        raise ConfigurationError("fallback_no_key", **error.details) from error
    return FallbackModel(first, second)


def second_settings(settings: Settings) -> Settings:
    """Return the settings with the second model in the place of the first."""
    return replace(
        settings,
        llm=settings.fallback_llm or "offline",
        llm_address=None,
        model=settings.fallback_model,
        context_tokens=None,
        fallback_llm=None,
    )


def _open(settings: Settings, somebody_waits: bool) -> ChatModel:
    from siliconfriend.models.openai_compatible import MAX_RETRIES, OpenAICompatible

    thinks = settings.thinking == "on" or (settings.thinking == "night" and not somebody_waits)
    common: dict[str, Any] = {
        "temperature": settings.temperature,
        "max_tokens": settings.max_tokens,
        "timeout": settings.timeout,
        "thinks": thinks,
    }
    kind, _, path = settings.llm.partition(":")
    if kind == "gguf":
        from siliconfriend.models.gguf import CONTEXT_TOKENS, GGUFModel

        size = settings.context_tokens or CONTEXT_TOKENS
        return GGUFModel(Path(path.strip()).expanduser(), context_tokens=size, **common)
    service = find_service(settings)
    model, preset = settings.model or service.model, service.preset
    known = preset.context_tokens if preset is not None and model == preset.model else None
    # A server nothing is known of is told as the protocol has it; it may reject it.
    own = preset or presets()["openai"]
    # A service serves all that its model can have.
    is_own = is_own_address(service.address)
    ask_served = partial(ask_server, service.address, model, service.api_key) if is_own else None
    return OpenAICompatible(
        model,
        name=f"{service.name}:{model}",
        base_url=service.address,
        api_key=service.api_key,
        max_retries=MAX_RETRIES if somebody_waits else 0,
        context_tokens=settings.context_tokens or known,
        ask_served=ask_served,
        thinking_switch=own.think_on if thinks else own.think_off,
        is_known=preset is not None,
        key_variable=service.key_variable,
        address_variable=service.address_variable,
        **common,
    )
