"""Reflection over a memory stream.

The stream is asked about its last memories once they matter enough together, each question
retrieves the memories that bear on it, and what follows becomes a memory that points at
its evidence.
"""

from __future__ import annotations

from collections.abc import Sequence

from siliconfriend.models.base import ChatModel
from siliconfriend.prompts.loader import Prompts
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.stream.defaults import chat_for_reflection, prompts_for
from siliconfriend.stream.insights import Insight
from siliconfriend.stream.memory import Memory, Reflection, rate_all
from siliconfriend.stream.memory_stream import MemoryStream
from siliconfriend.stream.reflection import (
    RELEVANCE_THRESHOLD,
    ask_questions,
    condense,
    infer_insights,
    reaches_threshold,
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
        Up to three questions and a list of insights for each, in the same order; evidence is
        0-based positions in ``memory_stream.memories``. An insight that cites a memory which
        does not exist is left out. None below the threshold, or where there is no memory.

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
