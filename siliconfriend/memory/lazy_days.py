"""Days that rest in a file, decoded when they are first read, and only as far as they are.

Ten years are opened to say something today. Where a file's checksum holds, every day in it is
what this program wrote, so the days can wait until somebody reads them. Without a checksum a
memory is decoded whole when it is opened: what is damaged must be noticed then.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date as date_type
from functools import partial
from typing import Any, Protocol, TypeVar

from siliconfriend.errors import DamagedMemory
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.outline import DayOutline, outline_day
from siliconfriend.memory.records import (
    Day,
    DayPersonality,
    DaySummary,
    Derived,
    PartialDays,
    PersonMemory,
    Turn,
    listed,
)

_Part = TypeVar("_Part")


class Resting(Protocol):
    """A day as it stands in a file. All raise Unreadable where it is not what this version writes.

    Attributes:
        outline: the day's, None where the file has none that counts.
        mark: a short mark of all that is written of it; where it is the same, so is the day.
    """

    @property
    def outline(self) -> DayOutline | None:
        """The outline in the file."""
        ...

    @property
    def mark(self) -> str:
        """The mark of what is written."""
        ...

    def day(self) -> Day:
        """Decode all of it."""
        ...

    def listed(self, kind: str) -> Sequence[Turn | Derived]:
        """Decode one of its lists."""
        ...

    def summary(self) -> DaySummary | None:
        """Decode its summary."""
        ...

    def personality(self) -> DayPersonality | None:
        """Decode its personality."""
        ...


class HeldDay:
    """One day of a snapshot. What is read of one that rests is decoded then, and kept.

    Of threads that read it first at once each may decode it; it stays the same day.

    Attributes:
        resting: the day in its file; None for one that was made or changed since.
    """

    __slots__ = ("_day", "_outline", "_parts", "resting")

    def __init__(self, day: Day | None, resting: Resting | None = None) -> None:
        self.resting = resting
        self._day = day
        self._parts: dict[str, Any] = {}
        self._outline: DayOutline | None = None

    def get(self) -> Day:
        """The day; the same object each time, until it comes to rest.

        Raises:
            DamagedMemory: it is not what this version writes, though the checksum holds.
        """
        day = self._day
        if day is None:
            assert self.resting is not None
            self._day = day = _decoded(self.resting.day)
        return day

    def rest(self, resting: Resting) -> None:
        """Let go of what was decoded, now that it stands written; it stays the same day.

        A night over years would else hold all of them, and write each anew at every fold.
        """
        self.resting, self._day, self._parts = resting, None, {}

    def listed(self, kind: str) -> Sequence[Turn | Derived]:
        """Its records of a kind, by position; errors as :meth:`get`."""
        if (day := self._day) is not None:
            return listed(day, kind)
        assert self.resting is not None
        return self._part(kind, partial(self.resting.listed, kind))

    @property
    def summary(self) -> DaySummary | None:
        """Its summary; errors as :meth:`get`."""
        if (day := self._day) is not None:
            return day.summary
        assert self.resting is not None
        return self._part("summary", self.resting.summary)

    @property
    def personality(self) -> DayPersonality | None:
        """Its personality; errors as :meth:`get`."""
        if (day := self._day) is not None:
            return day.personality
        assert self.resting is not None
        return self._part("personality", self.resting.personality)

    def _part(self, name: str, decode: Callable[[], _Part]) -> _Part:
        parts = self._parts
        if name not in parts:
            parts[name] = _decoded(decode)
        part: _Part = parts[name]
        return part

    @property
    def outline(self) -> DayOutline:
        """What can be told of it without reading it; errors as :meth:`get`."""
        if self._outline is None:
            known = None if self.resting is None else self.resting.outline
            self._outline = known or outline_day(self.get())
        return self._outline


def _decoded(decode: Callable[[], _Part]) -> _Part:
    try:
        return decode()
    except Unreadable as error:
        raise DamagedMemory("memory_day_unreadable", cause=error) from error


NEAR = 31
"""Days before another that are looked up one by one, before all that come earlier are."""

MOST_STEPS = 64
"""Steps back from a snapshot for which it is known what each of them changed."""

_Step = tuple[object, tuple[str, ...]]
"""What stands for the snapshot before a step, and the dates that the step changed."""


class LazyDays(PartialDays):
    """Days by ISO date, ascending; never changed.

    Attributes:
        held: by date, ascending. Snapshots share what did not change: a date that has another
            object in a later one has changed.
    """

    def __init__(self, held: dict[str, HeldDay], steps: tuple[_Step, ...] = ()) -> None:
        self.held = held
        self._steps = steps
        self._self = object()
        self._left_alone: frozenset[str] = frozenset()
        self._unknown: Collection[str] = held.keys()

    @classmethod
    def of(cls, days: Mapping[str, Day]) -> LazyDays:
        """These days, by date ascending as they are."""
        if isinstance(days, LazyDays):
            return days
        return cls({date: HeldDay(day) for date, day in days.items()})

    def __getitem__(self, date: str) -> Day:
        return self.held[date].get()

    def __iter__(self) -> Iterator[str]:
        return iter(self.held)

    def __len__(self) -> int:
        return len(self.held)

    def __contains__(self, date: object) -> bool:
        return date in self.held

    def listed(self, date: str, kind: str) -> Sequence[Turn | Derived]:
        """The records of a kind on a date; nothing else of it is decoded."""
        return self.held[date].listed(kind)

    def summary(self, date: str) -> DaySummary | None:
        """The summary of a date."""
        return self.held[date].summary

    def personality(self, date: str) -> DayPersonality | None:
        """The personality of a date."""
        return self.held[date].personality

    def with_left_alone(self) -> list[str]:
        """The dates with turns of which nothing may be made."""
        found = (it for it in self._unknown if self.held[it].outline.left_alone)
        self._left_alone, self._unknown = self._left_alone.union(found), frozenset()
        return sorted(self._left_alone)

    def changed_since(self, before: LazyDays) -> list[str] | None:
        """The dates that steps since an earlier snapshot changed, ascending; None where that is long ago."""
        dates: set[str] = set()
        for snapshot, changed in reversed(self._steps):
            dates.update(changed)
            if snapshot is before._self:
                return sorted(dates)
        return None

    def with_days(self, changed: Mapping[str, Day]) -> LazyDays:
        """These days with others among them, or in place of those of the same date."""
        after = self._with_days(changed)
        after._steps = (*self._steps[1 - MOST_STEPS :], (self._self, tuple(changed)))
        after._left_alone = self._left_alone.difference(changed)
        after._unknown = frozenset(changed).union(self._unknown)
        return after

    def _with_days(self, changed: Mapping[str, Day]) -> LazyDays:
        held = self.held
        merged = {**held, **{date: HeldDay(day) for date, day in changed.items()}}
        newest = next(reversed(held), "")
        is_in_order = all(date in held for date in changed) or (
            len(changed) == 1 and next(iter(changed)) > newest
        )
        return LazyDays(merged if is_in_order else dict(sorted(merged.items())))


def with_days(days: Mapping[str, Day], changed: Mapping[str, Day]) -> Mapping[str, Day]:
    """The days with others among them, ascending by date; what rests goes on resting."""
    return LazyDays.of(days).with_days(changed)


def outlines(days: Mapping[str, Day]) -> Iterator[tuple[str, DayOutline]]:
    """The outline of each day, by date ascending."""
    if not isinstance(days, LazyDays):
        yield from ((date, outline_day(day)) for date, day in days.items())
        return
    for date, held in days.held.items():
        yield date, held.outline


def last_turn_before(memory: PersonMemory, date: str) -> Turn | None:
    """The last turn of the days before a date of which something may be made; None for none."""
    for earlier in _dates_before(memory.days, date):
        for turn in reversed(memory.days[earlier].turns):
            if not turn.is_left_alone:
                return turn
    return None


def _dates_before(days: Mapping[str, Day], date: str) -> Iterator[str]:
    """The dates of days before a date, the last first; years are gone through only after weeks."""
    last = date_type.fromisoformat(date).toordinal() - 1
    first = max(last - NEAR, 1)
    near = (date_type.fromordinal(it).isoformat() for it in range(last, first - 1, -1))
    yield from (it for it in near if it in days)
    farther = date_type.fromordinal(first).isoformat()
    yield from reversed([it for it in days if it < farther])


def changed_dates(before: Mapping[str, Day], after: Mapping[str, Day]) -> list[str]:
    """The dates whose day is another one than before, those that are new among them."""
    if isinstance(after, LazyDays):
        if isinstance(before, LazyDays) and (steps := after.changed_since(before)) is not None:
            return steps
        known = before.held if isinstance(before, LazyDays) else {}
        return [date for date, held in after.held.items() if known.get(date) is not held]
    return [date for date, day in after.items() if before.get(date) is not day]


def without_dates(days: Mapping[str, Day], dates: Collection[str]) -> Mapping[str, Day]:
    """The days but those of some dates; what rests goes on resting."""
    if isinstance(days, LazyDays):
        return LazyDays({date: held for date, held in days.held.items() if date not in dates})
    return {date: day for date, day in days.items() if date not in dates}
