"""Keep all memories of one agent in order, and retrieve them by a score.

The score is ``alpha_recency · recency + alpha_importance · importance + alpha_relevance ·
relevance``; :mod:`siliconfriend.seeds.scoring` has the formulas. Importance and vectors are computed
at first use.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import ArrayLike, NDArray

from siliconfriend.clock import Clock, SystemClock
from siliconfriend.extraction.importance import offline_importance
from siliconfriend.models.base import ChatModel
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.seeds.defaults import chat_or_none, embedder_of, prompts_for
from siliconfriend.seeds.importance import rate
from siliconfriend.seeds.scoring import FLOAT_NOISE, cosines, min_max, recency_by_time

if TYPE_CHECKING:
    import pandas as pd


class Memory:
    """One thing the agent observed, thought or did.

    A moment without an offset is the machine's local time. ``memory_type`` may be any word. ``chat``
    and ``embedder`` are used for this memory; else those of its stream, else those of the settings.
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
        self.known_vector: NDArray[np.floating] | None = None
        self.vector_was_given = False
        self._importance: float | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.description!r}, {self.memory_type!r})"

    @property
    def importance(self) -> float:
        """0.1 to 1.0, rated at first use unless it was set; errors as of the rating."""
        return self.rated()

    @importance.setter
    def importance(self, value: float) -> None:
        self._importance = value

    @property
    def embedding_vector(self) -> NDArray[np.floating]:
        """The vector of the description, shape (dimension,), made at first use unless it was set."""
        if self.known_vector is None:
            self.known_vector = self.generate_embedding_vector(self.description)
        return self.known_vector

    @embedding_vector.setter
    def embedding_vector(self, value: ArrayLike) -> None:
        self.known_vector = np.asarray(value, dtype=np.float64)
        self.vector_was_given = True

    def generate_embedding_vector(self, input_text: str) -> NDArray[np.floating]:
        """Embed a text as a vector of shape (dimension,); ModelError if that fails."""
        embedder = embedder_of(self.embedder, self.stream.embedder if self.stream else None)
        vector: NDArray[np.floating] = embedder.passages([input_text])[0]
        return vector

    def rated(self, chat: ChatModel | None = None) -> float:
        """Return the importance; ``chat`` rates it if neither memory nor stream has a model."""
        if self._importance is None:
            self._importance = self.generate_importance_score(self.description, chat=chat)
        return self._importance

    def generate_importance_score(self, input_text: str, *, chat: ChatModel | None = None) -> float:
        """Rate the importance of a text, 0.1 to 1.0, by a model, or by a rule offline.

        Raises:
            ModelError: as :func:`siliconfriend.seeds.importance.rate`.
        """
        chat = chat_or_none(self.chat, self.stream.chat if self.stream else None, chat)
        if chat is None:
            return offline_importance(input_text)
        return rate(chat, prompts_for([input_text]), input_text)


class Reflection(Memory):
    """A thought about other memories, of type ``reflection``.

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
        memories: the first memories, oldest first; the list is copied.
        alpha_recency, alpha_importance, alpha_relevance: weights of the three scores.
        decay_factor: factor of recency for each second, above 0 and at most 1.
        context_window_size: most memories that a retrieval returns.
        chat, embedder: model and embedder of its memories; else those of the settings.
        clock: the machine's unless given.

    Raises:
        ValueError: a weight is not finite, or ``decay_factor`` or ``context_window_size`` is
            out of range; the message names every wrong argument.
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
        """Return the best memories for a query, best first, and mark them as accessed now.

        The query is compared by its vector if that was set, else by its description, embedded as a
        question. Ties are broken by the last access, then by age, then by the words.

        Args:
            query_memory: the query; need not be in the stream.
            filter_statement: a condition on the columns below, such as ``relevance > 0.5``, in the
                language of :meth:`pandas.DataFrame.query`, applied before the best are selected.

        Returns:
            At most ``context_window_size`` rows with the columns description, importance (0.1 to 1),
            recency and relevance (min-max over the whole stream, 0 to 1), pointer (0-based position
            in ``memories``) and score.

        Raises:
            ModelError: an importance or a vector could not be computed.
            ValueError: the vectors have different dimensions.
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
        """Return all memories in their order, a column for each attribute; errors as of a retrieval."""
        import pandas as pd

        self._embed()
        columns = ["description", "importance", "creation_timestamp"]
        columns += ["most_recent_access_timestamp", "memory_type", "embedding_vector"]
        rows = [[getattr(memory, name) for name in columns] for memory in self.memories]
        return pd.DataFrame(rows, columns=columns)

    def _embed(self) -> None:
        """Embed in one call the memories that have neither a vector nor an embedder of their own."""
        memories = [
            memory
            for memory in self.memories
            if memory.known_vector is None and memory.embedder is None
        ]
        if memories:
            vectors = embedder_of(self.embedder).passages([one.description for one in memories])
            for memory, vector in zip(memories, vectors, strict=True):
                memory.known_vector = vector

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


def _seconds(moment: datetime) -> float:
    """Return the seconds since 1970; a moment without an offset is the machine's local time."""
    return moment.astimezone(UTC).timestamp()
