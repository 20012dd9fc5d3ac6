"""Room for topics: beyond the capacity the least used go to the archive.

MemoryOS deletes the topic that was used least. Here it is put away like anything that
fades: its pages stay, it can be restored, and nothing of it is lost.
"""

from __future__ import annotations

from datetime import datetime

from siliconfriend.memory.changes import Change, PutTrace
from siliconfriend.memory.knowledge import Topic
from siliconfriend.memory.records import PersonMemory

CAPACITY = 2000
"""Topics outside the archive (MemoryOS's number)."""


def evicted(memory: PersonMemory, now: datetime, capacity: int = CAPACITY) -> list[Change]:
    """The changes that put away what is beyond ``capacity``, least used first.

    Among topics used as often the one visited longest ago goes. One that is pinned stays, and
    takes a place.
    """
    held = [it for it in memory.topics() if it.trace.archived is None]
    may_go = sorted((it for it in held if not it.trace.pinned), key=_usefulness)
    return [
        PutTrace(it.id, it.trace.archived_at(now)) for it in may_go[: max(0, len(held) - capacity)]
    ]


def _usefulness(topic: Topic) -> tuple[int, datetime, str]:
    """What to keep longest is greatest: uses, then the last visit or restoring."""
    visit = topic.last_visit or topic.trace.created
    return topic.uses, max(visit, topic.trace.restored or visit), topic.id
