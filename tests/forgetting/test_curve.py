"""The curve of the paper, with values worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.forgetting.curve import days_until, retention

days = st.floats(0, 10_000)
strengths = st.floats(0.5, 500)
units = st.floats(0.5, 5_000)


@pytest.mark.parametrize(
    ("elapsed", "strength", "unit", "kept"),
    [
        (0, 1, 1, 1.0),
        (1, 1, 1, 0.367879),  # e^-1
        (2, 2, 1, 0.367879),  # twice the time, twice the strength
        (1, 2, 1, 0.606531),  # e^-1/2
        (10, 1, 5, 0.135335),  # e^-2
        (7, 4, 5, 0.704688),  # e^-0.35
    ],
)
def test_values_worked_out_by_hand(elapsed: float, strength: float, unit: float, kept: float):
    """R = e^(-t/(unit·S))."""
    assert retention(elapsed, strength, unit) == pytest.approx(kept, abs=1e-6)


def test_a_clock_set_back_ages_nothing() -> None:
    """Time before the last recall counts as none."""
    assert retention(-3, 1) == 1.0


@pytest.mark.parametrize(("strength", "unit"), [(0, 1), (-1, 1), (1, 0), (math.nan, 1)])
def test_refuses_what_has_no_curve(strength: float, unit: float) -> None:
    """Strength and unit must be above 0."""
    with pytest.raises(ValueError, match="above 0"):
        retention(1, strength, unit)


@given(days, strengths, units)
def test_retention_is_a_share_and_falls(elapsed: float, strength: float, unit: float) -> None:
    """R stays within 0 and 1 and never rises with time."""
    kept = retention(elapsed, strength, unit)
    assert 0 <= kept <= 1
    assert retention(elapsed + 1, strength, unit) <= kept


@given(st.floats(0.01, 1), strengths, units)
def test_days_until_is_the_curve_turned_round(share: float, strength: float, unit: float) -> None:
    """After so many days, so much is kept."""
    assert retention(days_until(share, strength, unit), strength, unit) == pytest.approx(share)
