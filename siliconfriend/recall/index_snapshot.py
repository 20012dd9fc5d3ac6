"""A snapshot of an index's rows as bytes, which its cache keeps so that opening reads no day."""

from __future__ import annotations

import hashlib
import io
import tokenize
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siliconfriend.recall.memory_table import Find, MemoryTable
from siliconfriend.recall.times import TimeTable
from siliconfriend.recall.word_index import Postings, WordIndex

_DAMAGED = (
    *(OSError, EOFError, ValueError, KeyError, TypeError, SyntaxError, MemoryError),
    *(RuntimeError, zipfile.BadZipFile, zlib.error, tokenize.TokenError),
)
"""Errors of reading damaged arrays."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An index of n rows, all of them alive, without its vectors.

    Attributes:
        rows, times, words: its tables.
        versions: number of the last change of each day that the rows are of, by ISO date; 0 where
            it was not stored.
        epoch: within which these numbers count.
        zone: the person's time zone.
    """

    rows: MemoryTable
    times: TimeTable
    words: WordIndex
    versions: Mapping[str, int]
    epoch: str
    zone: str


def pack(snapshot: Snapshot) -> bytes:
    """Write a snapshot as a file of NumPy arrays."""
    postings, data = snapshot.words.postings(), io.BytesIO()
    arrays: dict[str, NDArray[Any]] = {
        **{f"column {name}": column for name, column in snapshot.rows.columns().items()},
        "ids": _bytes(snapshot.rows.ids),
        "digests": _bytes(snapshot.rows.digests),
        "dates": _bytes([*snapshot.versions]),
        "versions": np.array([*snapshot.versions.values()], dtype=np.int64),
        "made": _bytes([snapshot.epoch, snapshot.zone]),
        "spans": snapshot.times.spans,
        "tokens": _bytes(postings.tokens),
        "ends": postings.ends,
        "rows": postings.rows,
        "counts": postings.counts,
        "lengths": postings.lengths,
    }
    np.savez(data, allow_pickle=False, **arrays)
    return data.getvalue()


def unpack(data: bytes, find: Find) -> Snapshot | None:
    """Read a snapshot; None where it is damaged.

    Args:
        data: as :func:`pack` wrote it.
        find: gives the memories of its rows.
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as packed:
            held = {name: packed[name] for name in packed.files}
        columns = {
            name.removeprefix("column "): column
            for name, column in held.items()
            if name.startswith("column ")
        }
        ids, (epoch, zone) = _texts(held["ids"]), _texts(held["made"])
        postings = Postings(
            _texts(held["tokens"]), *(held[it] for it in ("ends", "rows", "counts", "lengths"))
        )
        return Snapshot(
            MemoryTable(ids, _texts(held["digests"]), columns, find),
            TimeTable(len(ids), held["spans"]),
            WordIndex(postings),
            dict(zip(_texts(held["dates"]), held["versions"].tolist(), strict=True)),
            epoch,
            zone,
        )
    except _DAMAGED:
        return None


def _bytes(texts: Sequence[str]) -> NDArray[np.uint8]:
    """Texts without line feeds in one array."""
    return np.frombuffer("\n".join(texts).encode("utf-8", "surrogatepass"), dtype=np.uint8)


def _texts(held: NDArray[np.uint8]) -> list[str]:
    joined = held.tobytes().decode("utf-8", "surrogatepass")
    return joined.split("\n") if joined else []


@cache
def row_rules() -> str:
    """Return a short mark of the rules by which a day gives rows: the code and texts they are made by."""
    root = Path(__file__).parents[1]
    files = (
        it
        for folder in ("recall", "language", "memory", "forgetting", "texts")
        for it in sorted((root / folder).rglob("*"))
        if it.suffix in (".py", ".toml")
    )
    return hashlib.sha256(b"".join(it.read_bytes() for it in files)).hexdigest()[:16]
