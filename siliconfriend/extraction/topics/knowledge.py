"""Compute the heat of topics, and make knowledge of the facts of hot ones, without a model.

Heat is MemoryOS's (arXiv 2506.06326): ``H = visits + length + e^(-hours since the last visit/τ)``.
MemoryOS deletes the least used topic; here it is archived. A page of a hot topic is analysed once.
A topic whose pages left or changed is rebuilt from the rest, in the person's words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, get_args

from siliconfriend.extraction.day_sentences import weightiest_sentences
from siliconfriend.forgetting.curve import retention
from siliconfriend.forgetting.policy import COMPANION, ForgettingPolicy
from siliconfriend.language.sentences import join_sentences
from siliconfriend.language.words import top_keywords
from siliconfriend.memory.changes import Change, PutDerived, PutTrace, apply_all
from siliconfriend.memory.knowledge import Fact, Topic, TopicSegment
from siliconfriend.memory.provenance import OFFLINE
from siliconfriend.memory.records import PersonMemory, Turn

MAX_ENTRIES = 100
"""Entries of each knowledge outside the archive (MemoryOS's number)."""

MAX_PORTRAIT_TOPICS = 10
"""Topics that a portrait is told of."""

HOT = 5.0
"""From this heat on a topic is analysed (MemoryOS's number)."""

TAU_HOURS = 24.0
"""Hours in which the share of the last visit falls to 1/e."""

MAX_KEY_WORDS = 8
MAX_SUMMARY = 480
"""Characters of the summary of a topic that is rebuilt by rule."""

MAX_TOPICS = 2000
"""Topics outside the archive (MemoryOS's number)."""

Owner = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class LearnedKnowledge:
    """The changes of an analysis in order, and ids of what they are about.

    ``topics`` were gone through, ``entries`` became knowledge, ``archived`` had to make room.
    """

    changes: tuple[Change, ...]
    topics: tuple[str, ...]
    entries: tuple[str, ...]
    archived: tuple[str, ...]


def heat(topic: Topic, now: datetime) -> float:
    """Compute the heat of a topic; a visit in the future, or one that is not known, counts as now."""
    hours = 0.0
    if topic.last_visit is not None:
        hours = max((now - topic.last_visit).total_seconds(), 0.0) / 3600.0
    return topic.visits + topic.length + retention(hours, TAU_HOURS)


def evict_topics(memory: PersonMemory, now: datetime, capacity: int = MAX_TOPICS) -> list[Change]:
    """Archive what is beyond ``capacity``: the least used, of these the one visited longest ago; nothing pinned."""
    held = [topic for topic in memory.topics() if topic.trace.archived is None]
    may_go = sorted((topic for topic in held if not topic.trace.pinned), key=_usefulness)
    return [
        PutTrace(entry.id, entry.trace.archived_at(now))
        for entry in may_go[: max(0, len(held) - capacity)]
    ]


def _usefulness(topic: Topic) -> tuple[int, datetime, str]:
    visit = topic.last_visit or topic.trace.created
    return topic.uses, max(visit, topic.trace.restored or visit), topic.id


def knowledge_owner(fact: Fact) -> Owner:
    """Whose knowledge an entry is: the companion's if it is about it, or was told by it."""
    own = fact.entity_type == "subject" or fact.said_by == "companion"
    return "assistant" if own else "user"


def knowledge_entries(memory: PersonMemory, owner: Owner) -> list[Fact]:
    """The knowledge entries of one owner that hold and are not put away, oldest day first."""
    return [
        fact
        for fact in memory.facts()
        if fact.topic and fact.is_active and knowledge_owner(fact) == owner
    ]


def hot_topics(memory: PersonMemory, now: datetime, threshold: float = HOT) -> list[Topic]:
    """Return the topics that are hot, hold a page not gone through yet, and are not put away."""
    return [
        topic
        for topic in memory.topics()
        if topic.trace.archived is None and _new_pages(topic) and heat(topic, now) >= threshold
    ]


def recurring_topics(memory: PersonMemory, most: int = MAX_PORTRAIT_TOPICS) -> list[Topic]:
    """The topics that were ever hot and are not put away, for a portrait; oldest visit first."""
    held = [topic for topic in memory.topics() if topic.analysed and topic.trace.archived is None]
    held.sort(key=lambda it: (it.last_visit or it.trace.created, it.id))
    return held[-most:]


def learn_from_hot_topics(
    memory: PersonMemory,
    now: datetime,
    *,
    threshold: float = HOT,
    capacity: int = MAX_ENTRIES,
    policy: ForgettingPolicy = COMPANION,
) -> LearnedKnowledge:
    """Go through every hot topic once, and put away what is then beyond ``capacity``.

    ``capacity`` counts entries about the person and the world, and as many about the companion; the
    weakest by ``policy`` go.
    """
    hot = hot_topics(memory, now, threshold)
    entries = [*_new_entries(memory, hot), *_inheriting(memory)]
    entries = list({entry.id: entry for entry in entries}.values())
    changes: list[Change] = [PutDerived(entry) for entry in entries]
    # Nothing is left to go through in them; visits and length begin anew.
    changes += [PutDerived(replace(it, analysed=it.pages, visits=0, length=0)) for it in hot]
    after = apply_all(memory, changes)
    beyond = [
        fact
        for owner in get_args(Owner)
        for fact in _surplus(after, owner, capacity, now=now, policy=policy)
    ]
    changes += [PutTrace(fact.id, fact.trace.archived_at(now)) for fact in beyond]
    return LearnedKnowledge(
        tuple(changes),
        tuple(topic.id for topic in hot),
        tuple(entry.id for entry in entries),
        tuple(fact.id for fact in beyond),
    )


def _new_pages(topic: Topic) -> frozenset[str]:
    return frozenset(topic.pages) - frozenset(topic.analysed)


def _new_entries(memory: PersonMemory, hot: list[Topic]) -> Iterator[Fact]:
    """Yield the facts of the new pages as entries; one that is an entry already stays as it is."""
    topics = {topic.id for topic in memory.topics()}
    new_pages = {topic.id: _new_pages(topic) for topic in hot}
    for fact in memory.facts():
        if not fact.is_active or fact.topic in topics:
            continue
        found = next(
            (
                it
                for it, pages in new_pages.items()
                if not pages.isdisjoint(fact.provenance.from_ids)
            ),
            None,
        )
        if found is not None:
            yield replace(fact, topic=found)


def _inheriting(memory: PersonMemory) -> Iterator[Fact]:
    """Yield the facts that corrected an entry or took it in: they are what is known now."""
    entries = {
        fact.superseded_by: fact.topic
        for fact in memory.facts()
        if fact.superseded_by and fact.topic
    }
    for fact in memory.facts():
        if fact.id in entries and not fact.topic and not fact.superseded_by:
            yield replace(fact, topic=entries[fact.id])


def _surplus(
    memory: PersonMemory, owner: Owner, capacity: int, *, now: datetime, policy: ForgettingPolicy
) -> list[Fact]:
    """Return the weakest entries beyond the capacity; pinned ones stay, and take a place."""
    held = knowledge_entries(memory, owner)
    may_go = [fact for fact in held if not fact.trace.pinned]
    may_go.sort(key=lambda it: _strength_rank(it, memory, now, policy))
    return may_go[: max(0, len(held) - capacity)]


def _strength_rank(
    fact: Fact, memory: PersonMemory, now: datetime, policy: ForgettingPolicy
) -> tuple[float, float, datetime, str]:
    """Sort key of the entries to archive, the least first: retention in hundredths, use, age.

    Age alone would take a birthday that was recalled yesterday because it was told first.
    """
    trace = fact.trace
    kept = 1.0
    if policy.has_curve:
        unit = policy.unit_days("fact", trace.importance)
        kept = round(retention(trace.days_fading(now), trace.strength, unit), 2)
    strength = policy.strength(trace, memory.mentions(fact))
    return kept, strength, trace.restored or trace.created, fact.id


def rebuild_topic(
    topic: Topic, pages: Mapping[str, Turn], touched: Collection[str]
) -> Topic | None:
    """Rebuild a topic from these pages alone; None where they say nothing.

    Args:
        topic: as it was.
        pages: the turns that stay in it, by id, with the words they have now.
        touched: ids of the pages that are gone or reworded.
    """
    talks = []
    for talk in topic.talks:
        left = tuple(page for page in talk.pages if page in pages)
        if left:
            is_touched = not set(talk.pages).isdisjoint(touched)
            overview = _summary(map(pages.__getitem__, left)) if is_touched else talk.overview
            follows = "" if talk.follows in touched else talk.follows
            talks.append(TopicSegment(left, overview, follows))
    turns = [pages[page] for talk in talks for page in talk.pages]
    summary = _summary(turns)
    if not summary:
        return None
    stays = {turn.id for turn in turns}
    from_ids = tuple(it for it in topic.provenance.from_ids if it in stays)
    return replace(
        topic,
        text=summary,
        key_words=tuple(top_keywords((turn.query for turn in turns), MAX_KEY_WORDS)),
        talks=tuple(talks),
        provenance=replace(topic.provenance, made_by=OFFLINE, from_ids=from_ids),
        length=min(topic.length, len(turns)),
        analysed=tuple(it for it in topic.analysed if it in stays),
    )


def _summary(turns: Iterable[Turn]) -> str:
    return join_sentences(weightiest_sentences(turns))[:MAX_SUMMARY]
