"""A snapshot of an index in a file, ``index.rows.npz``: its rows as arrays, so that opening reads no day."""

from __future__ import annotations

import hashlib
import io
import os
import tokenize
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siliconfriend import texts
from siliconfriend.forgetting import trace
from siliconfriend.language import sentences
from siliconfriend.memory import knowledge, records
from siliconfriend.memory.atomic import make_private
from siliconfriend.memory.days import day_versions, days_epoch
from siliconfriend.memory.encryption import KEYRING
from siliconfriend.memory.records import Day
from siliconfriend.recall import dates, documents, memory_table, times
from siliconfriend.recall.memory_table import KEPT, Find, MemoryTable
from siliconfriend.recall.times import TimeTable
from siliconfriend.recall.vector_index import VectorIndex
from siliconfriend.recall.word_index import Postings, WordIndex

FORMAT = "3"

NOT_STORED = "-"
"""The mark of a day that is not stored."""

_DAMAGED = (
    *(OSError, EOFError, ValueError, KeyError, TypeError, SyntaxError, MemoryError),
    *(RuntimeError, zipfile.BadZipFile, zlib.error, tokenize.TokenError),
)
"""Errors of reading a damaged file."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An index of n rows.

    Attributes:
        rows, times, words: its tables.
        vectors: of the rows; None for words alone.
        marks: by ISO date what stood in each day that the rows are of (:func:`day_marks`).
        zone: the person's time zone.
    """

    rows: MemoryTable
    times: TimeTable
    words: WordIndex
    vectors: VectorIndex | None
    marks: Mapping[str, str]
    zone: str


def day_marks(days: Mapping[str, Day]) -> dict[str, str]:
    """Return a mark of each stored day: where it is the same, so is the day."""
    epoch = days_epoch(days)
    return {
        date: hashlib.blake2b(f"{epoch} {number}".encode(), digest_size=16).hexdigest()
        for date, number in day_versions(days).items()
    }


class SnapshotFile:
    """The snapshot of one scope in a file; without a path nothing is kept.

    Args:
        path: of the file, or None.
        stamps: by what rules and with which embedder the rows were made.
    """

    def __init__(self, path: Path | None, stamps: Mapping[str, str]) -> None:
        self._path = path
        made_by = {**stamps, "rows": _row_rules()}
        self._stamp = [FORMAT, *(f"{name} {it}" for name, it in sorted(made_by.items()))]

    def load(self, find: Find, dimension: int | None) -> Snapshot | None:
        """Return the snapshot; None where there is none, or it was made otherwise, or is damaged.

        Args:
            find: gives the memories of its rows.
            dimension: of its vectors; None for words alone.
        """
        if self._path is None or not self._path.exists():
            return None
        try:
            cipher, data = KEYRING.cipher(self._path.parent), self._path.read_bytes()
            plain = io.BytesIO(data if cipher is None else cipher.decrypt(data))
            with np.load(plain, allow_pickle=False) as packed:
                held = {name: packed[name] for name in packed.files}
            return (
                _restored(held, find, dimension) if _texts(held["stamp"]) == self._stamp else None
            )
        except _DAMAGED:
            return None

    def save(self, snapshot: Snapshot) -> None:
        """Write a snapshot in place of the one before; where that fails there is none."""
        if self._path is None or not self._path.parent.is_dir():
            return
        plain, unfinished = io.BytesIO(), self._path.with_name(f"index.{os.getpid()}.new")
        np.savez(plain, allow_pickle=False, **_arrays(snapshot), stamp=_bytes(self._stamp))
        try:
            make_private(unfinished)
            cipher, data = KEYRING.cipher(self._path.parent), plain.getvalue()
            unfinished.write_bytes(data if cipher is None else cipher.encrypt(data))
            unfinished.replace(self._path)
        except OSError:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
                unfinished.unlink(missing_ok=True)

    def remove(self) -> None:
        """Remove the snapshot; the next recall makes its rows again.

        Raises:
            OSError: it cannot be removed.
        """
        if self._path is not None:
            self._path.unlink(missing_ok=True)


def _arrays(snapshot: Snapshot) -> dict[str, NDArray[Any]]:
    rows, postings = snapshot.rows, snapshot.words.postings()
    arrays = {f"column {name}": rows[name] for name in KEPT} | {
        "ids": _bytes(rows.memories.ids),
        "digests": _bytes(rows.digests),
        "dates": _bytes([*snapshot.marks]),
        "marks": _bytes([*snapshot.marks.values()]),
        "zone": _bytes([snapshot.zone]),
        "spans": snapshot.times.spans,
        "tokens": _bytes(postings.tokens),
        "starts": postings.starts,
        "rows": postings.rows,
        "counts": postings.counts,
        "lengths": snapshot.words.lengths,
    }
    return arrays if snapshot.vectors is None else arrays | {"vectors": snapshot.vectors.matrix()}


def _restored(
    held: Mapping[str, NDArray[Any]], find: Find, dimension: int | None
) -> Snapshot | None:
    ids, vectors = _texts(held["ids"]), None
    if dimension is not None:
        if held["vectors"].shape != (len(ids), dimension):
            return None
        vectors = VectorIndex(dimension)
        vectors.add_at_once(held["vectors"])
    postings = Postings(_texts(held["tokens"]), held["starts"], held["rows"], held["counts"])
    columns = {name: held[f"column {name}"] for name in KEPT}
    return Snapshot(
        MemoryTable.of(ids, find, _texts(held["digests"]), columns),
        TimeTable(len(ids), held["spans"]),
        WordIndex(postings, held["lengths"]),
        vectors,
        dict(zip(_texts(held["dates"]), _texts(held["marks"]), strict=True)),
        "".join(_texts(held["zone"])),
    )


def _bytes(texts: Sequence[str]) -> NDArray[np.uint8]:
    """Texts without line feeds in one array."""
    return np.frombuffer("\n".join(texts).encode("utf-8", "surrogatepass"), dtype=np.uint8)


def _texts(held: NDArray[np.uint8]) -> list[str]:
    joined = held.tobytes().decode("utf-8", "surrogatepass")
    return joined.split("\n") if joined else []


@cache
def _row_rules() -> str:
    """Return a short mark of the rules by which a day gives rows."""
    modules = (documents, memory_table, times, records, knowledge, trace, sentences)
    files = [Path(__file__), *(Path(module.__file__ or "") for module in modules)]
    files += [it for it in sorted(Path(dates.__file__).parent.iterdir()) if it.is_file()]
    lists = Path(texts.__file__).parent
    files += [
        lists / language / f"{name}.toml"
        for language in texts.LANGUAGES
        for name in ("words", "tense")
    ]
    return hashlib.sha256(b"".join(it.read_bytes() for it in files)).hexdigest()[:16]
