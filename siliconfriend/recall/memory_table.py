"""The table of an index: memories by row, with the columns that ranking reads."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siliconfriend.forgetting.trace import KINDS
from siliconfriend.memory.records import Memory, Turn, kind_of
from siliconfriend.recall.analysis import Analysis
from siliconfriend.recall.documents import Document

COLUMNS: Mapping[str, Any] = {
    "alive": np.bool_,  # the row is valid
    "is_turn": np.bool_,  # the row is valid and a turn
    "archived": np.bool_,
    "is_chinese": np.bool_,
    "asks": np.float32,  # how far a turn only asks, 0 to 1
    "kind": np.int8,  # place in KINDS
    "day": np.int32,  # proleptic ordinal
    "event_day": np.int32,  # of an event that was on another day than it was told, else 0
    "previous": np.int32,  # row of the turn said just before it, -1 for none
    "following": np.int32,
    "created": np.float64,  # seconds since 1970
    "expires": np.float64,  # infinite if there is none
    "rarity": np.float64,  # of its own words, among so many rows
    "rarity_rows": np.int32,
}

_TURN = KINDS.index("turn")


class MemoryTable:
    """Memories by row number (0, 1, …), with :data:`COLUMNS`, arrays as long as there are rows.

    Attributes:
        ids, digests: of the memory and of the text of each row.
    """

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.digests: list[str] = []
        self._memories: list[Memory] = []
        self._own_words: list[bytes] = []
        self._columns = {name: np.zeros(0, dtype=kind) for name, kind in COLUMNS.items()}

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a column as a view that is valid until rows are added."""
        column: NDArray[Any] = self._columns[name][: len(self)]
        return column

    def memory(self, row: int) -> Memory:
        """Return the memory of a row."""
        return self._memories[row]

    def memories(self, rows: NDArray[np.int64]) -> list[Memory]:
        """Return the memories of some rows."""
        return [self._memories[row] for row in rows.tolist()]

    def own_words(self, row: int) -> list[str]:
        """Return the tokens of the person's own words in a row, each once."""
        return self._own_words[row].decode().split()

    def append(self, document: Document, analysis: Analysis) -> int:
        """Append a row and return its number."""
        memory, row = document.memory, len(self)
        if row == len(self._columns["alive"]):
            for name, column in self._columns.items():
                self._columns[name] = np.resize(column, 2 * row + 64)
        self.ids.append(memory.id)
        self.digests.append(document.digest)
        self._memories.append(memory)
        self._own_words.append(analysis.own)
        columns, kind = self._columns, KINDS.index(kind_of(memory))
        columns["alive"][row] = True
        columns["is_chinese"][row] = analysis.is_chinese
        columns["asks"][row] = analysis.asks
        columns["kind"][row] = kind
        columns["is_turn"][row] = kind == _TURN
        columns["day"][row] = date.fromisoformat(memory.date).toordinal()
        columns["event_day"][row] = analysis.event_day
        columns["previous"][row] = columns["following"][row] = -1
        columns["rarity_rows"][row] = 0
        self.update(row, memory)
        return row

    def update(self, row: int, memory: Memory) -> None:
        """Replace the memory of a row by its newer state, with the same words."""
        trace, columns = memory.trace, self._columns
        self._memories[row] = memory
        columns["archived"][row] = trace.archived is not None
        columns["created"][row] = trace.created.timestamp()
        columns["expires"][row] = math.inf if trace.expires is None else trace.expires.timestamp()

    def drop(self, row: int) -> None:
        """Invalidate a row."""
        self["alive"][row] = self["is_turn"][row] = False

    def link(self, rows: Sequence[int]) -> None:
        """Link the turns among the rows of one day to those said just before and after them."""
        places = {
            memory.position: row for row in rows if isinstance(memory := self.memory(row), Turn)
        }
        for position, row in places.items():
            self["previous"][row] = places.get(position - 1, -1)
            self["following"][row] = places.get(position + 1, -1)

    def subset(self, chosen: NDArray[np.int64]) -> MemoryTable:
        """Build a table of these rows alone, renumbered in the order given."""
        columns = {name: self[name][chosen] for name in COLUMNS}
        number = np.full(len(self) + 1, -1, dtype=np.int32)  # the last entry maps -1 to -1
        number[chosen] = np.arange(len(chosen))
        for name in ("previous", "following"):
            columns[name] = number[columns[name]]
        fresh = MemoryTable()
        fresh._columns = columns
        fresh.ids, fresh.digests = ([of[row] for row in chosen] for of in (self.ids, self.digests))
        fresh._memories = [self._memories[row] for row in chosen]
        fresh._own_words = [self._own_words[row] for row in chosen]
        return fresh
