"""The step ``topics``: what left the talk is in a topic, hot topics teach, the least used rest.

Topics are made with each batch that is read; this step sees to what that left over: pages
whose topic went with an erased one, and what was read without a theme. It asks no chat model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from siliconfriend.errors import ModelError
from siliconfriend.extraction.queue import BATCH_SIZE, is_same_scene
from siliconfriend.memory.changes import Change, PutDerived, apply_all
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.night.person_night import PersonNight
from siliconfriend.night.writer import OFFLINE
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.recall.score_calibration import calibration_of
from siliconfriend.topics.assignment import assign_topics
from siliconfriend.topics.drafts import TopicDraft, draft_topics
from siliconfriend.topics.heat import evict_topics
from siliconfriend.topics.knowledge import LearnedKnowledge, hot_topics, learn_from_hot_topics

NAME = "topics"

Batch = tuple[TopicDraft, ...]
Join = Callable[[PersonMemory], list[Change]]


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be done for a snapshot."""

    joining: list[Change]
    learned: LearnedKnowledge
    away: list[Change]

    def changes(self) -> Iterator[Change]:
        """All of it, in order."""
        yield from (*self.joining, *self.learned.changes, *self.away)

    def topics(self) -> set[str]:
        """Ids of the topics that grew or were gone through."""
        grown = {it.record.id for it in self.joining if isinstance(it, PutDerived)}
        return grown.union(self.learned.topics)


def run(night: PersonNight) -> None:
    """Join what is in no topic, go through the hot ones, put away what is beyond the capacity."""
    memory = night.load()
    batches = _left_over(memory)
    left = sum(len(theme.pages) for batch in batches for theme in batch)
    if night.options.dry_run:
        due = left + len(hot_topics(memory, night.now, night.settings.topic_heat))
        due += len(evict_topics(memory, night.now, night.settings.topic_capacity))
        night.report.count(NAME, due=due, done=0)
        return
    try:
        join = _joining(night, memory, batches)
    except ModelError as error:
        night.fail(NAME, error)
        join = _join_nothing
    with night.store.edit(night.scope) as edit:
        plan = _plan(night, edit.memory, join)
        edit.add(*plan.changes())
    _tell(night, plan, left)


def _plan(night: PersonNight, memory: PersonMemory, join: Join) -> _Plan:
    joining = join(memory)
    memory = apply_all(memory, joining)
    found = learn_from_hot_topics(
        memory,
        night.now,
        threshold=night.settings.topic_heat,
        capacity=night.settings.knowledge_capacity,
    )
    memory = apply_all(memory, found.changes)
    return _Plan(joining, found, evict_topics(memory, night.now, night.settings.topic_capacity))


def _tell(night: PersonNight, plan: _Plan, left: int) -> None:
    """Fill in the report; ``left`` pages were in no topic."""
    others = len(plan.learned.topics) + len(plan.away)
    joined_now = left if plan.joining else 0
    night.report.count(NAME, due=left + others, done=joined_now + others)
    night.report.topics = len(plan.topics())
    night.report.knowledge = len(plan.learned.entries)
    for kind, count in (("fact", len(plan.learned.archived)), ("topic", len(plan.away))):
        if count:
            night.report.archived[kind] += count


def _left_over(memory: PersonMemory) -> list[Batch]:
    """What was read and is in no topic, as themes by rule: a scene, ten turns of it at most."""
    held = {page for topic in memory.topics() for page in topic.provenance.from_ids}
    runs: list[tuple[list[Turn], bool]] = []
    last: Turn | None = None
    is_open = False
    for turn in memory.turns():
        goes_on = last is not None and is_same_scene(last, turn)
        is_left = turn.is_read and turn.id not in held
        if is_left:
            if is_open and goes_on and len(runs[-1][0]) < BATCH_SIZE:
                runs[-1][0].append(turn)
            else:
                runs.append(([turn], goes_on))
        is_open, last = is_left, turn
    batches = [draft_topics(turns, continues=goes_on) for turns, goes_on in runs]
    return [batch for batch in batches if batch]


def _join_nothing(_memory: PersonMemory) -> list[Change]:
    return []


def _joining(night: PersonNight, memory: PersonMemory, batches: Sequence[Batch]) -> Join:
    """What joins the batches, with every vector it needs made before any lock is held.

    Raises:
        ModelUnavailable: the embedder is a service that failed.
    """
    if not batches:
        return _join_nothing
    embedder = night.recaller.embedder
    summaries = {theme.summary for batch in batches for theme in batch}
    texts = sorted(summaries.union(topic.text for topic in memory.topics()))
    known: dict[str, Vectors] = {}
    if embedder is not None:
        known = dict(zip(texts, night.recaller.embed_passages(night.scope, texts), strict=True))

    def embed(asked: Sequence[str]) -> Vectors:
        return np.stack([known[it] for it in asked])

    def join(newest: PersonMemory) -> list[Change]:
        if not {topic.text for topic in newest.topics()} <= set(texts):
            return []  # topics were opened meanwhile; the next night knows their vectors
        changes: list[Change] = []
        for batch in batches:
            fresh = assign_topics(
                newest,
                night.scope,
                batch,
                embed=None if embedder is None else embed,
                now=night.now,
                made_by=OFFLINE,
                calibration=calibration_of(embedder),
            )
            changes += fresh
            newest = apply_all(newest, fresh)
        return changes

    return join
