"""Heat: visits, length and how lately, by the formula of MemoryOS; the least used are archived."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.extraction.topics.knowledge import evict_topics, heat
from siliconfriend.memory.changes import apply_all
from siliconfriend.memory.knowledge import Topic
from tests.extraction.topics.people import NOW, a_topic, with_records, with_turns


def test_heat_adds_visits_length_and_recency() -> None:
    """Two visits, three pages, last seen 24 hours ago: 5 + 1/e."""
    topic = a_topic("piano", (), visits=2, length=3, last_visit=NOW - timedelta(hours=24))
    assert heat(topic, NOW) == pytest.approx(5 + math.exp(-1))


def _left(topics: list[Topic], capacity: int) -> list[str]:
    """The texts of what is not put away after an eviction."""
    memory = with_records(with_turns(0), topics)
    after = apply_all(memory, evict_topics(memory, NOW, capacity))
    assert [it.id for it in after.topics()] == [it.id for it in memory.topics()]
    return [it.text for it in after.topics() if it.trace.archived is None]


def test_the_least_used_goes_and_among_equals_the_longest_unseen() -> None:
    """Uses first, then the last visit."""
    early, late = NOW - timedelta(days=9), NOW - timedelta(days=1)
    topics = [
        a_topic("often", (), position=0, uses=3, last_visit=early),
        a_topic("once, lately", (), position=1, uses=1, last_visit=late),
        a_topic("once, long ago", (), position=2, uses=1, last_visit=early),
    ]
    assert _left(topics, 2) == ["often", "once, lately"]
    assert _left(topics, 1) == ["often"]


def test_a_pinned_topic_stays() -> None:
    """It takes a place, so the next one goes."""
    pinned = a_topic("pinned", (), position=0, uses=0)
    pinned = replace(pinned, trace=replace(pinned.trace, pinned=True))
    assert _left([pinned, a_topic("used", (), position=1, uses=5)], 1) == ["pinned"]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12), st.integers(0, 8))
def test_the_capacity_is_never_exceeded(uses: list[tuple[int, int]], capacity: int) -> None:
    """Whatever was used how often, as many stay as fit, and none used less than one that went."""
    topics = [
        a_topic(str(at), (), position=at, uses=count, last_visit=NOW - timedelta(days=days))
        for at, (count, days) in enumerate(uses)
    ]
    left = _left(topics, capacity)
    assert len(left) == min(capacity, len(topics))
    went = [it.uses for it in topics if it.text not in left]
    assert not went or not left or max(went) <= min(it.uses for it in topics if it.text in left)
