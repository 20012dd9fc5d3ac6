"""A memory: what it is given, what is found for it, and what the settings say where nothing is."""

from datetime import UTC, datetime

import numpy as np
import pytest

from siliconfriend.errors import ConfigurationError
from siliconfriend.seeds.defaults import BagOfWords
from siliconfriend.seeds.importance import NoRating
from siliconfriend.stream import Memory, MemoryStream, condense_insights
from siliconfriend.testing import ScriptedChatModel
from tests.embedding import WordEmbedder

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)


def memory(words: str, **named: object) -> Memory:
    return Memory(words, NOON, NOON, "observation", **named)  # type: ignore[arg-type]


def stream_of(*memories: Memory, **named: object) -> MemoryStream:
    return MemoryStream(memories, 1, 1, 1, 0.99, 5, **named)  # type: ignore[arg-type]


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


@pytest.fixture
def words_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation that ranks by words alone."""
    monkeypatch.setenv("SILICONFRIEND_EMBEDDING", "none")


@pytest.mark.usefixtures("words_only")
def test_the_seed_flow_runs_offline() -> None:
    """With no model and no embedder at all: importance by rule, likeness by shared words."""
    stream = MemoryStream([], 1, 1, 1, 0.99, 2)
    for words in ("brushed my teeth", "Theo and I broke up", "the choir sang"):
        stream.add_memory(Memory(words, NOON, NOON, "observation"))
    found = stream.retrieve_memories(Memory("choir sang", NOON, NOON, "observation"))
    assert list(found["description"]) == ["the choir sang", "Theo and I broke up"]
    assert list(found["importance"]) == [0.1, 1.0]


@pytest.mark.usefixtures("words_only")
def test_reflection_says_that_it_needs_a_model() -> None:
    """Offline there are no insights, and the error says what to set."""
    with pytest.raises(ConfigurationError, match="SILICONFRIEND_LLM"):
        condense_insights("1. a [0]")


def test_a_change_of_the_settings_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was opened is kept while the settings stay, and opened anew when they change."""
    made = Memory("choir", NOON, NOON, "observation")
    monkeypatch.setenv("SILICONFRIEND_EMBEDDING", "none")
    assert made.generate_embedding_vector("choir").shape == (BagOfWords.dimension,)
    monkeypatch.setenv("SILICONFRIEND_EMBEDDING", "bundled")
    assert made.generate_embedding_vector("choir").shape == (384,)


def test_word_vectors_compare_by_shared_words() -> None:
    """Cosine 1 for the same words, a half for one of two, 0 for none."""
    vectors = BagOfWords().passages(
        ["Choir sings", "ＣＨＯＩＲ sings!", "choir hums", "外婆家", "外婆", ""]
    )
    cosine = vectors @ vectors.T
    assert cosine[0, 1] == pytest.approx(1)
    assert cosine[0, 2] == pytest.approx(0.5)
    assert 0.5 < cosine[3, 4] < 1
    assert cosine[0, 3] == 0
    assert not np.isnan(vectors).any()
    assert not vectors[5].any()
