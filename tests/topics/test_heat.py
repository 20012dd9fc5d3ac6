"""Heat: visits, length and how lately, by the formula of MemoryOS."""

from __future__ import annotations

import math
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.topics.heat import heat
from tests.topics.people import NOW, a_topic

COUNTS = st.integers(0, 1000)
HOURS = st.floats(0, 10_000)


def test_heat_adds_visits_length_and_recency() -> None:
    """Two visits, three pages, last seen 24 hours ago: 5 + 1/e."""
    topic = a_topic("piano", (), visits=2, length=3, last_visit=NOW - timedelta(hours=24))
    assert heat(topic, NOW) == pytest.approx(5 + math.exp(-1))


def test_heat_weighs_each_share() -> None:
    """0.5·2 + 2·3 + 4·exp(-12/6) with τ of six hours."""
    topic = a_topic("piano", (), visits=2, length=3, last_visit=NOW - timedelta(hours=12))
    found = heat(topic, NOW, alpha=0.5, beta=2, gamma=4, tau_hours=6)
    assert found == pytest.approx(7 + 4 * math.exp(-2))


@pytest.mark.parametrize("visit", [None, NOW + timedelta(days=3)])
def test_a_visit_unknown_or_ahead_counts_as_now(visit: object) -> None:
    """A clock set back makes nothing hotter than a visit this moment."""
    assert heat(a_topic("piano", (), visits=1, length=0, last_visit=visit), NOW) == 2.0


@given(COUNTS, COUNTS, HOURS, COUNTS, COUNTS, HOURS)
def test_heat_is_monotone(
    visits: int, length: int, hours: float, more: int, longer: int, sooner: float
) -> None:
    """More visits, more pages and a later visit never make a topic cooler."""
    cool = a_topic(
        "piano", (), visits=visits, length=length, last_visit=NOW - timedelta(hours=hours)
    )
    warm = a_topic(
        "piano",
        (),
        visits=visits + more,
        length=length + longer,
        last_visit=NOW - timedelta(hours=max(hours - sooner, 0)),
    )
    assert heat(warm, NOW) >= heat(cool, NOW)
