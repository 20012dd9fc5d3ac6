"""Themes join the topic they are most like, or open one; each page once."""

import math
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.extraction.topics import Owner, heat
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.changes import PutTrace, PutTurn, apply_all
from siliconfriend.memory.knowledge import Fact, Topic
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import memory_id
from siliconfriend.person.bank import MemoryBank
from siliconfriend.seeds.from_memory import arrange_topics
from siliconfriend.seeds.topics import (
    TopicDraft,
    TopicSimilarity,
    assign_topics,
    evict_topics,
    knowledge_entries,
    learn_from_hot_topics,
)
from tests.embedding import WordEmbedder
from tests.memory.people import NORA, a_turn
from tests.seeds.topic_people import (
    NOW,
    a_fact,
    a_theme,
    a_topic,
    join,
    page,
    pages,
    with_records,
    with_turns,
)

VOCABULARY = ("piano", "lesson", "chord", "garden", "beans", "rain")


def test_similarity_adds_the_cosine_and_the_shared_key_words() -> None:
    """Two of two axes shared with one of them: 1/√2, and one key word of three: 1/3."""
    embedder = WordEmbedder(VOCABULARY)
    topic = a_topic("piano", pages(0), words=("piano", "music"))
    theme = a_theme("piano lesson", 1, words=("piano", "teacher"))
    (found,) = TopicSimilarity(embedder).of(theme, [topic])
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


def test_what_is_not_remembered_joins_nothing() -> None:
    """Neither a turn that is gone nor one that is not to be kept."""
    memory = PutTurn(replace(a_turn("Secret.", position=1), unkept=True)).apply(with_turns(1))
    assert (
        assign_topics(memory, NORA, [a_theme("x", 1, 7)], TopicSimilarity(), now=NOW, made_by="x")
        == []
    )


THEMES = st.lists(
    st.builds(
        TopicDraft,
        st.sampled_from(["piano lesson", "piano chord", "garden beans", "rain"]),
        st.lists(st.sampled_from(VOCABULARY), max_size=3).map(tuple),
        st.lists(st.integers(0, 11).map(page), max_size=5).map(tuple),
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
    held = Counter(one for topic in memory.topics() for one in topic.pages)
    named = {one for batch in batches for theme in batch for one in theme.pages}
    assert held == Counter(named)
    for topic in memory.topics():
        assert topic.provenance.from_ids
        assert set(topic.provenance.from_ids) == set(topic.pages)
        assert topic.length == len(topic.pages)


def test_an_archived_topic_takes_in_no_more() -> None:
    """It still holds its pages, and a theme like it opens another."""
    topic = a_topic("piano", pages(0), words=["piano"])
    memory = with_records(with_turns(2), [topic])
    memory = PutTrace(topic.id, topic.trace.archived_at(NOW)).apply(memory)
    after = join(memory, a_theme("piano", 0, 1, words=["piano"]))
    assert [found.pages for found in after.topics()] == [pages(0), pages(1)]


LONG_AGO = NOW - timedelta(days=400)


def _after(memory: PersonMemory, **values: Any) -> PersonMemory:
    return apply_all(memory, learn_from_hot_topics(memory, NOW, **values).changes)


def _known(memory: PersonMemory, owner: Owner) -> list[str]:
    return [knowledge_entry.text for knowledge_entry in knowledge_entries(memory, owner)]


def test_the_facts_of_a_hot_topic_become_knowledge() -> None:
    """Four pages and a visit this moment are heat 5; what is about the companion is its own."""
    memory = with_records(
        with_turns(5),
        [
            topic := a_topic("piano", pages(0, 1, 2, 3)),
            a_fact("Nora plays the piano.", pages(0), position=0),
            a_fact("Promised to find a teacher.", pages(1), position=1, about="subject"),
            a_fact("Has a garden.", pages(4), position=2),
        ],
    )
    after = _after(memory)
    assert _known(after, "user") == ["Nora plays the piano."]
    assert _known(after, "assistant") == ["Promised to find a teacher."]
    entry = next(after.facts())
    assert entry.topic == topic.id
    assert entry.provenance.from_ids == pages(0)


def test_a_topic_below_the_threshold_waits() -> None:
    """Three pages and a visit this moment are heat 4."""
    memory = with_records(
        with_turns(3), [a_topic("piano", pages(0, 1, 2)), a_fact("Plays.", pages(0))]
    )
    assert learn_from_hot_topics(memory, NOW).changes == ()
    assert _known(_after(memory, threshold=4), "user") == ["Plays."]


def test_a_page_is_gone_through_once() -> None:
    """A second analysis takes the facts of the new pages alone."""
    topic = a_topic("piano", pages(0, 1), visits=9, analysed=pages(0))
    memory = with_records(
        with_turns(2),
        [topic, a_fact("Of old.", pages(0)), a_fact("Of late.", pages(1), position=1)],
    )
    after = _after(memory)
    assert _known(after, "user") == ["Of late."]
    assert learn_from_hot_topics(after, NOW).changes == ()


def test_what_is_history_is_no_knowledge() -> None:
    """A fact that was put right stays out; what put an entry right takes its place."""
    right = a_fact("Born on 6 May.", pages(1), position=1)
    wrong = a_fact("Born on 5 May.", pages(0), superseded_by=right.id, topic="topic-gone")
    after = _after(with_records(with_turns(2), [wrong, right]))
    assert _known(after, "user") == ["Born on 6 May."]


@pytest.mark.parametrize("policy", ["companion", "memorybank", "paper", "accumulated"])
def test_what_was_recalled_stays_though_it_was_told_first(policy: str) -> None:
    """The birthday of long ago that came up yesterday is stronger than what nobody asked for."""
    birthday = a_fact("Born on 3 May.", pages(0), created=LONG_AGO, topic="t")
    recalled = replace(birthday.trace, recalls=(NOW - timedelta(days=1),))
    others = [
        a_fact(str(at), pages(0), position=at, created=NOW - timedelta(days=90 - at), topic="t")
        for at in range(1, 4)
    ]
    memory = with_records(with_turns(1), [replace(birthday, trace=recalled), *others])
    found = learn_from_hot_topics(memory, NOW, capacity=3, policy=ForgettingPolicy.named(policy))
    assert found.archived == (others[0].id,)
    after = apply_all(memory, found.changes)
    assert _known(after, "user")[0] == "Born on 3 May."


def test_a_pinned_entry_and_one_that_was_brought_back_stay() -> None:
    """A pinned one takes a place; bringing back makes an old entry new."""
    facts = [
        a_fact(str(at), pages(0), position=at, created=LONG_AGO + timedelta(days=at), topic="t")
        for at in range(3)
    ]
    pinned = replace(facts[0], trace=replace(facts[0].trace, pinned=True))
    back = replace(facts[1], trace=facts[1].trace.restored_at(NOW))
    memory = with_records(with_turns(1), [pinned, back, facts[2]])
    assert _known(_after(memory, capacity=2), "user") == ["0", "1"]
    assert _known(_after(memory, capacity=1), "user") == ["0"]


FACTS = st.lists(
    st.tuples(st.integers(0, 9), st.booleans(), st.integers(0, 30), st.booleans()), max_size=25
)


@given(FACTS, st.integers(0, 5))
def test_the_capacity_is_never_exceeded_and_nothing_deleted(
    drawn: list[tuple[int, bool, int, bool]], capacity: int
) -> None:
    """Whatever the facts, however often it is done; and a second time there is nothing to do."""
    facts: list[Fact] = [
        a_fact(
            str(at),
            pages(on),
            position=at,
            about="subject" if own else "object",
            created=LONG_AGO + timedelta(days=days),
            topic="topic-gone" if known else "",
        )
        for at, (on, own, days, known) in enumerate(drawn)
    ]
    topic = a_topic("piano", pages(*range(10)))
    memory = with_records(with_turns(10), [topic, *facts])
    after = _after(memory, capacity=capacity)
    assert len(_known(after, "user")) <= capacity
    assert len(_known(after, "assistant")) <= capacity
    assert {fact.id for fact in after.facts()} == {fact.id for fact in facts}
    assert learn_from_hot_topics(after, NOW, capacity=capacity).changes == ()


def test_heat_adds_visits_length_and_recency() -> None:
    """Two visits, three pages, last seen 24 hours ago: 5 + 1/e."""
    topic = a_topic("piano", (), visits=2, length=3, last_visit=NOW - timedelta(hours=24))
    assert heat(topic, NOW) == pytest.approx(5 + math.exp(-1))


def _left(topics: list[Topic], capacity: int) -> list[str]:
    """The texts of what is not put away after an eviction."""
    memory = with_records(with_turns(0), topics)
    after = apply_all(memory, evict_topics(memory, NOW, capacity))
    assert [topic.id for topic in after.topics()] == [topic.id for topic in memory.topics()]
    return [topic.text for topic in after.topics() if topic.trace.archived is None]


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
    went = [topic.uses for topic in topics if topic.text not in left]
    assert (
        not went
        or not left
        or max(went) <= min(topic.uses for topic in topics if topic.text in left)
    )


def test_a_stored_memory_is_arranged_into_topics(tmp_path: Path) -> None:
    """Each day's talk is a draft; what is like an earlier day joins its topic, and twice is once."""
    bank = MemoryBank(tmp_path, embedder=WordEmbedder(VOCABULARY))
    nora = bank.person("Nora")
    nora.add("I took a piano lesson and learned a chord.", at="2026-03-01")
    nora.add("Another piano lesson with a hard chord.", at="2026-03-08")
    nora.add("I planted beans in the garden before the rain.", at="2026-03-09")
    assert [arrange_topics(bank, nora) for _ in range(2)] == [2, 2]
    assert sorted(len(topic.pages) for topic in nora.memory().topics()) == [1, 2]
