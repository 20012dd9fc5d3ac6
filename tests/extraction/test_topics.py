"""Themes join the topic they are most like, or open one; each page once."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.extraction.extractor import TopicDraft
from siliconfriend.extraction.topics import TopicIndex, assign_topics
from siliconfriend.memory.changes import Erase, PutTrace, PutTurn
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import memory_id
from siliconfriend.testing import WordEmbedder
from tests.extraction.topic_people import (
    NOW,
    a_theme,
    a_topic,
    join,
    page,
    pages,
    with_records,
    with_turns,
)
from tests.memory.people import NORA, a_turn

VOCABULARY = ("piano", "lesson", "chord", "garden", "beans", "rain")


def test_similarity_adds_the_cosine_and_the_shared_key_words() -> None:
    """Two of two axes shared with one of them: 1/√2, and one key word of three: 1/3."""
    embedder = WordEmbedder(VOCABULARY)
    topic = a_topic("piano", pages(0), words=("piano", "music"))
    theme = a_theme("piano lesson", 1, words=("piano", "teacher"))
    (found,) = TopicIndex(embedder).similarities(theme, [topic])
    assert abs(found - (0.5**0.5 + 1 / 3)) < 1e-6


def test_a_theme_like_a_topic_goes_on_with_it() -> None:
    """Its pages are a new talk, the length grows, and the summary that was there stays."""
    embedder = WordEmbedder(VOCABULARY)
    memory = join(with_turns(4), a_theme("piano lesson", 0, 1), embedder=embedder)
    later = NOW + timedelta(days=2)
    memory = join(memory, a_theme("piano chord lesson", 2, 3), embedder=embedder, now=later)
    (topic,) = memory.topics()
    assert topic.text == "piano lesson"
    assert [talk.pages for talk in topic.talks] == [pages(0, 1), pages(2, 3)]
    assert [talk.overview for talk in topic.talks] == ["piano lesson", "piano chord lesson"]
    assert topic.provenance.from_ids == topic.pages == pages(0, 1, 2, 3)
    assert (topic.length, topic.visits, topic.uses) == (4, 0, 0)
    assert topic.last_visit == later
    assert topic.trace.recalls == (later,)


def test_a_theme_like_none_opens_a_topic() -> None:
    """1/√6 is below 0.6: the theme stands by itself, with an id on the day of its pages."""
    embedder = WordEmbedder(VOCABULARY)
    memory = join(
        with_turns(2),
        a_theme("piano lesson", 0),
        a_theme("piano garden beans", 1),
        embedder=embedder,
    )
    first, second = memory.topics()
    assert first.id == memory_id(NORA, "topic", "2026-03-01", 0)
    assert second.id == memory_id(NORA, "topic", "2026-03-01", 1)
    assert second.provenance.made_by == "scripted"
    assert second.last_visit == NOW


def test_a_talk_that_continues_shares_one_overview() -> None:
    """Its pages come to the end of the last talk, whose overview takes in the new sentence."""
    theme = a_theme("They plan piano lessons.", 0, 1, words=["piano"])
    more = a_theme("The lessons begin in May.", 2, 3, words=["piano"], continues=True)
    (topic,) = join(join(with_turns(4), theme), more, before=page(1)).topics()
    (talk,) = topic.talks
    assert talk.pages == pages(0, 1, 2, 3)
    assert talk.overview == "They plan piano lessons. The lessons begin in May."


def test_what_is_not_remembered_joins_nothing() -> None:
    """Neither a turn that is gone nor one that is not to be kept."""
    memory = PutTurn(replace(a_turn("Secret.", position=1), unkept=True)).apply(with_turns(1))
    assert (
        assign_topics(
            memory, NORA, [a_theme("x", 1, 7)], TopicIndex(), before="", now=NOW, made_by="x"
        )
        == []
    )


def test_a_page_that_was_read_again_is_analysed_again() -> None:
    """Its facts are new, so the topic that holds it has it to go through."""
    topic = a_topic("piano lesson", pages(0, 1), analysed=pages(0, 1))
    memory = join(with_records(with_turns(2), [topic]), a_theme("piano", 1))
    assert next(memory.topics()).analysed == pages(0)


THEMES = st.lists(
    st.builds(
        TopicDraft,
        st.sampled_from(["piano lesson", "piano chord", "garden beans", "rain"]),
        st.lists(st.sampled_from(VOCABULARY), max_size=3).map(tuple),
        st.lists(st.integers(0, 11).map(page), max_size=5).map(tuple),
        st.booleans(),
    ),
    max_size=4,
)


@given(st.lists(THEMES, max_size=4))
def test_each_page_stands_in_one_topic_and_once(batches: list[list[TopicDraft]]) -> None:
    """Whatever themes name whichever pages, and however often they are taken in."""
    memory: PersonMemory = with_turns(12)
    for batch in batches:
        memory = join(memory, *batch)
        assert join(memory, *batch).days == memory.days
    held = Counter(it for topic in memory.topics() for it in topic.pages)
    named = {it for batch in batches for theme in batch for it in theme.pages}
    assert held == Counter(named)
    for topic in memory.topics():
        assert topic.provenance.from_ids
        assert set(topic.provenance.from_ids) == set(topic.pages)
        assert topic.length == len(topic.pages)


def test_an_index_follows_what_is_archived_and_erased() -> None:
    """An archived topic still holds its pages and takes in no more; one that is gone holds none."""
    memory, index = (
        with_records(with_turns(1), [a_topic("piano", pages(0), words=["piano"])]),
        TopicIndex(),
    )
    (topic,) = memory.topics()
    draft = a_theme("piano", 1, words=["piano"])
    index.sync(memory)
    assert index.most_similar(draft) == topic
    memory = PutTrace(topic.id, topic.trace.archived_at(NOW)).apply(memory)
    index.sync(memory)
    assert index.most_similar(draft) is None
    assert index.holding(page(0)) is not None
    index.sync(Erase((topic.id,)).apply(memory))
    assert index.holding(page(0)) is None
