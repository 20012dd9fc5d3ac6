"""A memory of the stream, and a reflection: a memory about other memories.

Importance and vectors are computed at first use, for all memories of the stream together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from siliconfriend.extraction.importance import BATCH, importance_by_model, offline_importance, rate
from siliconfriend.models.base import ChatModel
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.stream.defaults import chat_or_none, embedder_of, prompts_for

EMBEDDING_BATCH = 256
_Model = TypeVar("_Model")


class Stream(Protocol):
    """The stream that a memory is in, as far as the memory needs it."""

    memories: list[Memory]
    chat: ChatModel | None
    embedder: Embedder | None


class Memory:
    """One thing the agent observed, thought or did.

    Args:
        description: what it says.
        creation_timestamp: when it was made; without an offset it is the machine's local time.
        most_recent_access_timestamp: when it was last retrieved.
        memory_type: ``O``/``observation``, ``R``/``reflection``, ``P``/``plan`` or any other
            word; kept as given.
        chat: rates the importance; else the stream's model, else that of the settings.
        embedder: makes the vector; else the stream's, else that of the settings.
    """

    def __init__(
        self,
        description: str,
        creation_timestamp: datetime,
        most_recent_access_timestamp: datetime,
        memory_type: str,
        *,
        chat: ChatModel | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        self.description = description
        self.creation_timestamp = creation_timestamp
        self.most_recent_access_timestamp = most_recent_access_timestamp
        self.memory_type = memory_type
        self.chat = chat
        self.embedder = embedder
        self.stream: Stream | None = None
        self.known_importance: float | None = None
        self.known_vector: NDArray[np.floating] | None = None
        self.vector_was_given = False

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.description!r}, {self.memory_type!r})"

    @property
    def importance(self) -> float:
        """0.1 to 1.0; rated when first asked for, or set. ModelError where no model could rate it."""
        if self.known_importance is None:
            rate_all(self._batch(), self.stream.chat if self.stream else None)
        if self.known_importance is None:  # it left the stream it was added to
            self.known_importance = self.generate_importance_score(self.description)
        return self.known_importance

    @importance.setter
    def importance(self, value: float) -> None:
        self.known_importance = value

    @property
    def embedding_vector(self) -> NDArray[np.floating]:
        """The vector of the description, shape (dimension,); made when first asked for, or set."""
        if self.known_vector is None:
            embed_all(self._batch(), self.stream.embedder if self.stream else None)
        if self.known_vector is None:
            self.known_vector = self.generate_embedding_vector(self.description)
        return self.known_vector

    @embedding_vector.setter
    def embedding_vector(self, value: ArrayLike) -> None:
        self.known_vector = np.asarray(value, dtype=np.float64)
        self.vector_was_given = True

    def generate_embedding_vector(self, input_text: str) -> NDArray[np.floating]:
        """Embed a text as a vector of shape (dimension,); ModelError where that fails."""
        stream = self.stream.embedder if self.stream else None
        vector: NDArray[np.floating] = embedder_of(self.embedder, stream).passages([input_text])[0]
        return vector

    def generate_importance_score(self, input_text: str) -> float:
        """Rate how much a text matters, 0.1 to 1.0: a model's rating divided by 10, offline a rule's.

        Raises:
            NoRating: the model's answer holds no number from 1 to 10.
            ModelError: the model could not be had.
        """
        chat = chat_or_none(self.chat, self.stream.chat if self.stream else None)
        if chat is None:
            return offline_importance(input_text)
        return rate(chat, prompts_for([input_text]), input_text)

    def _batch(self) -> Sequence[Memory]:
        """The memories to rate or embed together with this one, which is among them if it can be."""
        return [self] if self.stream is None else self.stream.memories


class Reflection(Memory):
    """A thought about other memories.

    Args:
        description: the insight.
        creation_timestamp: when it was made.
        most_recent_access_timestamp: when it was last retrieved.
        pointers: 0-based positions in ``stream.memories`` of the memories it rests on.
        chat, embedder: as for :class:`Memory`.
    """

    def __init__(
        self,
        description: str,
        creation_timestamp: datetime,
        most_recent_access_timestamp: datetime,
        pointers: Sequence[int],
        *,
        chat: ChatModel | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        super().__init__(
            description,
            creation_timestamp,
            most_recent_access_timestamp,
            "reflection",
            chat=chat,
            embedder=embedder,
        )
        self.pointers = list(pointers)


def rate_all(memories: Iterable[Memory], chat: ChatModel | None) -> None:
    """Rate each memory that has no importance, by its own model, else by ``chat``.

    Ratings made before a call failed are kept. Errors as
    :func:`siliconfriend.extraction.importance.importance_by_model`.
    """
    unrated = [memory for memory in memories if memory.known_importance is None]
    for own, batch in _batches(unrated, lambda memory: memory.chat, BATCH):
        model = chat_or_none(own, chat)
        texts = [memory.description for memory in batch]
        if model is None:
            ratings = [offline_importance(text) for text in texts]
        else:
            ratings = importance_by_model(model, prompts_for(texts), texts)
        for memory, rating in zip(batch, ratings, strict=True):
            memory.known_importance = rating


def embed_all(memories: Iterable[Memory], embedder: Embedder | None) -> None:
    """Embed each memory that has no vector, by its own embedder, else by ``embedder``."""
    without_vector = [memory for memory in memories if memory.known_vector is None]
    for own, batch in _batches(without_vector, lambda memory: memory.embedder, EMBEDDING_BATCH):
        vectors = embedder_of(own, embedder).passages([memory.description for memory in batch])
        for memory, vector in zip(batch, vectors, strict=True):
            memory.known_vector = vector


def _batches(
    memories: Iterable[Memory], own: Callable[[Memory], _Model], size: int
) -> Iterator[tuple[_Model, list[Memory]]]:
    groups: dict[int, tuple[_Model, list[Memory]]] = {}
    for memory in memories:
        groups.setdefault(id(own(memory)), (own(memory), []))[1].append(memory)
    for model, group in groups.values():
        for start in range(0, len(group), size):
            yield model, group[start : start + size]
