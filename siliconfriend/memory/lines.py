"""Changes as lines of a journal, each with its number.

A line sets something and never adds to it, so reading it twice does nothing twice. What
one update wrote belongs together: all its lines but the last say ``more``, and a reader
takes them only when the last is there too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import get_args

from siliconfriend.memory import codec
from siliconfriend.memory.changes import (
    Change,
    Erase,
    PutContext,
    PutDerived,
    PutOverallHistory,
    PutOverallPersonality,
    PutPersonality,
    PutProfile,
    PutReflection,
    PutSummary,
    PutTrace,
    PutTurn,
    apply_all,
)
from siliconfriend.memory.codec import Form, Unreadable
from siliconfriend.memory.records import Context, PersonMemory, kind_of


@dataclass(frozen=True, slots=True)
class Line:
    """One change with its number, as it is or was written.

    Attributes:
        sequence: 1 for the first change of a memory, then one more each.
        change: what it sets.
        more: the change after it belongs to the same update.
    """

    sequence: int
    change: Change
    more: bool = False


def encode(changes: Iterable[Change], after: int) -> bytes:
    """The lines of one update whose first change gets the number ``after + 1``."""
    forms = [
        {"seq": sequence, **change_form(change)}
        for sequence, change in enumerate(changes, after + 1)
    ]
    for form in forms[:-1]:
        form["more"] = True
    return b"".join(codec.to_json(form) + b"\n" for form in forms)


def decode(data: bytes) -> Iterator[Line]:
    """The lines in ``data``, each ended by a line feed.

    Raises:
        Unreadable: one of them is not what this version writes.
    """
    for line in data.splitlines():
        form = codec.from_json(line)
        sequence = form.get("seq")
        if not isinstance(sequence, int):
            raise Unreadable("seq: a number was expected")
        yield Line(sequence, change_of(form), more=form.get("more") is True)


def replay(memory: PersonMemory, lines: Iterable[Line]) -> PersonMemory:
    """The memory after the lines that it does not hold yet.

    Raises:
        Unreadable: a number is missing before one of them.
    """
    sequence = memory.sequence
    fresh = []
    for line in lines:
        if line.sequence <= sequence:
            continue
        if line.sequence != sequence + 1:
            raise Unreadable(f"seq: {line.sequence} stands after {sequence}")
        fresh.append(line.change)
        sequence = line.sequence
    return replace(apply_all(memory, fresh), sequence=sequence) if fresh else memory


def change_form(change: Change) -> Form:
    """A change as the fields of its line."""
    match change:
        case PutProfile(profile):
            return {"put": "profile", "profile": codec.profile_form(profile)}
        case PutTurn(turn):
            return {"put": "turn", "turn": codec.turn_form(turn)}
        case PutSummary(date, summary):
            form = None if summary is None else codec.summary_form(summary)
            return {"put": "summary", "date": date, "summary": form}
        case PutPersonality(date, personality):
            form = None if personality is None else codec.personality_form(personality)
            return {"put": "personality", "date": date, "personality": form}
        case PutOverallHistory(overall):
            form = None if overall is None else codec.overall_form(overall)
            return {"put": "overall_history", "overall_history": form}
        case PutOverallPersonality(overall):
            form = None if overall is None else codec.overall_form(overall)
            return {"put": "overall_personality", "overall_personality": form}
        case PutDerived(record):
            kind = kind_of(record)
            return {"put": kind, kind: codec.derived_form(record)}
        case PutContext(ids, context):
            return {"put": "context", "context": context, "ids": list(ids)}
        case PutReflection(reflection):
            form = None if reflection is None else codec.provenance_form(reflection)
            return {"put": "reflection", "reflection": form}
        case PutTrace(identifier, trace):
            return {"put": "trace", "id": identifier, "trace": codec.trace_form(trace)}
        case Erase(ids):
            return {"erase": list(ids)}


def change_of(form: Form) -> Change:
    """The change of a line's fields.

    Raises:
        Unreadable: they are not what this version writes.
    """
    if "erase" in form:
        return Erase(_texts(form["erase"]))
    kind = form.get("put")
    value = form.get(kind) if isinstance(kind, str) else None
    match kind:
        case "profile":
            return PutProfile(codec.profile_of(_object(value)))
        case "turn":
            return PutTurn(codec.turn_of(_object(value)))
        case "trace":
            return PutTrace(_text(form.get("id")), codec.trace_of(_object(value)))
        case "summary":
            summary = None if value is None else codec.summary_of(_object(value))
            return PutSummary(_text(form.get("date")), summary)
        case "personality":
            personality = None if value is None else codec.personality_of(_object(value))
            return PutPersonality(_text(form.get("date")), personality)
        case "overall_history":
            return PutOverallHistory(None if value is None else codec.overall_of(_object(value)))
        case "overall_personality":
            overall = None if value is None else codec.overall_of(_object(value))
            return PutOverallPersonality(overall)
        case "insight" | "event" | "fact" | "topic":
            return PutDerived(codec.derived_of(kind, _object(value)))
        case "context":
            context = next((it for it in get_args(Context) if it == value), None)
            if context is None:
                raise Unreadable(f"context: {value!r} is not known")
            return PutContext(_texts(form.get("ids")), context)
        case "reflection":
            return PutReflection(None if value is None else codec.provenance_of(_object(value)))
    raise Unreadable(f"put: {kind!r} is not known")


def _object(value: object) -> Form:
    if not isinstance(value, dict):
        raise Unreadable(f"an object was expected, not {type(value).__name__}")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise Unreadable(f"a list was expected, not {type(value).__name__}")
    return tuple(_text(it) for it in value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise Unreadable(f"a text was expected, not {type(value).__name__}")
    return value
