"""Opens the chat model the settings name; nothing else in the package chooses one.

A model is opened only where the settings say so: a key that happens to lie in the
environment sends no word anywhere.
"""

from __future__ import annotations

from pathlib import Path

from siliconfriend.config import Settings
from siliconfriend.errors import ConfigurationError
from siliconfriend.models.base import ChatModel


def open_chat_model(settings: Settings, *, max_retries: int | None = None) -> ChatModel | None:
    """Open the model of ``settings.llm``; None for ``offline``.

    Args:
        settings: name it.
        max_retries: how often a client asks a server again by itself; None for as usual.

    Raises:
        ConfigurationError: OpenAI without a key; a model file that is missing or none; the
            extra for model files is not installed.
    """
    kind, _, path = settings.llm.partition(":")
    if kind == "offline":
        return None
    if kind == "gguf":
        from siliconfriend.models.gguf import GGUFModel

        return GGUFModel(
            Path(path.strip()).expanduser(),
            temperature=settings.temperature,
            max_tokens=settings.max_tokens,
            timeout=settings.timeout,
        )
    from siliconfriend.models.openai_compatible import (
        DEFAULT_MODEL,
        MAX_RETRIES,
        OpenAICompatible,
    )

    if not settings.openai_api_key and not settings.openai_base_url:
        raise ConfigurationError("llm_no_key")
    return OpenAICompatible(
        settings.model or DEFAULT_MODEL,
        base_url=settings.openai_base_url,
        api_key=settings.openai_api_key,
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        timeout=settings.timeout,
        max_retries=MAX_RETRIES if max_retries is None else max_retries,
    )
