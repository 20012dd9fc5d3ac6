"""The default model, embedder and prompts of a stream that was given none.

They are opened from the settings when they are first needed and kept while the settings
stay the same: a local model takes seconds to start, and a stream asks for it again with
every memory.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from threading import Lock

import numpy as np

from siliconfriend.config import load_settings
from siliconfriend.errors import ConfigurationError
from siliconfriend.language.characters import language_of
from siliconfriend.language.words import words_and_pairs
from siliconfriend.models.base import ChatModel
from siliconfriend.prompts.loader import Prompts
from siliconfriend.recall.embedders.base import Embedder, Vectors
from siliconfriend.runtime import Runtime

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


_lock = Lock()
_opened: Runtime | None = None


def chat_or_none(*given: ChatModel | None) -> ChatModel | None:
    """The first model given, else that of the settings, None if they say offline."""
    for chat in given:
        if chat is not None:
            return chat
    return _runtime().chat


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
    return _runtime().embedder or BagOfWords()


def prompts_for(texts: Iterable[str]) -> Prompts:
    """The prompts in the language of the texts, the operator's own among them."""
    return Prompts(language_of("\n".join(texts)), load_settings().prompts)


def _runtime() -> Runtime:
    """The runtime of the settings, opened anew when they changed."""
    global _opened
    settings = load_settings()
    with _lock:
        if _opened is None or _opened.settings != settings:
            _opened = Runtime(settings)
        return _opened
