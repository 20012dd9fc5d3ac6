"""How sure a share is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.evaluation.table import wilson_interval


def test_known_intervals() -> None:
    """Of 10, none and all leave 0.28 open; half leaves half as much again on both sides."""
    assert wilson_interval(0, 10) == pytest.approx((0, 0.2775), abs=1e-4)
    assert wilson_interval(10, 10) == pytest.approx((0.7225, 1), abs=1e-4)
    assert wilson_interval(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert wilson_interval(0, 0) == (0, 1)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_share_lies_in_its_interval(counts: tuple[int, int]) -> None:
    """Whatever the counts, and never outside 0 and 1."""
    successes, trials = counts
    low, high = wilson_interval(successes, trials)
    assert 0 <= low <= successes / trials <= high + 1e-12
    assert high <= 1
