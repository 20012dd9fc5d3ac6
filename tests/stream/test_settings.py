"""Where nothing is given, the settings say what a stream works with."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from siliconfriend.errors import ConfigurationError
from siliconfriend.stream import Memory, MemoryStream, condense_insights
from siliconfriend.stream.defaults import BagOfWords

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)


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
    """Cosine 1 for the same words, a half for one of two, 0 for none; Chinese by pairs."""
    vectors = BagOfWords().passages(
        ["Choir sings", "ＣＨＯＩＲ sings!", "choir hums", "外婆家", "外婆", ""]
    )
    cosine = vectors @ vectors.T
    assert cosine[0, 1] == pytest.approx(1)
    assert cosine[0, 2] == pytest.approx(0.5)
    assert cosine[3, 4] == pytest.approx(2**-0.5)
    assert cosine[0, 3] == 0
    assert not np.isnan(vectors).any()
    assert not vectors[5].any()
