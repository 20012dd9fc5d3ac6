"""Which topics are visited when memories enter a prompt.

A topic is hot because its pages are used, so this is told of what really entered a prompt and
never of a look. It stands here and not with the topics since it is one write with the recall.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import datetime

from siliconfriend.memory.changes import PutDerived
from siliconfriend.memory.records import PersonMemory


def visits(memory: PersonMemory, ids: Collection[str], now: datetime) -> Iterator[PutDerived]:
    """The topics that hold any of the pages ``ids``, each with one visit more.

    A visit is also a recall of the topic, so that what is still spoken of does not fade. What
    was put away is not visited.
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
