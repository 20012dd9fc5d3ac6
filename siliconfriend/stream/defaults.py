"""The default model, embedder and prompts of a stream that was given none.

They are opened from the settings when they are first needed and kept while the settings
stay the same: a local model takes seconds to start, and a stream asks for it again with
every memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock
from typing import Generic, TypeVar

from siliconfriend.config import Settings, load_settings
from siliconfriend.errors import ConfigurationError
from siliconfriend.language.characters import language_of
from siliconfriend.models.base import ChatModel
from siliconfriend.models.factory import open_chat_model
from siliconfriend.prompts.loader import Prompts
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.stream.bag_of_words import BagOfWords

_Opened = TypeVar("_Opened")


class _FromSettings(Generic[_Opened]):
    """Keeps what ``open_by`` makes of the settings, and makes it again when they changed."""

    def __init__(self, open_by: Callable[[Settings], _Opened]) -> None:
        self._open_by = open_by
        self._kept: tuple[Settings, _Opened] | None = None
        self._lock = Lock()

    def get(self) -> _Opened:
        settings = load_settings()
        with self._lock:
            if self._kept is None or self._kept[0] != settings:
                self._kept = (settings, self._open_by(settings))
            return self._kept[1]


def _open_embedder(settings: Settings) -> Embedder:
    from siliconfriend.recall.embedders.factory import open_embedder

    return open_embedder(settings) or BagOfWords()


_chat = _FromSettings(open_chat_model)
_embedder = _FromSettings(_open_embedder)


def chat_or_none(*given: ChatModel | None) -> ChatModel | None:
    """The first model given, else that of the settings, None if they say offline."""
    for chat in given:
        if chat is not None:
            return chat
    return _chat.get()


def chat_for_reflection(*given: ChatModel | None) -> ChatModel:
    """The first model given, else that of the settings, which reflection cannot do without.

    Raises:
        ConfigurationError: the settings say offline; insights cannot be made by rule.
    """
    chat = chat_or_none(*given)
    if chat is None:
        raise ConfigurationError("reflection_offline")
    return chat


def embedder_of(*given: Embedder | None) -> Embedder:
    """The first embedder given, else that of the settings; word counts if they say none."""
    for embedder in given:
        if embedder is not None:
            return embedder
    return _embedder.get()


def prompts_for(texts: Iterable[str]) -> Prompts:
    """The prompts in the language of the texts, the operator's own among them."""
    return Prompts(language_of("\n".join(texts)), load_settings().prompts)
