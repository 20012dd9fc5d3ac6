"""A snapshot of an index: all rows as arrays, and which of them still stand for a memory."""

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
from datetime import date
from importlib import resources
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from siliconfriend import texts
from siliconfriend.forgetting import trace
from siliconfriend.language import sentences
from siliconfriend.memory import knowledge, records
from siliconfriend.memory.atomic import make_private
from siliconfriend.memory.days import LazyDays, day_versions, days_epoch
from siliconfriend.memory.encryption import KEYRING
from siliconfriend.memory.knowledge import Event
from siliconfriend.memory.records import Day, Memory, PersonMemory, Profile
from siliconfriend.memory.source_rules import rules_of
from siliconfriend.recall import documents, memory_table
from siliconfriend.recall.documents import Document, documents_of
from siliconfriend.recall.memory_table import KEPT, MemoryTable
from siliconfriend.recall.times import TimeTable, spoken_key
from siliconfriend.recall.vector_index import VectorIndex
from siliconfriend.recall.word_index import Postings, WordIndex

SNAPSHOT_FILE = "index.rows.npz"
FORMAT = "2"

_DAMAGED = (
    *(OSError, EOFError, ValueError, KeyError, TypeError, SyntaxError, MemoryError),
    *(RuntimeError, zipfile.BadZipFile, zlib.error, tokenize.TokenError),
)
"""What reading a file raises of which any byte may be another one."""


@dataclass(frozen=True, slots=True)
class IndexSnapshot:
    """An index of n rows.

    Attributes:
        ids, digests, keys: of each row its memory, its text and its days, as the index knows them.
        columns: what is known of each row, by name; shape (n,).
        dates, marks: the days that the rows are of, and of each what stood in it.
        zone: the person's time zone.
        spans: of each of m spans of days its row, first and last day; shape (3, m).
        postings: the rows of each token.
        lengths: how many tokens each row has.
        compounds: the tokens that hold a part, by the part.
        vectors: shape (n, dimension); None for words alone.
    """

    ids: Sequence[str]
    digests: Sequence[str]
    keys: Sequence[str]
    columns: Mapping[str, NDArray[Any]]
    dates: Sequence[str]
    marks: Sequence[str]
    zone: str
    spans: NDArray[np.int64]
    postings: Postings
    lengths: NDArray[np.uint32]
    compounds: Mapping[str, Sequence[str]]
    vectors: NDArray[np.float32] | None


def snapshot_stamp(stamps: Mapping[str, str]) -> str:
    """One text of the stamps by which rows were made, and of this form."""
    return "\n".join([FORMAT, *(f"{name} {it}" for name, it in sorted(stamps.items()))])


def dump_snapshot(snapshot: IndexSnapshot, stamp: str) -> bytes:
    """A snapshot as bytes, with its stamp in it."""
    plain = io.BytesIO()
    arrays = _arrays(snapshot) | {"stamp": _bytes(stamp.split("\n"))}
    np.savez(plain, allow_pickle=False, **arrays)
    return plain.getvalue()


def load_snapshot(data: bytes, stamp: str) -> IndexSnapshot | None:
    """The snapshot in some bytes; None where its stamp is another one, or a byte has changed."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as packed:
            held = {name: packed[name] for name in packed.files}
        return _snapshot(held) if _texts(held["stamp"]) == stamp.split("\n") else None
    except _DAMAGED:
        return None


class SnapshotFile:
    """The snapshot of one scope in a file, ``index.rows.npz``; without a folder nothing is kept.

    Args:
        folder: of the scope's caches, or None.
        stamps: by what rules and with which embedder the rows were made.
    """

    def __init__(self, folder: Path | None, stamps: Mapping[str, str]) -> None:
        self._path = None if folder is None else folder / SNAPSHOT_FILE
        self._stamp = snapshot_stamp(stamps)

    def load(self) -> IndexSnapshot | None:
        """The snapshot; None where there is none, or it was made otherwise, or is damaged."""
        if self._path is None or not self._path.exists():
            return None
        try:
            cipher, data = KEYRING.cipher(self._path.parent), self._path.read_bytes()
            return load_snapshot(data if cipher is None else cipher.decrypt(data), self._stamp)
        except (OSError, ValueError):
            return None

    def save(self, snapshot: IndexSnapshot) -> None:
        """Write a snapshot in place of the one before; where that fails there is none."""
        if self._path is None or not self._path.parent.is_dir():
            return
        unfinished = self._path.with_name(f"index.{os.getpid()}.new")
        try:
            make_private(unfinished)
            cipher, data = KEYRING.cipher(self._path.parent), dump_snapshot(snapshot, self._stamp)
            unfinished.write_bytes(data if cipher is None else cipher.encrypt(data))
            unfinished.replace(self._path)
        except OSError:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
                unfinished.unlink(missing_ok=True)

    def remove(self) -> None:
        """Remove the snapshot; the next recall makes its rows again from the cache.

        Raises:
            OSError: it cannot be removed.
        """
        if self._path is not None:
            self._path.unlink(missing_ok=True)


def _arrays(snapshot: IndexSnapshot) -> dict[str, NDArray[Any]]:
    number = {token: at for at, token in enumerate(snapshot.postings.tokens)}
    pairs = [
        (part, number[token])
        for part, tokens in snapshot.compounds.items()
        for token in tokens
        if token in number
    ]
    arrays = {f"column {name}": column for name, column in snapshot.columns.items()} | {
        "ids": _bytes(snapshot.ids),
        "digests": _bytes(snapshot.digests),
        "keys": _bytes(snapshot.keys),
        "dates": _bytes(snapshot.dates),
        "marks": _bytes(snapshot.marks),
        "zone": _bytes([snapshot.zone]),
        "spans": snapshot.spans,
        "tokens": _bytes(snapshot.postings.tokens),
        "starts": snapshot.postings.starts,
        "rows": snapshot.postings.rows,
        "counts": snapshot.postings.counts,
        "lengths": snapshot.lengths,
        "parts": _bytes([part for part, _ in pairs]),
        "wholes": np.array([whole for _, whole in pairs], dtype=np.uint32),
    }
    return arrays if snapshot.vectors is None else arrays | {"vectors": snapshot.vectors}


def _snapshot(held: Mapping[str, NDArray[Any]]) -> IndexSnapshot:
    tokens = _texts(held["tokens"])
    compounds: dict[str, list[str]] = {}
    for part, whole in zip(_texts(held["parts"]), held["wholes"].tolist(), strict=True):
        compounds.setdefault(part, []).append(tokens[whole])
    return IndexSnapshot(
        ids=_texts(held["ids"]),
        digests=_texts(held["digests"]),
        keys=_texts(held["keys"]),
        columns={
            name.removeprefix("column "): held[name] for name in held if name.startswith("column ")
        },
        dates=_texts(held["dates"]),
        marks=_texts(held["marks"]),
        zone="".join(_texts(held["zone"])),
        spans=held["spans"],
        postings=Postings(tokens, *(held[name] for name in ("starts", "rows", "counts"))),
        lengths=held["lengths"],
        compounds=compounds,
        vectors=held.get("vectors"),
    )


def _bytes(texts: Sequence[str]) -> NDArray[np.uint8]:
    """Texts without line feeds in one array."""
    return np.frombuffer("\n".join(texts).encode("utf-8", "surrogatepass"), dtype=np.uint8)


def _texts(held: NDArray[np.uint8]) -> list[str]:
    joined = held.tobytes().decode("utf-8", "surrogatepass")
    return joined.split("\n") if joined else []


@dataclass(frozen=True, slots=True)
class SnapshotMatch:
    """What of a snapshot can be taken.

    Attributes:
        rows: numbers of the rows that still stand for a memory, ascending.
        read: the memories of those among them whose day was read to tell, by number.
        days: the days of which every document has such a row, and no row is left over.
        ids: the documents of each of these days.
    """

    rows: NDArray[np.int64]
    read: Mapping[int, Memory]
    days: LazyDays
    ids: Mapping[str, list[str]]


def make_snapshot(
    rows: MemoryTable,
    times: TimeTable,
    words: WordIndex,
    vectors: VectorIndex | None,
    days: Mapping[str, Day],
    profile: Profile,
) -> IndexSnapshot:
    """Make a snapshot of the rows of an index, which are of these days."""
    marks = _marks(days)
    return IndexSnapshot(
        ids=rows.memories.ids,
        digests=rows.digests,
        keys=times.keys,
        columns={name: rows[name] for name in KEPT},
        dates=list(days),
        marks=[marks.get(date, _NO_MARK) for date in days],
        zone=profile.timezone,
        spans=times.spans,
        postings=words.postings(),
        lengths=words.lengths,
        compounds=words.all_compounds,
        vectors=None if vectors is None else vectors.all_vectors(),
    )


def row_rules() -> str:
    """A short mark of the rules by which a day gives rows."""
    modules = (documents, memory_table, records, knowledge, trace, sentences)
    lists = resources.files(texts)
    asking = [str(lists / language / "words.toml") for language in texts.LANGUAGES]
    return rules_of(__file__, *(module.__file__ or "" for module in modules), *asking)


def match_snapshot(snapshot: IndexSnapshot, memory: PersonMemory) -> SnapshotMatch:
    """Find the rows that stand for what is remembered now.

    Those of a day that is written as it was then do, and nothing of it is read. The others are
    compared by the hash of their words.
    """
    held, profile = LazyDays.of(memory.days).held, memory.profile
    current = _marks(memory.days)
    marks = dict(zip(snapshot.dates, snapshot.marks, strict=True))
    is_same_zone = snapshot.zone == profile.timezone
    same = {
        it: day
        for it, day in held.items()
        if is_same_zone and it in marks and current.get(it) == marks[it]
    }
    ids: dict[str, list[str]] = {it: [] for it in same}
    kept: list[int] = []
    row_of: dict[str, int] = {}
    dates = _dates_of_rows(snapshot)
    for row, (its_date, identifier) in enumerate(zip(dates, snapshot.ids, strict=True)):
        if its_date in ids:
            ids[its_date].append(identifier)
            kept.append(row)
        else:
            row_of[identifier] = row
    read: dict[int, Memory] = {}
    for other in held.keys() - same.keys():
        found = _compare(snapshot, held[other].get(), row_of, profile.zone)
        read |= {row: it.memory for it, row in found if row is not None}
        if all(row is not None for _, row in found):
            same[other] = held[other]
            ids[other] = [it.id for it, _ in found]
    rows = np.array(sorted((*kept, *read)), dtype=np.int64)
    return SnapshotMatch(rows, read, LazyDays(dict(sorted(same.items()))), ids)


_NO_MARK = "0" * 32
"""Of a day that is not stored."""


def _marks(days: Mapping[str, Day]) -> dict[str, str]:
    """A mark of each stored day: where it is the same, so is the day."""
    epoch = days_epoch(days)
    return {
        date: hashlib.blake2b(f"{epoch} {number}".encode(), digest_size=16).hexdigest()
        for date, number in day_versions(days).items()
    }


def _dates_of_rows(snapshot: IndexSnapshot) -> list[str]:
    """The ISO date of each row."""
    days = snapshot.columns["day"].tolist()
    names = {day: date.fromordinal(day).isoformat() for day in set(days)}
    return [names[day] for day in days]


def _compare(
    snapshot: IndexSnapshot, day: Day, row_of: Mapping[str, int], zone: ZoneInfo
) -> list[tuple[Document, int | None]]:
    """Each document of a day with the row that has its words and speaks of the same days."""
    found: list[tuple[Document, int | None]] = []
    for document in documents_of(day):
        row = row_of.get(document.id)
        is_same = (
            row is not None
            and snapshot.digests[row] == document.digest
            and _speaks_of_same(document.memory, document.digest, snapshot.keys[row], zone)
        )
        found.append((document, row if is_same else None))
    return found


def columns_of(snapshot: IndexSnapshot, rows: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    """The columns of these rows alone, renumbered."""
    number = np.full(len(snapshot.ids) + 1, -1, dtype=np.int32)  # the last: nobody stays nobody
    number[rows] = np.arange(len(rows))
    columns = {name: column[rows] for name, column in snapshot.columns.items()}
    return columns | {name: number[columns[name]] for name in ("previous", "following")}


def _speaks_of_same(memory: Memory, digest: str, key: str, zone: ZoneInfo) -> bool:
    """True if a row's days are those of a memory with its words, whose id tells its day."""
    return not isinstance(memory, Event) or spoken_key(memory, digest, zone) == key
