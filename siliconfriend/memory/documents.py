"""A record as the JSON document of its row; ``memory.json`` holds the very same objects.

A document does not say its date, since it stands under it, and states MemoryBank's
``memory_strength`` and ``last_recall_date`` for other readers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from siliconfriend.clock import day_of
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory import codec
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import (
    DERIVED_TYPES,
    LISTS,
    Day,
    DayPersonality,
    DaySummary,
    Memory,
    Overall,
    PersonMemory,
    Profile,
    Turn,
    kind_of,
)

PERSONALITY = "personality"
"""Kind and id of a day's personality."""

KINDS = (*LISTS, "day", PERSONALITY)
"""The kinds of records that a day has."""

NO_DATE = ""
"""The date of what belongs to no day."""

Document = tuple[str, str, bytes]
"""Id, kind and JSON of a record."""

Kept = Memory | DayPersonality | Profile | Overall | Provenance

_TYPES: Mapping[str, type[Any]] = {
    "turn": Turn,
    "day": DaySummary,
    PERSONALITY: DayPersonality,
    "profile": Profile,
    "overall_history": Overall,
    "overall_personality": Overall,
    "reflection": Provenance,
    **DERIVED_TYPES,
}


def parts_of(day: Day) -> Iterator[tuple[str, str, Kept]]:
    """Id, kind and record of everything of a day."""
    for record in day.memories():
        yield record.id, kind_of(record), record
    if day.personality is not None:
        yield PERSONALITY, PERSONALITY, day.personality


def parts_without_date(memory: PersonMemory) -> Iterator[tuple[str, str, Kept]]:
    """Id, kind and record of what belongs to no day."""
    found: dict[str, Kept | None] = {
        "profile": memory.profile,
        "overall_history": memory.overall_history,
        "overall_personality": memory.overall_personality,
        "reflection": memory.last_reflection,
    }
    return ((kind, kind, record) for kind, record in found.items() if record is not None)


def encode_record(record: Kept, profile: Profile) -> bytes:
    """Encode a record as its document."""
    form = codec.serialize(record)
    form.pop("date", None)
    if isinstance(record, Turn | DaySummary):
        form |= state_fields(record.trace, record.date, profile)
    return codec.to_json(form)


def state_fields(trace: Trace, day: str, profile: Profile) -> dict[str, Any]:
    """``memory_strength`` and ``last_recall_date`` where they differ from 1 and the day itself."""
    if trace.first_strength == 1.0 and not trace.recalls and trace.restored is None:
        return {}
    strength, last = trace.strength, day_of(trace.last_recall, profile.zone).isoformat()
    written = int(strength) if strength.is_integer() else strength
    fields: dict[str, Any] = {} if strength == 1 else {"memory_strength": written}
    return fields if last == day else {**fields, "last_recall_date": last}


def documents_of(memory: PersonMemory) -> dict[str, list[Document]]:
    """Return the documents of a memory, by date, and as ``""`` those of none."""
    parts = {NO_DATE: parts_without_date(memory)}
    parts |= {date: parts_of(day) for date, day in memory.days.items()}
    return {
        date: [(name, kind, encode_record(record, memory.profile)) for name, kind, record in found]
        for date, found in parts.items()
    }


def decode_record(kind: str, data: bytes, date: str) -> Any:
    """Decode and validate a document.

    Raises:
        Unreadable: it is not what this version writes.
    """
    return parse_form(kind, codec.from_json(data), date)


def parse_form(kind: str, form: object, date: str) -> Any:
    """Validate a document that is parsed already and is used up; as :func:`decode_record`."""
    if kind not in _TYPES:
        raise codec.Unreadable(f"kind: {kind} is not known")
    return codec.parse(_TYPES[kind], form, date or None)


def decode_kind(kind: str, date: str, documents: Sequence[Document]) -> Any:
    """Decode what a date has of a kind: a list by position, or a text or None; as :func:`decode_record`."""
    found = [decode_record(kind, data, date) for _, it, data in documents if it == kind]
    if kind in LISTS:
        return tuple(sorted(found, key=lambda record: record.position))
    return found[0] if found else None


def day_from(date: str, parts: Mapping[str, Any]) -> Day:
    """Return the day whose parts are given by kind, as :func:`decode_kind` gives them."""
    lists = {name: parts[kind] for kind, name in LISTS.items()}
    return Day(date, summary=parts["day"], personality=parts[PERSONALITY], **lists)


def parse_rest(documents: Sequence[Document]) -> dict[str, Any]:
    """Decode what belongs to no day, as fields of :class:`PersonMemory`.

    Raises:
        Unreadable: it is not what this version writes, or the profile is missing.
    """
    found = {kind: decode_record(kind, data, NO_DATE) for _, kind, data in documents}
    if "profile" not in found:
        raise codec.Unreadable("the profile is missing")
    if "reflection" in found:
        found["last_reflection"] = found.pop("reflection")
    return found
