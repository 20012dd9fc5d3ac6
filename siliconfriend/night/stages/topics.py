"""The stage ``topics``: turns are in topics, hot topics become knowledge, the coldest are archived.

Topics are made with each batch that is read; this stage assigns what that left over: turns
whose topic went with an erased one, and what was read without a topic. It asks no chat model.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from siliconfriend.errors import ModelError
from siliconfriend.extraction.queue import BATCH_SIZE, is_same_scene
from siliconfriend.extraction.topics.assignment import TopicIndex, assign_topics
from siliconfriend.extraction.topics.drafts import TopicDraft, draft_topics
from siliconfriend.extraction.topics.knowledge import (
    LearnedKnowledge,
    evict_topics,
    hot_topics,
    learn_from_hot_topics,
)
from siliconfriend.memory.changes import Change, PutDerived, apply_all
from siliconfriend.memory.days import outlines
from siliconfriend.memory.provenance import OFFLINE
from siliconfriend.memory.records import Day, PersonMemory, Turn
from siliconfriend.night.person_night import PersonNight
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.recall.similarity import calibration_of

NAME = "topics"

Drafts = tuple[TopicDraft, ...]
Assign = Callable[[PersonMemory], list[Change]]
"""Given the newest memory, the changes that assign turns to topics."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be done for a snapshot of the memory."""

    assigned: list[Change]
    learned: LearnedKnowledge
    evicted: list[Change]

    @property
    def changes(self) -> list[Change]:
        """All of it, in order."""
        return [*self.assigned, *self.learned.changes, *self.evicted]

    @property
    def topics(self) -> set[str]:
        """Ids of the topics that grew or that were learned from."""
        grown = {change.record.id for change in self.assigned if isinstance(change, PutDerived)}
        return grown.union(self.learned.topics)


def run(night: PersonNight) -> None:
    """Assign turns that are in no topic, learn from hot topics, archive those beyond the capacity."""
    if night.chat is None:
        night.report.count(NAME, due=0, done=0)
        return
    memory = night.load()
    batches = _unassigned(memory)
    left = sum(len(draft.pages) for drafts in batches for draft in drafts)
    if night.options.dry_run:
        due = left + len(hot_topics(memory, night.now, night.settings.topic_heat))
        due += len(evict_topics(memory, night.now, night.settings.topic_capacity))
        night.report.count(NAME, due=due, done=0)
        return
    try:
        assign = _prepare(night, memory, batches)
    except ModelError as error:
        night.fail(NAME, error)
        assign = _assign_nothing
    with night.store.edit(night.scope) as edit:
        plan = _plan(night, edit.memory, assign)
        edit.add(*plan.changes)
    _fill_in(night, plan, left)


def _plan(night: PersonNight, memory: PersonMemory, assign: Assign) -> _Plan:
    assigned = assign(memory)
    memory = apply_all(memory, assigned)
    learned = learn_from_hot_topics(
        memory,
        night.now,
        threshold=night.settings.topic_heat,
        capacity=night.settings.knowledge_capacity,
        policy=night.policy,
    )
    memory = apply_all(memory, learned.changes)
    evicted = evict_topics(memory, night.now, night.settings.topic_capacity)
    return _Plan(assigned, learned, evicted)


def _fill_in(night: PersonNight, plan: _Plan, left: int) -> None:
    """Fill in the report; ``left`` turns were in no topic."""
    others = len(plan.learned.topics) + len(plan.evicted)
    assigned = left if plan.assigned else 0
    night.report.count(NAME, due=left + others, done=assigned + others)
    night.report.topics = len(plan.topics)
    night.report.knowledge = len(plan.learned.entries)
    for kind, count in (("fact", len(plan.learned.archived)), ("topic", len(plan.evicted))):
        if count:
            night.report.archived[kind] += count


def _unassigned(memory: PersonMemory) -> list[Drafts]:
    """Topics drafted by rule from turns that were read and are in none: a scene, ten turns of it at most."""
    assigned = {page for topic in memory.topics() for page in topic.provenance.from_ids}
    drafted = [
        draft_topics(turns, continues=continues)
        for day in _with_unassigned(memory, assigned)
        for turns, continues in _unassigned_scenes(day, assigned)
    ]
    return [drafts for drafts in drafted if drafts]


def _with_unassigned(memory: PersonMemory, assigned: Collection[str]) -> Iterator[Day]:
    """The days with turns that were read and may be in no topic, by their outlines."""
    # Years of ids are not parsed for this: turn-2026-03-14-0-80719b6a is of the place before its end.
    places = {identifier.rpartition("-")[0] for identifier in assigned}
    for date, outline in outlines(memory.days):
        if not places.issuperset([f"turn-{date}-{position}" for position in outline.read]):
            yield memory.days[date]


def _unassigned_scenes(day: Day, assigned: Collection[str]) -> list[tuple[list[Turn], bool]]:
    """The turns of a day that were read and are in no topic, by scene; and whether each goes on."""
    scenes: list[tuple[list[Turn], bool]] = []
    last: Turn | None = None
    is_open = False
    for turn in day.turns:
        continues = last is not None and is_same_scene(last, turn)
        is_left = turn.is_read and turn.id not in assigned
        if is_left:
            if is_open and continues and len(scenes[-1][0]) < BATCH_SIZE:
                scenes[-1][0].append(turn)
            else:
                scenes.append(([turn], continues))
        is_open, last = is_left, turn
    return scenes


def _assign_nothing(_memory: PersonMemory) -> list[Change]:
    return []


def _prepare(night: PersonNight, memory: PersonMemory, batches: Sequence[Drafts]) -> Assign:
    """Make every vector that assigning needs before any lock is held, and return what assigns.

    Raises:
        ModelUnavailable: the embedder is a service that failed.
    """
    if not batches:
        return _assign_nothing
    embedder = night.recaller.embedder
    summaries = {draft.summary for drafts in batches for draft in drafts}
    texts = sorted(summaries.union(topic.text for topic in memory.topics()))
    vectors: dict[str, Vectors] = {}
    if embedder is not None:
        made = night.recaller.embed_passages(night.scope, texts)
        vectors = dict(zip(texts, made, strict=True))

    def embed(asked: Sequence[str]) -> Vectors:
        return np.stack([vectors[words] for words in asked])

    def assign(newest: PersonMemory) -> list[Change]:
        if not {topic.text for topic in newest.topics()} <= set(texts):
            return []  # topics were opened meanwhile; the next night knows their vectors
        changes: list[Change] = []
        index = TopicIndex()
        for drafts in batches:
            fresh = assign_topics(
                newest,
                night.scope,
                drafts,
                embed=None if embedder is None else embed,
                now=night.now,
                made_by=OFFLINE,
                calibration=calibration_of(embedder),
                index=index,
            )
            changes += fresh
            newest = apply_all(newest, fresh)
        return changes

    return assign
