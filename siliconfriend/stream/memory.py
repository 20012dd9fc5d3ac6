"""A memory of the stream, and a reflection: a memory about other memories.

Importance and vector are found when they are first asked for. A memory that is in a
stream has them found for all of its stream at once: asked one by one, a stream of a
thousand would cost a thousand calls of a model.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from siliconfriend.importance import offline_importance, rate
from siliconfriend.language.characters import fold
from siliconfriend.models.base import ChatModel
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.stream.appraisal import embed_all, rate_all
from siliconfriend.stream.defaults import chat_or_none, embedder_of, prompts_for

if TYPE_CHECKING:
    from siliconfriend.stream.memory_stream import MemoryStream

TYPES = {
    "observation": ("o", "observation", "观察"),
    "reflection": ("r", "reflection", "反思"),
    "plan": ("p", "plan", "计划"),
}


def meaning_of(memory_type: str) -> str:
    """What a type stands for however it is written: ``O``, ``observation`` and 观察 are one."""
    plain = fold(memory_type).strip()
    return next((meaning for meaning, names in TYPES.items() if plain in names), plain)


class Memory:
    """One thing the agent observed, thought or did.

    Args:
        description: what it says.
        creation_timestamp: when it was made; without an offset it is the machine's local time.
        most_recent_access_timestamp: when it was last retrieved.
        memory_type: ``O``/``observation``, ``R``/``reflection``, ``P``/``plan`` or any other
            word; kept as given, compared by :meth:`is_a`.
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
        self.stream: MemoryStream | None = None
        self.known_importance: float | None = None
        self.known_vector: NDArray[np.floating] | None = None
        self.vector_was_given = False

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.description!r}, {self.memory_type!r})"

    @property
    def importance(self) -> float:
        """0.1 to 1.0; rated when first asked for, or set.

        Raises:
            ModelError: the model could not be had, or named no number from 1 to 10.
        """
        if self.known_importance is None:
            rate_all(self._together(), self.stream.chat if self.stream else None)
        if self.known_importance is None:
            # It left the stream it was added to.
            self.known_importance = self.generate_importance_score(self.description)
        return self.known_importance

    @importance.setter
    def importance(self, value: float) -> None:
        self.known_importance = value

    @property
    def embedding_vector(self) -> NDArray[np.floating]:
        """The vector of the description, shape (dimension,); made when first asked for, or set.

        Raises:
            ModelError: the embedder could not be had.
        """
        if self.known_vector is None:
            embed_all(self._together(), self.stream.embedder if self.stream else None)
        if self.known_vector is None:
            self.known_vector = self.generate_embedding_vector(self.description)
        return self.known_vector

    @embedding_vector.setter
    def embedding_vector(self, value: ArrayLike) -> None:
        self.known_vector = np.asarray(value, dtype=np.float64)
        self.vector_was_given = True

    def is_a(self, memory_type: str) -> bool:
        """Whether its type means the same: a memory of type ``O`` is an ``observation``."""
        return meaning_of(self.memory_type) == meaning_of(memory_type)

    def generate_embedding_vector(self, input_text: str) -> NDArray[np.floating]:
        """The vector of a text, shape (dimension,).

        Raises:
            ModelError: the embedder could not be had.
        """
        stream = self.stream.embedder if self.stream else None
        vector: NDArray[np.floating] = embedder_of(self.embedder, stream).passages([input_text])[0]
        return vector

    def generate_importance_score(self, input_text: str) -> float:
        """How much a text matters, 0.1 to 1.0: a model's rating from 1 to 10 divided by 10.

        Offline by the rule of :func:`siliconfriend.importance.offline_importance`.

        Raises:
            NoRating: the model's answer holds no number from 1 to 10.
            ModelError: the model could not be had.
        """
        chat = chat_or_none(self.chat, self.stream.chat if self.stream else None)
        if chat is None:
            return offline_importance(input_text)
        return rate(chat, prompts_for([input_text]), input_text)

    def _together(self) -> Sequence[Memory]:
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
