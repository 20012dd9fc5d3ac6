"""Facts and events before they are stored: without an id, a place among others, or a trace.

Reading a talk, importing a file and an operator's own words all give drafts. A draft names
turns by their ids and nothing else of the memory, so that it can be compared with the memory
as it is when it is stored. Only :meth:`FactDraft.to_fact` and :meth:`EventDraft.to_event` give
an id: were there a second place that does, two records could get the same one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.knowledge import Aspect, EntityType, Event, Fact
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language


@dataclass(frozen=True, slots=True)
class FactDraft:
    """A fact before it is stored; see :class:`siliconfriend.memory.knowledge.Fact`.

    Attributes:
        text: a sentence.
        turns: ids of the turns that are its evidence, oldest first; none for a companion's lore.
        entity: the name of what it is about; in lore empty for the companion itself.
        entity_type: what that is.
        aspect: what it says of it.
        key_word: the one word it is found by.
        kind: what sort of thing it states (``home``, ``sister``); empty where nobody knows.
        value: of what (``Leeds``, ``Ann``); empty where nobody knows.
        said_by: who told it.
        corrects: id of the known fact that it puts right; empty for none.
        repeats: id of the known fact that says the same; empty for none.
        day: of lore, when it was last told or changed; None where nobody knows.
        language: of lore, the only language it is recalled in; None for every one.
        extra: fields of an imported entry that mean nothing here.
    """

    text: str
    turns: tuple[str, ...] = ()
    entity: str = ""
    entity_type: EntityType = "subject"
    aspect: Aspect = "attribute"
    key_word: str = ""
    kind: str = ""
    value: str = ""
    said_by: Literal["person", "companion"] = "person"
    corrects: str = ""
    repeats: str = ""
    day: date | None = None
    language: Language | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_fact(
        self,
        memory: PersonMemory,
        scope: Scope,
        *,
        first: str,
        last: str,
        trace: Trace,
        provenance: Provenance,
    ) -> Fact:
        """The fact with the next free id of the day ``last``.

        Args:
            memory: what it is to be added to.
            scope: whose that is.
            first: the ISO day on which it was first told.
            last: the one on which it was last told.
            trace: its state for forgetting.
            provenance: what it rests on.
        """
        position = memory.next_position(last, "fact")
        return Fact(
            id=memory_id(scope, "fact", last, position),
            date=last,
            position=position,
            text=self.text,
            trace=trace,
            provenance=provenance,
            entity=self.entity,
            entity_type=self.entity_type,
            aspect=self.aspect,
            key_word=self.key_word,
            kind=self.kind,
            value=self.value,
            first=first,
            last=last,
            said_by=self.said_by,
            extra=self.extra,
        )


@dataclass(frozen=True, slots=True)
class EventDraft:
    """An event before it is stored; see :class:`siliconfriend.memory.knowledge.Event`.

    Attributes:
        text: what happened.
        turns: ids of the turns it comes from, oldest first; none for a companion's lore.
        time: at which moment, aware, where that is known.
        place, scene, key_words, insight: as those of an event.
        day: of lore, on which day; None where nobody knows.
        language, extra: as those of a fact.
    """

    text: str
    turns: tuple[str, ...] = ()
    time: datetime | None = None
    place: str = ""
    scene: str = ""
    key_words: tuple[str, ...] = ()
    insight: str = ""
    day: date | None = None
    language: Language | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_event(
        self,
        memory: PersonMemory,
        scope: Scope,
        *,
        date: str,
        trace: Trace,
        provenance: Provenance,
    ) -> Event:
        """The event with the next free id of an ISO day; arguments as of a fact."""
        position = memory.next_position(date, "event")
        return Event(
            id=memory_id(scope, "event", date, position),
            date=date,
            position=position,
            text=self.text,
            trace=trace,
            provenance=provenance,
            time=self.time,
            place=self.place,
            scene=self.scene,
            key_words=self.key_words,
            insight=self.insight,
            extra=self.extra,
        )


Draft = FactDraft | EventDraft
