"""Columns of an index that ranking reads, as arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siliconfriend.forgetting.trace import KINDS, Trace
from siliconfriend.language.characters import is_chinese
from siliconfriend.memory.records import Memory, Turn, kind_of
from siliconfriend.recall.documents import asking_sentences

Find = Callable[[str], Memory | None]
"""Gives the memory with an id."""


class RowMemories:
    """Memories by row number (0, 1, …).

    Args:
        ids: of the rows it begins with.
        find: gives their memories, in which these ids are.

    Attributes:
        ids: of each row.
    """

    def __init__(self, ids: Sequence[str] = (), find: Find = lambda _id: None) -> None:
        self.ids = [*ids]
        self._held: list[Memory | None] = [None] * len(self.ids)
        self._find = find

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, row: int) -> Memory:
        memory = self._held[row]
        if memory is None:
            memory = self._find(self.ids[row])
            assert memory is not None, "a row of an index stands for a memory"
            self._held[row] = memory
        return memory

    def __setitem__(self, row: int, memory: Memory) -> None:
        self._held[row] = memory

    def __iter__(self) -> Iterator[Memory]:
        return map(self.__getitem__, range(len(self)))

    def append(self, memory: Memory) -> None:
        """Add the next row."""
        self.ids.append(memory.id)
        self._held.append(memory)

    def subset(self, rows: Sequence[int]) -> RowMemories:
        """Return the memories of these rows alone, renumbered in the order given."""
        fresh = RowMemories([self.ids[row] for row in rows], self._find)
        fresh._held = [self._held[row] for row in rows]
        return fresh


_TYPES: Mapping[str, Any] = {
    "alive": np.bool_,
    "is_told": np.bool_,
    "archived": np.bool_,
    "is_chinese": np.bool_,
    "asks": np.bool_,
    "kind": np.int8,
    "day": np.int32,
    "event_day": np.int32,
    "previous": np.int32,
    "following": np.int32,
    "said": np.float64,
    "last_used": np.float64,
    "expires": np.float64,
    "importance": np.float64,
}

KEPT = tuple(name for name in _TYPES if name not in ("alive", "is_told"))
"""The columns that a snapshot of the rows keeps: all of them live."""

_TURN = KINDS.index("turn")


class MemoryTable:
    """Memories by row number (0, 1, …), with what is known of them in columns.

    Columns, each of the length of the rows: ``alive`` (the row stands for its memory), ``is_told``
    (it is alive and a turn), ``archived``, ``is_chinese`` (its words are), ``asks`` (the person
    asks something in it), ``kind`` (place in ``KINDS``), ``day``
    (proleptic ordinal), ``event_day`` (of an event that was on another day than it was told, else
    0), ``previous`` and ``following`` (rows of the turns said just before
    and after it, -1 for none), ``said``, ``last_used`` and ``expires`` (seconds
    since 1970, infinite for never), ``importance`` (0 where nobody judged it).
    """

    def __init__(self) -> None:
        self.memories = RowMemories()
        self.digests: list[str] = []
        self._columns = {name: np.zeros(64, dtype=kind) for name, kind in _TYPES.items()}

    @classmethod
    def of(
        cls,
        ids: Sequence[str],
        find: Find,
        digests: Sequence[str],
        columns: Mapping[str, NDArray[Any]],
    ) -> MemoryTable:
        """Build a table of memories that ``find`` gives, with the columns of :data:`KEPT`."""
        table = cls()
        if not len(ids):
            return table
        table.memories, table.digests = RowMemories(ids, find), [*digests]
        table._columns = {name: columns[name].astype(_TYPES[name]) for name in KEPT}
        table._columns["alive"] = np.ones(len(ids), dtype=np.bool_)
        table._columns["is_told"] = table._columns["kind"] == _TURN
        return table

    def __len__(self) -> int:
        return len(self.memories)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A column; a view that is good until rows are added."""
        column: NDArray[Any] = self._columns[name][: len(self)]
        return column

    def append(self, memory: Memory, text: str, digest: str, event_day: int) -> int:
        """Add the next row; its number."""
        row = len(self)
        if row == len(self._columns["alive"]):
            for name, column in self._columns.items():
                self._columns[name] = np.concatenate([column, np.zeros_like(column)])
        self.memories.append(memory)
        self.digests.append(digest)
        self["alive"][row] = True
        self["is_chinese"][row] = is_chinese(text)
        self["asks"][row] = bool(asking_sentences(memory, text))
        self["kind"][row] = KINDS.index(kind_of(memory))
        self["is_told"][row] = self["kind"][row] == _TURN
        self["day"][row] = date.fromisoformat(memory.date).toordinal()
        self["event_day"][row] = event_day
        self["previous"][row] = self["following"][row] = -1
        self.update(row, memory)
        return row

    def update(self, row: int, memory: Memory) -> None:
        """Replace the memory of a row by its newer state, with the same words."""
        trace = memory.trace
        self.memories[row] = memory
        self["archived"][row] = trace.archived is not None
        self["said"][row] = trace.created.timestamp()
        self["last_used"][row] = trace.last_recall.timestamp()
        self["expires"][row] = _expiry(trace)
        self["importance"][row] = trace.importance or 0.0

    def drop(self, row: int) -> None:
        """Let a row stand for nothing any more."""
        self["alive"][row] = self["is_told"][row] = False

    def link(self, rows: Sequence[int]) -> None:
        """Link the turns among the rows of one day to those said just before and after them."""
        places = {
            memory.position: row for row in rows if isinstance(memory := self.memories[row], Turn)
        }
        for position, row in places.items():
            self["previous"][row] = places.get(position - 1, -1)
            self["following"][row] = places.get(position + 1, -1)

    def subset(self, kept: NDArray[np.int64]) -> MemoryTable:
        """Build a table of these rows alone, renumbered in the order given."""
        fresh = MemoryTable()
        fresh.memories = self.memories.subset(kept.tolist())
        fresh.digests = [self.digests[row] for row in kept]
        fresh._columns = {name: self[name][kept] for name in self._columns}
        number = np.full(len(self) + 1, -1, dtype=np.int32)  # the last place: nobody stays nobody
        number[kept] = np.arange(len(kept))
        for name in ("previous", "following"):
            fresh._columns[name] = number[fresh._columns[name]]
        if not len(kept):
            fresh._columns = MemoryTable()._columns
        return fresh


def _expiry(trace: Trace) -> float:
    return math.inf if trace.expires is None else trace.expires.timestamp()
