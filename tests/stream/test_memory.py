"""A memory: what it is given, and what is found for it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from siliconfriend.extraction.importance import NoRating
from siliconfriend.stream import Memory, MemoryStream, Reflection
from siliconfriend.testing import ScriptedChatModel, WordEmbedder

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)


def memory(words: str, **named: object) -> Memory:
    return Memory(words, NOON, NOON, "observation", **named)  # type: ignore[arg-type]


def stream_of(*memories: Memory, **named: object) -> MemoryStream:
    return MemoryStream(memories, 1, 1, 1, 0.99, 5, **named)  # type: ignore[arg-type]


def test_a_memory_keeps_what_it_is_given() -> None:
    """Its words, times and type; its importance lies on the scale with no model at all."""
    made = Memory("a quiet morning", NOON, NOON.replace(hour=13), "observation")
    assert made.description == "a quiet morning"
    assert made.creation_timestamp == NOON
    assert made.most_recent_access_timestamp == NOON.replace(hour=13)
    assert made.memory_type == "observation"
    assert 0.1 <= made.importance <= 1


def test_a_reflection_points_at_its_evidence() -> None:
    """It is a memory of type reflection with a list of its own of positions."""
    evidence = [1, 2, 3]
    thought = Reflection("mornings are quiet", NOON, NOON, evidence)
    assert isinstance(thought, Memory)
    assert thought.memory_type == "reflection"
    assert thought.pointers == [1, 2, 3]
    evidence.append(4)
    assert thought.pointers == [1, 2, 3]


def test_importance_is_the_rating_divided_by_ten() -> None:
    """The model is asked once, when the importance is first needed."""
    chat = ScriptedChatModel(["8"])
    made = memory("we moved house", chat=chat)
    assert chat.calls == []
    assert (made.importance, made.importance) == (0.8, 0.8)
    assert "we moved house" in chat.calls[0][0].content


def test_an_answer_without_a_number_is_an_error() -> None:
    """It is not 0; the memory is asked about again the next time."""
    made = memory("we moved house", chat=ScriptedChatModel(["hard to tell", "6"]))
    with pytest.raises(NoRating):
        _ = made.importance
    assert made.importance == 0.6


def test_what_is_set_is_not_found_again() -> None:
    """A value of one's own needs neither model nor embedder."""
    chat, embedder = ScriptedChatModel(), WordEmbedder()
    made = memory("tea", chat=chat, embedder=embedder)
    made.importance = 0.4
    made.embedding_vector = [0.6, 0.8]
    assert made.importance == 0.4
    assert made.embedding_vector.tolist() == [0.6, 0.8]
    assert chat.calls == []
    assert embedder.embedded == []


def test_a_stream_is_rated_together() -> None:
    """Asking for one importance rates all of the stream: 45 memories in three calls."""
    chat = ScriptedChatModel([{"ratings": [n] * size} for n, size in ((1, 20), (2, 20), (3, 5))])
    stream = stream_of(*(memory(f"thing {n}") for n in range(45)), chat=chat)
    assert stream.memories[44].importance == 0.3
    assert stream.memories[0].importance == 0.1
    assert len(chat.calls) == 3
