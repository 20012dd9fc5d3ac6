"""MemoryOS's mid-term memory: recurring topics, and knowledge from hot ones, without a model.

:func:`siliconfriend.seeds.from_memory.arrange_topics` applies it to a stored memory. A draft joins the
most similar topic or starts a new one; every page belongs to one topic. Similarity, heat and
capacities are those of MemoryOS (arXiv 2506.06326), which deletes the least used topic; here it is
archived.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple, get_args

import numpy as np

from siliconfriend.extraction.topics import MAX_KEY_WORDS, Owner, heat, knowledge_owner, summary_of
from siliconfriend.forgetting.policy import COMPANION, ForgettingPolicy
from siliconfriend.forgetting.trace import Trace
from siliconfriend.language.characters import is_chinese
from siliconfriend.language.words import jaccard, top_keywords, word_set
from siliconfriend.memory.changes import Change, PutDerived, PutTrace, apply_all
from siliconfriend.memory.knowledge import Fact, Provenance, Topic, TopicSegment
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope, memory_id
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.scoring import Numbers
from siliconfriend.recall.similarity import calibration_of

JOIN_THRESHOLD = 0.6
"""Minimum similarity for a draft to join a topic (MemoryOS's number)."""
HOT = 5.0
"""Minimum heat for a topic to be analysed (MemoryOS's number)."""
MAX_TOPICS, MAX_ENTRIES = 2000, 100
"""Most active topics, and entries of each owner's knowledge (MemoryOS's numbers)."""


@dataclass(frozen=True, slots=True)
class TopicDraft:
    """Turns about one matter: ``pages`` are their ids, oldest first, ``key_words`` the heaviest first."""

    summary: str
    key_words: tuple[str, ...]
    pages: tuple[str, ...]


class TopicSimilarity:
    """Compares drafts with topics by the embedding of their summaries, or by words without one."""

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder
        self._calibration = calibration_of(embedder)
        self._vectors: dict[str, Numbers] = {}

    def most_similar(self, draft: TopicDraft, topics: Sequence[Topic]) -> Topic | None:
        """Return the active topic that a draft joins, or None."""
        active = [topic for topic in topics if topic.trace.archived is None]
        if not active:
            return None
        found = self.of(draft, active)
        best = int(found.argmax())
        return active[best] if found[best] >= JOIN_THRESHOLD else None

    def of(self, draft: TopicDraft, topics: Sequence[Topic]) -> Numbers:
        """Return, for each topic, the cosine of the summaries plus the Jaccard share of key words."""
        words = word_set(*draft.key_words)
        named = np.array([jaccard(words, _key_words(topic.key_words)) for topic in topics])
        if self._embedder is None:
            said = word_set(draft.summary)
            told = [word_set(topic.text) for topic in topics]
            meant = [
                len(said & words) / math.sqrt(max(len(said) * len(words), 1)) for words in told
            ]
            return np.asarray(named + np.array(meant))
        texts = [draft.summary, *(topic.text for topic in topics)]
        missing = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if missing:
            made = self._embedder.passages(missing).astype(np.float64)
            self._vectors |= zip(missing, made, strict=True)
        vectors = np.stack([self._vectors[text] for text in texts])
        meaning = self._calibration.calibrate(
            vectors[1:] @ vectors[0],
            np.array([is_chinese(text) for text in texts[1:]], dtype=np.bool_),
            asked_in_chinese=is_chinese(draft.summary),
        )
        return np.asarray(named + meaning)


def assign_topics(
    memory: PersonMemory,
    scope: Scope,
    drafts: Sequence[TopicDraft],
    similarity: TopicSimilarity,
    *,
    now: datetime,
    made_by: str,
) -> list[Change]:
    """Assign topic drafts to topics; skip pages that are gone or already belong to a topic."""
    changes: list[Change] = []
    for draft in drafts:
        topics = list(memory.topics())
        taken = {page for topic in topics for page in topic.provenance.from_ids}
        found = (memory.find(page) for page in dict.fromkeys(draft.pages) if page not in taken)
        turns = [turn for turn in found if isinstance(turn, Turn) and not turn.is_left_alone]
        if not turns:
            continue
        turns.sort(key=lambda turn: (turn.date, turn.position))
        best = similarity.most_similar(draft, topics)
        if best is None:
            date = max(turns, key=lambda turn: turn.trace.created).date
            position = memory.next_position(date, "topic")
            identifier, made = memory_id(scope, "topic", date, position), Provenance(made_by, now)
            words = tuple(dict.fromkeys(draft.key_words))
            best = Topic(identifier, date, position, draft.summary, Trace(now), made, words)
        pages = tuple(turn.id for turn in turns)
        from_ids = (*best.provenance.from_ids, *pages)
        extended = replace(
            best,
            trace=best.trace.recalled(now, memory.profile.zone) if best.pages else best.trace,
            provenance=replace(best.provenance, from_ids=from_ids),
            talks=(*best.talks, TopicSegment(pages, draft.summary)),
            length=best.length + len(pages),
            last_visit=now,
        )
        changes.append(PutDerived(extended))
        memory = changes[-1].apply(memory)
    return changes


@lru_cache(maxsize=1 << 14)
def _key_words(words: tuple[str, ...]) -> frozenset[str]:
    return word_set(*words)


def evict_topics(memory: PersonMemory, now: datetime, capacity: int = MAX_TOPICS) -> list[Change]:
    """Archive the least used unpinned topics beyond ``capacity``; ties by the last visit."""
    held = [topic for topic in memory.topics() if topic.trace.archived is None]

    def usefulness(topic: Topic) -> tuple[int, datetime, str]:
        visit = topic.last_visit or topic.trace.created
        return topic.uses, max(visit, topic.trace.restored or visit), topic.id

    may_go = sorted((topic for topic in held if not topic.trace.pinned), key=usefulness)
    going = may_go[: max(0, len(held) - capacity)]
    return [PutTrace(topic.id, topic.trace.archived_at(now)) for topic in going]


def knowledge_entries(memory: PersonMemory, owner: Owner) -> list[Fact]:
    """Return the active knowledge entries of one owner, oldest day first."""
    facts = (fact for fact in memory.facts() if fact.topic and fact.is_active)
    return [fact for fact in facts if knowledge_owner(fact) == owner]


def hot_topics(memory: PersonMemory, now: datetime, threshold: float = HOT) -> list[Topic]:
    """Return the hot active topics with a page that was not analysed yet."""
    active = (topic for topic in memory.topics() if topic.trace.archived is None)
    return [
        topic
        for topic in active
        if set(topic.pages) - set(topic.analysed) and heat(topic, now) >= threshold
    ]


class LearnedKnowledge(NamedTuple):
    """The changes of an analysis in order, and the ids of topics, new entries and archived entries."""

    changes: tuple[Change, ...]
    topics: tuple[str, ...]
    entries: tuple[str, ...]
    archived: tuple[str, ...]


def learn_from_hot_topics(
    memory: PersonMemory,
    now: datetime,
    *,
    threshold: float = HOT,
    capacity: int = MAX_ENTRIES,
    policy: ForgettingPolicy = COMPANION,
) -> LearnedKnowledge:
    """Analyse every hot topic once, then archive each owner's weakest entries beyond ``capacity``.

    The ``policy`` determines which entries are the weakest.
    """
    hot = hot_topics(memory, now, threshold)
    entries = {entry.id: entry for entry in (*_new_entries(memory, hot), *_inheriting(memory))}
    changes: list[Change] = [PutDerived(entry) for entry in entries.values()]
    changes += [
        PutDerived(replace(topic, analysed=topic.pages, visits=0, length=0)) for topic in hot
    ]
    after, beyond = apply_all(memory, changes), list[Fact]()
    for owner in get_args(Owner):
        held = knowledge_entries(after, owner)
        may_go = [fact for fact in held if not fact.trace.pinned]
        may_go.sort(key=lambda entry: _strength_rank(entry, after, now, policy))
        beyond += may_go[: max(0, len(held) - capacity)]
    changes += [PutTrace(fact.id, fact.trace.archived_at(now)) for fact in beyond]
    topics, archived = tuple(item.id for item in hot), tuple(item.id for item in beyond)
    return LearnedKnowledge(tuple(changes), topics, tuple(entries), archived)


def _new_entries(memory: PersonMemory, hot: list[Topic]) -> Iterator[Fact]:
    """Yield the facts of pages that were not analysed yet as new entries."""
    topics = {topic.id for topic in memory.topics()}
    new_pages = {topic.id: set(topic.pages).difference(topic.analysed) for topic in hot}
    for fact in memory.facts():
        if fact.is_active and fact.topic not in topics:
            for topic, pages in new_pages.items():
                if not pages.isdisjoint(fact.provenance.from_ids):
                    yield replace(fact, topic=topic)
                    break


def _inheriting(memory: PersonMemory) -> Iterator[Fact]:
    """Yield the facts that replaced an entry, as entries of its topic."""
    facts = list(memory.facts())
    entries = {
        fact.superseded_by: fact.topic for fact in facts if fact.superseded_by and fact.topic
    }
    for fact in facts:
        if fact.id in entries and not fact.topic and not fact.superseded_by:
            yield replace(fact, topic=entries[fact.id])


def _strength_rank(
    fact: Fact, memory: PersonMemory, now: datetime, policy: ForgettingPolicy
) -> tuple[float, float, datetime, str]:
    """Sort key of the entries to archive, the weakest first: rounded retention, strength, age."""
    trace = fact.trace
    retained = round(policy.retention(trace, "fact", now), 2) if policy.has_curve else 1.0
    strength = policy.strength(trace, memory.mentions(fact))
    return retained, strength, trace.restored or trace.created, fact.id


def drafts_by_day(memory: PersonMemory) -> list[TopicDraft]:
    """Draft a topic from each day's turns that have no topic, in the person's words."""
    taken = {page for topic in memory.topics() for page in topic.pages}
    drafts: list[TopicDraft] = []
    for day in memory.days.values():
        turns = [turn for turn in day.turns if turn.id not in taken and not turn.is_left_alone]
        if summary := summary_of(turns):
            words = tuple(top_keywords((turn.query for turn in turns), MAX_KEY_WORDS))
            drafts.append(TopicDraft(summary, words, tuple(turn.id for turn in turns)))
    return drafts
