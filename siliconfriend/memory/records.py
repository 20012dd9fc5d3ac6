"""Frozen records of a memory.

Everything above reads these and changes them only by :mod:`siliconfriend.memory.changes`
through a store, so that a snapshot taken by one reader can never move under another.
Dates are ISO days (``2023-04-28``) of the person's calendar; moments are aware and in UTC.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from heapq import heappop, heappush
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
from siliconfriend.memory.turns import Context as Context
from siliconfriend.memory.turns import Turn as Turn
from siliconfriend.texts import Language

MAX_OFFSET = timedelta(hours=14)
"""Largest distance of a time zone from UTC."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Profile of a person.

    Attributes:
        name: as given, trimmed and in NFC.
        language: what they are spoken to in.
        timezone: IANA name; decides what a day is.
        created: when they were first met.
        meta_information: their own starting portrait (MemoryBank's field), never the companion's;
            ``name`` in it is what they are called, where that is not ``name``.
        extra: fields of an imported file that are not known here, kept for its export.
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
    """The events of one day; itself a memory that is recalled and fades. ``extra`` as of a turn."""

    id: str
    date: str
    text: str
    trace: Trace
    provenance: Provenance
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DayPersonality:
    """Personality of the person on one day.

    Attributes:
        date: the day.
        traits, mood, strategy: the three parts; empty where an import brings only ``text``.
        text: the whole, as MemoryBank's ``personality`` holds it.
        provenance: what it was made from.
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
        greeting: what the companion says first on the day of the night that wrote it; empty where
            nothing is due then, and in the history.
        greets: ids of the turns whose matter the greeting speaks of.
    """

    text: str
    provenance: Provenance
    greeting: str = ""
    greets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Day:
    """One date: its turns, what was derived from them, and four lists, each by position."""

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
        """Yield the records of its four lists."""
        yield from self.insights
        yield from self.events
        yield from self.facts
        yield from self.topics


Derived = Insight | Event | Fact | Topic
"""A record that was made from others and stands in a list of its day."""

DERIVED_TYPES: Mapping[str, type[Derived]] = {
    "insight": Insight,
    "event": Event,
    "fact": Fact,
    "topic": Topic,
}
"""The records of :data:`Derived` by their kind."""

Memory = Turn | DaySummary | Derived
"""A record that recall can find: it has an id, a date and a trace."""

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
"""The field of a day that holds what it has of a kind."""


class PartialDays(Mapping[str, Day]):
    """Days by ISO date, ascending, that need not be decoded for every question."""

    @abstractmethod
    def with_left_alone(self) -> Collection[str]:
        """Return the dates with turns to leave alone or memories that were put away."""

    @abstractmethod
    def with_days(self, changed: Mapping[str, Day]) -> PartialDays:
        """Return a copy in which these days are added or replaced."""


@dataclass(frozen=True, slots=True)
class PersonMemory:
    """All that one companion remembers of one person: a snapshot that never changes.

    Attributes:
        profile: who they are.
        days: by ISO date, ascending.
        overall_history, overall_personality: the texts about all days, once made.
        last_reflection: what was last reflected on, whatever came of it; None before the first.
        erased: ids that must not come back (no words are kept).
        sequence: number of the last change this snapshot holds.
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
        return in_order(self.days, self.days)

    def turns_since(self, moment: datetime) -> list[Turn]:
        """Return the turns from a moment on, in the order they were said; decode no day before."""
        first = (moment - MAX_OFFSET).date().isoformat()
        dates = list(takewhile(lambda date: date >= first, reversed([*self.days])))
        return [turn for turn in in_order(self.days, dates[::-1]) if turn.moment >= moment]

    def turns_that(self, is_wanted: Callable[[Turn], object]) -> list[Turn]:
        """Return the turns that are wanted in the order they were said; only these are sorted."""
        found = (turn for name in self.days for turn in self.on(name, "turn"))
        wanted = [turn for turn in cast("Iterator[Turn]", found) if is_wanted(turn)]
        return sorted(wanted, key=lambda turn: (turn.moment, turn.date, turn.position))

    def turn_of(self, source: str) -> Turn | None:
        """Return the turn that was made of the message or request with this key."""
        turns = self.turns_that(lambda turn: source in turn.sources) if source else ()
        return next(iter(turns), None)

    def insights(self) -> Iterator[Insight]:
        """Return all insights, oldest day first."""
        return self._listed("insight")

    def events(self) -> Iterator[Event]:
        """Return all events, oldest day first."""
        return self._listed("event")

    def facts(self) -> Iterator[Fact]:
        """Return all facts, also those that are history, oldest day first."""
        return self._listed("fact")

    def topics(self) -> Iterator[Topic]:
        """Return all topics, oldest day first."""
        return self._listed("topic")

    def _listed(self, kind: str) -> Iterator[Any]:
        return chain.from_iterable(self.on(day, kind) for day in self.days)

    def memories(self) -> Iterator[Memory]:
        """All records that can be recalled, day by day: its turns, its summary, what it gave."""
        for day in self.days.values():
            yield from day.memories()

    def kept(self) -> PersonMemory:
        """Return the memory without its ``unkept`` turns: what exports hold."""
        return self._without(lambda record: isinstance(record, Turn) and record.unkept)

    def in_mind(self) -> PersonMemory:
        """Return the memory that a talk may use: without what is unkept or was put away."""
        return self._without(lambda record: is_put_away(record) or getattr(record, "unkept", False))

    def recallable(self) -> PersonMemory:
        """Return the memory that texts are made of: also without the words of self-harm."""
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
        days = self.days
        looked_at = days.with_left_alone() if isinstance(days, PartialDays) else days.keys()
        changed = {}
        for day in map(days.__getitem__, looked_at):
            left_out = {record.id for record in day.memories() if is_left_out(record)}
            if left_out:
                changed[day.date] = _without_ids(day, left_out)
        if not changed:
            return self
        fewer = days.with_days(changed) if isinstance(days, PartialDays) else {**days, **changed}
        return replace(self, days=fewer)

    def find(self, identifier: str) -> Memory | None:
        """Return the record with this id, or None."""
        place = parse_memory_id(identifier)
        if place is None or place.date not in self.days:
            return None
        return next((it for it in self.on(place.date, place.kind) if it.id == identifier), None)

    def mentions(self, record: Memory) -> tuple[datetime, ...]:
        """Return the moments of the turns that mention a fact or are about a topic, oldest first.

        A turn that is gone counts at noon of its day. Everything else is mentioned only once:
        empty.
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
        """Return the position a new memory of ``date`` takes; those of erased ones stay taken."""
        return next_position(self.days.get(date) or Day(date), kind, self.erased)


def is_put_away(memory: Memory) -> bool:
    """Return True if the person put a memory away and has not restored it."""
    return memory.trace.forgotten is not None


def _without_ids(day: Day, ids: Collection[str]) -> Day:
    lists: dict[str, Any] = {
        name: tuple(it for it in getattr(day, name) if it.id not in ids) for name in LISTS.values()
    }
    summary = None if day.summary is None or day.summary.id in ids else day.summary
    return replace(day, summary=summary, **lists)


def in_order(days: Mapping[str, Day], dates: Iterable[str]) -> Iterator[Turn]:
    """Yield the turns of ascending dates by their moments.

    A date is a label, by the time zone that the person was in: two dates can overlap by a day.
    """
    waiting: list[tuple[datetime, str, int, Turn]] = []
    for name in dates:
        begin = datetime.combine(date.fromisoformat(name), time.min, UTC) - MAX_OFFSET
        while waiting and waiting[0][0] < begin:
            yield heappop(waiting)[-1]
        for turn in days[name].turns:
            heappush(waiting, (turn.moment, name, turn.position, turn))
    while waiting:
        yield heappop(waiting)[-1]


def next_position(day: Day, kind: str, erased: Collection[str]) -> int:
    """Return the position a new memory of a day takes, where some ids were erased."""
    places = map(parse_memory_id, (tombstone for tombstone in erased if day.date in tombstone))
    taken = [it.position for it in places if it and (it.kind, it.date) == (kind, day.date)]
    return max((*taken, *(record.position for record in listed(day, kind))), default=-1) + 1


def listed(day: Day, kind: str) -> Sequence[Turn | Derived]:
    """Return the records of a kind that stand in a list of a day, by position."""
    records: Sequence[Turn | Derived] = getattr(day, LISTS[kind])
    return records


def kind_of(memory: Memory) -> str:
    """Return the kind of a record as ids and the command line name it."""
    return "day" if isinstance(memory, DaySummary) else type(memory).__name__.lower()
