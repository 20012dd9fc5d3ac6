"""Serialize changes to lines of a journal, each with its number, and parse them back.

A line sets something and never adds to it, so reading it twice does nothing twice. What
one update wrote belongs together: all its lines but the last say ``more``, and a reader
takes them only when the last is there too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from types import NoneType
from typing import Any, get_args, get_type_hints

from siliconfriend.memory import checksum, codec, encrypted
from siliconfriend.memory.changes import Change, Erase, PutDerived, apply_all
from siliconfriend.memory.codec import Form, Unreadable
from siliconfriend.memory.encryption import Cipher
from siliconfriend.memory.records import DERIVED_TYPES, PersonMemory, kind_of


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


def encode(changes: Iterable[Change], after: int, cipher: Cipher | None = None) -> bytes:
    """The lines of one update whose first change gets the number ``after + 1``."""
    forms = [
        {"seq": sequence, **serialize_change(change)}
        for sequence, change in enumerate(changes, after + 1)
    ]
    for form in forms[:-1]:
        form["more"] = True
    written = (checksum.seal(codec.to_json(form)) for form in forms)
    return b"".join(encrypted.wrap(line, cipher) + b"\n" for line in written)


def decode(data: bytes, cipher: Cipher | None = None) -> Iterator[Line]:
    """The lines in ``data``, each ended by a line feed.

    Raises:
        Unreadable: one of them is not what this version writes, or not what it wrote.
    """
    for raw in data.splitlines():
        line = encrypted.unwrap(raw, cipher)
        form = codec.from_json(line)
        checksum.verify(line, form)
        sequence = form.get("seq")
        if not isinstance(sequence, int):
            raise Unreadable("seq: a number was expected")
        yield Line(sequence, parse_change(form), more=form.get("more") is True)


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


def serialize_change(change: Change) -> Form:
    """Serialize a change to the fields of its line: its tag, then its own fields by name."""
    match change:
        case Erase(ids):
            return {"erase": ids}
        case PutDerived(record):
            kind = kind_of(record)
            return {"put": kind, kind: codec.serialize(record)}
    form: Form = {"put": change.tag}
    for field in _FIELDS[type(change)]:
        value = getattr(change, field.name)
        is_record = field.record_type is not None and value is not None
        form[field.name] = codec.serialize(value) if is_record else value
    return form


def parse_change(form: Form) -> Change:
    """Parse and validate a change from the fields of its line.

    Raises:
        Unreadable: they are not what this version writes.
    """
    if "erase" in form:
        return Erase(codec.validate(tuple[str, ...], form["erase"]))
    tag = form.get("put")
    if isinstance(tag, str) and tag in DERIVED_TYPES:
        return PutDerived(codec.parse(DERIVED_TYPES[tag], form.get(tag)))
    change_type = _BY_TAG.get(tag) if isinstance(tag, str) else None
    if change_type is None:
        raise Unreadable(f"put: {tag!r} is not known")
    values = {field.name: field.parse(form.get(field.name)) for field in _FIELDS[change_type]}
    change: Change = change_type(**values)
    return change


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of a change: a record, a record or null, or plain JSON.

    Attributes:
        name: the field, and its name in a line.
        record_type: None where it is plain JSON.
        kind: the type of plain JSON; None for a record.
        is_optional: null may stand for it.
    """

    name: str
    record_type: type[Any] | None
    kind: type[Any] | None
    is_optional: bool

    def parse(self, value: object) -> Any:
        """Parse and validate a value.

        Raises:
            Unreadable: it is not what this version writes.
        """
        if self.kind is not None:
            return codec.validate(self.kind, value)
        if self.record_type is None or (value is None and self.is_optional):
            return None
        return codec.parse(self.record_type, value)


def _fields_of(change_type: type[Any]) -> tuple[_Field, ...]:
    types = get_type_hints(change_type)
    found = []
    for field in fields(change_type):
        several = get_args(types[field.name]) or (types[field.name],)
        record_type = next((it for it in several if it in _RECORD_TYPES), None)
        kind = types[field.name] if record_type is None else None
        found.append(_Field(field.name, record_type, kind, NoneType in several))
    return tuple(found)


_RECORD_TYPES = frozenset(get_args(codec.Record))
_BY_TAG: Mapping[str, type[Any]] = {it.tag: it for it in get_args(Change) if hasattr(it, "tag")}
_FIELDS: Mapping[type[Any], tuple[_Field, ...]] = {it: _fields_of(it) for it in _BY_TAG.values()}
