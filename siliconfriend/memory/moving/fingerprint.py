"""Hash every record of a memory in its canonical form, to compare two stores record by record.

The form is that of the files (:mod:`siliconfriend.memory.codec`), with its names sorted: two
records have one hash where a reader of either store would get the same record. Whatever a memory
holds must be in here; what is left out could be lost in a move and be called equal.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import orjson

from siliconfriend.memory import codec
from siliconfriend.memory.codec import Record
from siliconfriend.memory.records import LISTS, Day, PersonMemory, listed

UNDATED = ""
"""Stands for what belongs to no day among the dates."""


@dataclass(frozen=True, slots=True)
class Part:
    """The records of one day, or those of none.

    Attributes:
        records: how many; that a day is there, or an id erased, is none.
        digest: SHA-256 over the place and hash of each, in order.
    """

    records: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The hashes of a whole memory.

    Attributes:
        sequence: number of the last change in it.
        parts: by date, and what is of no day under :data:`UNDATED`.
    """

    sequence: int
    parts: Mapping[str, Part]

    @property
    def records(self) -> int:
        """How many records there are."""
        return sum(part.records for part in self.parts.values())

    @property
    def digest(self) -> str:
        """SHA-256 over all of it, in hex."""
        found = hashlib.sha256(b"%d" % self.sequence)
        for date, part in sorted(self.parts.items()):
            found.update(date.encode() + b"\0" + part.digest)
        return found.hexdigest()


def fingerprint(
    memory: PersonMemory,
    known: Fingerprint | None = None,
    changed: Collection[str] = (),
) -> Fingerprint:
    """Hash a memory.

    Args:
        memory: what to hash; every record of it is read.
        known: that of an earlier state, whose days are taken as they were.
        changed: with ``known``, the dates that are hashed anew.
    """
    kept = known.parts.items() if known is not None else ()
    rest = {date: part for date, part in kept if date != UNDATED and date not in changed}
    dates = (UNDATED, *memory.days)
    parts = {date: rest.get(date) or _part(_of(memory, date)) for date in dates}
    return Fingerprint(memory.sequence, parts)


def differences(memory: PersonMemory, other: PersonMemory) -> list[str]:
    """The places of records that one memory has and the other has not, or has otherwise; sorted."""
    found = [] if memory.sequence == other.sequence else ["sequence"]
    for date in (UNDATED, *(memory.days.keys() | other.days.keys())):
        mine, theirs = dict(_of(memory, date)), dict(_of(other, date))
        found += [it for it in mine.keys() | theirs.keys() if mine.get(it) != theirs.get(it)]
    return sorted(found)


def _part(records: Iterator[tuple[str, bytes]]) -> Part:
    count, found = 0, hashlib.sha256()
    for place, digest in records:
        count += bool(digest)
        found.update(place.encode("utf-8", "surrogatepass") + b"\0" + digest)
    return Part(count, found.digest())


def _of(memory: PersonMemory, date: str) -> Iterator[tuple[str, bytes]]:
    return _dated(memory.days.get(date)) if date else _undated(memory)


def _undated(memory: PersonMemory) -> Iterator[tuple[str, bytes]]:
    """Place and hash of each record that belongs to no day, and the erased ids without a hash."""
    yield "profile", _hash(memory.profile)
    for place, record in (
        ("overall_history", memory.overall_history),
        ("overall_personality", memory.overall_personality),
        ("last_reflection", memory.last_reflection),
    ):
        if record is not None:
            yield place, _hash(record)
    for identifier in sorted(memory.erased):
        yield f"erased {identifier}", b""


def _dated(day: Day | None) -> Iterator[tuple[str, bytes]]:
    """The day without a hash, since one may hold nothing, then place and hash of each record."""
    if day is None:
        return
    yield day.date, b""
    if day.summary is not None:
        yield f"{day.date} summary", _hash(day.summary)
    if day.personality is not None:
        yield f"{day.date} personality", _hash(day.personality)
    for kind in LISTS:
        for number, record in enumerate(listed(day, kind)):
            yield f"{day.date} {kind} {number}", _hash(record)


def _hash(record: Record) -> bytes:
    form = orjson.loads(codec.to_json(codec.serialize(record)))
    return hashlib.sha256(orjson.dumps(form, option=orjson.OPT_SORT_KEYS)).digest()
