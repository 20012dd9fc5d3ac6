"""Write a memory as the object of ``memory.json``: as a form, or as the bytes of the file.

A fold costs what changed since the last one and the copying of the rest: a day that rests in the
file before is written as it stands there, and only days that were touched are serialized. Both
ways give the same file (``tests/memory/test_memory_writing.py``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from siliconfriend.memory import codec
from siliconfriend.memory.codec import Form
from siliconfriend.memory.lazy_days import HeldDay, LazyDays
from siliconfriend.memory.memory_file import DERIVED, FORMAT, OUTLINES, VERSION
from siliconfriend.memory.memorybank import state_fields
from siliconfriend.memory.outline import encode_outline, outline_rules
from siliconfriend.memory.records import Day, Derived, PersonMemory, Profile, Turn, listed
from siliconfriend.memory.resting_file import (
    MADE,
    MARKS,
    RULES,
    TABLES,
    RestingDay,
    mark_tables,
    resting_day,
)


def serialize_memory(memory: PersonMemory, companion: str, generation: int = 0) -> Form:
    """Serialize a memory to the object of ``memory.json``; without a generation, the one for an export."""
    tables: dict[str, Form] = {name: {} for name in TABLES}
    for day in memory.days.values():
        for name, value in _by_table(day, memory.profile).items():
            tables[name][day.date] = value
    return _form(memory, companion, generation, tables)


def encode_memory(memory: PersonMemory, companion: str, generation: int, *, indent: bool) -> bytes:
    """Encode a memory as the bytes of ``memory.json``, without their checksum."""
    days, profile = LazyDays.of(memory.days), memory.profile
    tables: dict[str, Form] = {name: {} for name in TABLES}
    outlines: Form = {}
    marks: dict[str, str] = {}
    for date, held in days.held.items():
        resting = _as_it_rests(held, profile, indent)
        encoded = resting.tables() if resting else _encode_tables(held, profile, indent)
        for name, value in encoded.items():
            tables[name][date] = value
        known = resting.file.outlines.get(date) if resting else None
        outlines[date] = bytes(known) if known else encode_outline(held.outline)
        marks[date] = resting.mark if resting else mark_tables(encoded)
        if held.resting is None:
            written = (encoded, outlines[date], marks[date])
            held.rest(resting_day(date, *written, profile, is_indented=indent))
    outlines |= {RULES: codec.to_json_value(outline_rules()), MARKS: codec.to_json_value(marks)}
    form = _form(memory, companion, generation, tables) | {OUTLINES: outlines}
    return _encode(form, indent)


def _form(
    memory: PersonMemory, companion: str, generation: int, tables: Mapping[str, Form]
) -> Form:
    """The object with these as its tables by date, in the order of the file."""
    profile = codec.serialize(memory.profile)
    form: Form = {"format": FORMAT, "version": VERSION}
    if generation:
        form |= {"generation": generation, "folded_through": memory.sequence}
    form |= {
        "companion": companion,
        "name": profile.pop("name"),
        "language": profile.pop("language"),
        "timezone": profile.pop("timezone"),
        "created": profile.pop("created"),
        "meta_information": profile.pop("meta_information", {}),
        **profile,
        **{name: tables[name] for name in ("history", "summary", "personality")},
    }
    if memory.overall_history is not None:
        form["overall_history"] = memory.overall_history.text
    if memory.overall_personality is not None:
        form["overall_personality"] = memory.overall_personality.text
    form |= {name: tables[name] for name in DERIVED.values() if tables[name]}
    provenance = _provenance(memory, tables[MADE])
    if provenance:
        form["provenance"] = provenance
    if memory.erased:
        form["erased"] = sorted(memory.erased)
    return form


def _provenance(memory: PersonMemory, by_date: Form) -> Form:
    forms: Form = {"personality": by_date} if by_date else {}
    overalls = {
        "overall_history": memory.overall_history,
        "overall_personality": memory.overall_personality,
    }
    for name, overall in overalls.items():
        if overall is not None:
            forms[name] = codec.serialize(overall)["provenance"]
    if memory.last_reflection is not None:
        forms["reflection"] = codec.serialize(memory.last_reflection)
    return forms


def _by_table(day: Day, profile: Profile) -> Form:
    """What of a day stands in each table: the history always, so that no day is missing there."""
    form: Form = {"history": list(_turns(day, profile))}
    if day.summary is not None:
        summary = codec.serialize(day.summary)
        del summary["date"]
        form["summary"] = {**summary, **state_fields(day.summary.trace, day.date, profile)}
    if day.personality is not None:
        form["personality"] = day.personality.text
        made = codec.serialize(day.personality)
        del made["content"], made["date"]
        form[MADE] = made | made.pop("provenance")
    for kind, table in DERIVED.items():
        if found := listed(day, kind):
            form[table] = [_derived(it) for it in found]
    return form


def _turns(day: Day, profile: Profile) -> Iterator[Form]:
    for turn in day.turns:
        form = codec.serialize(turn)
        del form["date"]
        yield {**form, **state_fields(turn.trace, day.date, profile)}


def _derived(record: Turn | Derived) -> Form:
    assert not isinstance(record, Turn)
    form = codec.serialize(record)
    del form["date"]
    return form


def day_mark(held: HeldDay, profile: Profile) -> str:
    """A short mark of all that is written of a day; where the mark is the same, so is the day.

    The same day may have several, as files can be written in several ways.
    """
    if held.resting is not None:
        return held.resting.mark
    return mark_tables(_encoded_by_table(held, profile, indent=True))


def encode_day(held: HeldDay, profile: Profile) -> dict[str, bytes]:
    """The JSON of a day in each table, on one line."""
    return _encoded_by_table(held, profile, indent=False)


def encode_rest(memory: PersonMemory, companion: str, generation: int) -> bytes:
    """Encode what belongs to no day as a ``memory.json`` without any, without its checksum."""
    return codec.to_json(_form(memory, companion, generation, {name: {} for name in TABLES}))


def _encoded_by_table(held: HeldDay, profile: Profile, indent: bool) -> dict[str, bytes]:
    """The JSON of a day in each table."""
    resting = _as_it_rests(held, profile, indent)
    return resting.tables() if resting else _encode_tables(held, profile, indent)


def _as_it_rests(held: HeldDay, profile: Profile, indent: bool) -> RestingDay | None:
    """A day as it rests, where it would be written the same now."""
    resting = held.resting
    if (
        isinstance(resting, RestingDay)
        and resting.file.is_indented == indent
        and resting.file.timezone == profile.timezone
    ):
        return resting
    return None


def _encode_tables(held: HeldDay, profile: Profile, indent: bool) -> dict[str, bytes]:
    form = _by_table(held.get(), profile)
    return {
        name: codec.to_json_value(value, indent=indent, depth=3 if name == MADE else 2)
        for name, value in form.items()
    }


def _encode(form: Form, indent: bool, depth: int = 0) -> bytes:
    """The JSON of an object whose values, or those of objects in it, may be JSON already."""
    if not form:
        return b"{}"
    ends = b"\n" + b"  " * depth if indent else b""
    between = b"," + ends + (b"  " if indent else b"")
    colon = b": " if indent else b":"
    fields = [
        codec.to_json_value(name) + colon + _encode_value(value, indent, depth + 1)
        for name, value in form.items()
    ]
    return b"{" + between[1:] + between.join(fields) + ends + b"}"


def _encode_value(value: Any, indent: bool, depth: int) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, dict) and any(isinstance(it, bytes | dict) for it in value.values()):
        return _encode(value, indent, depth)
    return codec.to_json_value(value, indent=indent, depth=depth)
