"""How near memories are to a question, and their vectors without embedding them again."""

from __future__ import annotations

import numpy as np
import pytest

from siliconfriend.memory.changes import PutDerived
from siliconfriend.memory.store import InMemoryStore
from siliconfriend.recall.similarity import E5
from siliconfriend.testing import WordEmbedder
from tests.extraction.topic_people import a_topic
from tests.memory.people import NORA
from tests.memory.stored import put
from tests.recall.people import GARDEN, NOW, a_recaller, found, remember, turns, with_trace


@pytest.fixture
def store() -> InMemoryStore:
    """The garden's five turns, the last put away."""
    store = InMemoryStore()
    said = turns(GARDEN)
    remember(store, [*said[:4], with_trace(said[4], archived=NOW)])
    return store


def test_memoryos_ranks_the_pages_of_the_nearest_topic_first(store: InMemoryStore) -> None:
    """The page of the topic comes before a nearer one of no topic; so it does without vectors."""
    ids = [turn.id for turn in store.load(NORA).turns()]
    topic = a_topic("sister moved", ids[:1], words=("sister",))
    put(store, NORA, PutDerived(topic))
    for embedder in (WordEmbedder(), None):
        recalled = a_recaller(store, embedder).recall(
            NORA, "My sister moved?", now=NOW, recipe="memoryos"
        )
        assert found(recalled)[:2] == [GARDEN[0][1], GARDEN[2][1]]
        assert [it.parts["topic"] for it in recalled.memories][:2] == [1, 0]


def test_the_scale_begins_where_unrelated_texts_rest() -> None:
    """E5's own numbers by language: rest is 0, the same is 1, what is more unlike is below 0."""
    cosines = np.array([0.79, 1.0, 0.75, 0.87, 0.9])
    chinese = np.array([False, False, True, True, True])
    scaled = E5.calibrate(cosines, chinese, asked_in_chinese=False)
    assert scaled == pytest.approx([0, 1, 0, 1, 1])
    assert E5.calibrate(cosines[:1], chinese[2:3], asked_in_chinese=True)[0] < 0
