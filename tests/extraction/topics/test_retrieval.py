"""Topics, their pages and knowledge for a question, with the counts and floors of MemoryOS."""

from __future__ import annotations

from dataclasses import replace

import pytest

from siliconfriend.extraction.topics.retrieval import PAGES, Retrieved, retrieve
from siliconfriend.memory.changes import PutDerived, PutTurn
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.knowledge import Fact, Topic
from siliconfriend.memory.records import Turn
from siliconfriend.testing import WordEmbedder
from tests.extraction.topics.people import NOW, a_fact, a_topic, page, pages
from tests.memory.people import NORA, a_profile, a_turn
from tests.memory.stored import put
from tests.recall.people import a_recaller

VOCABULARY = ("piano", "lesson", "teacher", "garden", "beans", "rain", "dog", "boat", "tea", "sun")


def _store(*records: Turn | Topic | Fact) -> InMemoryStore:
    store = InMemoryStore()
    store.create(NORA, a_profile())
    put(store, NORA, *(PutTurn(it) if isinstance(it, Turn) else PutDerived(it) for it in records))
    return store


def _retrieve(store: InMemoryStore, query: str, most: int = PAGES) -> Retrieved:
    recaller = a_recaller(store, WordEmbedder(VOCABULARY))
    return retrieve(recaller, NORA, query, now=NOW, pages=most)


def _said(*queries: str) -> list[Turn]:
    return [a_turn(query, "", position=at) for at, query in enumerate(queries)]


def test_the_pages_of_the_nearest_topics_come_best_first() -> None:
    """The cosine of "piano" with each page is 1, 1/√2 and 0, which is below the floor."""
    store = _store(
        *_said("Piano lesson.", "Piano!", "Garden beans.", "Piano in no topic.", "Dog."),
        a_topic("piano", pages(0, 1, 4)),
        a_topic("garden", pages(2), position=1),
    )
    found = _retrieve(store, "piano")
    assert [turn.id for turn in found.pages] == list(pages(1, 0))
    assert [topic.text for topic in found.topics] == ["piano"]


def test_key_words_find_a_topic_whose_summary_does_not() -> None:
    """One key word of one asked: 1, above the floor though the cosine is 0."""
    store = _store(*_said("Piano."), a_topic("tea", pages(0), words=("piano",)))
    assert [turn.id for turn in _retrieve(store, "piano").pages] == [page(0)]


def test_five_topics_and_seven_pages_at_most() -> None:
    """Of six topics the one with the longest summary is the farthest and stays out."""
    said = _said(*["Piano."] * 12)
    summaries = ["piano", *["piano lesson"] * 4, "piano garden beans rain"]
    topics = [
        a_topic(text, pages(2 * at, 2 * at + 1), position=at) for at, text in enumerate(summaries)
    ]
    found = _retrieve(_store(*said, *topics), "piano", 100)
    assert len(found.topics) == 5
    assert len(found.pages) == 10
    assert topics[5].id not in {it.id for it in found.topics}
    assert len(_retrieve(_store(*said, *topics), "piano").pages) == 7


def test_knowledge_is_found_for_its_owner_and_only_entries_are() -> None:
    """What is about the companion is the companion's; a plain fact is no entry."""
    store = _store(
        *_said("Piano."),
        a_fact("Piano.", pages(0), position=0, topic="t"),
        a_fact("Piano lesson promised.", pages(0), position=1, topic="t", about="subject"),
        a_fact("Piano, plain.", pages(0), position=2),
        a_fact("Garden.", pages(0), position=3, topic="t"),
        a_fact("Piano, once.", pages(0), position=4, topic="t", superseded_by="fact"),
    )
    found = _retrieve(store, "piano")
    assert [it.text for it in found.user_knowledge] == ["Piano."]
    assert [it.text for it in found.assistant_knowledge] == ["Piano lesson promised."]


@pytest.mark.parametrize("away", ["topic", "page", "entry"])
def test_what_was_put_away_stays_out(away: str) -> None:
    """A topic with its pages, a page alone, an entry."""
    turn = a_turn("Piano.", "")
    topic, fact = a_topic("piano", pages(0)), a_fact("Piano.", pages(0), topic="t")
    trace = turn.trace.archived_at(NOW)
    store = _store(
        replace(turn, trace=trace) if away == "page" else turn,
        replace(topic, trace=trace) if away == "topic" else topic,
        replace(fact, trace=trace) if away == "entry" else fact,
    )
    found = _retrieve(store, "piano")
    assert bool(found.pages) == (away == "entry")
    assert bool(found.user_knowledge) == (away != "entry")


def test_without_an_embedder_words_find_topics_pages_and_knowledge() -> None:
    """The share of the question's words stands for the cosine."""
    store = _store(
        *_said("My piano teacher moved.", "The beans grow."),
        a_topic("piano teacher", pages(0)),
        a_topic("beans", pages(1), position=1),
        a_fact("Plays the piano.", pages(0), topic="t"),
    )
    found = retrieve(a_recaller(store, None), NORA, "Which piano teacher?", now=NOW)
    assert [turn.id for turn in found.pages] == [page(0)]
    assert [it.text for it in found.user_knowledge] == ["Plays the piano."]
