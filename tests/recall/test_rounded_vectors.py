"""Vectors rounded to a byte a number: whatever they do not find is known to be no nearer than that."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.recall.rounded_vectors import RoundedVectors


def _unit(count: int, dimension: int, seed: int, around: float = 0.0) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(around, 1.0, (count, dimension))
    made = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return made.astype(np.float32)


def test_rounding_is_reckoned_from_the_mean_of_each_place() -> None:
    """By hand: of (1, 0) and (0, 1) the mean is (0.5, 0.5), and each lies half above and half below.

    One of 255 steps from -1 to 1 is 2/255, and its middle, which stands for all of it, 1/255 from
    its end: 0.5/255 at each of two places, 0.5/255·√2 together. Asked for (1, 0), the other's
    product is 0, and 0.5/255 of that is rounding, so that 0 is no more than the bound.
    """
    rounded = RoundedVectors(2)
    rounded.sync(np.eye(2, dtype=np.float32))
    rows, bound = rounded.search(np.array([1.0, 0.0], np.float32), 1, None)
    assert rows.tolist() == [0]
    found = 1.0 + 0.5 / 255
    assert bound == pytest.approx(found + 0.5 / 255 * 2**0.5 + 1e-5, abs=1e-6)


def test_where_all_are_found_nothing_is_left_to_be_nearer() -> None:
    """More than there are gives what there is."""
    rounded = RoundedVectors(4)
    rounded.sync(_unit(3, 4, seed=1))
    rows, bound = rounded.search(np.ones(4, np.float32), 9, None)
    assert rows.tolist() == [0, 1, 2]
    assert bound == -np.inf


@given(
    seed=st.integers(0, 2**32 - 1),
    apart=st.floats(0.0, 8.0),
    later=st.integers(0, 60),
    asked=st.integers(1, 20),
)
def test_what_is_not_found_lies_below_the_bound(
    seed: int, apart: float, later: int, asked: int
) -> None:
    """Also of vectors added later that lie where none lay before, as those of another language."""
    vectors = np.concatenate(
        [_unit(40, 8, seed), _unit(later, 8, seed ^ 1, apart), _unit(40, 8, seed ^ 2)]
    )
    rounded = RoundedVectors(8)
    for until in (40, 40 + later, len(vectors)):
        rounded.sync(vectors[:until])
    assert len(rounded) == len(vectors)
    (query,) = _unit(1, 8, seed ^ 3)
    rows, bound = rounded.search(query, asked, None)
    left = np.delete(vectors @ query, rows)
    assert len(rows) == asked
    assert left.max() <= bound


def test_what_lies_far_outside_makes_new_steps_for_all() -> None:
    """Held in the old ones it would be moved so far that no search could be sure of anything."""
    near = (_unit(200, 8, seed=3) * 0.01 + 0.35).astype(np.float32)
    far = np.eye(8, dtype=np.float32)
    rounded = RoundedVectors(8)
    rounded.sync(near)
    query = far[0]
    together = np.concatenate([near, far])
    rounded.sync(together)
    rows, bound = rounded.search(query, 1, None)
    assert rows.tolist() == [200]
    assert bound < 1.01
