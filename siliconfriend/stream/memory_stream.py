"""All memories of one agent in the order they were made; how they are retrieved and reflected on.

The score is ``alpha_recency · recency + alpha_importance · importance + alpha_relevance ·
relevance``; the formulas of its parts stand in :mod:`siliconfriend.recall.recipes`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from siliconfriend.clock import Clock, SystemClock
from siliconfriend.models.base import ChatModel
from siliconfriend.prompts.loader import Prompts
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.scoring import FLOAT_NOISE, cosines, min_max, recency_by_time
from siliconfriend.stream.defaults import chat_for_reflection, embedder_of, prompts_for
from siliconfriend.stream.memory import Memory, Reflection, embed_all, rate_all
from siliconfriend.stream.reflection import (
    RELEVANCE_THRESHOLD,
    Insight,
    ask_questions,
    condense,
    infer_insights,
    reaches_threshold,
)

if TYPE_CHECKING:
    import pandas as pd


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
        """The memories that score best for a query, best first, and marks them as accessed now.

        A query whose vector was set is compared by it, else its description is embedded as a question. Of
        equal scores the last accessed comes first, then the newest, then by their words.

        Args:
            query_memory: what is asked; need not be in the stream.
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
            memory.most_recent_access_timestamp = _like(memory.most_recent_access_timestamp, now)
        return best

    def get_memory_df(self) -> pd.DataFrame:
        """Return all memories in their order, with every attribute.

        Returns:
            Columns description, importance, creation_timestamp,
            most_recent_access_timestamp, memory_type, embedding_vector.

        Raises:
            ModelError: importance or a vector was lacking and could not be had.
        """
        import pandas as pd

        rate_all(self.memories, self.chat)
        embed_all(self.memories, self.embedder)
        columns = {
            "description": [memory.description for memory in self.memories],
            "importance": np.array([memory.importance for memory in self.memories], dtype=float),
            "creation_timestamp": [memory.creation_timestamp for memory in self.memories],
            "most_recent_access_timestamp": [
                memory.most_recent_access_timestamp for memory in self.memories
            ],
            "memory_type": [memory.memory_type for memory in self.memories],
            "embedding_vector": [memory.embedding_vector for memory in self.memories],
        }
        return pd.DataFrame(columns)

    def _scored(self, query: Memory, now: datetime) -> pd.DataFrame:
        """Return every memory with its scores, best first."""
        import pandas as pd

        rate_all(self.memories, self.chat)
        embed_all(self.memories, self.embedder)
        accessed = [_seconds(memory.most_recent_access_timestamp) for memory in self.memories]
        elapsed = _seconds(now) - np.array(accessed, dtype=float)
        importance = np.array([memory.importance for memory in self.memories], dtype=float)
        recency = recency_by_time(elapsed, self.decay_factor)
        relevance = min_max(self._cosines(query), noise=FLOAT_NOISE)
        score = (
            self.alpha_recency * recency
            + self.alpha_importance * importance
            + self.alpha_relevance * relevance
        )
        frame = pd.DataFrame(
            {
                "description": [memory.description for memory in self.memories],
                "importance": importance,
                "recency": recency,
                "relevance": relevance,
                "pointer": np.arange(len(self.memories)),
                "score": score,
                "accessed": accessed,
                "made": [_seconds(memory.creation_timestamp) for memory in self.memories],
                "type": [memory.memory_type for memory in self.memories],
            }
        )
        by = ["score", "accessed", "made", "description", "type"]
        ordered = frame.sort_values(by, ascending=[False, False, False, True, True], kind="stable")
        return ordered.drop(columns=["accessed", "made", "type"])

    def _cosines(self, query: Memory) -> NDArray[np.float64]:
        if not self.memories:
            return np.zeros(0)
        if query.vector_was_given:
            wanted = query.embedding_vector
        else:
            wanted = embedder_of(query.embedder, self.embedder).queries([query.description])[0]
        return cosines(wanted, _rows([memory.embedding_vector for memory in self.memories]))


def _rows(vectors: Sequence[NDArray[np.floating]]) -> NDArray[np.floating]:
    sizes = {vector.shape for vector in vectors}
    if len(sizes) > 1:
        msg = f"the memories have vectors of different shapes: {sorted(sizes)}"
        raise ValueError(msg)
    return np.stack(vectors)


def _seconds(moment: datetime) -> float:
    """Seconds since 1970; a moment without an offset is the machine's local time."""
    return moment.astimezone(UTC).timestamp()


def _like(old: datetime, now: datetime) -> datetime:
    """``now`` as ``old`` was written: without an offset, or in its time zone."""
    return (
        now.astimezone().replace(tzinfo=None) if old.tzinfo is None else now.astimezone(old.tzinfo)
    )


def condense_insights(insight_list: str, *, chat: ChatModel | None = None) -> str:
    """Condense a list of insights to at most five, each with all evidence that belongs to it.

    Args:
        insight_list: one ``number. words [numbers]`` a line.
        chat: asked for it; else the model of the settings.

    Raises:
        ConfigurationError: no model is given and the settings say offline.
        UnusableAnswer: the model's answer holds no insight, nor when asked again.
        ModelError: the model could not be had.
    """
    return condense(chat_for_reflection(chat), prompts_for([insight_list]), insight_list)


def generate_insight(
    memory_stream: MemoryStream,
    context_window: int,
    threshold: float,
    *,
    chat: ChatModel | None = None,
    embedder: Embedder | None = None,
) -> tuple[list[str], list[list[Insight]]] | None:
    """Generate questions about the last memories and, for each, insights with their evidence.

    Args:
        memory_stream: what is reflected on; the memories retrieved count as accessed.
        context_window: how many of the last memories count, at least 1.
        threshold: the sum of their importance from which on there is a reflection.
        chat: asked for it; else the stream's model, else that of the settings.
        embedder: for the questions; else the stream's, else that of the settings.

    Returns:
        Up to three questions and a list of insights for each; evidence is 0-based positions in
        ``memory_stream.memories``. None below the threshold, or where there is no memory.

    Raises:
        ConfigurationError: no model is given and the settings say offline.
        UnusableAnswer: an answer is not of the form asked for, nor when asked again.
        ModelError: a model could not be had.
        ValueError: ``context_window`` is below 1.
    """
    if context_window < 1:
        msg = f"context_window must be 1 or more, not {context_window}"
        raise ValueError(msg)
    memories = memory_stream.memories
    recent = memories[-context_window:]
    model = chat if chat is not None else memory_stream.chat
    rate_all(recent, model)
    if not recent or not reaches_threshold((memory.importance for memory in recent), threshold):
        return None
    model = chat_for_reflection(model)
    prompts = prompts_for(memory.description for memory in recent)
    first = len(memories) - len(recent)
    statements = {first + at: memory.description for at, memory in enumerate(recent)}
    texts = (memory.description for memory in memories)
    questions = ask_questions(model, prompts, statements, texts)
    return questions, [
        _insights_on(memory_stream, question, model, prompts, embedder) for question in questions
    ]


def generate_reflection(
    memory_stream: MemoryStream, insights_list: Sequence[Sequence[Insight]]
) -> MemoryStream:
    """Add a :class:`Reflection` for each insight, in order, and return the same stream."""
    for insights in insights_list:
        for words, evidence in insights:
            now = memory_stream.now()
            memory_stream.add_memory(Reflection(words, now, now, evidence))
    return memory_stream


def _insights_on(
    stream: MemoryStream,
    question: str,
    chat: ChatModel,
    prompts: Prompts,
    embedder: Embedder | None,
) -> list[Insight]:
    """Insights on a question from the memories of the stream that bear on it."""
    now = stream.now()
    query = Memory(question, now, now, "question", embedder=embedder)
    relevant = stream.retrieve_memories(query, f"relevance > {RELEVANCE_THRESHOLD}")
    statements = {
        int(pointer): stream.memories[pointer].description
        for pointer in sorted(relevant["pointer"])
    }
    return infer_insights(chat, prompts, statements, question, range(len(stream.memories)))
