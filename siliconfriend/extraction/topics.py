"""Topics from earlier nights or imports: compute their heat, and rebuild them after an erasure."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Literal

from siliconfriend.extraction.day_sentences import weightiest_sentences
from siliconfriend.forgetting.curve import retention
from siliconfriend.language.sentences import join_sentences
from siliconfriend.language.words import top_keywords
from siliconfriend.memory.knowledge import OFFLINE, Fact, Topic, TopicSegment
from siliconfriend.memory.records import Turn

MAX_SUMMARY, MAX_KEY_WORDS = 480, 8
"""Characters of the summary of a topic that is rebuilt by rule, and its key words."""
TAU_HOURS = 24.0
"""Hours in which the share of the last visit falls to 1/e."""

Owner = Literal["user", "assistant"]


def heat(topic: Topic, now: datetime) -> float:
    """Compute H = visits + length + e^(-hours since the last visit/τ); an unknown visit is now."""
    hours = 0.0
    if topic.last_visit is not None:
        hours = max((now - topic.last_visit).total_seconds(), 0.0) / 3600.0
    return topic.visits + topic.length + retention(hours, TAU_HOURS)


def knowledge_owner(fact: Fact) -> Owner:
    """Return the owner of an entry: the companion if it is its subject or speaker."""
    own = fact.entity_type == "subject" or fact.said_by == "companion"
    return "assistant" if own else "user"


def rebuild_topic(
    topic: Topic, pages: Mapping[str, Turn], touched: Collection[str]
) -> Topic | None:
    """Rebuild a topic from these pages in the person's words; None if they are empty.

    ``pages`` are the turns that stay in it, by id; ``touched`` are ids of pages gone or reworded.
    """
    talks = []
    for talk in topic.talks:
        left = tuple(page for page in talk.pages if page in pages)
        if left:
            is_touched = not set(talk.pages).isdisjoint(touched)
            overview = summary_of(map(pages.__getitem__, left)) if is_touched else talk.overview
            talks.append(TopicSegment(left, overview))
    turns = [pages[page] for talk in talks for page in talk.pages]
    summary, stays = summary_of(turns), {turn.id for turn in turns}
    if not summary:
        return None
    from_ids = tuple(source for source in topic.provenance.from_ids if source in stays)
    return replace(
        topic,
        text=summary,
        key_words=tuple(top_keywords((turn.query for turn in turns), MAX_KEY_WORDS)),
        talks=tuple(talks),
        provenance=replace(topic.provenance, made_by=OFFLINE, from_ids=from_ids),
        length=min(topic.length, len(turns)),
        analysed=tuple(page for page in topic.analysed if page in stays),
    )


def summary_of(turns: Iterable[Turn]) -> str:
    """Sum up turns by the person's most informative sentences; empty if there are none."""
    return join_sentences(weightiest_sentences(turns))[:MAX_SUMMARY]
