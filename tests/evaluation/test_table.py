"""How sure a share is."""

import pytest

from siliconfriend.evaluation.table import wilson_interval


def test_known_intervals() -> None:
    """Of 10, none and all leave 0.28 open; half leaves half as much again on both sides."""
    assert wilson_interval(0, 10) == pytest.approx((0, 0.2775), abs=1e-4)
    assert wilson_interval(10, 10) == pytest.approx((0.7225, 1), abs=1e-4)
    assert wilson_interval(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert wilson_interval(0, 0) == (0, 1)
