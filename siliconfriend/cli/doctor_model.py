"""``doctor``'s check of the chat model: that it answers, and with how much context.

A server that serves less context than its model could have answers just as well, only that
it remembers less. That is seen nowhere else, so it is said here, with what to do.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from siliconfriend.errors import ModelUnavailable

from .app import App

if TYPE_CHECKING:
    from siliconfriend.config import Settings
    from siliconfriend.models.base import ChatModel
    from siliconfriend.models.served_context import Served
    from siliconfriend.runtime import Runtime

COMFORTABLE = 12_000
"""Tokens of context from which on a prompt holds all it may: memories, talk, persona, answer."""
MOST_NAMED = 10
"""Models that are named where the one that is set is not there."""


def check_model(app: App, runtime: Runtime) -> str:
    """Ask the model of the settings for a word, and its server what it serves.

    Raises:
        ConfigurationError: it cannot be opened.
        ModelError: it does not answer, or its server does not have it.
    """
    from siliconfriend.models.fallback import FallbackModel

    chat = runtime.chat
    if chat is None:
        return app.text("doctor.offline")
    first = chat.first if isinstance(chat, FallbackModel) else chat
    return _check(app, first, runtime.settings)


def check_second_model(app: App, runtime: Runtime) -> str:
    """Ask the model to fall back on, whatever the first one said; as :func:`check_model`."""
    from siliconfriend.models.factory import second_settings
    from siliconfriend.models.fallback import FallbackModel

    chat = runtime.chat
    assert isinstance(chat, FallbackModel)
    return _check(app, chat.second, second_settings(runtime.settings))


def _check(app: App, model: ChatModel, settings: Settings) -> str:
    seconds = _ask(app, model, settings)
    answers = app.text("doctor.model", name=model.name, address=model.address, seconds=seconds)
    if settings.llm.startswith("gguf:"):
        return answers
    size = app.text("doctor.context", tokens=model.context_tokens)
    notes = _notes(app, settings, model.context_tokens, _served(settings))
    return "\n      ".join([f"{answers}{size}", *notes])


def _ask(app: App, model: ChatModel, settings: Settings) -> float:
    """Seconds until a short answer was there."""
    from siliconfriend.models.base import Message

    began = time.perf_counter()
    try:
        model.complete([Message("user", app.text("doctor.sample"))])
    except ModelUnavailable as error:
        has = _served(settings).models if error.key == "model_missing" else ()
        if not has:
            raise
        known = ", ".join(has[:MOST_NAMED]) + (" …" if len(has) > MOST_NAMED else "")
        raise ModelUnavailable("model_missing_has", cause=error, known=known) from error
    return time.perf_counter() - began


def _served(settings: Settings) -> Served:
    from siliconfriend.models.factory import find_service
    from siliconfriend.models.served_context import ask_server

    service = find_service(settings)
    return ask_server(service.address, settings.model or service.model, service.api_key)


def _notes(app: App, settings: Settings, used: int, served: Served) -> list[str]:
    """Notes for the operator: too small a context, or a model that will be withdrawn."""
    notes = []
    wanted = settings.context_tokens
    if wanted is not None and served.context_tokens is not None and wanted > served.context_tokens:
        notes.append(app.text("doctor.context_less", wanted=wanted, tokens=served.context_tokens))
    if used < COMFORTABLE:
        key = f"doctor.context_more.{served.kind or 'other'}"
        notes.append(app.text("doctor.context_small", tokens=used, more=app.text(key)))
    if served.withdrawn_on:
        notes.append(app.text("doctor.withdrawn", day=served.withdrawn_on))
    return notes
