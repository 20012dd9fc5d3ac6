"""Which table of associated words counts for a person: the operator's, or their memory's own.

The own one is made at night, with the embedder, and kept in the index's cache, from where
an erasure takes it. Where no night has been yet, one is made in passing from the last few
hundred memories without the embedder, so that nobody waits for vectors.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np

from siliconfriend.errors import ConfigurationError
from siliconfriend.forgetting.trace import KINDS
from siliconfriend.memory.records import Memory, PersonMemory
from siliconfriend.recall.association_table import AssociationTable, Entry, read_table
from siliconfriend.recall.index import ScopeIndex
from siliconfriend.recall.learned_associations import learn_associations
from siliconfriend.recall.query_terms import name_stems

IN_PASSING = 300
"""Memories of a table that is made while somebody waits: some tens of milliseconds, once."""

GROWN = 2
"""A table made in passing is made again once there is this many times as much to make it of."""

_SOURCES = [KINDS.index(kind) for kind in ("turn", "event", "fact")]


class OperatorTable:
    """The file that stands for every person's table, read again when it has changed.

    Args:
        path: the file, which need not be there; None for none.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._read: tuple[tuple[int, int], AssociationTable] | None = None

    def now(self) -> AssociationTable | None:
        """The table, None where there is no file.

        Raises:
            ConfigurationError: it cannot be read.
        """
        if self._path is None:
            return None
        try:
            found = self._path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise ConfigurationError("associations_unreadable", path=self._path) from error
        stamp = (found.st_mtime_ns, found.st_size)
        if self._read is None or self._read[0] != stamp:
            self._read = stamp, read_table(self._path)
        return self._read[1]


class OwnTable:
    """The table of one index, made of its memories; hold the index's lock."""

    def __init__(self) -> None:
        self._table: AssociationTable | None = None
        self._erased = 0
        self._rows: int | None = None

    def of(self, index: ScopeIndex, memory: PersonMemory) -> AssociationTable:
        """The table that was made at night, or one made in passing."""
        erased = self._erased != len(memory.erased)
        grown = self._rows is not None and len(index.rows) > GROWN * self._rows
        if self._table is None or erased or grown:
            kept = index.cache.associations() if self._table is None else []
            self._rows, self._erased = None if kept else len(index.rows), len(memory.erased)
            entries = kept or learn_associations(
                sources(index), names=names_of(index, memory), most_texts=IN_PASSING
            )
            if erased and not kept:
                index.cache.put_associations(entries)  # what was erased is in the one before
            self._table = AssociationTable(entries)
        return self._table

    def put(self, table: AssociationTable, memory: PersonMemory) -> None:
        """Take a table that was made from ``memory`` with care."""
        self._table, self._erased, self._rows = table, len(memory.erased), None


def sources(index: ScopeIndex) -> list[Memory]:
    """What a table is made from: turns, events and facts that are not put away."""
    rows = index.rows
    found = rows["alive"] & ~rows["archived"] & np.isin(rows["kind"], _SOURCES)
    return [rows.memories[row] for row in np.flatnonzero(found)]


def names_of(index: ScopeIndex, memory: PersonMemory, companion_name: str = "") -> frozenset[str]:
    """The words of what the two who speak are called, in the settings and in what is known."""
    return name_stems((memory.profile.name, companion_name)) | index.facts.speakers


class Associations:
    """The tables of all people of a store.

    Args:
        operator: the operator's file, which need not be there.
    """

    def __init__(self, operator: Path | None = None) -> None:
        self._operator = OperatorTable(operator)
        self._own: WeakKeyDictionary[ScopeIndex, OwnTable] = WeakKeyDictionary()

    def of(self, index: ScopeIndex, memory: PersonMemory) -> AssociationTable:
        """The table for an index that is level with a memory; hold its lock.

        Raises:
            ConfigurationError: the operator's file cannot be read.
        """
        table = self._operator.now()
        if table is not None:
            return table
        return self._own.setdefault(index, OwnTable()).of(index, memory)

    def put(
        self,
        index: ScopeIndex,
        memory: PersonMemory,
        entries: Sequence[Entry],
        compared: Collection[str] = (),
    ) -> None:
        """Take and keep entries that were made of a memory with care; hold the index's lock.

        ``compared`` are the words whose vectors are to stay in the cache for the next time.
        """
        index.cache.put_associations(entries, compared)
        self._own.setdefault(index, OwnTable()).put(AssociationTable(entries), memory)
