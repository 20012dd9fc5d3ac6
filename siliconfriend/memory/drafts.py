"""Create turns, and drafts of facts and events, which get an id only when they are stored."""

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
    """Create a turn without a reply for a message said at ``now`` (aware, UTC).

    Call it inside :meth:`MemoryStore.edit`, since the next position depends on the newest memory.
    With ``is_present`` the turn follows all earlier turns even if clocks disagree.
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
    # On one day, the position orders turns of the same moment.
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
        turns: ids of the turns with the evidence, oldest first; empty in lore.
        entity: in lore empty for the companion itself.
        corrects: id of the known fact that this fact corrects, or empty.
        repeats: id of a known fact with the same content, or empty.
        day: in lore the day of the last change, if known.
        language: in lore the only language it is recalled in; None for all.
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
        """Return the fact with the next free id of the day ``last`` in ``memory``.

        ``first`` and ``last`` are the ISO days of its first and last mention; ``made`` has its
        ``trace`` and ``provenance``.
        """
        fields = _stored(self, Fact, memory, scope, last)
        return Fact(**fields, first=first, last=last, **made)


@dataclass(frozen=True, slots=True)
class EventDraft:
    """An event before it is stored; see :class:`siliconfriend.memory.knowledge.Event`.

    ``turns``, ``day``, ``language`` and ``extra`` are those of a :class:`FactDraft`.
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
        """Return the event with the next free id of an ISO day; see :meth:`FactDraft.to_fact`."""
        return Event(**_stored(self, Event, memory, scope, date), **made)


def _stored(
    draft: Draft, record: type[Fact | Event], memory: PersonMemory, scope: Scope, date: str
) -> dict[str, Any]:
    """Return the common fields of draft and record, with an id and a position on the day."""
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
