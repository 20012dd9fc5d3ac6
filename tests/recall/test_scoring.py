"""The formulas: values worked out by hand, and what they do where they divide by zero."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from siliconfriend.recall.scoring import cosines, min_max, ranks_of_use, recency_by_time

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


@pytest.mark.parametrize("decay", [0.0, -0.5, 1.01, float("nan")])
def test_a_decay_that_is_none_is_refused(decay: float) -> None:
    """Only above 0 and up to 1 does recency fall with time."""
    with pytest.raises(ValueError, match="decay"):
        recency_by_time(np.array([1.0]), decay)


def test_ranks_of_use_by_hand() -> None:
    """The most recently used has rank 1; equal moments share the better rank."""
    assert ranks_of_use(np.array([5.0, 7.0, 5.0, -300.0])).tolist() == [2, 1, 2, 4]


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
    order = np.arange(len(rows))
    chance.shuffle(order)
    assert (cosines(query, rows)[order] == cosines(query, rows[order])).all()
    assert (np.abs(cosines(query, rows)) <= 1 + 1e-12).all()
