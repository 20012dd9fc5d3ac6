"""The days of a snapshot, decoded when they are first read, and their outlines.

A snapshot reads one row per day, with an outline that each edit writes along with the day: what is
due at night is answered from outlines. Records are fetched and decoded on demand. A derived text is
due when the hash of its inputs differs from the stored hash.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date as date_type
from datetime import timedelta
from typing import Generic, Literal, NamedTuple, TypeVar

import msgspec

from siliconfriend.errors import DamagedMemory
from siliconfriend.forgetting.trace import Fading
from siliconfriend.memory.codec import EncodedRecord, Unreadable, decode_day
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

RULES = 5
"""Version of the rules of outlines. Raise it whenever the outline of an unchanged day can differ:
stored outlines with another version are ignored and replaced."""

DayTexts = Literal["due", "offline", "settled"]
"""State of a day's texts: ``due`` if the summary is missing or outdated, ``offline`` if a model has
something to write, ``settled`` if both texts are up to date."""


class DayOutline(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What a night needs to know about a day without reading its records.

    Attributes:
        rules: version of the rules that computed it.
        kinds: kinds of its records, as in :data:`PARTS`.
        texts: state of its summary and personality.
        turns: number of turns.
        told: number of turns that texts may be made of.
        put_away: the person put one of its memories away.
        asked: a turn has a wish about how to talk.
        live: a turn belongs to the current conversation.
        unread: nothing was extracted from a turn yet.
        noted: only rules have read a turn.
        unrated: a turn has no importance.
        unchecked: a fact was not compared with the others.
        summary, personality: hashes of these texts; empty without one.
        fading: its memories that fade.
    """

    rules: int
    kinds: tuple[str, ...]
    texts: DayTexts
    turns: int = 0
    told: int = 0
    put_away: bool = False
    asked: bool = False
    live: bool = False
    unread: bool = False
    noted: bool = False
    unrated: bool = False
    unchecked: bool = False
    summary: str = ""
    personality: str = ""
    fading: tuple[Fading, ...] = ()

    @property
    def left_alone(self) -> bool:
        """True if a turn may not be used for texts, or a memory was put away."""
        return self.put_away or self.told < self.turns


def inputs_hash(parts: Iterable[str]) -> str:
    """Return the SHA-256 (hex) of a list of texts; ``["ab"]`` and ``["a", "b"]`` differ."""
    written = [part.encode("utf-8", "replace") for part in parts]
    row = b"".join([b"%d:%b" % (len(words), words) for words in written])
    return hashlib.sha256(row).hexdigest()


def day_inputs(day: Day) -> str:
    """Hash the inputs of a day's summary and personality: ids and words of its turns.

    Fading and archiving do not change the hash. Quiet turns are excluded.
    """
    turns = [turn for turn in day.turns if not turn.is_quiet]
    return inputs_hash(part for turn in turns for part in (turn.id, turn.query, turn.response))


def reflection_inputs(turns: Iterable[Turn]) -> str:
    """Hash the inputs of a reflection: days of the turns and the person's words."""
    return inputs_hash(part for turn in turns for part in (turn.date, turn.query))


def outline_day(day: Day) -> DayOutline:
    """Return the outline of a day."""
    kept = [turn for turn in day.turns if not turn.is_left_alone]
    return DayOutline(
        rules=RULES,
        kinds=tuple(kind for kind, name in PARTS.items() if getattr(day, name)),
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
        summary=_mark(day.summary),
        personality=_mark(day.personality),
        fading=_fading(day),
    )


def _mark(text: DaySummary | DayPersonality | None) -> str:
    return "" if text is None else inputs_hash([text.text])[:32]


def _texts(day: Day) -> DayTexts:
    inputs = day_inputs(day)
    summary = None if day.summary is None else day.summary.provenance
    portrayal = None if day.personality is None else day.personality.provenance
    if summary is None or summary.inputs != inputs:
        return "due"
    if portrayal is None or portrayal.inputs != inputs:
        return "offline"
    return "offline" if OFFLINE in (summary.made_by, portrayal.made_by) else "settled"


def is_unchecked(fact: Fact) -> bool:
    """Return True if an active fact was not compared with the others yet."""
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


def encode_outline(date: str, day: Day, sealer: Sealer) -> bytes:
    """Return the outline of a day as its row stores it, encrypted if the memory is."""
    data = msgspec.json.encode(outline_day(day))
    return data if sealer.cipher is None else sealer.seal(date, "outline", data)[0]


def _decode_outline(date: str, data: bytes, sealer: Sealer) -> DayOutline | None:
    """Decode an outline; None if it has other rules or another key."""
    try:
        if sealer.cipher is not None:
            data = sealer.open(date, "outline", data, None)
        outline = _DECODER.decode(data)
    except (ValueError, msgspec.MsgspecError):
        return None
    return outline if outline.rules == RULES else None


READ_AHEAD = 64
"""Number of days fetched at once if days are read in order."""
NEAR = 3
"""Maximum distance in days between two days that count as read in order."""

OVERALL = {"overall_history": "summary", "overall_personality": "personality"}
"""The texts about all days, each with the day texts that are its inputs."""


class DaySource:
    """Fetches the days of one memory, several at once if they are read in order.

    ``fetch`` returns the currently stored documents between two dates.
    """

    def __init__(
        self, fetch: Callable[[str, str], dict[str, list[EncodedRecord]]], sealer: Sealer
    ) -> None:
        self._fetch = fetch
        self.sealer = sealer
        self._ahead: dict[str, list[EncodedRecord]] = {}
        self._last = date_type.min

    def documents(self, date: str) -> Sequence[EncodedRecord]:
        """Return the stored documents of a date (DamagedMemory: one is unreadable)."""
        day = date_type.fromisoformat(date)
        is_next = 0 < (day - self._last).days <= NEAR
        self._last = day
        if date not in self._ahead:
            last = (day + timedelta(READ_AHEAD)).isoformat() if is_next else date
            self._ahead = self._fetch(date, last)
        return self._ahead.pop(date, [])


class DayRow(NamedTuple):
    """The row of a date.

    Attributes:
        changed: number of its last change.
        records: number of its records.
        edit: id of the edit that last changed it; equal ids mean equal days.
        outline: its encoded outline; empty for what belongs to no date.
    """

    changed: int
    records: int
    edit: str
    outline: bytes = b""


class HeldDay:
    """One day of a snapshot, decoded on demand.

    Two threads that read the day first at the same time may both decode it, with equal results.

    Attributes:
        row: its stored row; None if it is not stored yet.
        is_stale: the stored outline was ignored.
    """

    __slots__ = ("_day", "_outline", "_source", "date", "is_stale", "row")

    def __init__(
        self,
        date: str,
        day: Day | None = None,
        *,
        source: DaySource | None = None,
        row: DayRow | None = None,
    ) -> None:
        self.date, self.row, self.is_stale = date, row, False
        self._day, self._source = day, source
        self._outline: DayOutline | None = None

    def get(self) -> Day:
        """Return the day (DamagedMemory: it is unreadable)."""
        day = self._day
        if day is None:
            assert self._source is not None
            try:
                day = decode_day(self.date, self._source.documents(self.date))
            except Unreadable as error:
                raise DamagedMemory("memory_day_unreadable", cause=error) from error
            self._day = day
        return day

    @property
    def outline(self) -> DayOutline:
        """The outline of the day; errors as :meth:`get`."""
        if self._outline is None:
            known = None
            if self._source is not None and self.row is not None:
                known = _decode_outline(self.date, self.row.outline, self._source.sealer)
                self.is_stale = known is None
            self._outline = known or outline_day(self.get())
        return self._outline

    def release(self) -> None:
        """Drop the decoded day, which is decoded again on demand."""
        if self._source is not None:
            self._day = None


class LazyDays(PartialDays):
    """Immutable days by ISO date, ascending.

    Attributes:
        held: by date. Snapshots share the objects of unchanged days: a day changed if its object
            differs.
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

    def has(self, date: str, kind: str) -> bool:
        """Return True if a day has records of a kind."""
        return kind in self.held[date].outline.kinds

    def with_left_alone(self) -> list[str]:
        """Return the dates with turns to leave alone or memories that were put away."""
        return [date for date, held in self.held.items() if held.outline.left_alone]

    def with_days(self, changed: Mapping[str, Day]) -> LazyDays:
        """Return a copy in which these days are added or replaced."""
        held = {date: HeldDay(date, day) for date, day in changed.items()}
        return LazyDays(dict(sorted({**self.held, **held}.items())))


def outlines(days: Mapping[str, Day]) -> Iterator[tuple[str, DayOutline]]:
    """Yield the outline of each day, by date ascending."""
    for date, held in LazyDays.of(days).held.items():
        yield date, held.outline


def changed_since(days: Mapping[str, Day], sequence: int) -> list[str]:
    """Return the dates of the days that changed after the change with this number."""
    held = LazyDays.of(days).held.items()
    return [date for date, day in held if day.row is None or day.row.changed > sequence]


def count_records(days: Mapping[str, Day]) -> int:
    """Return the number of stored records of all days."""
    return sum(day.row.records for day in LazyDays.of(days).held.values() if day.row is not None)


def standing_wishes(memory: PersonMemory) -> list[tuple[Asked, Turn]]:
    """Return the active wishes about how to talk, with their turns, oldest first."""
    dates = [date for date, outline in outlines(memory.days) if outline.asked]
    turns = (turn for date in dates for turn in memory.days[date].turns)
    held = (turn for turn in turns if not turn.unkept and turn.trace.is_active)
    return [(turn.asked, turn) for turn in held if turn.asked and turn.asked.stands]


def overall_inputs(memory: PersonMemory, name: str) -> str:
    """Hash the inputs of a text of :data:`OVERALL`: the day texts by date."""
    marks = ((date, getattr(overall, OVERALL[name])) for date, overall in outlines(memory.days))
    return inputs_hash(part for date, mark in marks if mark for part in (date, mark))


def changed_dates(before: Mapping[str, Day], after: Mapping[str, Day]) -> list[str]:
    """Return the dates whose day is new or has changed."""
    if before is after:
        return []
    old, new = (days.held if isinstance(days, LazyDays) else days for days in (before, after))
    return [date for date, day in new.items() if old.get(date) is not day]


def without_dates(days: Mapping[str, Day], dates: Collection[str]) -> Mapping[str, Day]:
    """Return the days without some dates; none is decoded."""
    days = LazyDays.of(days)
    kept = {date: held for date, held in days.held.items() if date not in dates}
    return LazyDays(kept)


_Value = TypeVar("_Value")


class DayView(Generic[_Value]):
    """A value computed from each day of one memory, by date in ``of``, updated by :meth:`sync`."""

    def __init__(self, make: Callable[[PersonMemory, str], _Value]) -> None:
        self.of: dict[str, _Value] = {}
        self._make = make
        self._days: Mapping[str, Day] = {}

    def sync(self, memory: PersonMemory) -> Iterator[tuple[_Value | None, _Value | None]]:
        """Update the values; yield the old and new value of each changed day.

        The old value of a new day and the new value of a removed day are None. Consume the whole
        iterator.
        """
        if memory.days is self._days:
            return
        before, self._days = self._days, memory.days
        for date in self.of.keys() - memory.days.keys():
            yield self.of.pop(date), None
        for date in changed_dates(before, memory.days):
            known, self.of[date] = self.of.get(date), self._make(memory, date)
            yield known, self.of[date]
