"""Frozen records of a memory, changed only through a store by :mod:`siliconfriend.memory.changes`.

Dates are ISO days (``2023-04-28``) in the person's time zone; moments are aware and in UTC.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cached_property
from itertools import chain, takewhile
from typing import Any, cast
from zoneinfo import ZoneInfo

from siliconfriend.clock import Moment, noon_of
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.knowledge import (
    Event,
    Fact,
    Insight,
    Provenance,
    Topic,
)
from siliconfriend.memory.scope import parse_memory_id
from siliconfriend.memory.turns import Asked as Asked
from siliconfriend.memory.turns import QueueState as QueueState
from siliconfriend.memory.turns import Turn as Turn
from siliconfriend.texts import Language

MAX_OFFSET = timedelta(hours=14)
"""Largest distance of a time zone from UTC."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Profile of a person.

    Attributes:
        name: the given name, trimmed and in NFC.
        language: language of the conversation.
        timezone: IANA name; determines where a day begins.
        created: moment of creation.
        meta_information: starting portrait of the person (MemoryBank's field); its ``name`` is how
            they are addressed, if that differs from ``name``.
        extra: unknown fields of an imported file, kept for its export.
    """

    name: str
    language: Language
    timezone: str
    created: Moment
    meta_information: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def called(self) -> str:
        """Name of the person in talks, prompts and texts."""
        return str(self.meta_information.get("name") or self.name)

    @property
    def zone(self) -> ZoneInfo:
        """The time zone as an object."""
        return ZoneInfo(self.timezone)


@dataclass(frozen=True, slots=True)
class DaySummary:
    """The summary of one day, itself a memory that is recalled and fades.

    ``checked`` is False while a model's sentences have not been judged against the turns of the day;
    such a summary stays out of prompts.
    """

    id: str
    date: str
    text: str
    trace: Trace
    provenance: Provenance
    extra: Mapping[str, Any] = field(default_factory=dict)
    checked: bool = True


@dataclass(frozen=True, slots=True)
class DayPersonality:
    """Personality of the person on one day.

    Attributes:
        date: the day.
        traits, mood, strategy: its three parts; empty if an import has only ``text``.
        text: the whole text, MemoryBank's ``personality``.
        provenance: its sources.
        extra: unknown fields of an imported personality, kept for its export.
    """

    date: str
    text: str
    provenance: Provenance
    traits: str = ""
    mood: str = ""
    strategy: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Overall:
    """A text about all days: the overall history, or the overall personality and reply strategy.

    Attributes:
        greeting: first words of the companion on the day after that night; empty if nothing is due,
            and in the history.
        greets: ids of the turns that the greeting mentions.
    """

    text: str
    provenance: Provenance
    greeting: str = ""
    greets: tuple[str, ...] = ()


@dataclass(frozen=True)
class Day:
    """One date: its turns and the records derived from them, each list by position."""

    date: str
    turns: tuple[Turn, ...] = ()
    summary: DaySummary | None = None
    personality: DayPersonality | None = None
    insights: tuple[Insight, ...] = ()
    events: tuple[Event, ...] = ()
    facts: tuple[Fact, ...] = ()
    topics: tuple[Topic, ...] = ()

    def memories(self) -> Iterator[Memory]:
        """Yield the recallable records of the day: turns, summary, derived records."""
        yield from self.turns
        if self.summary is not None:
            yield self.summary
        yield from self.derived()

    def derived(self) -> Iterator[Derived]:
        """Yield the derived records."""
        yield from self.insights
        yield from self.events
        yield from self.facts
        yield from self.topics

    @cached_property
    def has_left_alone(self) -> bool:
        """True if no text may be derived from one of the turns, or a memory was put away."""
        return any(turn.is_left_alone for turn in self.turns) or any(
            map(is_put_away, self.memories())
        )

    @cached_property
    def has_wishes(self) -> bool:
        """True if a turn has a wish about how to talk."""
        return any(turn.asked is not None for turn in self.turns)

    @cached_property
    def contexts(self) -> frozenset[QueueState]:
        """The states of its turns in the present conversation."""
        return frozenset(turn.context for turn in self.turns)


Derived = Insight | Event | Fact | Topic
"""A record derived from others, in a list of its day."""

DERIVED_TYPES: Mapping[str, type[Derived]] = {
    "insight": Insight,
    "event": Event,
    "fact": Fact,
    "topic": Topic,
}
"""The records of :data:`Derived` by their kind."""

Memory = Turn | DaySummary | Derived
"""A record that recall can find, with id, date and trace."""

LISTS: Mapping[str, str] = {
    "turn": "turns",
    "insight": "insights",
    "event": "events",
    "fact": "facts",
    "topic": "topics",
}
"""The field of a day that holds the records of a kind."""

PERSONALITY = "personality"
"""Kind and id of a day's personality."""

PARTS: Mapping[str, str] = {"turn": "turns", "day": "summary", PERSONALITY: PERSONALITY, **LISTS}
"""The field of a day for each kind."""


@dataclass(frozen=True, slots=True)
class PersonMemory:
    """Everything that one companion remembers about one person, as an immutable snapshot.

    Attributes:
        profile: profile of the person.
        days: days by ISO date, ascending.
        overall_history, overall_personality: the texts about all days; None before the first.
        last_reflection: sources of the last reflection; None before the first.
        erased: ids of erased records, which are never reused.
        sequence: number of the last change in this snapshot.
    """

    profile: Profile
    days: Mapping[str, Day] = field(default_factory=dict)
    overall_history: Overall | None = None
    overall_personality: Overall | None = None
    last_reflection: Provenance | None = None
    erased: frozenset[str] = frozenset()
    sequence: int = 0

    def turns(self) -> Iterator[Turn]:
        """Yield all turns in the order they were said, oldest first."""
        return iter(in_order(turn for day in self.days.values() for turn in day.turns))

    def turns_since(self, moment: datetime) -> list[Turn]:
        """Return the turns since a moment, oldest first."""
        first = (moment - MAX_OFFSET).date().isoformat()
        latest = takewhile(lambda day: day.date >= first, reversed(list(self.days.values())))
        return in_order(turn for day in latest for turn in day.turns if turn.moment >= moment)

    def turns_that(self, is_wanted: Callable[[Turn], object]) -> list[Turn]:
        """Return the wanted turns, oldest first."""
        turns = (turn for day in self.days.values() for turn in day.turns)
        return in_order(turn for turn in turns if is_wanted(turn))

    def turn_of(self, source: str) -> Turn | None:
        """Return the turn made from the message or request with this key, or None."""
        turns = self.turns_that(lambda turn: source in turn.sources) if source else ()
        return next(iter(turns), None)

    def insights(self) -> Iterator[Insight]:
        """Return all insights, oldest day first."""
        return chain.from_iterable(day.insights for day in self.days.values())

    def events(self) -> Iterator[Event]:
        """Return all events, oldest day first."""
        return chain.from_iterable(day.events for day in self.days.values())

    def facts(self) -> Iterator[Fact]:
        """Return all facts, including superseded ones, oldest day first."""
        return chain.from_iterable(day.facts for day in self.days.values())

    def topics(self) -> Iterator[Topic]:
        """Return all topics, oldest day first."""
        return chain.from_iterable(day.topics for day in self.days.values())

    def memories(self) -> Iterator[Memory]:
        """Yield all recallable records day by day: turns, summary, derived records."""
        for day in self.days.values():
            yield from day.memories()

    def kept(self) -> PersonMemory:
        """Return the memory without ``unkept`` turns, for exports."""
        return self._without(lambda record: isinstance(record, Turn) and record.unkept)

    def in_mind(self) -> PersonMemory:
        """Return the memory without unkept turns and memories put away, for conversations."""
        return self._without(lambda record: is_put_away(record) or getattr(record, "unkept", False))

    def recallable(self) -> PersonMemory:
        """Return the memory without turns to leave alone and memories put away, for derived texts."""
        return self._without(
            lambda record: is_put_away(record) or getattr(record, "is_left_alone", False)
        )

    def on(self, date: str, kind: str) -> Sequence[Memory]:
        """Return the records of a kind on a date."""
        found = getattr(self.days[date], PARTS[kind])
        if kind == "day":
            found = () if found is None else (found,)
        return cast("Sequence[Memory]", found)

    def _without(self, is_left_out: Callable[[Memory], bool]) -> PersonMemory:
        changed = {}
        for day in self.days.values():
            if not day.has_left_alone:
                continue
            left_out = {record.id for record in day.memories() if is_left_out(record)}
            if left_out:
                changed[day.date] = _without_ids(day, left_out)
        return replace(self, days={**self.days, **changed}) if changed else self

    def find(self, identifier: str) -> Memory | None:
        """Return the record with this id, or None."""
        place = parse_memory_id(identifier)
        if place is None or place.date not in self.days:
            return None
        return next(
            (record for record in self.on(place.date, place.kind) if record.id == identifier), None
        )

    def mentions(self, record: Memory) -> tuple[datetime, ...]:
        """Return the moments at which turns mention a fact or topic, oldest first.

        A removed turn counts at noon of its day. Other records have no mentions.
        """
        if not isinstance(record, Fact | Topic):
            return ()
        found = []
        for identifier in record.provenance.from_ids:
            turn, place = self.find(identifier), parse_memory_id(identifier)
            if isinstance(turn, Turn):
                found.append(turn.trace.created)
            elif place is not None:
                found.append(noon_of(date.fromisoformat(place.date), self.profile.zone))
        return tuple(sorted(found))

    def next_position(self, date: str, kind: str = "turn") -> int:
        """Return the next free position of a date; positions of erased records are never reused."""
        return next_position(self.days.get(date) or Day(date), kind, self.erased)


def is_put_away(memory: Memory) -> bool:
    """Return True if the person put a memory away and has not restored it."""
    return memory.trace.forgotten is not None


def _without_ids(day: Day, ids: Collection[str]) -> Day:
    lists: dict[str, Any] = {
        name: tuple(record for record in getattr(day, name) if record.id not in ids)
        for name in LISTS.values()
    }
    summary = None if day.summary is None or day.summary.id in ids else day.summary
    return replace(day, summary=summary, **lists)


def in_order(turns: Iterable[Turn]) -> list[Turn]:
    """Return turns by their moments: the dates of a person who changed time zones can overlap."""
    return sorted(turns, key=lambda turn: (turn.moment, turn.date, turn.position))


def next_position(day: Day, kind: str, erased: Collection[str]) -> int:
    """Return the next free position of a day, excluding those of erased ids."""
    places = map(parse_memory_id, (tombstone for tombstone in erased if day.date in tombstone))
    taken = [
        place.position for place in places if place and (place.kind, place.date) == (kind, day.date)
    ]
    return max((*taken, *(record.position for record in listed(day, kind))), default=-1) + 1


def listed(day: Day, kind: str) -> Sequence[Turn | Derived]:
    """Return the records of a kind of a day, by position."""
    records: Sequence[Turn | Derived] = getattr(day, LISTS[kind])
    return records


def kind_of(memory: Memory) -> str:
    """Return the kind of a record, as used in ids and on the command line."""
    return "day" if isinstance(memory, DaySummary) else type(memory).__name__.lower()
