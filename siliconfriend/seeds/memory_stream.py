"""All memories of one agent in the order they were made, and how they are retrieved.

The score is ``alpha_recency · recency + alpha_importance · importance + alpha_relevance ·
relevance``; the formulas of its parts stand in :mod:`siliconfriend.recall.scoring`. Importance and
vectors are computed at first use, for all memories of a stream together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import ArrayLike, NDArray

from siliconfriend.clock import Clock, SystemClock
from siliconfriend.extraction.importance import offline_importance
from siliconfriend.models.base import ChatModel
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.seeds.defaults import chat_or_none, embedder_of, prompts_for
from siliconfriend.seeds.importance import BATCH, importance_by_model, rate
from siliconfriend.seeds.scoring import FLOAT_NOISE, cosines, min_max, recency_by_time

if TYPE_CHECKING:
    import pandas as pd

EMBEDDING_BATCH = 256
_Model = TypeVar("_Model")


class Memory:
    """One thing the agent observed, thought or did.

    A moment without an offset is the machine's local time. ``memory_type`` is kept as given:
    ``observation``, ``reflection``, ``plan`` or any other word. ``chat`` rates the importance and
    ``embedder`` makes the vector; else those of the stream, else those of the settings do.
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
        """0.1 to 1.0; rated when first asked for, or set. ModelError where no model could rate it."""
        if self.known_importance is None:
            rate_all(self._together(), self.stream.chat if self.stream else None)
        assert self.known_importance is not None
        return self.known_importance

    @importance.setter
    def importance(self, value: float) -> None:
        self.known_importance = value

    @property
    def embedding_vector(self) -> NDArray[np.floating]:
        """The vector of the description, shape (dimension,); made when first asked for, or set."""
        if self.known_vector is None:
            _embed(self._together(), self.stream.embedder if self.stream else None)
        assert self.known_vector is not None
        return self.known_vector

    @embedding_vector.setter
    def embedding_vector(self, value: ArrayLike) -> None:
        self.known_vector = np.asarray(value, dtype=np.float64)
        self.vector_was_given = True

    def generate_embedding_vector(self, input_text: str) -> NDArray[np.floating]:
        """Embed a text as a vector of shape (dimension,); ModelError where that fails."""
        embedder = embedder_of(self.embedder, self.stream.embedder if self.stream else None)
        vector: NDArray[np.floating] = embedder.passages([input_text])[0]
        return vector

    def generate_importance_score(self, input_text: str) -> float:
        """Rate how much a text matters, 0.1 to 1.0: a model's rating divided by 10, offline a rule's.

        Errors as :func:`siliconfriend.extraction.importance.rate`.
        """
        chat = chat_or_none(self.chat, self.stream.chat if self.stream else None)
        if chat is None:
            return offline_importance(input_text)
        return rate(chat, prompts_for([input_text]), input_text)

    def _together(self) -> Iterable[Memory]:
        """Return the memories to rate or embed with this one."""
        return dict.fromkeys((*(self.stream.memories if self.stream else ()), self))


class Reflection(Memory):
    """A thought about other memories, of type ``reflection``; ``chat=`` and ``embedder=`` as there.

    ``pointers`` are 0-based positions in ``stream.memories`` of the memories it rests on.
    """

    def __init__(
        self,
        description: str,
        creation_timestamp: datetime,
        most_recent_access_timestamp: datetime,
        pointers: Sequence[int],
        **models: Any,
    ) -> None:
        times = (creation_timestamp, most_recent_access_timestamp)
        super().__init__(description, *times, "reflection", **models)
        self.pointers = list(pointers)


class MemoryStream:
    """Stores, scores and retrieves memories.

    Args:
        memories: those it begins with, oldest first; the list is copied.
        alpha_recency, alpha_importance, alpha_relevance: weights of the three scores.
        decay_factor: what recency is multiplied by each second, above 0 and at most 1.
        context_window_size: how many memories a retrieval returns at most.
        chat: rates importance and reflects; else the model of the settings.
        embedder: makes vectors; else that of the settings.
        clock: tells the present; else the machine's.

    Raises:
        ValueError: a weight is not finite, or ``decay_factor`` or ``context_window_size`` is
            out of range; all that is wrong is named.
    """

    def __init__(
        self,
        memories: Iterable[Memory],
        alpha_recency: float,
        alpha_importance: float,
        alpha_relevance: float,
        decay_factor: float,
        context_window_size: int,
        *,
        chat: ChatModel | None = None,
        embedder: Embedder | None = None,
        clock: Clock | None = None,
    ) -> None:
        weights = {"recency": alpha_recency, "importance": alpha_importance}
        weights["relevance"] = alpha_relevance
        wrong = [
            f"alpha_{name} must be a finite number, not {weight}"
            for name, weight in weights.items()
            if not math.isfinite(weight)
        ]
        if not 0 < decay_factor <= 1:
            wrong.append(f"decay_factor must be above 0 and at most 1, not {decay_factor}")
        if context_window_size < 0:
            wrong.append(f"context_window_size must be 0 or more, not {context_window_size}")
        if wrong:
            raise ValueError("; ".join(wrong))
        self.alpha_recency = alpha_recency
        self.alpha_importance = alpha_importance
        self.alpha_relevance = alpha_relevance
        self.decay_factor = decay_factor
        self.context_window_size = context_window_size
        self.chat = chat
        self.embedder = embedder
        self.clock: Clock = clock or SystemClock()
        self.memories: list[Memory] = []
        for memory in memories:
            self.add_memory(memory)

    def add_memory(self, memory: Memory) -> None:
        """Put a memory at the end of the stream."""
        memory.stream = self
        self.memories.append(memory)

    def now(self) -> datetime:
        """Return the present by the stream's clock, aware and in UTC."""
        return self.clock.now(ZoneInfo("UTC"))

    def retrieve_memories(
        self, query_memory: Memory, filter_statement: str | None = None
    ) -> pd.DataFrame:
        """Return the memories that score best for a query, best first, and mark them as accessed now.

        A query whose vector was set is compared by it, else its description is embedded as a question.
        Of equal scores the last accessed comes first, then the newest, then by their words.

        Args:
            query_memory: the query; need not be in the stream.
            filter_statement: a condition on the columns below, ``relevance > 0.5`` say, in the language
                of :meth:`pandas.DataFrame.query`; it is applied before the best are taken.

        Returns:
            Columns description, importance (0.1 to 1), recency and relevance (their min-max over the
            whole stream, 0 to 1), pointer (0-based position in ``memories``), score; at most
            ``context_window_size`` rows.

        Raises:
            ModelError: importance or a vector was lacking and could not be had.
            ValueError: vectors of different dimensions.
        """
        now = self.now()
        frame = self._scored(query_memory, now)
        if filter_statement is not None:
            frame = frame.query(filter_statement, engine="python", local_dict={}, global_dict={})
        best = frame.head(self.context_window_size).reset_index(drop=True)
        for pointer in best["pointer"]:
            memory = self.memories[pointer]
            zone = memory.most_recent_access_timestamp.tzinfo
            accessed = now.astimezone(zone)  # as the old time was written: its zone, or no offset
            memory.most_recent_access_timestamp = (
                accessed if zone else accessed.replace(tzinfo=None)
            )
        return best

    def get_memory_df(self) -> pd.DataFrame:
        """Return all memories in their order, with every attribute, a column each.

        Raises:
            ModelError: importance or a vector was lacking and could not be had.
        """
        import pandas as pd

        columns = ["description", "importance", "creation_timestamp"]
        columns += ["most_recent_access_timestamp", "memory_type", "embedding_vector"]
        rows = [[getattr(memory, name) for name in columns] for memory in self.memories]
        return pd.DataFrame(rows, columns=columns)

    def _scored(self, query: Memory, now: datetime) -> pd.DataFrame:
        """Score every memory; best first."""
        frame = self.get_memory_df()
        accessed = [_seconds(memory.most_recent_access_timestamp) for memory in self.memories]
        elapsed = _seconds(now) - np.array(accessed, dtype=float)
        frame["recency"] = recency_by_time(elapsed, self.decay_factor)
        relevance = self._cosines(query) if accessed else np.zeros(0)
        frame["relevance"] = min_max(relevance, noise=FLOAT_NOISE)
        frame["pointer"] = np.arange(len(self.memories))
        frame["score"] = (
            self.alpha_recency * frame["recency"]
            + self.alpha_importance * frame["importance"].astype(float)
            + self.alpha_relevance * frame["relevance"]
        )
        frame["accessed"] = accessed
        frame["made"] = [_seconds(memory.creation_timestamp) for memory in self.memories]
        by = ["score", "accessed", "made", "description", "memory_type"]
        ordered = frame.sort_values(by, ascending=[False, False, False, True, True], kind="stable")
        return ordered[["description", "importance", "recency", "relevance", "pointer", "score"]]

    def _cosines(self, query: Memory) -> NDArray[np.float64]:
        vectors = [memory.embedding_vector for memory in self.memories]
        sizes = {vector.shape for vector in vectors}
        if len(sizes) > 1:
            msg = f"the memories have vectors of different shapes: {sorted(sizes)}"
            raise ValueError(msg)
        if query.vector_was_given:
            wanted = query.embedding_vector
        else:
            wanted = embedder_of(query.embedder, self.embedder).queries([query.description])[0]
        return cosines(wanted, np.stack(vectors))


def rate_all(memories: Iterable[Memory], chat: ChatModel | None) -> None:
    """Rate each memory that has no importance, by its own model, else by ``chat``.

    Ratings made before a call failed are kept. Errors as
    :func:`siliconfriend.seeds.importance.importance_by_model`.
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


def _embed(memories: Iterable[Memory], embedder: Embedder | None) -> None:
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


def _seconds(moment: datetime) -> float:
    """Return the seconds since 1970; a moment without an offset is the machine's local time."""
    return moment.astimezone(UTC).timestamp()
