"""An index that follows a memory through many batches equals one made of it anew."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.extraction.topics.assignment import TopicIndex
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import Change, Erase, PutDerived, PutTrace
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.records import PersonMemory
from siliconfriend.testing import WordEmbedder
from tests.extraction.topics.people import NOW, a_theme, a_topic, page, pages
from tests.memory.people import NORA, a_profile

WORDS = ("piano", "lesson", "chord", "garden", "beans", "rain")
DRAFT = a_theme("piano garden", 1, words=("piano", "rain"))

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
places = st.tuples(st.sampled_from(["2026-03-01", "2026-03-02"]), st.integers(0, 3))


@st.composite
def a_change(draw: st.DrawFn) -> Change:
    """A topic that comes or changes, goes into the archive, or leaves."""
    day, position = draw(places)
    identifier = memory_id(NORA, "topic", day, position)
    what = draw(st.sampled_from(["put", "put", "put", "archive", "erase"]))
    if what == "erase":
        return Erase((identifier,))
    if what == "archive":
        return PutTrace(identifier, Trace(NOW, archived=NOW))
    topic = a_topic(
        draw(texts),
        pages(position, day=day),
        position=position,
        day=day,
        words=draw(texts).split(),
        analysed=pages(*draw(st.sets(st.just(position))), day=day),
    )
    return PutDerived(topic)


@pytest.mark.parametrize("by_meaning", [True, False])
@given(history=st.lists(st.lists(a_change(), max_size=3), max_size=8))
def test_followed_through_changes_it_is_the_index_of_what_there_is(
    by_meaning: bool, history: list[list[Change]]
) -> None:
    """In what is most similar, which topic holds a page, and in which it was analysed."""
    embedder = WordEmbedder(WORDS) if by_meaning else None
    memory, followed = PersonMemory(a_profile()), TopicIndex(embedder)
    for changes in history:
        for change in changes:
            memory = change.apply(memory)
        fresh = TopicIndex(embedder)
        for index in (followed, fresh):
            index.sync(memory)
        assert followed.most_similar(DRAFT) == fresh.most_similar(DRAFT)
        for day in ("2026-03-01", "2026-03-02"):
            for position in range(4):
                where = page(position, day=day)
                assert followed.holding(where) == fresh.holding(where)
                assert followed.analysed(where) == fresh.analysed(where)
