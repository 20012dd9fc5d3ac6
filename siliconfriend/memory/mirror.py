"""``memory.json``: a whole memory as one readable JSON object beside its database.

It has MemoryBank's form with what we add, one record a line: ``history``, ``summary``,
``personality``, ``overall_history`` and ``overall_personality`` are read by programs that know only
those. It is written from the stored documents as they are, replaced in one step, and sealed. Repair
uses it, and an import reads it back to an equal memory.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from siliconfriend.memory import atomic, codec, seal
from siliconfriend.memory.codec import Unreadable
from siliconfriend.memory.documents import (
    NO_DATE,
    PERSONALITY,
    Document,
    encode_record,
    parts_of,
    parts_without_date,
)
from siliconfriend.memory.encryption import Cipher
from siliconfriend.memory.memory_file import DERIVED, FORMAT, VERSION, MemoryFile, parse_memory
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.rows import ScopeRows, State

MAX_EACH_TIME = 1_000_000
"""Bytes up to which the copy is written after every exchange; a larger one by nights, imports and
erasings."""

_BY_DATE = ("history", "summary", "personality", *DERIVED.values())
_TABLE_OF = {"turn": "history", "day": "summary", **DERIVED}
_LISTED = frozenset(("turn", *DERIVED))


@dataclass(frozen=True, slots=True)
class Fragment:
    """What ``memory.json`` has of one date: its JSON by table, and how its personality was made."""

    tables: Mapping[str, bytes]
    made: bytes | None = None

    @classmethod
    def of(cls, documents: Sequence[Document]) -> Fragment:
        """The fragment of a date's documents; the ids of a kind differ by their positions."""
        lists: dict[str, list[bytes]] = {"history": []}
        tables: dict[str, bytes] = {}
        made = None
        for _, kind, data in sorted(documents, key=lambda it: (len(it[0]), it[0])):
            if kind == PERSONALITY:
                form = codec.from_json(data)
                tables[PERSONALITY] = codec.to_json_value(form.pop("content"))
                made = codec.to_json(form | form.pop("provenance"))
            elif kind in _LISTED:
                lists.setdefault(_TABLE_OF[kind], []).append(data)
            else:
                tables[_TABLE_OF[kind]] = data
        for table, found in lists.items():
            lines = b",\n      ".join(found)
            tables[table] = b"[\n      %b\n    ]" % lines if found else b"[]"
        return cls(tables, made)


def read_fragments(data: bytes) -> tuple[str, int, dict[str, Fragment]] | None:
    """Cut a sealed ``memory.json`` into what it has of each date, without parsing that.

    Returns:
        Its epoch, its sequence and the fragments; None where it is not what was written.
    """
    try:
        head = _HEAD.match(data)
        if head is None or not seal.verify_json(data, ()):
            return None
    except Unreadable:
        return None
    tables: dict[str, dict[str, bytes]] = {}
    for table in _BY_DATE:
        for date, value in _entries(data, f'\n  "{table}": ', "\n  }", "    "):
            tables.setdefault(date, {})[table] = value
    made = dict(_entries(data, '\n    "personality": ', "\n    }", "      "))
    found = {date: Fragment(it, made.get(date)) for date, it in tables.items()}
    return head[1].decode(), int(head[2]), dict(sorted(found.items()))


_HEAD = re.compile(
    rb'\{\n  "format": "[^"]*",\n  "version": \d+,\n  "epoch": "(\w*)",\n  "sequence": (\d+),'
)


def _entries(data: bytes, begin: str, end: str, indent: str) -> Iterator[tuple[str, bytes]]:
    """The fields of an object that has one field a line, or several lines with more indent."""
    first = f'{begin}{{\n{indent}"'.encode()
    at = data.find(first)
    if at < 0:
        return
    body = data[at + len(first) : data.index(end.encode(), at + len(first))]
    for field in body.split(f',\n{indent}"'.encode()):
        name, _, value = field.partition(b'": ')
        yield name.decode(), value


def encode_mirror(
    fragments: Mapping[str, Fragment],
    rest: Sequence[Document],
    erased: Iterable[str],
    companion: str,
    *,
    sequence: int = 0,
    epoch: str = "",
) -> bytes:
    """Encode ``memory.json`` without its seal; without a sequence as an export has it."""
    found = {kind: codec.from_json(data) for _, kind, data in rest}
    profile = found["profile"]
    head: dict[str, Any] = {"format": FORMAT, "version": VERSION}
    if sequence:
        head |= {"epoch": epoch, "sequence": sequence}
    head["companion"] = companion
    for name in ("name", "language", "timezone", "created"):
        head[name] = profile.pop(name)
    head["meta_information"] = profile.pop("meta_information", {})
    fields = [_field(name, codec.to_json_value(value)) for name, value in (head | profile).items()]
    for table in _BY_DATE:
        rows = [
            b"    %b: %b" % (codec.to_json_value(date), fragment.tables[table])
            for date, fragment in fragments.items()
            if table in fragment.tables
        ]
        if rows or table in ("history", "summary", "personality"):
            fields.append(_field(table, _object(rows)))
    provenance = []
    made = [
        b"      %b: %b" % (codec.to_json_value(date), fragment.made)
        for date, fragment in fragments.items()
        if fragment.made is not None
    ]
    if made:
        provenance.append(b'    "personality": {\n' + b",\n".join(made) + b"\n    }")
    for name in ("overall_history", "overall_personality"):
        if name in found:
            fields.append(_field(name, codec.to_json_value(found[name]["content"])))
            provenance.append(
                b'    "%b": %b' % (name.encode(), codec.to_json(found[name]["provenance"]))
            )
    if "reflection" in found:
        provenance.append(b'    "reflection": ' + codec.to_json(found["reflection"]))
    if provenance:
        fields.append(_field("provenance", _object(provenance)))
    if ids := sorted(erased):
        fields.append(_field("erased", codec.to_json_value(ids)))
    return b"{\n" + b",\n".join(fields) + b"\n}"


def _field(name: str, value: bytes) -> bytes:
    return b"  %b: %b" % (codec.to_json_value(name), value)


def _object(rows: Sequence[bytes]) -> bytes:
    return b"{\n" + b",\n".join(rows) + b"\n  }" if rows else b"{}"


def export_memory(memory: PersonMemory, companion: str) -> dict[str, Any]:
    """A memory as the object of ``memory.json``, as an export has it."""
    profile = memory.profile

    def encoded(parts: Iterable[tuple[str, str, Any]]) -> list[Document]:
        return [(name, kind, encode_record(record, profile)) for name, kind, record in parts]

    fragments = {date: Fragment.of(encoded(parts_of(day))) for date, day in memory.days.items()}
    rest = encoded(parts_without_date(memory))
    return codec.from_json(encode_mirror(fragments, rest, memory.erased, companion))


def write_mirror(path: Path, data: bytes, cipher: Cipher | None, *, is_durable: bool) -> None:
    """Put ``memory.json`` in place in one step; with ``is_durable`` it is on the disk on return."""
    data = seal.wrap(seal.seal_json(data), cipher)
    if is_durable:
        atomic.write_whole(path, data)
        return
    fresh = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.new")
    atomic.make_private(fresh)
    fresh.write_bytes(data)
    fresh.replace(path)


@dataclass(frozen=True, slots=True)
class Mirror:
    """What a ``memory.json`` holds.

    Attributes:
        file: the memory in it; its sequence is that of the last change it holds.
        epoch: within which that counts; empty in an export.
        is_sealed: False where somebody else wrote it: it is what they wrote.
    """

    file: MemoryFile
    epoch: str
    is_sealed: bool

    def documents(self) -> dict[str, list[Document]]:
        """The documents it holds, by date, and as ``""`` those of none."""
        memory = self.file.memory
        profile = memory.profile
        parts = {NO_DATE: parts_without_date(memory)}
        parts |= {date: parts_of(day) for date, day in memory.days.items()}
        return {
            date: [(name, kind, encode_record(record, profile)) for name, kind, record in found]
            for date, found in parts.items()
        }


def read_mirror(path: Path, cipher: Cipher | None) -> Mirror:
    """Read a ``memory.json``.

    Raises:
        FileNotFoundError: there is none.
        Unreadable: it is not what was written.
        StoreError: a newer version of the program wrote it.
    """
    data = seal.unwrap(path.read_bytes(), cipher)
    form = codec.from_json(data)
    is_sealed = seal.verify_json(data, form)
    epoch = form.get("epoch", "")
    if not isinstance(epoch, str):
        raise Unreadable("epoch: a text was expected")
    return Mirror(parse_memory(form), epoch, is_sealed)


class MirrorFragments:
    """What ``memory.json`` has of each date, as far as it is known here."""

    def __init__(self, epoch: str) -> None:
        self.epoch = epoch
        self._sequence = -1
        self._days: dict[str, Fragment] = {}
        self._rest: list[Document] = []
        self._erased: frozenset[str] = frozenset()
        self._companion = ""

    @classmethod
    def of(cls, path: Path, cipher: Cipher | None, epoch: str) -> MirrorFragments:
        """What the file has, where it is of this epoch; else nothing."""
        known = cls(epoch)
        with suppress(OSError, Unreadable):
            found = read_fragments(seal.unwrap(path.read_bytes(), cipher))
            if found is not None and found[0] == epoch:
                known._sequence, known._days = found[1:]
        return known

    def update(self, rows: ScopeRows, state: State) -> None:
        """Read what changed since the last time."""
        self._companion = rows.scope.companion
        changed = rows.days(self._sequence)
        if self._sequence < 0:
            found = rows.documents_between(NO_DATE, "9999-99-99")
        else:
            found = {date: rows.documents(date) for date in changed}
        if NO_DATE in found or not self._rest:
            self._rest = found.pop(NO_DATE, []) or rows.documents(NO_DATE)
            self._erased = rows.erased()
        is_sorted = all(date in self._days for date in found)
        self._days.update({date: Fragment.of(documents) for date, documents in found.items()})
        if not is_sorted:
            self._days = dict(sorted(self._days.items()))
        self._sequence = state.sequence

    def encode(self, state: State) -> bytes:
        """The object of ``memory.json``."""
        return encode_mirror(
            self._days,
            self._rest,
            self._erased,
            self._companion,
            sequence=state.sequence,
            epoch=state.epoch,
        )
