"""What is known already, to be compared with what one batch after another gives.

Years of talk are thousands of batches; without this each of them would go through all facts,
events and topics there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from siliconfriend.extraction.comparison import entity_key, is_same_entity
from siliconfriend.memory.day_view import DayView
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.records import PersonMemory
from siliconfriend.topics.topic_index import TopicIndex


class Known:
    """Facts by whom they are about, the turns that events rest on, and topics.

    Attributes:
        topics: the index of the topics; it is brought in step by whoever asks it.
    """

    def __init__(self) -> None:
        self.topics = TopicIndex()
        self._fact_view = DayView(_facts_on)
        self._event_view = DayView(_sources_on)
        self._about: dict[tuple[str, str], dict[str, Fact]] = {}
        self._sources: Counter[str] = Counter()

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

    def have_events(self, memory: PersonMemory, turns: Collection[str]) -> bool:
        """True if the events of a memory rest on all of these turns."""
        for before, after in list(self._event_view.sync(memory)):
            self._sources.subtract(before or ())
            self._sources.update(after or ())
        return all(self._sources[turn] > 0 for turn in turns)


def _facts_on(memory: PersonMemory, date: str) -> tuple[Fact, ...]:
    return tuple(it for it in memory.on(date, "fact") if isinstance(it, Fact))


def _sources_on(memory: PersonMemory, date: str) -> tuple[str, ...]:
    events = (it for it in memory.on(date, "event") if isinstance(it, Event))
    return tuple(turn for event in events for turn in event.provenance.from_ids)
