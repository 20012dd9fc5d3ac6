"""A reply visits the topics whose pages it was given; a look visits none."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from siliconfriend.memory.changes import PutDerived, PutTrace
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.knowledge import Topic, TopicSegment
from tests.extraction.topic_people import a_topic
from tests.memory.people import NORA
from tests.memory.stored import put
from tests.recall.people import GARDEN, NOW, a_recaller, remember, turns

LATER = NOW + timedelta(hours=5)


@pytest.fixture
def store() -> InMemoryStore:
    """The garden's days: beans in one topic, the kettle in another, the sister in a third."""
    store = InMemoryStore()
    said = turns(GARDEN)
    remember(store, said)
    ids = [turn.id for turn in said]
    topics = [
        a_topic(
            "beans", ids[:2], position=0, talks=(TopicSegment(tuple(ids[:2])),), last_visit=NOW
        ),
        a_topic("kettle", ids[4:], position=1, last_visit=NOW),
        a_topic("sister", ids[2:3], position=2, last_visit=NOW, trace=_away()),
    ]
    put(store, NORA, *(PutDerived(it) for it in topics))
    return store


def _away() -> object:
    topic = a_topic("sister", ())
    return topic.trace.archived_at(NOW)


def _topics(store: InMemoryStore) -> dict[str, Topic]:
    return {it.text: it for it in store.load(NORA).topics()}


def test_a_topic_is_visited_once_however_many_of_its_pages_entered(store: InMemoryStore) -> None:
    """Both pages about beans are one visit; the kettle is left as it was."""
    ids = [turn.id for turn in store.load(NORA).turns()]
    kettle = _topics(store)["kettle"]
    a_recaller(store, None).reinforce(NORA, ids[:2], now=LATER)
    beans = _topics(store)["beans"]
    assert (beans.visits, beans.uses, beans.last_visit) == (1, 1, LATER)
    assert beans.trace.recalls == (LATER,)
    assert _topics(store)["kettle"] == kettle


@pytest.mark.parametrize(
    ("said", "importance", "strength"),
    [
        ("A lovely morning again.", 0.1, 1.0),
        ("A lovely morning again.", 0.7, 2.0),
        ("It was a lovely morning, and Ines swam.", 0.1, 2.0),
    ],
    ids=["small talk", "what matters", "tells more"],
)
def test_small_talk_said_again_is_not_reinforced(
    said: str, importance: float, strength: float
) -> None:
    """Or each day's greeting would outlive what was told once."""
    store = InMemoryStore()
    (turn,) = turns([("2026-03-01", said, "Well!")])
    remember(store, [turn])
    put(store, NORA, PutTrace(turn.id, replace(turn.trace, importance=importance)))
    recaller = a_recaller(store, None)
    found = recaller.recall(NORA, "What a lovely morning again!", now=LATER)
    found = replace(found, memories=tuple(replace(it, is_likely=True) for it in found.memories))
    recaller.reinforce(NORA, found, now=LATER)
    (after,) = store.load(NORA).turns()
    assert after.trace.strength == strength
