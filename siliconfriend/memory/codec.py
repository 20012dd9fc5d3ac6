"""Serialize records to JSON and parse them back: the one place that knows how a record is written.

The JSON keeps MemoryBank's field names (``query``, ``response``, ``memory_id``, ``content``)
and leaves out what is at its default, so a file stays small and can be read by eye. What is
not known here is kept in ``extra``. Parsing validates every field: JSON that is not what it
should be raises :class:`Unreadable` and never becomes half a record.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import MISSING, fields
from datetime import datetime
from functools import cache
from typing import Any, TypeVar

import msgspec
import orjson

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.knowledge import Event, Fact, Insight, Topic
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import DayPersonality, DaySummary, Overall, Profile, Turn

Form = dict[str, Any]
"""A JSON object."""

_Type = TypeVar("_Type")

_FOR_OTHER_READERS = frozenset({"memory_strength", "last_recall_date"})
"""MemoryBank's fields that ``memory.json`` states for other readers; ``trace`` is what counts."""


class Unreadable(ValueError):
    """JSON that is not what this version writes."""


def to_json(form: Any, *, indent: bool = False) -> bytes:
    """Return a value as UTF-8 JSON; halves of a broken character become U+FFFD."""
    option = orjson.OPT_INDENT_2 if indent else 0
    try:
        return orjson.dumps(form, option=option)
    except TypeError:
        # Terminals and models can hand over lone surrogates, which UTF-8 cannot hold.
        text = json.dumps(form, ensure_ascii=False).encode("utf-16", "surrogatepass")
        return orjson.dumps(json.loads(text.decode("utf-16", "replace")), option=option)


def from_json(data: bytes) -> Form:
    """Return the JSON object in ``data``.

    Raises:
        Unreadable: it is no JSON, or no object.
    """
    try:
        form = orjson.loads(data)
    except ValueError as error:
        raise Unreadable(str(error)) from error
    return as_object(form)


def serialize(record: Any) -> Form:
    """Serialize a record; what is at its default is left out."""
    form = _plain_fields(record)
    names, _ = _LAYOUTS[type(record)]
    form = {written: form.pop(name) for name, written in names.items()} | form
    if isinstance(record, Turn):  # its trace last, without what equals its time
        trace, time = form.pop("trace"), form["time"]
        if time is None:
            del form["time"]
        elif trace["created"] == time:
            del trace["created"]
        if trace:
            form["trace"] = trace
    return form


def _plain_fields(record: Any) -> Form:
    form = {}
    for name, default in _defaults(type(record)):  # type: ignore[arg-type]  # a class is hashable
        value = getattr(record, name)
        if value != default or type(value) is not type(default):
            form[name] = _plain(value)
    return form


def _plain(value: Any) -> Any:
    match value:
        case str() | int() | float() | None:
            return value
        case datetime():
            return value.isoformat().replace("+00:00", "Z")
        case Mapping():
            return {name: _plain(it) for name, it in value.items()}
        case tuple() | list():
            return [_plain(it) for it in value]
    return _plain_fields(value)


@cache
def _defaults(record_type: type[Any]) -> tuple[tuple[str, Any], ...]:
    """The fields of a record type, each with its default; MISSING for those without one."""
    return tuple(
        (it.name, it.default if it.default_factory is MISSING else it.default_factory())
        for it in fields(record_type)
    )


def parse(record_type: type[_Type], form: object, date: str | None = None) -> _Type:
    """Parse and validate a record from its JSON object, which is used up.

    Args:
        record_type: a class of records.
        form: as :func:`serialize` made it.
        date: where the object stands under its date instead of naming it.

    Raises:
        Unreadable: it is not what this version writes.
    """
    names, known = _LAYOUTS[record_type]
    form = as_object(form)
    if known is not None:
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
    """Return the value as one of a type, such as ``tuple[str, ...]``.

    Raises:
        Unreadable: it cannot be one; says what is wrong first.
    """
    try:
        try:
            return msgspec.convert(value, kind)
        except UnicodeEncodeError:  # half a character, as JSON can spell it
            return msgspec.convert(orjson.loads(to_json(value)), kind)
    except (msgspec.ValidationError, UnicodeError, ValueError) as error:
        raise Unreadable(str(error)) from error


def as_object(value: object) -> Form:
    """Return the value, where it is a JSON object.

    Raises:
        Unreadable: it is something else.
    """
    if not isinstance(value, dict):
        raise Unreadable(f"an object was expected, not {type(value).__name__}")
    return value


def _keep_unknown(form: Form, known: frozenset[str]) -> None:
    for name in _FOR_OTHER_READERS & form.keys():
        del form[name]
    unknown = form.keys() - known
    kept = form.setdefault("extra", {}) if unknown else None
    if isinstance(kept, dict):
        for name in sorted(unknown):
            kept.setdefault(name, form.pop(name))


_Layout = tuple[Mapping[str, str], frozenset[str] | None]
"""Fields that are written under another name, which stand first; and the names that are known,
where unknown ones are kept in ``extra``."""


def _layout(record_type: type[Any], **names: str) -> _Layout:
    known = {it.name for it in fields(record_type)}
    if not names or "extra" not in known:
        return names, None
    return names, frozenset(known - names.keys() | set(names.values()))


_LAYOUTS: Mapping[type[Any], _Layout] = {
    Turn: _layout(Turn, id="memory_id"),
    **{
        it: _layout(it, text="content", id="memory_id")
        for it in (DaySummary, Insight, Event, Fact, Topic)
    },
    **{it: _layout(it, text="content") for it in (DayPersonality, Overall)},
    **{it: _layout(it) for it in (Profile, Trace, Provenance)},
}


# msgspec looks at a class when it first meets it, and crashes the process where two threads do so
# at once: the first is this one, whatever threads there will be.
for _record_type in _LAYOUTS:
    with suppress(Unreadable):
        validate(_record_type, {})
