"""Known facts and events, to be compared with the drafts of one batch after another.

Years of talk are thousands of batches; without this each of them would go through all facts,
events and topics there are.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain

from siliconfriend.extraction.comparison import entity_key, is_same_entity
from siliconfriend.memory.day_view import DayView
from siliconfriend.memory.identity import parse_memory_id
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.records import PersonMemory
from siliconfriend.topics.topic_index import TopicIndex


class Known:
    """Facts by whom they are about, and topics.

    Attributes:
        topics: the index of the topics; it is brought in step by whoever asks it.
    """

    def __init__(self) -> None:
        self.topics = TopicIndex()
        self._fact_view = DayView(_facts_on)
        self._about: dict[tuple[str, str], dict[str, Fact]] = {}

    def facts_about(self, memory: PersonMemory, entity: str) -> list[Fact]:
        """The facts of a memory about somebody or something, oldest day first."""
        for before, after in list(self._fact_view.sync(memory)):
            for fact in before or ():
                self._about[entity_key(fact.entity)].pop(fact.id, None)
            for fact in after or ():
                self._about.setdefault(entity_key(fact.entity), {})[fact.id] = fact
        near = self._about.get(entity_key(entity), {}).values()
        about = [fact for fact in near if is_same_entity(fact.entity, entity)]
        return sorted(about, key=lambda fact: (fact.date, fact.position))


def have_events(memory: PersonMemory, turns: Collection[str]) -> bool:
    """True if events rest on all of these turns; each stands on the day of the newest of its own."""
    dates = {place.date for it in turns if (place := parse_memory_id(it)) is not None}
    events = (event for date in dates & memory.days.keys() for event in memory.on(date, "event"))
    sources = (it.provenance.from_ids for it in events if isinstance(it, Event))
    return set(turns) <= set(chain.from_iterable(sources))


def _facts_on(memory: PersonMemory, date: str) -> tuple[Fact, ...]:
    return tuple(it for it in memory.on(date, "fact") if isinstance(it, Fact))
