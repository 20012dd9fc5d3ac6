"""Make a snapshot of an index, and find which of its rows still stand for a memory later.

Those do that have its words on its day; any other row would find words that nobody said. Years
in which nothing changed are known by a mark of what is written of each day and are not read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from importlib import resources
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from siliconfriend import texts
from siliconfriend.forgetting import trace
from siliconfriend.language import sentences
from siliconfriend.memory import knowledge, records
from siliconfriend.memory.knowledge import Event
from siliconfriend.memory.lazy_days import LazyDays
from siliconfriend.memory.memory_writing import day_mark
from siliconfriend.memory.records import Day, Memory, PersonMemory, Profile
from siliconfriend.memory.source_rules import rules_of
from siliconfriend.recall import documents, memory_table
from siliconfriend.recall.documents import Document, documents_of
from siliconfriend.recall.index_snapshot import IndexSnapshot
from siliconfriend.recall.memory_table import KEPT, MemoryTable
from siliconfriend.recall.spoken_times import spoken_key
from siliconfriend.recall.time_table import TimeTable
from siliconfriend.recall.vector_search import VectorSearch
from siliconfriend.recall.word_index import WordIndex


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
    vectors: VectorSearch | None,
    days: Mapping[str, Day],
    profile: Profile,
) -> IndexSnapshot:
    """Make a snapshot of the rows of an index, which are of these days."""
    held = LazyDays.of(days).held
    return IndexSnapshot(
        ids=rows.memories.ids,
        digests=rows.digests,
        keys=times.keys,
        columns={name: rows[name] for name in KEPT},
        dates=list(held),
        marks=[day_mark(day, profile) for day in held.values()],
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
    marks = dict(zip(snapshot.dates, snapshot.marks, strict=True))
    is_same_zone = snapshot.zone == profile.timezone
    same = {
        it: day
        for it, day in held.items()
        if is_same_zone and it in marks and day_mark(day, profile) == marks[it]
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
