"""A table of the days that memories speak of, as arrays that are searched as one.

A memory may speak of none or of several; each is a span here, with the row of its memory. A
question compares its days with all of them in a few operations, however many there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray

from siliconfriend.recall.spoken_times import SpokenTime

Days = NDArray[np.int64]
"""Numbers of days, the 1st of January of the year 1 being 1; shape (m,)."""


class TimeTable:
    """Spans of days by the row of the memory that speaks of them.

    Args:
        keys, spans: of the memories it begins with.

    Attributes:
        keys: of each memory, what the cache knows its days by.
        row, first, last: of each of m spans, its memory's row and its days, both inclusive;
            views that are good until more are added.
    """

    def __init__(self, keys: Sequence[str] = (), spans: Days | None = None) -> None:
        self.keys: list[str] = [*keys]
        self._count = 0 if spans is None else spans.shape[1]
        self._columns = np.zeros((3, max(64, self._count)), dtype=np.int64)
        if spans is not None:
            self._columns[:, : self._count] = spans

    def __len__(self) -> int:
        return self._count

    @property
    def spans(self) -> Days:
        """Row, first and last day of each span; shape (3, m)."""
        return self._columns[:, : self._count]

    @property
    def row(self) -> Days:
        """The rows of their memories."""
        return self._columns[0, : self._count]

    @property
    def first(self) -> Days:
        """Their first days."""
        return self._columns[1, : self._count]

    @property
    def last(self) -> Days:
        """Their last days."""
        return self._columns[2, : self._count]

    def append(self, key: str, times: Iterable[SpokenTime]) -> None:
        """Add the next memory, with the days it speaks of."""
        row = len(self.keys)
        self.keys.append(key)
        for time in times:
            if self._count == self._columns.shape[1]:
                self._columns = np.concatenate(
                    [self._columns, np.zeros_like(self._columns)], axis=1
                )
            days = (row, time.first.toordinal(), time.last.toordinal())
            self._columns[:, self._count] = days
            self._count += 1

    def days_after(self, day: date) -> list[date]:
        """The first and last days of spans that lie after a day, each once, in order."""
        ends = self._columns[1:, : self._count]
        return [date.fromordinal(int(it)) for it in np.unique(ends[ends > day.toordinal()])]

    def subset(self, kept: NDArray[np.int64]) -> TimeTable:
        """Build a table of these memories alone, renumbered in the order given."""
        number = np.full(len(self.keys), -1, dtype=np.int64)
        number[kept] = np.arange(len(kept))
        stay = number[self.row] >= 0
        fresh = TimeTable()
        fresh.keys = [self.keys[row] for row in kept]
        fresh._count = int(stay.sum())
        fresh._columns = np.zeros((3, max(64, fresh._count)), dtype=np.int64)
        fresh._columns[:, : fresh._count] = (
            number[self.row[stay]],
            self.first[stay],
            self.last[stay],
        )
        return fresh

    def share_within(self, first: int, last: int) -> tuple[NDArray[np.float64], Days]:
        """How much of what each of n memories speaks of lies within some days.

        Returns:
            the share of the days of its best span, and the first of these that lies within;
            0 for both where none does. Shape (n,) each.
        """
        share, day = np.zeros(len(self.keys)), np.zeros(len(self.keys), dtype=np.int64)
        found = np.flatnonzero((self.first <= last) & (self.last >= first))
        its_first, its_last = self.first[found], self.last[found]
        start = np.maximum(its_first, first)
        shares = (np.minimum(its_last, last) - start + 1) / (its_last - its_first + 1)
        # The best of each memory is written last and stays.
        order = np.argsort(shares, kind="stable")
        rows = self.row[found[order]]
        share[rows], day[rows] = shares[order], start[order]
        return share, day
