"""How near memories are to a question; the formulas of scores, with values worked out by hand."""

import random
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from siliconfriend.memory.changes import PutDerived
from siliconfriend.recall.scoring import ranks
from siliconfriend.recall.similarity import E5
from siliconfriend.seeds.scoring import cosines, min_max, recency_by_time
from tests.embedding import WordEmbedder
from tests.memory.people import NORA
from tests.memory.stored import put
from tests.memory.temporary import TemporaryStore
from tests.recall.people import GARDEN, NOW, a_recaller, found, remember, turns, with_trace
from tests.seeds.topic_people import a_topic


@pytest.fixture
def store() -> TemporaryStore:
    """The garden's five turns, the last put away."""
    store = TemporaryStore()
    said = turns(GARDEN)
    remember(store, [*said[:4], with_trace(said[4], archived=NOW)])
    return store


def test_memoryos_ranks_the_pages_of_the_nearest_topic_first(store: TemporaryStore) -> None:
    """The page of the topic comes before a nearer one of no topic; so it does without vectors."""
    ids = [turn.id for turn in store.load(NORA).turns()]
    topic = a_topic("sister moved", ids[:1], words=("sister",))
    put(store, NORA, PutDerived(topic))
    for embedder in (WordEmbedder(), None):
        recalled = a_recaller(store, embedder).recall(
            NORA, "My sister moved?", now=NOW, recipe="memoryos"
        )
        assert found(recalled)[:2] == [GARDEN[0][1], GARDEN[2][1]]
        assert [one.parts["topic"] for one in recalled.memories][:2] == [1, 0]


def test_the_scale_begins_where_unrelated_texts_rest() -> None:
    """E5's own numbers by language: rest is 0, the same is 1, what is more unlike is below 0."""
    cosines = np.array([0.79, 1.0, 0.75, 0.87, 0.9])
    chinese = np.array([False, False, True, True, True])
    scaled = E5.calibrate(cosines, chinese, asked_in_chinese=False)
    assert scaled == pytest.approx([0, 1, 0, 1, 1])
    assert E5.calibrate(cosines[:1], chinese[2:3], asked_in_chinese=True)[0] < 0


NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
DAY = 86400.0

vectors = hnp.arrays(
    np.float32, st.tuples(st.integers(1, 12), st.just(5)), elements=st.floats(-1, 1, width=32)
)


def test_min_max_by_hand() -> None:
    """2, 3 and 6 lie at 0, a quarter and 1."""
    assert min_max(np.array([2.0, 6.0, 3.0])).tolist() == [0.0, 1.0, 0.25]


def test_where_all_are_equal_each_is_the_best() -> None:
    """One value, equal values and a spread of mere noise give 1; no values give none."""
    assert min_max(np.array([0.4])).tolist() == [1.0]
    assert min_max(np.array([0.0, 0.0])).tolist() == [1.0, 1.0]
    assert min_max(np.array([0.5, 0.5 + 1e-9]), noise=1e-6).tolist() == [1.0, 1.0]
    assert min_max(np.array([0.5, 0.5 + 1e-9])).tolist() == [0.0, 1.0]
    assert min_max(np.zeros(0)).tolist() == []


def test_recency_by_time_by_hand() -> None:
    """0.5 to the seconds 0, 1 and 2 is 1, 0.5 and 0.25; their min-max 1, a third and 0."""
    assert recency_by_time(np.array([0.0, 2.0, 1.0]), 0.5) == pytest.approx([1, 0, 1 / 3])


def test_recency_by_time_survives_months() -> None:
    """A season ago every plain value is 0 and their min-max no number; here it stays right."""
    elapsed = 90 * DAY + np.array([0.0, 60.0, 120.0])
    assert (0.99**elapsed == 0).all()
    assert recency_by_time(elapsed, 0.99) == pytest.approx(
        recency_by_time(np.array([0.0, 60.0, 120.0]), 0.99)
    )


def test_recency_by_time_where_nothing_differs() -> None:
    """One memory, equal times, and a decay of 1 give 1 each; a time to come counts as now."""
    assert recency_by_time(np.array([7.0]), 0.99).tolist() == [1.0]
    assert recency_by_time(np.array([7.0, 7.0]), 0.99).tolist() == [1.0, 1.0]
    assert recency_by_time(np.array([7.0, 9.0]), 1.0).tolist() == [1.0, 1.0]
    assert recency_by_time(np.array([-50.0, 0.0]), 0.99).tolist() == [1.0, 1.0]
    assert recency_by_time(np.zeros(0), 0.99).tolist() == []


def test_ranks_by_hand() -> None:
    """The most recently used has rank 1; equal moments share the better rank."""
    assert ranks(np.array([5.0, 7.0, 5.0, -300.0])).tolist() == [2, 1, 2, 4]


def test_cosines_by_hand() -> None:
    """(1, 0) against itself, a right angle, 45 degrees, its opposite, and no direction."""
    rows = np.array([[2, 0], [0, 3], [1, 1], [-1, 0], [0, 0]], dtype=np.float32)
    found = cosines(np.array([1, 0], dtype=np.float32), rows)
    assert found == pytest.approx([1, 0, 2**-0.5, -1, 0])


@pytest.mark.parametrize("query", [[1.0, 0.0, 0.0], [float("nan"), 1.0]])
def test_vectors_that_cannot_be_compared_are_refused(query: list[float]) -> None:
    """Another dimension, or a value that is no number."""
    with pytest.raises(ValueError, match="vector"):
        cosines(np.array(query), np.eye(2))


@given(vectors, st.randoms(use_true_random=False))
def test_a_cosine_depends_on_its_row_alone(rows: np.ndarray, chance: random.Random) -> None:
    """To the last bit, wherever the row stands: equal memories must not change places."""
    query = rows[0]
    order = chance.sample(range(len(rows)), len(rows))
    assert (cosines(query, rows)[order] == cosines(query, rows[order])).all()
    assert (np.abs(cosines(query, rows)) <= 1 + 1e-12).all()
