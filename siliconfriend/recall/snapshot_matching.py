"""Make a snapshot of an index, and find which of its rows still stand for a memory later.

Those do that have its words on its day; any other row would find words that nobody said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from siliconfriend.memory.knowledge import Event
from siliconfriend.memory.records import Day, Memory, PersonMemory
from siliconfriend.recall.documents import documents_of
from siliconfriend.recall.index_snapshot import IndexSnapshot
from siliconfriend.recall.memory_table import STAYING, MemoryTable
from siliconfriend.recall.spoken_times import spoken_key
from siliconfriend.recall.time_table import TimeTable
from siliconfriend.recall.vector_index import VectorIndex
from siliconfriend.recall.word_index import WordIndex


@dataclass(frozen=True, slots=True)
class SnapshotMatch:
    """What of a snapshot can be taken.

    Attributes:
        rows: numbers of the rows that still stand for a memory, ascending.
        memories: the memory of each of these rows.
        days: the days of which every document has such a row, and no row is left over.
        ids: the documents of each of these days.
    """

    rows: NDArray[np.int64]
    memories: list[Memory]
    days: Mapping[str, Day]
    ids: Mapping[str, list[str]]


def make_snapshot(
    rows: MemoryTable, times: TimeTable, words: WordIndex, vectors: VectorIndex | None
) -> IndexSnapshot:
    """Make a snapshot of the rows of an index."""
    return IndexSnapshot(
        ids=[memory.id for memory in rows.memories],
        digests=rows.digests,
        keys=times.keys,
        columns={name: rows[name] for name in STAYING},
        spans=times.spans,
        postings=words.postings(),
        lengths=words.lengths,
        compounds=words.all_compounds,
        vectors=None if vectors is None else vectors.all_vectors(),
    )


def match_snapshot(snapshot: IndexSnapshot, memory: PersonMemory) -> SnapshotMatch:
    """Compare each row with what is remembered now, by the hash of its words."""
    row_of = {identifier: row for row, identifier in enumerate(snapshot.ids)}
    zone = memory.profile.zone
    found: dict[int, Memory] = {}
    days: dict[str, Day] = {}
    ids: dict[str, list[str]] = {}
    for day in memory.days.values():
        documents = documents_of(day)
        rows = [row_of.get(document.id) for document in documents]
        is_same = [
            row is not None
            and snapshot.digests[row] == document.digest
            and _speaks_of_same(document.memory, document.digest, snapshot.keys[row], zone)
            for document, row in zip(documents, rows, strict=True)
        ]
        if all(is_same):
            days[day.date] = day
            ids[day.date] = [document.id for document in documents]
            found |= {
                row: it.memory for row, it in zip(rows, documents, strict=True) if row is not None
            }
    kept = np.array(sorted(found), dtype=np.int64)
    return SnapshotMatch(kept, [found[row] for row in kept.tolist()], days, ids)


def columns_of(snapshot: IndexSnapshot, rows: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    """The columns of these rows alone, renumbered."""
    number = np.full(len(snapshot.ids) + 1, -1, dtype=np.int32)  # the last: nobody stays nobody
    number[rows] = np.arange(len(rows))
    columns = {name: column[rows] for name, column in snapshot.columns.items()}
    return columns | {name: number[columns[name]] for name in ("previous", "following")}


def _speaks_of_same(memory: Memory, digest: str, key: str, zone: ZoneInfo) -> bool:
    """True if a row's days are those of a memory with its words, whose id tells its day."""
    return not isinstance(memory, Event) or spoken_key(memory, digest, zone) == key
