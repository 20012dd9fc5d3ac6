"""Reinforcement: what changes when memories enter a prompt.

They are strengthened, at most once a memory and day, and the topics whose pages are among
them are visited. A topic is hot because its pages are used, so this goes by what really
entered a prompt and never by a look. Topics' visits stand here since they are one write
with the recall.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import datetime

from siliconfriend.memory.changes import Change, PutDerived, PutTrace
from siliconfriend.memory.records import PersonMemory


def reinforcing_changes(
    memory: PersonMemory, ids: Collection[str], now: datetime
) -> Iterator[Change]:
    """The changes by which these memories are recalled, and their topics visited."""
    for identifier in ids:
        record = memory.find(identifier)
        if record is not None:
            trace = record.trace.recalled(now, memory.profile.zone)
            if trace is not record.trace:
                yield PutTrace(identifier, trace)
    yield from visits(memory, ids, now)


def visits(memory: PersonMemory, ids: Collection[str], now: datetime) -> Iterator[PutDerived]:
    """The topics that hold any of the pages ``ids``, each with one visit more.

    A visit is also a recall of the topic, so that what is still spoken of does not fade. An
    archived topic is not visited.
    """
    entered = frozenset(ids)
    for topic in memory.topics():
        if topic.trace.archived is None and not entered.isdisjoint(topic.provenance.from_ids):
            yield PutDerived(
                replace(
                    topic,
                    visits=topic.visits + 1,
                    uses=topic.uses + 1,
                    last_visit=now,
                    trace=topic.trace.recalled(now, memory.profile.zone),
                )
            )
