"""Encode records as JSON and decode them.

The JSON uses MemoryBank's field names (``query``, ``response``, ``memory_id``, ``content``) and
omits default values. Unknown fields are kept in ``extra``. Parsing validates every field.

A document is the JSON of one row. ``memory.json`` contains the same objects by date, with
MemoryBank's ``memory_strength`` and ``last_recall_date`` added for other programs.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, fields
from datetime import datetime
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

import msgspec
import orjson

from siliconfriend.clock import day_of
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.knowledge import Provenance
from siliconfriend.memory.records import (
    DERIVED_TYPES,
    LISTS,
    PARTS,
    PERSONALITY,
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

Form = dict[str, Any]
"""A JSON object."""

EncodedRecord = tuple[str, str, bytes]
"""Id, kind and JSON of a record."""

Kept = Memory | DayPersonality | Profile | Overall | Provenance

NO_DATE = ""
"""The date of documents that belong to no day."""

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

_Type = TypeVar("_Type")

_FOR_OTHER_READERS = frozenset({"memory_strength", "last_recall_date"})
"""MemoryBank's fields in ``memory.json`` for other programs; this program reads ``trace``."""


class Unreadable(ValueError):
    """JSON that does not match the format of this version."""


def to_json(form: Any, *, indent: bool = False) -> bytes:
    """Encode a value, nested records included, as UTF-8 JSON; lone surrogates become U+FFFD."""
    option = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_UTC_Z
    option |= orjson.OPT_INDENT_2 if indent else 0
    try:
        return orjson.dumps(form, _plain, option)
    except TypeError:
        # Terminals and models can produce lone surrogates, which UTF-8 cannot encode.
        text = json.dumps(form, ensure_ascii=False, default=_plain).encode(
            "utf-16", "surrogatepass"
        )
        return orjson.dumps(json.loads(text.decode("utf-16", "replace")), option=option)


def _plain(value: Any) -> Any:
    match value:
        case datetime():
            return value.isoformat().replace("+00:00", "Z")
        case Mapping():
            return dict(value)
    return serialize(value)


def from_json(data: bytes) -> Form:
    """Parse the JSON object in ``data``; Unreadable if it is invalid or another type."""
    try:
        form = orjson.loads(data)
    except ValueError as error:
        raise Unreadable(str(error)) from error
    return as_object(form)


def as_object(value: object) -> Form:
    """Return the value if it is a JSON object, else raise Unreadable."""
    if not isinstance(value, dict):
        raise Unreadable(f"an object was expected, not {type(value).__name__}")
    return value


def serialize(record: Any) -> Form:
    """Return the fields of a record as :func:`to_json` writes them, without default values."""
    form = {}
    for name, default in _defaults(type(record)):  # type: ignore[arg-type]  # a class is hashable
        value = getattr(record, name)
        if value != default or type(value) is not type(default):
            form[name] = value
    names, _ = _LAYOUTS.get(type(record), _PLAIN)
    form = {written: form.pop(name) for name, written in names.items()} | form
    if isinstance(record, Turn):  # the trace last, without fields equal to the record's time
        trace = serialize(form.pop("trace"))
        if record.time is None:
            del form["time"]
        elif record.trace.created == record.time:
            del trace["created"]
        if trace:
            form["trace"] = trace
    return form


@cache
def _defaults(record_type: type[Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(
        (field.name, field.default if field.default_factory is MISSING else field.default_factory())
        for field in fields(record_type)
    )


def parse(record_type: type[_Type], form: object, date: str | None = None) -> _Type:
    """Parse and validate a record from its JSON object, which is consumed.

    ``date`` is set if the object is stored by date and does not name the date.

    Raises:
        Unreadable: the object does not match the format of this version.
    """
    names, known = _LAYOUTS[record_type]
    form = as_object(form)
    if known is not None and not form.keys() <= known:
        _keep_unknown(form, known)
    for name, written in names.items():
        form[name] = form.pop(written, None)
    if date is not None:
        form["date"] = date
    if record_type is Turn:
        time, trace = form.setdefault("time", None), form.setdefault("trace", {})
        if isinstance(trace, dict):
            trace.setdefault("created", time)
    return validate(record_type, form)


def validate(kind: type[_Type], value: object) -> _Type:
    """Validate a value as a type such as ``tuple[str, ...]``; Unreadable gives the reason."""
    try:
        try:
            return msgspec.convert(value, kind)
        except UnicodeEncodeError:  # a lone surrogate, which JSON can escape
            return msgspec.convert(orjson.loads(to_json(value)), kind)
    except (msgspec.ValidationError, UnicodeError, ValueError) as error:
        raise Unreadable(str(error)) from error


def _keep_unknown(form: Form, known: frozenset[str]) -> None:
    for name in _FOR_OTHER_READERS & form.keys():
        del form[name]
    unknown = form.keys() - known
    kept = form.setdefault("extra", {}) if unknown else None
    if isinstance(kept, dict):
        for name in sorted(unknown):
            kept.setdefault(name, form.pop(name))


_Layout = tuple[Mapping[str, str], frozenset[str] | None]
"""Fields with another name in JSON, which are written first; and all known names, if unknown ones
are kept in ``extra``."""

_PLAIN: _Layout = ({}, None)


def _layout(record_type: type[Any], **names: str) -> _Layout:
    known = {field.name for field in fields(record_type)}
    is_open = "extra" in known
    return names, frozenset(known - names.keys() | set(names.values())) if is_open else None


_LAYOUTS: Mapping[type[Any], _Layout] = {
    Turn: _layout(Turn, id="memory_id"),
    **{
        kind: _layout(kind, text="content", id="memory_id")
        for kind in (DaySummary, *DERIVED_TYPES.values())
    },
    **{kind: _layout(kind, text="content") for kind in (DayPersonality, Overall)},
    **dict.fromkeys((Profile, Trace, Provenance), _PLAIN),
}


# msgspec inspects a class on first use and crashes if two threads do so at once. Inspect all
# classes here, before other threads start.
for _record_type in _LAYOUTS:
    with suppress(Unreadable):
        validate(_record_type, {})


def parts_of(day: Day) -> Iterator[tuple[str, str, Kept]]:
    """Yield id, kind and record of everything stored for a day."""
    for record in day.memories():
        yield record.id, kind_of(record), record
    if day.personality is not None:
        yield PERSONALITY, PERSONALITY, day.personality


def parts_without_date(memory: PersonMemory) -> Iterator[tuple[str, str, Kept]]:
    """Yield id, kind and record of everything that belongs to no day."""
    found: dict[str, Kept | None] = {
        "profile": memory.profile,
        "overall_history": memory.overall_history,
        "overall_personality": memory.overall_personality,
        "reflection": memory.last_reflection,
    }
    return ((kind, kind, record) for kind, record in found.items() if record is not None)


def documents_of(memory: PersonMemory) -> dict[str, list[EncodedRecord]]:
    """Return the documents of a memory by date; ``""`` has those without a date."""
    parts = {NO_DATE: parts_without_date(memory)}
    parts |= {date: parts_of(day) for date, day in memory.days.items()}
    return {
        date: [(name, kind, encode_record(record, memory.profile)) for name, kind, record in found]
        for date, found in parts.items()
    }


def encode_record(record: Kept, profile: Profile) -> bytes:
    """Encode a record as its document."""
    form = serialize(record)
    form.pop("date", None)
    if isinstance(record, Turn | DaySummary):
        form |= state_fields(record.trace, record.date, profile)
    return to_json(form)


def state_fields(trace: Trace, day: str, profile: Profile) -> Form:
    """Return ``memory_strength`` and ``last_recall_date`` unless they are 1 and the day."""
    if trace.first_strength == 1.0 and not trace.recalls and trace.restored is None:
        return {}
    strength, last = trace.strength, day_of(trace.last_recall, profile.zone).isoformat()
    written = int(strength) if strength.is_integer() else strength
    found: Form = {} if strength == 1 else {"memory_strength": written}
    return found if last == day else {**found, "last_recall_date": last}


def decode_record(kind: str, data: bytes, date: str) -> Any:
    """Decode and validate a document; Unreadable if its format is invalid."""
    return parse_form(kind, from_json(data), date)


def parse_form(kind: str, form: object, date: str) -> Any:
    """Validate a parsed document, which is consumed; errors as :func:`decode_record`."""
    if kind not in _TYPES:
        raise Unreadable(f"kind: {kind} is not known")
    return parse(_TYPES[kind], form, date or None)


def decode_day(date: str, documents: Sequence[EncodedRecord]) -> Day:
    """Decode the documents of a date; errors as :func:`decode_record`."""
    return day_of_parts(
        date, ((kind, decode_record(kind, data, date)) for _, kind, data in documents)
    )


def day_of_parts(date: str, parts: Iterable[tuple[str, Any]]) -> Day:
    """Return the day of records, each with its kind (Unreadable: a kind that no day has)."""
    found: dict[str, list[Any]] = {kind: [] for kind in PARTS}
    for kind, record in parts:
        if kind not in found:
            raise Unreadable(f"{date}: a day has no {kind}")
        found[kind].append(record)
    lists = {LISTS[kind]: tuple(sorted(found[kind], key=attrgetter("position"))) for kind in LISTS}
    texts = {PARTS[kind]: next(iter(found[kind]), None) for kind in ("day", PERSONALITY)}
    return Day(date, **lists, **texts)  # type: ignore[arg-type]  # by their kinds


def parse_rest(documents: Sequence[EncodedRecord]) -> Form:
    """Decode the documents without a date into fields of a memory; Unreadable without a profile."""
    return rest_of_parts((kind, decode_record(kind, data, NO_DATE)) for _, kind, data in documents)


def rest_of_parts(parts: Iterable[tuple[str, Any]]) -> Form:
    """Return the fields of a memory from the records without a date; errors as :func:`parse_rest`."""
    found = dict(parts)
    if "profile" not in found:
        raise Unreadable("the profile is missing")
    if "reflection" in found:
        found["last_reflection"] = found.pop("reflection")
    return found
