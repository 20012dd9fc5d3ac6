"""The memory of each row of an index, read when it is first asked for.

An index of ten years is opened to find some of its rows. Were all of their memories decoded for
that, opening it would cost as much as reading ten years.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from siliconfriend.memory.records import Memory

Find = Callable[[str], Memory | None]
"""Gives the memory with an id."""


class MemoriesOfRows(Sequence[Memory]):
    """The memories of some rows, each looked up where somebody asks for it.

    Of hundreds of candidates few are read; of the others not even the place in memory is touched.
    """

    def __init__(self, memories: RowMemories, rows: Sequence[int]) -> None:
        self._memories, self._rows = memories, rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, at: int) -> Memory: ...
    @overload
    def __getitem__(self, at: slice) -> MemoriesOfRows: ...
    def __getitem__(self, at: int | slice) -> Memory | MemoriesOfRows:
        if isinstance(at, slice):
            return MemoriesOfRows(self._memories, self._rows[at])
        return self._memories[self._rows[at]]

    def __iter__(self) -> Iterator[Memory]:
        return map(self._memories.__getitem__, self._rows)


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

    def of(self, rows: Sequence[int]) -> MemoriesOfRows:
        """The memories of these rows, in their order."""
        return MemoriesOfRows(self, rows)

    def append(self, memory: Memory) -> None:
        """Add the next row."""
        self.ids.append(memory.id)
        self._held.append(memory)

    def subset(self, rows: Sequence[int]) -> RowMemories:
        """The memories of these rows alone, renumbered in the order given."""
        fresh = RowMemories([self.ids[row] for row in rows], self._find)
        fresh._held = [self._held[row] for row in rows]
        return fresh
