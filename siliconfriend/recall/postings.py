"""Postings at rest: of many words the rows they stand in, in a few arrays.

An index of years has millions of them. As arrays they are read from a file as they are, where
adding each again would take seconds before the first word of a reply.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.uint32]
Counts = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Postings:
    """The rows in which each of n tokens occurs, and how often.

    Attributes:
        tokens: each once.
        starts: where the rows of each begin, and at the end how many there are in all; shape
            (n + 1,).
        rows: ascending for each token.
        counts: how often it occurs in each of them.
    """

    tokens: Sequence[str]
    starts: NDArray[np.int64]
    rows: Rows
    counts: Counts

    @classmethod
    def of(cls, found: Iterable[tuple[str, Rows, Counts]]) -> Postings:
        """Put the postings of single tokens together; those without a row are left out."""
        held = [one for one in found if len(one[1])]
        lengths = [len(rows) for _, rows, _ in held]
        return cls(
            [token for token, _, _ in held],
            np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64),
            np.concatenate([np.empty(0, np.uint32), *(rows for _, rows, _ in held)]),
            np.concatenate([np.empty(0, np.uint16), *(counts for _, _, counts in held)]),
        )

    def subset(self, number: NDArray[np.int64]) -> Postings:
        """The postings of the rows that stay, by the new number of each row; -1 for one that goes."""
        places = number[self.rows]
        is_kept = places >= 0
        before = np.concatenate([[0], np.cumsum(is_kept)]).astype(np.int64)[self.starts]
        lengths = np.diff(before)
        tokens = [token for token, length in zip(self.tokens, lengths, strict=True) if length]
        starts = np.concatenate([[0], np.cumsum(lengths[lengths > 0])]).astype(np.int64)
        return Postings(tokens, starts, places[is_kept].astype(np.uint32), self.counts[is_kept])

    def at(self, number: int) -> tuple[Rows, Counts]:
        """The rows and counts of a token by its number."""
        start, end = int(self.starts[number]), int(self.starts[number + 1])
        return self.rows[start:end], self.counts[start:end]
