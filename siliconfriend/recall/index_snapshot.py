"""Snapshots of an index's rows as bytes, cached so that opening an index reads no day."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec
import numpy as np

from siliconfriend.recall.memory_table import COLUMNS, Find, MemoryTable
from siliconfriend.recall.times import TimeTable
from siliconfriend.recall.word_index import Postings, WordIndex

_CHECKSUM = hashlib.sha256().digest_size


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An index of n rows, all of them alive, without its vectors.

    Attributes:
        rows, times, words: its tables.
        versions: last edit of each day that the rows are of, by ISO date; empty where it was not
            stored.
        zone: the person's time zone.
    """

    rows: MemoryTable
    times: TimeTable
    words: WordIndex
    versions: Mapping[str, str]
    zone: str


class _Packed(msgspec.Struct, array_like=True):
    """The tables, arrays as bytes."""

    ids: list[str]
    digests: list[str]
    columns: dict[str, bytes]
    spans: bytes
    tokens: bytes
    postings: list[bytes]
    versions: dict[str, str]
    zone: str


def pack(snapshot: Snapshot) -> bytes:
    """Write a snapshot as MessagePack, behind its checksum."""
    rows, postings = snapshot.rows, snapshot.words.postings()
    packed = _Packed(
        rows.ids,
        rows.digests,
        {name: rows[name].tobytes() for name in COLUMNS},
        snapshot.times.spans.tobytes(),
        "\n".join(postings.tokens).encode("utf-8", "surrogatepass"),
        [it.tobytes() for it in (postings.ends, postings.rows, postings.counts, postings.lengths)],
        dict(snapshot.versions),
        snapshot.zone,
    )
    data = msgspec.msgpack.encode(packed)
    return hashlib.sha256(data).digest() + data


def unpack(data: bytes, find: Find) -> Snapshot | None:
    """Read a snapshot, whose memories ``find`` gives; None where it is damaged."""
    checksum, data = data[:_CHECKSUM], data[_CHECKSUM:]
    if hashlib.sha256(data).digest() != checksum:
        return None
    packed = msgspec.msgpack.decode(data, type=_Packed)
    types = (np.int64, np.uint32, np.uint16, np.uint32)
    arrays = (np.frombuffer(it, kind) for it, kind in zip(packed.postings, types, strict=True))
    tokens = packed.tokens.decode("utf-8", "surrogatepass")
    columns = {name: np.frombuffer(it, COLUMNS[name]) for name, it in packed.columns.items()}
    return Snapshot(
        MemoryTable(packed.ids, packed.digests, columns, find),
        TimeTable(len(packed.ids), np.frombuffer(packed.spans, np.int64).reshape(3, -1)),
        WordIndex(Postings(tokens.split("\n") if tokens else [], *arrays)),
        packed.versions,
        packed.zone,
    )


@cache
def row_rules() -> str:
    """Return a hash of the code and texts by which a day gives rows."""
    root = Path(__file__).parents[1]
    files = (
        path
        for folder in ("recall", "language", "memory", "forgetting", "texts")
        for path in sorted((root / folder).rglob("*"))
        if path.suffix in (".py", ".toml")
    )
    return hashlib.sha256(b"".join(it.read_bytes() for it in files)).hexdigest()[:16]
