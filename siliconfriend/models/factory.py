"""Open the chat model of the settings.

A key in the environment alone opens no model, and no service gets the key of another.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from siliconfriend.config import Settings, find_option
from siliconfriend.config.presets import Preset, find_preset, presets
from siliconfriend.errors import ConfigurationError
from siliconfriend.models.base import ChatModel
from siliconfriend.models.fallback import FallbackModel
from siliconfriend.models.served_context import ContextSize, Served, ask_server, is_own_address


@dataclass(frozen=True, slots=True)
class Service:
    """Location of the configured model.

    Attributes:
        model: its name.
        address: up to ``/v1``.
        api_key: None where there is none.
        preset: what is known of the service; None of a server at an address of one's own.
        key_variable, address_variable: where key and address are set.
    """

    model: str
    address: str
    api_key: str | None
    preset: Preset | None
    key_variable: str
    address_variable: str

    def ask(self) -> Served:
        """Ask the server what it serves."""
        return ask_server(self.address, self.model, self.api_key)


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
    model = settings.model or (known or preset).model
    return Service(model, address or preset.address, key, known, option.variable, set_in)


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
        return FallbackModel(first, _open(second_settings(settings), somebody_waits))
    except ConfigurationError as error:
        if error.key != "llm_no_key":
            raise
        raise ConfigurationError("fallback_no_key", **error.details) from error


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
    }
    kind, _, path = settings.llm.partition(":")
    if kind == "gguf":
        from siliconfriend.models.gguf import CONTEXT_TOKENS, GGUFModel

        size = settings.context_tokens or CONTEXT_TOKENS
        file = Path(path.strip()).expanduser()
        return GGUFModel(file, context_tokens=size, thinks=thinks, **common)
    service = find_service(settings)
    model, preset = service.model, service.preset
    known = preset.context_tokens if preset is not None and model == preset.model else None
    # A service serves all that its model can have; a server of one's own may serve less.
    ask = service.ask if is_own_address(service.address) else None
    # A server nothing is known of is told as the protocol has it; it may reject it.
    switches = preset or presets()["openai"]
    return OpenAICompatible(
        model,
        name=f"{settings.llm}:{model}",
        base_url=service.address,
        api_key=service.api_key,
        max_retries=MAX_RETRIES if somebody_waits else 0,
        context=ContextSize(model, settings.context_tokens or known, ask, thinks=thinks),
        thinking_switch=switches.think_on if thinks else switches.think_off,
        is_known=preset is not None,
        key_variable=service.key_variable,
        address_variable=service.address_variable,
        **common,
    )
