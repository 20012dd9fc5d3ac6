"""What is remembered, as frozen records.

Everything above reads these and changes them only by :mod:`siliconfriend.memory.changes`
through a store, so that a snapshot taken by one reader can never move under another.
Dates are ISO days (``2023-04-28``) of the person's calendar; moments are aware and in UTC.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.identity import place_of
from siliconfriend.texts import Language


@dataclass(frozen=True, slots=True)
class Profile:
    """Who the person is.

    Attributes:
        name: as given, trimmed and in NFC.
        language: what they are spoken to in.
        timezone: IANA name; decides what a day is.
        created: when they were first met.
        meta_information: their own starting portrait (MemoryBank's field), never the companion's.
        extra: fields of an imported file that are not known here, kept for its export.
    """

    name: str
    language: Language
    timezone: str
    created: datetime
    meta_information: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def zone(self) -> ZoneInfo:
        """The time zone as an object."""
        return ZoneInfo(self.timezone)


@dataclass(frozen=True, slots=True)
class Used:
    """A memory that entered the prompt of a reply, with the parts of its score."""

    id: str
    score: float
    parts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Turn:
    """What the person said and what was answered.

    Attributes:
        id: see :mod:`siliconfriend.memory.identity`.
        date: the person's day it was said on.
        position: 0-based number within its day at creation; never shifts.
        query: the person's words.
        response: the companion's words; empty until the reply ends.
        time: when it was said; None where only the day is known (it then counts as noon).
        trace: its state for forgetting.
        origin: ``chat`` or ``import``.
        replied_by: the model that answered (``openai:NAME``, ``offline``), empty for an import.
        interrupted: the reply was cut off and holds what was said so far.
        used: the memories its reply was given.
        index_text: the words recall finds it by where they are not all of it: empty for a
            turn that only asks about what it recalled, None for the whole turn.
        edited: the person corrected its words.
        unkept: the person asked not to remember it; the next night removes it.
        extra: unknown fields of an imported dialogue, kept for its export.
    """

    id: str
    date: str
    position: int
    query: str
    response: str
    time: datetime | None
    trace: Trace
    origin: Literal["chat", "import"] = "chat"
    replied_by: str = ""
    interrupted: bool = False
    used: tuple[Used, ...] = ()
    index_text: str | None = None
    edited: bool = False
    unkept: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a derived text was made from.

    Attributes:
        made_by: the model (``openai:NAME``), ``offline``, ``person`` (corrected by hand)
            or ``import``.
        made_at: when.
        from_ids: the memories it rests on.
        inputs: SHA-256 of the words it was made from; a stage is due when it differs.
    """

    made_by: str
    made_at: datetime
    from_ids: tuple[str, ...] = ()
    inputs: str = ""


@dataclass(frozen=True, slots=True)
class DaySummary:
    """The events of one day in a few sentences; itself a memory that is recalled and fades.

    ``extra`` holds unknown fields of an imported summary, kept for its export.
    """

    id: str
    date: str
    text: str
    trace: Trace
    provenance: Provenance
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Insight:
    """A thought of the companion's own about what it remembers; recalled and fading like the rest.

    Attributes:
        id: see :mod:`siliconfriend.memory.identity`.
        date: the day of the newest memory that was thought about.
        position: 0-based number among the insights of its day at creation; never shifts.
        text: the thought.
        trace: its state for forgetting.
        provenance: ``from_ids`` are its evidence. It outlives their fading and goes with
            their erasing.
        depth: 1 for a thought about what happened, 2 for one that rests on such a thought.
        question: the question that it answers.
        extra: unknown fields of an imported insight, kept for its export.
    """

    id: str
    date: str
    position: int
    text: str
    trace: Trace
    provenance: Provenance
    depth: int = 1
    question: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DayPersonality:
    """How the person was on one day.

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
    """A text about all days: the overall history, or the overall personality and reply strategy."""

    text: str
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class Day:
    """One date: its turns by position, what was derived from them, and insights by position."""

    date: str
    turns: tuple[Turn, ...] = ()
    summary: DaySummary | None = None
    personality: DayPersonality | None = None
    insights: tuple[Insight, ...] = ()


Memory = Turn | DaySummary | Insight
"""A record that recall can find: it has an id, a date and a trace."""


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
        """All turns, oldest first."""
        for day in self.days.values():
            yield from day.turns

    def insights(self) -> Iterator[Insight]:
        """All insights, oldest day first."""
        for day in self.days.values():
            yield from day.insights

    def memories(self) -> Iterator[Memory]:
        """All records that can be recalled, day by day: its turns, its summary, its insights."""
        for day in self.days.values():
            yield from day.turns
            if day.summary is not None:
                yield day.summary
            yield from day.insights

    def kept(self) -> PersonMemory:
        """The same without the turns that are not to be remembered: what all but lists may see."""
        if not any(turn.unkept for turn in self.turns()):
            return self
        days = {
            date: replace(day, turns=tuple(turn for turn in day.turns if not turn.unkept))
            if any(turn.unkept for turn in day.turns)
            else day
            for date, day in self.days.items()
        }
        return replace(self, days=days)

    def find(self, identifier: str) -> Memory | None:
        """The record with this id, or None."""
        place = place_of(identifier)
        day = self.days.get(place.date) if place else None
        if place is None or day is None:
            return None
        candidates: Mapping[str, tuple[Memory | None, ...]] = {
            "turn": day.turns,
            "day": (day.summary,),
            "insight": day.insights,
        }
        return next(
            (it for it in candidates.get(place.kind, ()) if it and it.id == identifier), None
        )

    def next_position(self, date: str, kind: Literal["turn", "insight"] = "turn") -> int:
        """The position a new memory of ``date`` takes; those of erased ones stay taken."""
        day = self.days.get(date) or Day(date)
        there = day.turns if kind == "turn" else day.insights
        taken = [record.position for record in there]
        for identifier in self.erased:
            place = place_of(identifier)
            if place is not None and (place.kind, place.date) == (kind, date):
                taken.append(place.position)
        return max(taken, default=-1) + 1


def kind_of(memory: Memory) -> str:
    """The kind of a record as ids and the command line name it."""
    match memory:
        case Turn():
            return "turn"
        case DaySummary():
            return "day"
        case Insight():
            return "insight"
