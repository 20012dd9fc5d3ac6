"""The stage ``topics``: hot topics become knowledge, the coldest are archived.

Topics are made with each batch that a model reads; this stage asks no model.
"""

from __future__ import annotations

from collections import Counter

from siliconfriend.extraction.topics import evict_topics, hot_topics, learn_from_hot_topics
from siliconfriend.memory.changes import apply_all
from siliconfriend.night.person_night import PersonNight

NAME = "topics"


def run(night: PersonNight) -> None:
    """Learn from hot topics, and archive those beyond the capacity."""
    memory, settings = night.load(), night.runtime.settings
    due = len(hot_topics(memory, night.now, settings.topic_heat))
    due += len(evict_topics(memory, night.now, settings.topic_capacity))
    if night.chat is None or night.options.dry_run or not due:
        night.report.count(NAME, due=0 if night.chat is None else due, done=0)
        return
    with night.edit() as edit:
        learned = learn_from_hot_topics(
            edit.memory,
            night.now,
            threshold=settings.topic_heat,
            capacity=settings.knowledge_capacity,
            policy=night.runtime.policy,
        )
        after = apply_all(edit.memory, learned.changes)
        evicted = evict_topics(after, night.now, settings.topic_capacity)
        edit.add(*learned.changes, *evicted)
    done = len(learned.topics) + len(evicted)
    night.report.count(NAME, due=done, done=done)
    night.report.topics = len(learned.topics)
    night.report.knowledge = len(learned.entries)
    night.report.archived += Counter(fact=len(learned.archived), topic=len(evicted))
