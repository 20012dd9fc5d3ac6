"""The curve, what happens to a trace, and what is passed over because of how it fades."""

import math
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.forgetting.curve import days_until, retention
from siliconfriend.forgetting.trace import Trace

UTC_ZONE = ZoneInfo("UTC")
SAID = datetime(2026, 3, 1, 9, tzinfo=UTC)
DAY = timedelta(days=1)


def test_a_recall_strengthens_and_sets_the_time_back() -> None:
    """S grows by one and t starts again."""
    trace = Trace(SAID).recalled(SAID + 3 * DAY, UTC_ZONE)
    assert (trace.strength, trace.last_recall) == (2.0, SAID + 3 * DAY)


def test_ten_recalls_in_one_day_count_once() -> None:
    """A memory is strengthened at most once in the person's day."""
    trace = Trace(SAID)
    for minutes in range(10):
        trace = trace.recalled(SAID + DAY + timedelta(minutes=minutes), UTC_ZONE)
    assert trace.strength == 2.0


def test_the_day_is_the_persons_own() -> None:
    """23:30 and 00:30 in Shanghai are two days, although both are the same day in UTC."""
    shanghai = ZoneInfo("Asia/Shanghai")
    late = datetime(2026, 3, 2, 15, 30, tzinfo=UTC)
    trace = Trace(SAID).recalled(late, shanghai).recalled(late + timedelta(hours=1), shanghai)
    assert trace.strength == 3.0
    assert trace.recalled(late + timedelta(hours=2), shanghai) is trace


def test_restoring_begins_again_with_fresh_strength() -> None:
    """The log stays, but strength and time start anew."""
    strong = Trace(SAID, first_strength=4.0).recalled(SAID + DAY, UTC_ZONE)
    back = strong.archived_at(SAID + 50 * DAY).restored_at(SAID + 60 * DAY)
    assert (back.strength, back.last_recall, back.archived) == (1.0, SAID + 60 * DAY, None)
    assert back.recalls == strong.recalls
    assert back.recalled(SAID + 62 * DAY, UTC_ZONE).strength == 2.0


def test_a_trace_can_be_seen_as_it_was() -> None:
    """What happened after the moment is not in it yet; what happened by then is."""
    trace = Trace(SAID).recalled(SAID + DAY, UTC_ZONE).archived_at(SAID + 2 * DAY)
    trace = trace.restored_at(SAID + 3 * DAY).recalled(SAID + 4 * DAY, UTC_ZONE)
    trace = trace.archived_at(SAID + 5 * DAY)
    assert trace.at(SAID) == Trace(SAID)
    assert trace.at(SAID + DAY) == Trace(SAID, recalls=(SAID + DAY,))
    assert trace.at(SAID + 3 * DAY).restored == SAID + 3 * DAY
    assert trace.at(SAID + 4 * DAY).archived is None
    assert trace.at(SAID + 5 * DAY) == trace


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
def test_values_worked_out_by_hand(
    elapsed: float, strength: float, unit: float, kept: float
) -> None:
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
