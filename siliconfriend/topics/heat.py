"""How hot a topic is: how often, how long and how lately it was talked about.

MemoryOS (arXiv 2506.06326, ``compute_segment_heat`` and ``compute_time_decay`` of its code):
``H = α·N_visit + β·L_interaction + γ·R_recency`` with ``R_recency = exp(-hours/τ)``, the
hours counted from the last visit.

MemoryOS deletes the topic that was used least. Here it is put away like anything that
fades: its pages stay, it can be restored, and nothing of it is lost.
"""

from __future__ import annotations

from datetime import datetime

from siliconfriend.forgetting.curve import retention
from siliconfriend.memory.changes import Change, PutTrace
from siliconfriend.memory.knowledge import Topic
from siliconfriend.memory.records import PersonMemory

HOT = 5.0
"""From this heat on a topic is analysed (MemoryOS's number)."""


def heat(
    topic: Topic,
    now: datetime,
    alpha: float = 1.0,
    beta: float = 1.0,
    gamma: float = 1.0,
    tau_hours: float = 24.0,
) -> float:
    """``alpha·visits + beta·length + gamma·e^(-hours since the last visit / tau_hours)``.

    A visit in the future counts as now, and so does one that is not known.
    """
    hours = 0.0
    if topic.last_visit is not None:
        hours = max((now - topic.last_visit).total_seconds(), 0.0) / 3600.0
    return alpha * topic.visits + beta * topic.length + gamma * retention(hours, tau_hours)


MAX_TOPICS = 2000
"""Topics outside the archive (MemoryOS's number)."""


def evict_topics(memory: PersonMemory, now: datetime, capacity: int = MAX_TOPICS) -> list[Change]:
    """The changes that put away what is beyond ``capacity``, least used first.

    Among topics used as often the one visited longest ago goes. One that is pinned stays, and
    takes a place.
    """
    held = [topic for topic in memory.topics() if topic.trace.archived is None]
    may_go = sorted((topic for topic in held if not topic.trace.pinned), key=_usefulness)
    return [
        PutTrace(it.id, it.trace.archived_at(now)) for it in may_go[: max(0, len(held) - capacity)]
    ]


def _usefulness(topic: Topic) -> tuple[int, datetime, str]:
    """Sort key of the topics to keep: uses, then the last visit or restoring; the greatest stays longest."""
    visit = topic.last_visit or topic.trace.created
    return topic.uses, max(visit, topic.trace.restored or visit), topic.id
