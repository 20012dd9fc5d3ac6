"""The default model, embedder and prompts of a stream that was given none.

They are opened from the settings when first needed and kept while these stay the same.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

import numpy as np

from siliconfriend.config import Settings, load_settings
from siliconfriend.errors import ConfigurationError
from siliconfriend.language.characters import language_of
from siliconfriend.language.words import words_and_pairs
from siliconfriend.models.base import ChatModel
from siliconfriend.models.factory import open_chat_model
from siliconfriend.prompts.loader import Prompts
from siliconfriend.recall.embedders.base import Embedder, Vectors
from siliconfriend.recall.embedders.cached import CachedEmbedder
from siliconfriend.recall.embedders.factory import open_embedder

DIMENSION = 1024


class BagOfWords:
    """Counts words, and pairs of Chinese characters, on 1024 axes chosen by their checksum."""

    name = "words"
    revision = "2"
    dimension = DIMENSION

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Rows of length 1, or of zeros for a text without a word; shape (len(texts), 1024)."""
        vectors = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in words_and_pairs(text):
                vectors[row, zlib.crc32(word.encode("utf-8", "replace")) % DIMENSION] += 1
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        np.divide(vectors, lengths, out=vectors, where=lengths > 0)
        return vectors

    def queries(self, texts: Sequence[str]) -> Vectors:
        """The same as :meth:`passages`."""
        return self.passages(texts)


@dataclass
class _Parts:
    """The model and the embedder of some settings."""

    settings: Settings

    @cached_property
    def chat(self) -> ChatModel | None:
        return open_chat_model(self.settings)

    @cached_property
    def embedder(self) -> Embedder | None:
        embedder = open_embedder(self.settings)
        return None if embedder is None else CachedEmbedder(embedder, max_passages=0)


_lock = Lock()
_opened: _Parts | None = None


def chat_or_none(*given: ChatModel | None) -> ChatModel | None:
    """The first model given, else that of the settings, None if they say offline."""
    for chat in given:
        if chat is not None:
            return chat
    return _parts().chat


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
    return _parts().embedder or BagOfWords()


def prompts_for(texts: Iterable[str]) -> Prompts:
    """The prompts in the language of the texts, the operator's own among them."""
    return Prompts(language_of("\n".join(texts)), load_settings().prompts)


def _parts() -> _Parts:
    """The parts that the settings name, opened anew when these changed."""
    global _opened
    settings = load_settings()
    with _lock:
        if _opened is None or _opened.settings != settings:
            _opened = _Parts(settings)
        return _opened
