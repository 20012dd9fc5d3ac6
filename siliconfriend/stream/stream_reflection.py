"""Reflection: when enough that matters has happened, what it means.

The stream is asked about its last memories, each question recalls what bears on it, and
what follows is condensed and becomes a memory that points at its evidence.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from siliconfriend.language.keywords import top_keywords
from siliconfriend.models.base import ChatModel
from siliconfriend.prompts import Prompts
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.stream.appraisal import rate_all
from siliconfriend.stream.defaults import chat_for_reflection, prompts_for
from siliconfriend.stream.insights import Insight, listed, parse_insights, within
from siliconfriend.stream.memory import Memory, Reflection
from siliconfriend.stream.memory_stream import MemoryStream
from siliconfriend.stream.reflection import CONDENSED, ask_condensed, ask_insights, ask_questions

RELEVANT = "relevance > 0.5"
"""Which memories feed a question."""
KEY_WORDS = 8


def condense_insights(insight_list: str, *, chat: ChatModel | None = None) -> str:
    """A list of insights made into at most five, each with all evidence that belongs to it.

    Args:
        insight_list: one ``number. words [numbers]`` a line.
        chat: asked for it; else the model of the settings.

    Raises:
        ConfigurationError: no model is given and the settings say offline.
        UnusableAnswer: the model's answer holds no insight, nor when asked again.
        ModelError: the model could not be had.
    """
    answer = ask_condensed(chat_for_reflection(chat), prompts_for([insight_list]), insight_list)
    insights = parse_insights(answer)
    return listed(insights[:CONDENSED]) if len(insights) > CONDENSED else answer


def generate_insight(
    memory_stream: MemoryStream,
    context_window: int,
    threshold: float,
    *,
    chat: ChatModel | None = None,
    embedder: Embedder | None = None,
) -> tuple[list[str], list[list[Insight]]] | None:
    """Questions about the last memories and, for each, insights with their evidence.

    Args:
        memory_stream: what is reflected on; the memories recalled count as accessed.
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
    if not recent or not reaches((memory.importance for memory in recent), threshold):
        return None
    model = chat_for_reflection(model)
    prompts = prompts_for(memory.description for memory in recent)
    first = len(memories) - len(recent)
    statements = {first + at: memory.description for at, memory in enumerate(recent)}
    key_words = top_keywords((memory.description for memory in memories), KEY_WORDS)
    questions = ask_questions(model, prompts, statements, key_words)
    return questions, [
        _insights_on(memory_stream, question, model, prompts, embedder) for question in questions
    ]


def generate_reflection(
    memory_stream: MemoryStream, insights_list: Sequence[Sequence[Insight]]
) -> MemoryStream:
    """The same stream with a :class:`Reflection` at its end for each insight, in order."""
    for insights in insights_list:
        for words, evidence in insights:
            now = memory_stream.now()
            memory_stream.add_memory(Reflection(words, now, now, evidence))
    return memory_stream


def reaches(importance: Iterable[float], threshold: float) -> bool:
    """Whether the sum reaches the threshold; ten times 0.3 reaches 3, whatever floats say."""
    return round(math.fsum(importance), 9) >= threshold


def _insights_on(
    stream: MemoryStream,
    question: str,
    chat: ChatModel,
    prompts: Prompts,
    embedder: Embedder | None,
) -> list[Insight]:
    now = stream.now()
    query = Memory(question, now, now, "question", embedder=embedder)
    relevant = stream.retrieve_memories(query, RELEVANT)
    statements = {
        int(pointer): stream.memories[pointer].description
        for pointer in sorted(relevant["pointer"])
    }
    if not statements:
        return []
    insights = ask_insights(chat, prompts, statements, question)
    condensed = parse_insights(ask_condensed(chat, prompts, listed(insights)))[:CONDENSED]
    return within(condensed, range(len(stream.memories)))
