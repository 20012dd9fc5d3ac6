"""``memory.json``: a readable copy of a whole memory as one JSON object beside its database.

It has MemoryBank's format with additional fields, one record per line. The sources of plain texts
are in ``provenance``. The file is built from the stored documents, written atomically and ends with
a checksum. Repairs read it, and an import restores an equal memory from it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date as date_type
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import orjson

from siliconfriend.clock import check_day
from siliconfriend.errors import StoreError
from siliconfriend.memory import atomic, codec
from siliconfriend.memory.codec import (
    NO_DATE,
    EncodedRecord,
    Form,
    Unreadable,
    as_object,
    documents_of,
    parse_form,
)
from siliconfriend.memory.encryption import SEAL, Cipher, seal_json, unwrap, verify_json, wrap
from siliconfriend.memory.knowledge import Provenance
from siliconfriend.memory.records import (
    LISTS,
    PARTS,
    PERSONALITY,
    Day,
    Overall,
    PersonMemory,
    Profile,
)
from siliconfriend.memory.rows import MemoryState

FORMAT = "siliconfriend-memory"
VERSION = 2

MAX_EACH_TIME = 250_000
"""Maximum size in bytes of a copy that is written after every edit; nights, imports and erasures
write a larger one."""

HEAD = 400
"""Number of bytes at the start of a copy that contain its state."""

TABLES = {**PARTS, "turn": "history"}
"""The JSON field with the records of each kind by date."""
_ALWAYS = ("history", "summary", "personality")
_OVERALL = ("overall_history", "overall_personality")
_PROFILE = ("name", "language", "timezone", "created")
_KNOWN = (
    *("format", "version", "epoch", "sequence", "last_edit", "companion", SEAL, *TABLES.values()),
    *(*_PROFILE, "meta_information", "extra", "provenance", "erased"),
    *_OVERALL,
)


def encode_memory(
    documents: Mapping[str, Sequence[EncodedRecord]],
    erased: Iterable[str],
    companion: str,
    state: MemoryState | None = None,
) -> bytes:
    """Encode documents by ascending dates as ``memory.json`` without its checksum.

    ``state`` is omitted in exports.
    """
    found = {kind: codec.from_json(data) for _, kind, data in documents[NO_DATE]}
    profile = found["profile"]
    form: Form = {"format": FORMAT, "version": VERSION}
    if state is not None:
        form |= {"epoch": state.epoch, "sequence": state.sequence, "last_edit": state.last_edit}
    form |= {"companion": companion, **{name: profile.pop(name) for name in _PROFILE}}
    form |= _on_a_line({"meta_information": {}, **profile})
    tables: dict[str, Any] = {table: {} for table in TABLES.values()}
    made: Any = {}
    for date in filter(None, documents):
        tables["history"][date] = []
        # The ids of a kind differ by their positions.
        by_length = sorted(documents[date], key=lambda row: (len(row[0]), row[0]))
        for _, kind, data in by_length:
            table = tables[TABLES[kind]]
            if kind in LISTS:
                table.setdefault(date, []).append(orjson.Fragment(data))
            elif kind == PERSONALITY:
                text = codec.from_json(data)
                table[date] = text.pop("content")
                made[date] = orjson.Fragment(codec.to_json(text | text.pop("provenance")))
            else:
                table[date] = orjson.Fragment(data)
    form |= {table: value for table, value in tables.items() if value or table in _ALWAYS}
    texts = {name: found[name] for name in _OVERALL if name in found}
    form |= {name: text.pop("content") for name, text in texts.items()}
    provenance = {name: text | text.pop("provenance") for name, text in texts.items()}
    provenance |= {"reflection": found["reflection"]} if "reflection" in found else {}
    if made or provenance:
        personality = {PERSONALITY: made} if made else {}
        form["provenance"] = personality | _on_a_line(provenance)
    if erased:
        form |= _on_a_line({"erased": sorted(erased)})
    return orjson.dumps(form, option=orjson.OPT_INDENT_2)


def _on_a_line(form: Form) -> Form:
    return {name: orjson.Fragment(codec.to_json(value)) for name, value in form.items()}


def encode_whole(memory: PersonMemory, companion: str) -> bytes:
    """Encode a memory for an export."""
    return encode_memory(documents_of(memory), memory.erased, companion)


def export_memory(memory: PersonMemory, companion: str) -> Form:
    """Return a memory as the object of ``memory.json``, for an export."""
    return codec.from_json(encode_whole(memory, companion))


def write_mirror(path: Path, data: bytes, cipher: Cipher | None, *, is_durable: bool) -> None:
    """Write ``memory.json`` atomically, with ``is_durable`` also durably."""
    atomic.write_whole(path, wrap(seal_json(data), cipher), is_durable=is_durable)


@dataclass(frozen=True, slots=True)
class Mirror:
    """Contents of a ``memory.json``.

    Attributes:
        memory: the memory; its sequence is 0 in an export.
        epoch: epoch of the memory; empty in an export.
        is_sealed: it has a valid checksum. Without one, somebody edited the file.
        cipher: what encrypted the file; None for a plain one.
    """

    memory: PersonMemory
    companion: str
    epoch: str
    is_sealed: bool = False
    cipher: Cipher | None = None


def is_copied(path: Path, state: MemoryState) -> bool:
    """Return True if an unencrypted ``memory.json`` is a copy of this state."""
    with suppress(OSError), path.open("rb") as file:
        return b'"last_edit": "%b"' % state.last_edit.encode() in file.read(HEAD)
    return False


def no_key(_locked: bytes) -> Cipher:
    """Reject an encrypted file (Unreadable)."""
    raise Unreadable("encrypted")


def read_mirror(path: Path, unlock: Callable[[bytes], Cipher] = no_key) -> Mirror:
    """Read a ``memory.json``; FileNotFoundError without one, else as :func:`parse_memory`.

    ``unlock`` returns the cipher of a locked key.
    """
    data, cipher = unwrap(path.read_bytes(), unlock)
    form = codec.from_json(data)
    mirror = parse_memory(form, is_sealed=verify_json(data, form))
    return replace(mirror, cipher=cipher)


def parse_memory(form: Form, *, is_sealed: bool = False) -> Mirror:
    """Parse and validate the object of ``memory.json``, which is consumed.

    Raises:
        Unreadable: the format is invalid.
        StoreError: a newer version of the program wrote it.
    """
    known = {name: form.pop(name) for name in _KNOWN if form.get(name) is not None}
    if known.get("format") != FORMAT:
        raise Unreadable(f"format: {FORMAT} was expected")
    version = codec.validate(int, known.get("version"))
    if version < 1:
        raise Unreadable("version: a number from 1 was expected")
    if version > VERSION:
        raise StoreError("memory_too_new", version=version, known=VERSION)
    provenance = as_object(known.get("provenance", {}))
    # The person wrote a text without provenance into the file.
    by_hand = {"made_by": "person", "made_at": known.get("created")}
    overall = {
        name: codec.parse(
            Overall, _with_provenance(known[name], provenance.get(name, dict(by_hand)))
        )
        for name in _OVERALL
        if name in known
    }
    reflection = provenance.get("reflection")
    memory = PersonMemory(
        profile=_profile(known, form),
        days=_days(known, as_object(provenance.get(PERSONALITY, {})), by_hand),
        **overall,
        last_reflection=None if reflection is None else codec.parse(Provenance, reflection),
        erased=codec.validate(frozenset[str], known.get("erased", [])),
        sequence=codec.validate(int, known.get("sequence", 0)),
    )
    companion = codec.validate(str, known.get("companion"))
    return Mirror(memory, companion, codec.validate(str, known.get("epoch", "")), is_sealed)


def _profile(known: Form, unknown: Form) -> Profile:
    named = {name: known.get(name) for name in _PROFILE}
    named["meta_information"] = known.get("meta_information", {})
    profile = codec.parse(
        Profile, named | {"extra": {**unknown, **as_object(known.get("extra", {}))}}
    )
    try:
        ZoneInfo(profile.timezone)
    except (OSError, KeyError, ValueError) as error:
        raise Unreadable(f"timezone: {profile.timezone} is not known") from error
    return profile


def _days(known: Form, made: Form, by_hand: Form) -> dict[str, Day]:
    days: dict[str, dict[str, Any]] = {}
    for kind, table in TABLES.items():
        for date, value in as_object(known.get(table, {})).items():
            try:
                _check_day(date)
                part = _parsed(kind, date, value, made, by_hand)
                days.setdefault(date, {})[PARTS[kind]] = part
            except Unreadable as error:
                raise Unreadable(f"{table}.{date}: {error}") from error
    return {date: Day(date, **parts) for date, parts in sorted(days.items())}


def _parsed(kind: str, date: str, value: Any, made: Form, by_hand: Form) -> Any:
    if kind in LISTS:
        records = [parse_form(kind, form, date) for form in codec.validate(list[Any], value)]
        return tuple(sorted(records, key=lambda record: record.position))
    if value is not None and kind == PERSONALITY:
        value = _with_provenance(value, made.get(date) or dict(by_hand))
    return None if value is None else parse_form(kind, value, date)


def _with_provenance(content: Any, written: object) -> Form:
    """Return the document of a text from its words and its entry in ``provenance``."""
    rest = as_object(written)
    provenance = {name: rest.pop(name) for name in Provenance.__slots__ if name in rest}
    return {"content": content, "provenance": provenance, **rest}


def _check_day(written: str) -> None:
    with suppress(ValueError):
        if check_day(date_type.fromisoformat(written)).isoformat() == written:
            return
    raise Unreadable("a day like 2023-04-28 was expected")
