"""Open the chat model of the settings.

A key in the environment does not select a model, and no key is sent to another service.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from siliconfriend.config import Settings
from siliconfriend.config.presets import find_preset, presets
from siliconfriend.config.settings import find_option
from siliconfriend.errors import ConfigurationError
from siliconfriend.models.base import ChatModel, FallbackModel
from siliconfriend.models.gguf import GGUFModel
from siliconfriend.models.openai_compatible import MAX_RETRIES, OpenAICompatible


def open_chat_model(settings: Settings, *, somebody_waits: bool = True) -> ChatModel | None:
    """Open the model of ``settings.llm``, with the one to fall back on; None for ``offline``.

    ``somebody_waits`` for the answers: decides whether the model may think before them, and whether
    it is asked again at once where it was busy. ConfigurationError: a service without its key, a
    missing model file, a key that cannot be sent, or the extra for model files is not installed.
    """
    first = open_first(settings, somebody_waits)
    second = open_first(second_settings(settings), somebody_waits, is_second=True)
    return first if first is None or second is None else FallbackModel(first, second)


def second_settings(settings: Settings) -> Settings:
    """Return the settings with the second model in the place of the first."""
    llm, model = settings.fallback_llm or "offline", settings.fallback_model
    own: dict[str, Any] = {"llm_address": None, "context_tokens": None, "fallback_llm": None}
    return replace(settings, llm=llm, model=model, **own)


def open_first(
    settings: Settings, somebody_waits: bool = True, *, is_second: bool = False
) -> OpenAICompatible | None:
    """Open the model of ``settings.llm`` alone; see :func:`open_chat_model`.

    Errors name the settings of the second model if it ``is_second``.
    """
    kind, _, path = settings.llm.partition(":")
    if kind == "offline":
        return None
    preset = presets()["llamacpp" if kind == "gguf" else kind]
    address, set_in = settings.llm_address, "SILICONFRIEND_LLM_ADDRESS"
    if kind == "openai" and address is None and settings.openai_base_url:
        address, set_in = settings.openai_base_url, "OPENAI_BASE_URL"
    # Treat an unknown server like OpenAI's; it may reject options.
    known = find_preset(address) if kind == "openai" and address is not None else preset
    usual = known or preset
    thinks = settings.thinking == "on" or (settings.thinking == "night" and not somebody_waits)
    common: dict[str, Any] = {
        "temperature": settings.temperature,
        "max_tokens": settings.max_tokens,
        "timeout": settings.timeout,
        "max_retries": MAX_RETRIES if somebody_waits else 0,
        "thinks": thinks,
        "thinking_switch": usual.think_on if thinks else usual.think_off,
    }
    if kind == "gguf":
        file = Path(path.strip()).expanduser()
        return GGUFModel(file, context=settings.context_tokens, **common)
    key_setting = preset.key
    if kind == "openai" and settings.llm_address is not None:  # OpenAI's key is sent to OpenAI only
        key_setting = "llm_key" if known is None else known.key
    key = None if key_setting is None else getattr(settings, key_setting)
    option = find_option(key_setting or "openai_api_key")
    key_variable = option.variables[0] if option else ""
    if address is None and key is None and not preset.is_own_server:
        no_key = "fallback_no_key" if is_second else "llm_no_key"
        raise ConfigurationError(no_key, llm=kind, variable=key_variable)
    if key is not None and not (key.isascii() and key.isprintable()):
        raise ConfigurationError("llm_bad_key", variable=key_variable)
    name = settings.model or usual.model
    tokens = known.context_tokens if known is not None else None
    variables = {"key_variable": key_variable, "address_variable": set_in}
    if is_second:
        variables["address_variable"] = "SILICONFRIEND_FALLBACK_LLM"
        variables["model_variable"] = "SILICONFRIEND_FALLBACK_MODEL"
    return OpenAICompatible(
        name,
        name=f"{kind}:{name}",
        base_url=address or preset.address,
        api_key=key,
        context=settings.context_tokens or tokens,
        variables=variables,
        **common,
    )
