"""A ``memory.json`` whose checksum holds: its days wait in the bytes they were read as.

What nobody reads is not decoded, and what nobody changed is written again as it stands
(:mod:`siliconfriend.memory.memory_writing`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from siliconfriend.memory import checksum, codec, resting_tables
from siliconfriend.memory.codec import Form
from siliconfriend.memory.lazy_days import HeldDay, LazyDays
from siliconfriend.memory.memory_file import (
    BY_DAY,
    DERIVED,
    OUTLINES,
    MemoryFile,
    check_version,
    parse_day,
    parse_memory,
    parse_personality,
    parse_records,
    parse_with,
)
from siliconfriend.memory.outline import DayOutline, decode_outline, outline_rules
from siliconfriend.memory.records import (
    LISTS,
    Day,
    DayPersonality,
    DaySummary,
    Derived,
    Profile,
    Turn,
)

MADE = "personality provenance"
"""What tells how each day's personality was made: a table within ``provenance``."""

TABLES = ("history", "summary", "personality", *DERIVED.values(), MADE)
"""The tables by date."""

RULES = "rules"
"""What stands among the outlines beside the dates: by which rules they were made."""

MARKS = "marks"
"""What stands there too: the mark of each day as it is written."""


def parse_sealed(data: bytes) -> MemoryFile:
    """Parse and validate the bytes of a ``memory.json``, and compare them with their checksum.

    Raises:
        Unreadable: they are not what this version writes, or not what was written.
        StoreError: a newer version of the program wrote them.
    """
    top = resting_tables.split(data)
    check_version(codec.from_value(top.get("version", b"null")))
    if not checksum.verify(data, top):
        return parse_memory(codec.from_json(data))
    split = {name: resting_tables.split(top.get(name, b"{}")) for name in BY_DAY}
    provenance = split.pop("provenance")
    form = {name: codec.from_value(raw) for name, raw in top.items() if name not in _APART}
    form |= {
        "personality": {},
        "provenance": {
            name: codec.from_value(raw) for name, raw in provenance.items() if name != "personality"
        },
    }
    made = resting_tables.split(provenance.get("personality", b"{}"))
    outlines = resting_tables.split(top.get(OUTLINES, b"{}"))
    file = RestingFile(
        tables={**split, MADE: made},
        outlines=_current(outlines),
        marks=codec.from_value(outlines.get(MARKS, b"{}")),
        created=form.get("created"),
        timezone=form.get("timezone"),
        is_indented=data.startswith(b"{\n"),
    )
    return parse_with(form, lambda _form: file.days())


_APART = frozenset((*BY_DAY, OUTLINES))


def _current(outlines: resting_tables.Table) -> resting_tables.Table:
    """The outlines if they were made by the rules of now, else none."""
    made_by = outlines.get(RULES)
    if made_by is None or codec.from_value(made_by) != outline_rules():
        return {}
    return outlines


@dataclass(frozen=True, slots=True, kw_only=True)
class RestingFile:
    """What a ``memory.json`` has of its days.

    Attributes:
        tables: the JSON of each date, by table.
        outlines: that of each day's outline, where the file has one that counts.
        marks: of each day, where the file has it.
        created: when the person was first met, as it is written.
        timezone: theirs when it was written; states of memories name days of it.
        is_indented: how it is written.
    """

    tables: Mapping[str, resting_tables.Table]
    outlines: resting_tables.Table
    marks: Mapping[str, str]
    created: object
    timezone: object
    is_indented: bool

    def days(self) -> LazyDays:
        """The days, each decoded when it is first read."""
        dates = sorted(set().union(*self.tables.values()))
        return LazyDays({date: HeldDay(None, RestingDay(self, date)) for date in dates})


def resting_day(
    date: str,
    tables: Mapping[str, bytes],
    outline: bytes,
    mark: str,
    profile: Profile,
    *,
    is_indented: bool,
) -> RestingDay:
    """A day as it was encoded just now, as it would stand in a file.

    Args:
        date: its date.
        tables: its JSON in each table.
        outline: that of its outline.
        mark: of it.
        profile: of the person.
        is_indented: how it is written.
    """
    file = RestingFile(
        tables={name: {date: msgspec.Raw(value)} for name, value in tables.items()},
        outlines={date: msgspec.Raw(outline)},
        marks={date: mark},
        created=codec.serialize(profile)["created"],
        timezone=profile.timezone,
        is_indented=is_indented,
    )
    return RestingDay(file, date)


class RestingDay:
    """A day as it stands in a file.

    Attributes:
        file: the file.
        date: its date.
    """

    __slots__ = ("date", "file")

    def __init__(self, file: RestingFile, date: str) -> None:
        self.file = file
        self.date = date

    @property
    def outline(self) -> DayOutline | None:
        """The outline that stands in the file."""
        raw = self.file.outlines.get(self.date)
        return None if raw is None else decode_outline(raw)

    @property
    def mark(self) -> str:
        """A short mark of all that is written of it."""
        return self.file.marks.get(self.date) or mark_tables(self.tables())

    def day(self) -> Day:
        """Decode all of it.

        Raises:
            Unreadable: it is not what this version writes.
        """
        return parse_day(self._form(TABLES), self.date)

    def listed(self, kind: str) -> Sequence[Turn | Derived]:
        """Decode one of its lists; errors as :meth:`day`."""
        table = LISTS[kind] if kind != "turn" else "history"
        value = self._value(table)
        return () if value is None else parse_records(kind, {self.date: value}, table, self.date)

    def summary(self) -> DaySummary | None:
        """Decode its summary; errors as :meth:`day`."""
        form = self._value("summary")
        return None if form is None else codec.parse(DaySummary, form, self.date)

    def personality(self) -> DayPersonality | None:
        """Decode its personality; errors as :meth:`day`."""
        return parse_personality(self._form(("personality", MADE)), self.date)

    def tables(self) -> dict[str, bytes]:
        """The JSON of it in each table, as it is written."""
        found = {name: self.raw(name) for name in TABLES}
        return {name: bytes(raw) for name, raw in found.items() if raw is not None}

    def raw(self, table: str) -> msgspec.Raw | None:
        """The JSON of it in a table, as it is written; None where it has none there."""
        return self.file.tables.get(table, {}).get(self.date)

    def _form(self, tables: Sequence[str]) -> Form:
        """What some of the tables have of it, in the shape of the whole file."""
        form: Form = {"created": self.file.created, **{name: {} for name in BY_DAY}}
        for name in tables:
            if (value := self._value(name)) is not None:
                form[name] = {self.date: value}
        form["provenance"] = {"personality": form.pop(MADE, {})}
        return form

    def _value(self, table: str) -> Any:
        raw = self.raw(table)
        return None if raw is None else codec.from_value(raw)


def mark_tables(tables: Mapping[str, bytes]) -> str:
    """A short mark of the JSON of a day by table; where it is the same, so is the day."""
    mark = hashlib.blake2b(digest_size=16)
    for name, raw in tables.items():
        mark.update(b"%b %d " % (name.encode(), len(raw)))
        mark.update(raw)
    return mark.hexdigest()
