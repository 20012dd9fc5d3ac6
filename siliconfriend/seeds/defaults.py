"""Open the default model, embedder and prompts of a stream from the settings."""

import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np

from siliconfriend.config import Settings, load_settings
from siliconfriend.errors import ConfigurationError
from siliconfriend.language.characters import language_of
from siliconfriend.language.tokenizer import tokenize
from siliconfriend.models.base import ChatModel
from siliconfriend.models.factory import open_chat_model
from siliconfriend.prompts.loader import Prompts
from siliconfriend.recall.embedders.base import Embedder, Vectors
from siliconfriend.recall.embedders.cached import CachedEmbedder
from siliconfriend.recall.embedders.factory import open_embedder

DIMENSION = 1024
Part = TypeVar("Part")


class BagOfWords:
    """Embeds texts by counting tokens on 1024 axes, chosen by the token's checksum."""

    name = "words"
    revision = "3"
    dimension = DIMENSION

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed texts as unit vectors, or zeros for no word; shape (len(texts), 1024)."""
        vectors = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in tokenize(text):
                vectors[row, zlib.crc32(word.encode("utf-8", "replace")) % DIMENSION] += 1
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        np.divide(vectors, lengths, out=vectors, where=lengths > 0)
        return vectors

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return the same as :meth:`passages`."""
        return self.passages(texts)


_opened: dict[object, tuple[Settings, Any]] = {}


def _open_once(open_part: Callable[[Settings], Part]) -> Part:
    """Return what the function opens; open it again only after a change of the settings."""
    settings = load_settings()
    if open_part not in _opened or _opened[open_part][0] != settings:
        _opened[open_part] = (settings, open_part(settings))
    part: Part = _opened[open_part][1]
    return part


def _open_embedder(settings: Settings) -> Embedder:
    embedder = open_embedder(settings)
    return BagOfWords() if embedder is None else CachedEmbedder(embedder, max_passages=0)


def chat_or_none(*given: ChatModel | None) -> ChatModel | None:
    """Return the first model given, else that of the settings; None if they say offline."""
    return next((part for part in given if part is not None), None) or _open_once(open_chat_model)


def chat_for_reflection(chat: ChatModel | None) -> ChatModel:
    """Return the model, else that of the settings; ConfigurationError if they say offline."""
    chat = chat_or_none(chat)
    if chat is None:
        raise ConfigurationError("reflection_offline")
    return chat


def embedder_of(*given: Embedder | None) -> Embedder:
    """Return the first embedder given, else that of the settings, or word counts without one."""
    return next((part for part in given if part is not None), None) or _open_once(_open_embedder)


def prompts_for(texts: Iterable[str]) -> Prompts:
    """Return the prompts, or the operator's own ones, in the language of the texts."""
    return Prompts(language_of("\n".join(texts)), load_settings().prompts)
