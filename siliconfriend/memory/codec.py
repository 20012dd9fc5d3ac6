"""Serialize records to JSON and parse them back: the one place that knows how a record is written.

The JSON keeps MemoryBank's field names (``query``, ``response``, ``memory_id``, ``content``)
and leaves out what is at its default, so a file stays small and can be read by eye. What is
not known here is kept in ``extra``. Parsing validates every field: JSON that is not what it
should be raises :class:`Unreadable` and never becomes half a record.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
import orjson

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.knowledge import Event, Fact, Insight, Topic
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import DayPersonality, DaySummary, Overall, Profile, Turn

if TYPE_CHECKING:
    from pydantic import TypeAdapter

Form = dict[str, Any]
"""A JSON object."""

Record = (
    Turn
    | DaySummary
    | DayPersonality
    | Overall
    | Insight
    | Event
    | Fact
    | Topic
    | Profile
    | Trace
    | Provenance
)
_Type = TypeVar("_Type")

_ADAPTERS: dict[type[Any], TypeAdapter[Any]] = {}

_FOR_OTHER_READERS = frozenset({"memory_strength", "last_recall_date"})
"""MemoryBank's fields that ``memory.json`` states for other readers; ``trace`` is what counts."""


class Unreadable(ValueError):
    """JSON that is not what this version writes."""


def to_json(form: Form, *, indent: bool = False) -> bytes:
    """The form as UTF-8 JSON; halves of a broken character become U+FFFD."""
    return to_json_value(form, indent=indent)


def to_json_value(form: Any, *, indent: bool = False, depth: int = 0) -> bytes:
    """A value of any kind as :func:`to_json`, indented as it is ``depth`` objects deep in another."""
    data = _dump(form, indent)
    return data.replace(b"\n", b"\n" + b"  " * depth) if depth and indent else data


def _dump(form: Any, indent: bool) -> bytes:
    option = orjson.OPT_INDENT_2 if indent else 0
    try:
        return orjson.dumps(form, option=option)
    except TypeError:
        # Terminals and models can hand over lone surrogates, which UTF-8 cannot hold.
        text = json.dumps(form, ensure_ascii=False).encode("utf-16", "surrogatepass")
        return orjson.dumps(json.loads(text.decode("utf-16", "replace")), option=option)


def from_json(data: bytes) -> Form:
    """The JSON object in ``data``.

    Raises:
        Unreadable: it is no JSON, or no object.
    """
    try:
        form = orjson.loads(data)
    except ValueError as error:
        raise Unreadable(str(error)) from error
    return as_object(form)


def from_value(data: bytes | msgspec.Raw) -> Any:
    """The value of any kind that a piece of JSON is.

    Raises:
        Unreadable: it is no JSON.
    """
    try:
        return orjson.loads(memoryview(data))
    except ValueError as error:
        raise Unreadable(str(error)) from error


def serialize(record: Record) -> Form:
    """Serialize a record; what is at its default is left out."""
    layout = _LAYOUTS[type(record)]
    form: Form = _adapter(type(record)).dump_python(record, mode="json", exclude_defaults=True)
    if layout.names:
        form = {written: form.pop(name) for name, written in layout.names} | form
    return _without_repetition(form) if isinstance(record, Turn) else form


def parse(record_type: type[_Type], form: object, date: str | None = None) -> _Type:
    """Parse and validate a record from its JSON object, which is used up.

    Args:
        record_type: one of the :data:`Record` types.
        form: as :func:`serialize` made it.
        date: where the object stands under its date instead of naming it.

    Raises:
        Unreadable: it is not what this version writes.
    """
    layout = _LAYOUTS[record_type]
    form = as_object(form)
    if layout.known is not None:
        _keep_unknown(form, layout.known)
    for name, written in layout.names:
        form[name] = form.pop(written, None)
    if date is not None:
        form["date"] = date
    if record_type is Turn:
        _repeat_time(form)
    record = _convert(record_type, form) or validate(record_type, form)
    if isinstance(record, Turn | Trace):
        _check_offset(record)
    return record


def _convert(record_type: type[_Type], form: Form) -> _Type | None:
    """The record, where every field has just the type it is written in; a third of the time.

    None where that is not so: then :func:`validate` decides what may pass for it, and says
    what is wrong.
    """
    try:
        return msgspec.convert(form, record_type)
    except (msgspec.ValidationError, UnicodeEncodeError):  # half a character, as JSON can spell it
        return None


def validate(kind: type[_Type], value: object) -> _Type:
    """The value as one of a type, such as ``tuple[str, ...]``.

    Raises:
        Unreadable: it cannot be one; says what is wrong first.
    """
    from pydantic import ValidationError

    try:
        return _adapter(kind).validate_python(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise Unreadable(f"{where}: {first['msg']}") from error


def _adapter(kind: type[_Type]) -> TypeAdapter[_Type]:
    """What validates and writes a type, made when it is first needed.

    A command that only reads seldom needs one, and to load pydantic and make all of them takes
    as long as everything else at its start.
    """
    from pydantic import TypeAdapter

    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


def as_object(value: object) -> Form:
    """The value, where it is a JSON object.

    Raises:
        Unreadable: it is something else.
    """
    if not isinstance(value, dict):
        raise Unreadable(f"an object was expected, not {type(value).__name__}")
    return value


def _without_repetition(turn: Form) -> Form:
    """A turn's ``trace`` last, without the ``created`` that equals its ``time``; no empty field."""
    trace, time = turn.pop("trace"), turn["time"]
    if time is None:
        del turn["time"]
    elif trace["created"] == time:
        del trace["created"]
    if trace:
        turn["trace"] = trace
    return turn


def _repeat_time(turn: Form) -> None:
    """Put back what :func:`_without_repetition` took away."""
    time = turn.setdefault("time", None)
    trace = turn.setdefault("trace", {})
    if isinstance(trace, dict):
        trace.setdefault("created", time)


def _check_offset(record: Turn | Trace) -> None:
    trace = record if isinstance(record, Trace) else record.trace
    if trace.created.tzinfo is None:
        raise Unreadable(f"created: {trace.created} has no offset from UTC")


def _keep_unknown(form: Form, known: frozenset[str]) -> None:
    for name in _FOR_OTHER_READERS & form.keys():
        del form[name]
    unknown = form.keys() - known
    kept = form.setdefault("extra", {}) if unknown else None
    if isinstance(kept, dict):
        for name in sorted(unknown):
            kept.setdefault(name, form.pop(name))


@dataclass(frozen=True, slots=True)
class _Layout:
    """How a record is written.

    Attributes:
        names: fields that are written under another name; they stand first, in this order.
        known: the names that are known, where unknown ones are kept in ``extra``.
    """

    names: tuple[tuple[str, str], ...] = ()
    known: frozenset[str] | None = None


def _layout(record_type: type[Any], *names: tuple[str, str]) -> _Layout:
    known = {it.name for it in fields(record_type)}
    renamed = known - {name for name, _ in names} | {written for _, written in names}
    keeps_unknown = bool(names) and "extra" in known
    return _Layout(names, frozenset(renamed) if keeps_unknown else None)


_TEXT, _ID = ("text", "content"), ("id", "memory_id")
_LAYOUTS: Mapping[type[Any], _Layout] = {
    Turn: _layout(Turn, _ID),
    **{it: _layout(it, _TEXT, _ID) for it in (DaySummary, Insight, Event, Fact, Topic)},
    **{it: _layout(it, _TEXT) for it in (DayPersonality, Overall)},
    **{it: _layout(it) for it in (Profile, Trace, Provenance)},
}


# msgspec looks at a class when it first meets it, and crashes the process where two threads do so
# at once: the first is this one, whatever threads there will be.
for _record_type in _LAYOUTS:
    _convert(_record_type, {})
