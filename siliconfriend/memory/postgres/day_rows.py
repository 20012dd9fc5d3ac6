"""The days that rest in rows, each read when somebody first asks for it.

A talk of today needs few of ten years' days, so a memory is opened with the dates alone. Who reads
day after day is given them by growing handfuls. Every day is read as it stood in the generation
that the snapshot was opened at: what is written later never shows in it.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from siliconfriend.errors import DamagedMemory, StoreError
from siliconfriend.memory import checksum, codec, resting_tables
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.lazy_days import HeldDay, LazyDays
from siliconfriend.memory.memory_writing import day_mark, encode_day
from siliconfriend.memory.outline import (
    DayOutline,
    decode_outline,
    encode_outline,
    outline_rules,
)
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.records import Day, DayPersonality, DaySummary, Derived, Profile, Turn
from siliconfriend.memory.resting_file import TABLES, RestingDay, RestingFile
from siliconfriend.memory.scope import Scope

_FIRST, _MOST = 4, 256
"""Days that are read at once: where one is asked for out of order, and of many in order at most."""


@dataclass(frozen=True, slots=True)
class DayRow:
    """A day as it is written into its row."""

    date: str
    mark: bytes
    records: bytes
    outline: bytes


def encode_row(scope: Scope, date: str, held: HeldDay, profile: Profile) -> DayRow:
    """Encode a day as its row; both parts carry a checksum, and say whose and of when they are."""
    whose: dict[str, bytes] = {
        "of": codec.to_json_value(scope.digest),
        "date": codec.to_json_value(date),
    }
    outline = {
        "rules": codec.to_json_value(outline_rules()),
        "outline": encode_outline(held.outline),
    }
    return DayRow(
        date,
        bytes.fromhex(day_mark(held, profile)),
        _sealed(whose | encode_day(held, profile)),
        _sealed(whose | outline),
    )


def _sealed(fields: Mapping[str, bytes]) -> bytes:
    written = (codec.to_json_value(name) + b":" + value for name, value in fields.items())
    return checksum.seal(b"{" + b",".join(written) + b"}")


class DayRows:
    """The rows of one scope's days as of one generation; safe between threads.

    Args:
        database: where they are.
        scope: whose.
        generation: as of which they are read.
        profile: of the memory they belong to.
        marks: the mark of each day, by date ascending.
    """

    def __init__(
        self,
        database: Database,
        scope: Scope,
        generation: int,
        profile: Profile,
        marks: Mapping[str, bytes],
    ) -> None:
        self.scope = scope
        self.marks = marks
        self._profile = profile
        self._database = database
        self._valid = (scope.person, scope.companion, generation, generation)
        self._dates: Sequence[str] = list(marks)
        self._read: dict[str, bytes] = {}
        self._outlines: Mapping[str, bytes] | None = None
        self._last, self._window = -2, _FIRST
        self._lock = threading.Lock()

    def days(self) -> LazyDays:
        """The days, each decoded when it is first read."""
        return LazyDays({date: HeldDay(None, RestingRow(self, date)) for date in self._dates})

    def decode(self, date: str) -> RestingDay:
        """The records of a date, split and compared with their checksum.

        Raises:
            Unreadable: they are not what was written.
            StoreError: the row is gone: the day was changed since, and more than once put to rest.
        """
        return decode_records(self._records(date), self.scope, date, self._profile)

    def _records(self, date: str) -> bytes:
        with self._lock:
            if date not in self._read:
                self._read |= self._fetch(date)
            try:
                return self._read.pop(date)
            except KeyError as error:
                raise StoreError("memory_moved_on", name=self.scope.person) from error

    def outline(self, date: str) -> bytes | None:
        """The outline of a date as it is written; those of all days are read at once."""
        with self._lock:
            if self._outlines is None:
                query = "SELECT date, outline FROM siliconfriend.day WHERE person = %s AND companion = %s AND since <= %s AND (until IS NULL OR until > %s)"
                self._outlines = self._select(query, self._valid)
        return self._outlines.get(date)

    def _fetch(self, date: str) -> dict[str, bytes]:
        """The records of a date and of those that will be asked for next, as far as can be told."""
        place = bisect_left(self._dates, date)
        is_next, is_before = place == self._last + 1, place == self._last - 1
        self._window = min(_MOST, self._window * 2) if is_next or is_before else _FIRST
        begin = max(0, place - self._window + 1) if is_before else place
        end = place + 1 if is_before else place + self._window
        wanted = [it for it in self._dates[begin:end] if it == date or it not in self._read]
        self._last = begin if is_before else min(end, len(self._dates)) - 1
        query = "SELECT date, records FROM siliconfriend.day WHERE person = %s AND companion = %s AND since <= %s AND (until IS NULL OR until > %s) AND date = ANY(%s)"
        return self._select(query, (*self._valid, wanted))

    def _select(self, query: str, values: Sequence[object]) -> dict[str, bytes]:
        with self._database.reading(self.scope.person) as connection:
            return dict(connection.execute(query, values, binary=True).fetchall())


class RestingRow:
    """A day as it stands in a row: a :class:`~siliconfriend.memory.lazy_days.Resting`."""

    __slots__ = ("_day", "_rows", "date")

    def __init__(self, rows: DayRows, date: str, day: RestingDay | None = None) -> None:
        self.date = date
        self._rows = rows
        self._day = day

    @property
    def mark(self) -> str:
        """The mark in the row."""
        return self._rows.marks[self.date].hex()

    @property
    def outline(self) -> DayOutline | None:
        """The outline in the row; None where it is damaged or was made by other rules."""
        data = self._rows.outline(self.date)
        return None if data is None else decode_outline_row(data, self._rows.scope, self.date)

    def day(self) -> Day:
        """Decode all of it.

        Raises:
            DamagedMemory: it is not what was written, or not what this version writes.
        """
        with self._told_as_damage():
            return self._resting().day()

    def listed(self, kind: str) -> Sequence[Turn | Derived]:
        """Decode one of its lists; errors as :meth:`day`."""
        with self._told_as_damage():
            return self._resting().listed(kind)

    def summary(self) -> DaySummary | None:
        """Decode its summary; errors as :meth:`day`."""
        with self._told_as_damage():
            return self._resting().summary()

    def personality(self) -> DayPersonality | None:
        """Decode its personality; errors as :meth:`day`."""
        with self._told_as_damage():
            return self._resting().personality()

    @contextmanager
    def _told_as_damage(self) -> Iterator[None]:
        try:
            yield
        except Unreadable as error:
            name = self._rows.scope.person
            details = {"name": name, "date": self.date, "cause": error}
            raise DamagedMemory("memory_day_row_unreadable", **details) from error

    def _resting(self) -> RestingDay:
        # Two threads may both come here first: then the row is read twice.
        if self._day is None:
            self._day = self._rows.decode(self.date)
        return self._day


def decode_records(data: bytes, scope: Scope, date: str, profile: Profile) -> RestingDay:
    """Split the records of a row and compare them with their checksum.

    Raises:
        Unreadable: they are not what was written, or of another day.
    """
    fields = _checked(data, scope, date)
    file = RestingFile(
        tables={name: {date: fields[name]} for name in TABLES if name in fields},
        outlines={},
        marks={},
        created=profile.created.isoformat(),
        timezone=profile.timezone,
        is_indented=False,
    )
    return RestingDay(file, date)


def decode_outline_row(data: bytes, scope: Scope, date: str) -> DayOutline | None:
    """The outline in a row; None where it is damaged or was made by other rules."""
    try:
        fields = _checked(data, scope, date)
    except Unreadable:
        return None
    if codec.from_value(fields["rules"]) != outline_rules():
        return None
    return decode_outline(fields["outline"])


def _checked(data: bytes, scope: Scope, date: str) -> resting_tables.Table:
    fields = resting_tables.split(data)
    if not checksum.verify(data, fields):
        raise Unreadable("it has no checksum")
    whose = [codec.from_value(fields[name]) for name in ("of", "date")]
    if whose != [scope.digest, date]:
        raise Unreadable("it is of another memory or another day")
    return fields
