"""Create new turns, and drafts of facts and events before they are stored.

Extraction, imports and the operator's lore create drafts, which reference turns by id. Only
:meth:`FactDraft.to_fact` and :meth:`EventDraft.to_event` assign ids, so that ids stay unique.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date, datetime, timedelta
from typing import Any, Literal

from siliconfriend.clock import CLOCK_SKEW, day_of
from siliconfriend.errors import UsageError
from siliconfriend.forgetting.trace import Trace
from siliconfriend.language.message import read_message
from siliconfriend.memory.codec import Unreadable, from_json, to_json
from siliconfriend.memory.knowledge import Aspect, EntityType, Event, Fact
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope, memory_id
from siliconfriend.texts import Language


def new_turn(
    scope: Scope, memory: PersonMemory, query: str, *, now: datetime, is_present: bool = False
) -> Turn:
    """Create a turn of a message said at ``now`` (aware, UTC), without a reply.

    Call it inside :meth:`MemoryStore.edit`: only the newest memory knows the next position.

    ``is_present``: the message is new, so it follows all earlier turns even if clocks disagree.
    """
    date = day_of(now, memory.profile.zone).isoformat()
    position = memory.next_position(date)
    return Turn(
        id=memory_id(scope, "turn", date, position),
        date=date,
        position=position,
        query=query,
        response="",
        time=_following(memory, date, now) if is_present else now,
        trace=Trace(now),
        distress=read_message(query).is_distress,
    )


def _following(memory: PersonMemory, date: str, now: datetime) -> datetime:
    """Return the moment of a new message, not earlier than the last turn."""
    since = (turn for turn in memory.turns_since(now) if turn.origin == "chat" and turn.time)
    before = [turn for turn in since if turn.moment <= now + CLOCK_SKEW]
    if not before:
        return now
    # Positions decide the order of turns with the same day and moment.
    last = before[-1]
    return last.moment + timedelta(milliseconds=last.date != date)


def validate_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return metadata after a JSON round trip; UsageError if it cannot be encoded."""
    try:
        json.dumps(metadata := dict(metadata), allow_nan=False)
        return from_json(to_json(metadata))
    except (TypeError, ValueError, RecursionError, Unreadable) as error:
        raise UsageError("metadata_wrong") from error


@dataclass(frozen=True, slots=True)
class FactDraft:
    """A fact before it is stored; see :class:`siliconfriend.memory.knowledge.Fact`.

    Attributes:
        turns: ids of the turns with the evidence, oldest first; empty for a companion's lore.
        entity, entity_type, aspect, key_word, kind, value, said_by: as those of a fact; in lore
            the entity is empty for the companion itself.
        corrects: id of the known fact that this fact corrects; empty for none.
        repeats: id of a known fact with the same content; empty for none.
        day: of lore, when it was last mentioned or changed; None if unknown.
        language: of lore, the only language it is recalled in; None for every one.
        extra: unknown fields of an imported entry.
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
        self, memory: PersonMemory, scope: Scope, *, first: str, last: str, **made: Any
    ) -> Fact:
        """Return the fact with the next free id of the day ``last``.

        Args:
            memory: memory that receives the fact.
            scope: scope of the memory.
            first: ISO day of the first mention.
            last: ISO day of the last mention.
            made: its ``trace`` and ``provenance``.
        """
        fields = _stored(self, Fact, memory, scope, last)
        return Fact(**fields, first=first, last=last, **made)


@dataclass(frozen=True, slots=True)
class EventDraft:
    """An event before it is stored; see :class:`siliconfriend.memory.knowledge.Event`.

    Attributes:
        turns, day, language, extra: as those of a :class:`FactDraft`; the others as of an event.
    """

    text: str
    turns: tuple[str, ...] = ()
    time: datetime | None = None
    place: str = ""
    scene: str = ""
    key_words: tuple[str, ...] = ()
    triple: tuple[str, ...] = ()
    insight: str = ""
    day: date | None = None
    language: Language | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_event(self, memory: PersonMemory, scope: Scope, *, date: str, **made: Any) -> Event:
        """Return the event with the next free id of an ISO day; arguments as of a fact."""
        return Event(**_stored(self, Event, memory, scope, date), **made)


def _stored(
    draft: Draft, record: type[Fact | Event], memory: PersonMemory, scope: Scope, date: str
) -> dict[str, Any]:
    """Return the fields copied from the draft, and those that place the record on a day."""
    kind = record.__name__.lower()
    position = memory.next_position(date, kind)
    known = {attribute.name for attribute in fields(record)}
    taken = {
        attribute.name: getattr(draft, attribute.name)
        for attribute in fields(draft)
        if attribute.name in known
    }
    identifier = memory_id(scope, kind, date, position)
    return {**taken, "id": identifier, "date": date, "position": position}


Draft = FactDraft | EventDraft
