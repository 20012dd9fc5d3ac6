"""Records as JSON forms and back: the one place that knows how a record is written.

The forms keep MemoryBank's field names (``query``, ``response``, ``memory_id``, ``content``)
and leave out what is at its default, so a file stays small and can be read by eye. What is
not known here is kept in ``extra``. Reading checks every field: a form that is not what it
should be raises :class:`Unreadable` and never becomes half a record.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

import orjson
from pydantic import TypeAdapter, ValidationError

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.knowledge import Event, Fact, Topic
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import (
    DayPersonality,
    DaySummary,
    Derived,
    Insight,
    Overall,
    Profile,
    Turn,
    kind_of,
)

Form = dict[str, Any]
_Record = TypeVar("_Record")

_TURN = TypeAdapter(Turn)
_TRACE = TypeAdapter(Trace)
_SUMMARY = TypeAdapter(DaySummary)
_PERSONALITY = TypeAdapter(DayPersonality)
_DERIVED: Mapping[str, TypeAdapter[Derived]] = {
    "insight": TypeAdapter(Insight),
    "event": TypeAdapter(Event),
    "fact": TypeAdapter(Fact),
    "topic": TypeAdapter(Topic),
}
_OVERALL = TypeAdapter(Overall)
_PROFILE = TypeAdapter(Profile)
_PROVENANCE = TypeAdapter(Provenance)

DERIVED = frozenset({"memory_strength", "last_recall_date"})
"""MemoryBank's fields that ``memory.json`` states for other readers; ``trace`` is what counts."""

_IN_TURN = frozenset(Turn.__dataclass_fields__) - {"id"} | {"memory_id"}
_IN_SUMMARY = frozenset(DaySummary.__dataclass_fields__) - {"id", "text"} | {"memory_id", "content"}
_IN_DERIVED = {
    kind: frozenset(record.__dataclass_fields__) - {"id", "text"} | {"memory_id", "content"}
    for kind, record in (("insight", Insight), ("event", Event), ("fact", Fact), ("topic", Topic))
}
_IN_PERSONALITY = frozenset(DayPersonality.__dataclass_fields__) - {"text"} | {"content"}


class Unreadable(ValueError):
    """A form that is not what this version writes."""


def to_json(form: Form, *, indent: bool = False) -> bytes:
    """The form as UTF-8 JSON; halves of a broken character become U+FFFD."""
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
    if not isinstance(form, dict):
        raise Unreadable(f"an object was expected, not {type(form).__name__}")
    return form


def trace_form(trace: Trace) -> Form:
    """The state of a memory: ``created`` and whatever is not at its default."""
    return _plain(_TRACE, trace)


def trace_of(form: Form) -> Trace:
    """The trace of a form made by :func:`trace_form`."""
    trace = _checked(_TRACE, form)
    if trace.created.tzinfo is None:
        raise Unreadable(f"created: {trace.created} has no offset from UTC")
    return trace


def turn_form(turn: Turn) -> Form:
    """A turn; ``trace.created`` is left out where it equals ``time``."""
    form = _plain(_TURN, turn)
    trace, time = form.pop("trace"), form["time"]
    if time is None:
        del form["time"]
    elif trace["created"] == time:
        del trace["created"]
    named = {"memory_id": form.pop("id"), **form}
    return {**named, "trace": trace} if trace else named


def turn_of(form: Form, date: str | None = None) -> Turn:
    """The turn of a form, which is used up; ``date`` where the form stands under its date."""
    form = _with_extra(form, _IN_TURN)
    form["id"] = form.pop("memory_id", None)
    if date is not None:
        form["date"] = date
    trace = form.setdefault("trace", {})
    form.setdefault("time", None)
    if isinstance(trace, dict):
        trace.setdefault("created", form["time"])
    turn = _checked(_TURN, form)
    if turn.trace.created.tzinfo is None:
        raise Unreadable(f"{turn.id}: its time has no offset from UTC")
    return turn


def summary_form(summary: DaySummary) -> Form:
    """A day's summary with MemoryBank's ``content`` for its text."""
    form = _plain(_SUMMARY, summary)
    return {"content": form.pop("text"), "memory_id": form.pop("id"), **form}


def summary_of(form: Form, date: str | None = None) -> DaySummary:
    """The summary of a form, which is used up; ``date`` where it stands under its date."""
    form = _with_extra(form, _IN_SUMMARY)
    form["id"], form["text"] = form.pop("memory_id", None), form.pop("content", None)
    if date is not None:
        form["date"] = date
    return _checked(_SUMMARY, form)


def derived_form(record: Derived) -> Form:
    """An insight, event, fact or topic, named as a summary is: ``content`` for its text."""
    form = _plain(_DERIVED[kind_of(record)], record)
    return {"content": form.pop("text"), "memory_id": form.pop("id"), **form}


def derived_of(kind: str, form: Form, date: str | None = None) -> Derived:
    """The record of a form, which is used up; ``date`` where the form stands under its date."""
    form = _with_extra(form, _IN_DERIVED[kind])
    form["id"], form["text"] = form.pop("memory_id", None), form.pop("content", None)
    if date is not None:
        form["date"] = date
    return _checked(_DERIVED[kind], form)


def personality_form(personality: DayPersonality) -> Form:
    """A day's personality, its whole text as ``content``."""
    form = _plain(_PERSONALITY, personality)
    return {"content": form.pop("text"), **form}


def personality_of(form: Form) -> DayPersonality:
    """The personality of a form, which is used up."""
    form = _with_extra(form, _IN_PERSONALITY)
    form["text"] = form.pop("content", None)
    return _checked(_PERSONALITY, form)


def overall_form(overall: Overall) -> Form:
    """A text about all days as ``content``, with where it comes from."""
    form = _plain(_OVERALL, overall)
    return {"content": form.pop("text"), **form}


def overall_of(form: Form) -> Overall:
    """The overall text of a form, which is used up."""
    form["text"] = form.pop("content", None)
    return _checked(_OVERALL, form)


def profile_form(profile: Profile) -> Form:
    """Who the person is."""
    return _plain(_PROFILE, profile)


def profile_of(form: Form) -> Profile:
    """The profile of a form."""
    return _checked(_PROFILE, form)


def provenance_form(provenance: Provenance) -> Form:
    """What a text was made from."""
    return _plain(_PROVENANCE, provenance)


def provenance_of(form: Form) -> Provenance:
    """The provenance of a form."""
    return _checked(_PROVENANCE, form)


def _plain(adapter: TypeAdapter[_Record], record: _Record) -> Form:
    form: Form = adapter.dump_python(record, mode="json", exclude_defaults=True)
    return form


def _checked(adapter: TypeAdapter[_Record], form: Any) -> _Record:
    try:
        return adapter.validate_python(form)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise Unreadable(f"{where}: {first['msg']}") from error


def _with_extra(form: Any, known: frozenset[str]) -> Form:
    if not isinstance(form, dict):
        raise Unreadable(f"an object was expected, not {type(form).__name__}")
    for name in DERIVED & form.keys():
        del form[name]
    unknown = form.keys() - known
    kept = form.setdefault("extra", {}) if unknown else None
    if isinstance(kept, dict):
        for name in sorted(unknown):
            kept.setdefault(name, form.pop(name))
    return form
