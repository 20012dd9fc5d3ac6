"""The stream with a real server and a real, very small model: its words are poor, its form is handled."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from siliconfriend.errors import UnusableAnswer
from siliconfriend.extraction.importance import importance_by_model
from siliconfriend.models.gguf import GGUFModel
from siliconfriend.prompts.loader import Prompts
from siliconfriend.stream import Memory, MemoryStream, generate_insight, generate_reflection
from siliconfriend.testing import WordEmbedder

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
SAID = (
    "Maya sang alto in the choir",
    "Theo took Maya climbing and she was scared",
    "Nadia wrote to Maya from Porto",
    "the choir rehearsed the new score with Maya",
)


def test_a_batch_is_rated_in_one_call(real_model: GGUFModel) -> None:
    """The schema holds the model to one whole number from 1 to 10 for each memory."""
    ratings = importance_by_model(real_model, Prompts("en"), SAID)
    assert len(ratings) == len(SAID)
    assert all(0.1 <= rating <= 1 for rating in ratings)


@pytest.mark.long
def test_reflection_gives_insights_with_evidence_or_an_error(real_model: GGUFModel) -> None:
    """An answer that cannot be used is an error; what is made of others points at memories there are."""
    stream = MemoryStream([], 1, 1, 1, 0.99, 3, chat=real_model, embedder=WordEmbedder())
    for words in SAID:
        stream.add_memory(Memory(words, NOON, NOON, "observation"))
        stream.memories[-1].importance = 1.0
    try:
        found = generate_insight(stream, 15, 3)
    except UnusableAnswer:
        found = [], []
    assert found is not None
    questions, insights_list = found
    assert len(questions) <= 3
    assert len(insights_list) == len(questions)
    assert all(len(insights) <= 5 for insights in insights_list)
    generate_reflection(stream, insights_list)
    made = [memory for memory in stream.memories if memory.is_a("R")]
    assert len(made) == sum(map(len, insights_list))
    assert all(0 <= at < len(SAID) for it in made for at in it.pointers)
