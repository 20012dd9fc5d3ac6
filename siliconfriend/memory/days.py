"""The days of a snapshot, decoded when they are first read, and their outlines for nights.

Opening reads a number and an outline of each day; its records are fetched and decoded on demand. An
outline is a pure function of one day's records, stored with its day and made again when that
changes. A text is due again when the hash of its inputs is no longer the one it carries.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date as date_type
from datetime import timedelta
from typing import Any, Generic, Literal, TypeVar

import msgspec

from siliconfriend.errors import DamagedMemory
from siliconfriend.forgetting.trace import Fading
from siliconfriend.memory.codec import Document, Unreadable, decode_kind
from siliconfriend.memory.encryption import Sealer
from siliconfriend.memory.knowledge import OFFLINE, Fact
from siliconfriend.memory.records import (
    PARTS,
    Asked,
    Day,
    DayPersonality,
    DaySummary,
    PartialDays,
    PersonMemory,
    Turn,
    is_put_away,
    kind_of,
)

RULES = 3
"""Version of the rules of outlines, raised whenever an outline can differ for the same day: stored
outlines of other rules do not count."""

Texts = Literal["due", "offline", "settled"]
"""How a day's summary and personality stand: the summary is missing or of other words than the day
has now; it holds, but a model has something to write; both hold."""


class DayOutline(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The outline of a day.

    Attributes:
        rules: number of the rules it was made by.
        texts: how its texts stand.
        turns: how many it has.
        told: how many of them something may be made of.
        put_away: there is a memory that the person put away.
        asked: a turn asks for something about how to talk.
        live, unread, noted, unrated: there is a turn of a talk that goes on, of which nothing was
            extracted yet, that only a rule has read, whose importance nobody judged.
        unchecked: there is a fact that was not compared with the others.
        topics: there is a topic.
        summary, personality: marks of these texts; empty where there is none.
        fading: its memories that fade.
    """

    rules: int
    texts: Texts
    turns: int = 0
    told: int = 0
    put_away: bool = False
    asked: bool = False
    live: bool = False
    unread: bool = False
    noted: bool = False
    unrated: bool = False
    unchecked: bool = False
    topics: bool = False
    summary: str = ""
    personality: str = ""
    fading: tuple[Fading, ...] = ()

    @property
    def left_alone(self) -> bool:
        """True if there is a turn of which nothing may be made, or a memory that was put away."""
        return self.put_away or self.told < self.turns


def inputs_hash(parts: Iterable[str]) -> str:
    """SHA-256 (64 hex digits) of a row of texts; ``["ab"]`` and ``["a", "b"]`` differ."""
    written = [part.encode("utf-8", "replace") for part in parts]
    row = b"".join([b"%d:%b" % (len(words), words) for words in written])
    return hashlib.sha256(row).hexdigest()


def day_inputs(day: Day) -> str:
    """Hash what a day's summary and personality rest on: the ids and words of its kept turns.

    A turn counts whatever its state: fading and archiving do not make a day's texts due. One
    that is not to be remembered counts for nothing.
    """
    turns = [turn for turn in day.turns if not turn.is_quiet]
    return inputs_hash(part for turn in turns for part in (turn.id, turn.query, turn.response))


def reflection_inputs(turns: Iterable[Turn]) -> str:
    """Hash what a reflection is about: the days of the last memories and what the person said."""
    return inputs_hash(part for turn in turns for part in (turn.date, turn.query))


def outline_day(day: Day) -> DayOutline:
    """Outline a day."""
    kept = [turn for turn in day.turns if not turn.is_left_alone]
    return DayOutline(
        rules=RULES,
        texts=_texts(day),
        turns=len(day.turns),
        told=len(kept),
        put_away=any(map(is_put_away, day.memories())),
        asked=any(turn.asked is not None for turn in day.turns),
        live=any(turn.context == "live" for turn in day.turns),
        unread=any(not turn.is_read for turn in kept),
        noted=any(turn.context == "noted" for turn in kept),
        unrated=any(turn.trace.importance is None for turn in kept),
        unchecked=any(map(is_unchecked, day.facts)),
        topics=bool(day.topics),
        summary=_mark(day.summary),
        personality=_mark(day.personality),
        fading=_fading(day),
    )


def _mark(text: DaySummary | DayPersonality | None) -> str:
    return "" if text is None else inputs_hash([text.text])[:32]


def _texts(day: Day) -> Texts:
    inputs = day_inputs(day)
    summary = None if day.summary is None else day.summary.provenance
    portrayal = None if day.personality is None else day.personality.provenance
    if summary is None or summary.inputs != inputs:
        return "due"
    if portrayal is None or portrayal.inputs != inputs:
        return "offline"
    return "offline" if OFFLINE in (summary.made_by, portrayal.made_by) else "settled"


def is_unchecked(fact: Fact) -> bool:
    """Return True if a fact that holds was not compared with the others yet."""
    return fact.is_active and not fact.merged and fact.entity_type != "subject"


def _fading(day: Day) -> tuple[Fading, ...]:
    spans: dict[tuple[str, float | None, float], list[float]] = {}
    for record in day.memories():
        trace = record.trace
        if not trace.pinned and trace.is_active:
            alike = (kind_of(record), trace.importance, trace.strength)
            spans.setdefault(alike, []).append(trace.fades_from.timestamp())
    return tuple(
        Fading(*alike, math.floor(min(span)), math.ceil(max(span))) for alike, span in spans.items()
    )


_DECODER = msgspec.json.Decoder(DayOutline)


def seal_outline(sealer: Sealer, date: str, outline: DayOutline) -> bytes:
    """Return the outline of a date as it is stored."""
    data, seal = sealer.seal(date, "outline", msgspec.json.encode(outline))
    return b"-" + data if seal is None else b"+%08x" % seal + data


def open_outline(sealer: Sealer, date: str, stored: bytes) -> DayOutline | None:
    """The outline that is stored of a date; None where it does not count, so that it is made again."""
    try:
        begin, seal = (9, int(stored[1:9], 16)) if stored[:1] == b"+" else (1, None)
        outline = _DECODER.decode(sealer.open(date, "outline", stored[begin:], seal))
    except (ValueError, TypeError, msgspec.MsgspecError):
        return None
    return outline if outline.rules == RULES else None


READ_AHEAD = 64
"""Days fetched at once where they are read one after the other."""
NEAR = 3
"""Days within which the next one counts as read after the last."""
_DOCUMENTS = "documents"

OVERALL = {"overall_history": "summary", "overall_personality": "personality"}
"""The texts over all days, each with the texts of days that it rests on."""


class DaySource:
    """Fetches the days of one memory, several at once where they are read in order.

    ``fetch`` gives the documents from one date to another as they are stored now.
    """

    def __init__(
        self, fetch: Callable[[str, str], dict[str, list[Document]]], sealer: Sealer
    ) -> None:
        self._fetch = fetch
        self.sealer = sealer
        self._ahead: dict[str, list[Document]] = {}
        self._last = date_type.min

    def documents(self, date: str) -> Sequence[Document]:
        """The documents of a date as they are stored now; DamagedMemory where one is unreadable."""
        day = date_type.fromisoformat(date)
        is_next = 0 < (day - self._last).days <= NEAR
        self._last = day
        if date not in self._ahead:
            last = (day + timedelta(READ_AHEAD)).isoformat() if is_next else date
            self._ahead = self._fetch(date, last)
        return self._ahead.pop(date, [])


class HeldDay:
    """One day of a snapshot; ``edit`` names its last change, and is empty before it is stored.

    ``is_outlined``: its outline is stored, and not one of other rules as far as it was read.
    Threads that read it first at the same time may each decode it, with the same result.
    """

    __slots__ = (
        *("_day", "_outline", "_parts", "_source", "_stored_outline"),
        *("date", "edit", "is_outlined"),
    )

    def __init__(
        self,
        date: str,
        day: Day | None = None,
        *,
        source: DaySource | None = None,
        edit: str = "",
        stored_outline: bytes | None = None,
    ) -> None:
        self.date = date
        self.edit = edit
        self._source = source
        self._outline: DayOutline | None = None
        self._stored_outline = stored_outline
        self.is_outlined = stored_outline is not None
        self._day = day
        self._parts: dict[str, Any] = {}

    def get(self) -> Day:
        """Return the day; DamagedMemory where it is damaged, or not what this version writes."""
        day = self._day
        if day is None:
            day = Day(self.date, **{name: self.part(kind) for kind, name in PARTS.items()})
            self._day, self._parts = day, {}
        return day

    @property
    def outline(self) -> DayOutline:
        """Return the outline of a day; errors as :meth:`get`."""
        if self._outline is None:
            known, stored, self._stored_outline = None, self._stored_outline, None
            if stored is not None and self._source is not None:
                known = open_outline(self._source.sealer, self.date, stored)
            self.is_outlined = known is not None
            self._outline = known or outline_day(self.get())
        return self._outline

    def release(self) -> None:
        """Drop the decoded copy, since its outline is stored; the day is decoded again on demand."""
        self.is_outlined = True
        if self._source is not None:
            self._day, self._parts = None, {}

    def part(self, kind: str) -> Any:
        """Return the records of a kind of a day; errors as :meth:`get`."""
        day, parts = self._day, self._parts
        if day is not None:
            return getattr(day, PARTS[kind])
        is_outlined = self._outline is not None or self._stored_outline is not None
        if kind == "topic" and is_outlined and not self.outline.topics:
            return ()
        if kind not in parts:
            assert self._source is not None
            if _DOCUMENTS not in parts:
                parts[_DOCUMENTS] = self._source.documents(self.date)
            try:
                parts[kind] = decode_kind(kind, self.date, parts[_DOCUMENTS])
            except Unreadable as error:
                raise DamagedMemory("memory_day_unreadable", cause=error) from error
        return parts[kind]


class LazyDays(PartialDays):
    """Days by ISO date, ascending; never changed.

    Attributes:
        held: by date, ascending. Snapshots share what did not change: a date that has another
            object in a later one has changed.
    """

    def __init__(self, held: dict[str, HeldDay]) -> None:
        self.held = held

    @classmethod
    def of(cls, days: Mapping[str, Day]) -> LazyDays:
        """Build from days in ascending order of their dates."""
        if isinstance(days, LazyDays):
            return days
        return cls({date: HeldDay(date, day) for date, day in days.items()})

    def __getitem__(self, date: str) -> Day:
        return self.held[date].get()

    def __iter__(self) -> Iterator[str]:
        return iter(self.held)

    def __len__(self) -> int:
        return len(self.held)

    def __contains__(self, date: object) -> bool:
        return date in self.held

    def part(self, date: str, kind: str) -> Any:
        """Decode the records of one kind of a date."""
        return self.held[date].part(kind)

    def with_left_alone(self) -> list[str]:
        """Return the dates with turns that are left alone, or with memories that were put away."""
        return [date for date, held in self.held.items() if held.outline.left_alone]

    def with_days(self, changed: Mapping[str, Day]) -> LazyDays:
        """Return a copy with other days added, or put in place of those of the same date."""
        held = {date: HeldDay(date, day) for date, day in changed.items()}
        return LazyDays(dict(sorted({**self.held, **held}.items())))


def outlines(days: Mapping[str, Day]) -> Iterator[tuple[str, DayOutline]]:
    """Yield the outline of each day, by date ascending."""
    for date, held in LazyDays.of(days).held.items():
        yield date, held.outline


def day_versions(days: Mapping[str, Day]) -> dict[str, str]:
    """Return the last edit of each stored day; the same edit is the same day."""
    return {date: held.edit for date, held in LazyDays.of(days).held.items() if held.edit}


def standing_wishes(memory: PersonMemory) -> list[tuple[Asked, Turn]]:
    """Return the wishes about how to talk that hold, with their turns, oldest first."""
    dates = [date for date, outline in outlines(memory.days) if outline.asked]
    turns = (turn for date in dates for turn in memory.days[date].turns)
    held = (turn for turn in turns if not turn.unkept and turn.trace.is_active)
    return [(turn.asked, turn) for turn in held if turn.asked and turn.asked.stands]


def overall_inputs(memory: PersonMemory, name: str) -> str:
    """Hash what a text of :data:`OVERALL` rests on: those of days, by date."""
    marks = ((date, getattr(it, OVERALL[name])) for date, it in outlines(memory.days))
    return inputs_hash(part for date, mark in marks if mark for part in (date, mark))


def changed_dates(before: Mapping[str, Day], after: Mapping[str, Day]) -> list[str]:
    """Return the dates whose day is new or has changed."""
    if before is after:
        return []
    old, new = (days.held if isinstance(days, LazyDays) else days for days in (before, after))
    return [date for date, day in new.items() if old.get(date) is not day]


def without_dates(days: Mapping[str, Day], dates: Collection[str]) -> Mapping[str, Day]:
    """Return the days without those of some dates, and decode none."""
    days = LazyDays.of(days)
    kept = {date: held for date, held in days.held.items() if date not in dates}
    return LazyDays(kept)


_Value = TypeVar("_Value")


class DayView(Generic[_Value]):
    """A value worked out of each day of one memory, ``of`` its dates, in step with its snapshots."""

    def __init__(self, make: Callable[[PersonMemory, str], _Value]) -> None:
        self.of: dict[str, _Value] = {}
        self._make = make
        self._days: Mapping[str, Day] = {}

    def sync(self, memory: PersonMemory) -> Iterator[tuple[_Value | None, _Value | None]]:
        """Update the values; yield the old and the new one of each day that changed.

        None stands for a day that is new, or gone. Consume the whole iterator.
        """
        if memory.days is self._days:
            return
        before, self._days = self._days, memory.days
        for date in self.of.keys() - memory.days.keys():
            yield self.of.pop(date), None
        for date in changed_dates(before, memory.days):
            known, self.of[date] = self.of.get(date), self._make(memory, date)
            yield known, self.of[date]
