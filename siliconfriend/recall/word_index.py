"""The word index: BM25 over everything told; new turns count at once."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
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
        """Return the rows and counts of a token by its number."""
        start, end = int(self.starts[number]), int(self.starts[number + 1])
        return self.rows[start:end], self.counts[start:end]


K1 = 1.2
B = 0.75

LONGEST = 2.0
"""Of the mean length: what is longer counts as this long. Beside years of short everyday turns the one
that tells of a matter at length would else hold next to nothing of any question."""

MOST_COUNTED = 65_535
"""Most occurrences of a word that count in one row."""

FEWEST = 10
"""Rows a word's rarity is reckoned among at least: among one or two every word that occurs would
be common, and tell less than any that does not."""

Norms = tuple[NDArray[np.float64], NDArray[np.float64]]

_NOWHERE: tuple[Rows, Counts] = (np.empty(0, np.uint32), np.empty(0, np.uint16))


class WordIndex:
    """Documents by row number (0, 1, …), found by their tokens. Not safe between threads.

    Args:
        stored: the postings of the first rows, as :meth:`postings` gave them.
        lengths: how many tokens each of those rows has.
    """

    def __init__(
        self,
        stored: Postings | None = None,
        lengths: NDArray[np.uint32] | None = None,
    ) -> None:
        self._stored = stored or Postings.of(())
        self._number = {token: at for at, token in enumerate(self._stored.tokens)}
        held = np.diff(self._stored.starts).tolist()
        self._frequency: dict[str, int] = dict(zip(self._stored.tokens, held, strict=True))
        self._rows: dict[str, array[int]] = {}
        self._counts: dict[str, array[int]] = {}
        self._lengths = array("I", b"" if lengths is None else lengths.astype(np.uint32).tobytes())
        self._norms: Norms | None = None

    def __len__(self) -> int:
        return len(self._lengths)

    @property
    def lengths(self) -> NDArray[np.uint32]:
        """Number of tokens of each row."""
        return np.array(self._lengths, dtype=np.uint32)

    def add(self, tokens: Sequence[str]) -> None:
        """Add the next row's tokens, repeats and all."""
        row = len(self._lengths)
        self._lengths.append(len(tokens))
        self._norms = None
        for token, count in Counter(tokens).items():
            if token not in self._rows:
                self._rows[token], self._counts[token] = array("I"), array("H")
            self._frequency[token] = self._frequency.get(token, 0) + 1
            self._rows[token].append(row)
            self._counts[token].append(min(count, MOST_COUNTED))

    def frequency(self, token: str) -> int:
        """Return the number of rows with a token."""
        return self._frequency.get(token, 0)

    def rows(self, token: str) -> NDArray[np.int64]:
        """Return the rows in which a token occurs, ascending."""
        return self._posting(token)[0].astype(np.int64)

    def idf(self, token: str) -> float:
        """Return the idf of a token; 0 without rows."""
        return self.idf_at(self._frequency.get(token, 0))

    def idf_at(self, found: int) -> float:
        """Return the idf for a number of rows; 0 without rows."""
        size = len(self._lengths)
        rows = max(size, found, FEWEST)
        return math.log(1 + (rows - found + 0.5) / (found + 0.5)) if size else 0.0

    def rarity(self, tokens: Collection[str]) -> float:
        """Mean idf of some tokens, as a share of the idf of one that occurs once; 0 of none."""
        once = max(self.idf_at(1), 1e-9)
        shares = [min(1.0, self.idf(token) / once) for token in tokens]
        return sum(shares) / len(shares) if shares else 0.0

    def scores(self, tokens: Iterable[str] | Mapping[str, float]) -> NDArray[np.float64]:
        """BM25 of every row for these tokens, or with a weight each: float64, shape (len(self),)."""
        weights = tokens if isinstance(tokens, Mapping) else dict.fromkeys(tokens, 1.0)
        held = [(token, weight) for token, weight in weights.items() if token in self._frequency]
        if not held:
            return np.zeros(len(self))
        found = [self._posting(token) for token, _ in held]
        rows = np.concatenate([its_rows for its_rows, _ in found], dtype=np.int64)
        counts = np.concatenate([its_counts for _, its_counts in found])
        idfs = [weight * self.idf(token) for token, weight in held]
        worth = np.repeat(idfs, [len(its_rows) for its_rows, _ in found])
        norms, of_once = self._length_norms()
        # Most words stand once in a row; what they count there is one number a row.
        often = np.flatnonzero(counts > 1)
        repeats, its_norms = counts[often], norms[rows[often]]
        worth[often] *= repeats * (1 + its_norms) / (repeats + its_norms)
        return np.bincount(rows, worth, minlength=len(self)) * of_once

    def postings(self) -> Postings:
        """Return the rows of all tokens."""
        if not self._rows:
            return self._stored
        tokens = dict.fromkeys((*self._number, *self._rows))
        return Postings.of((token, *self._posting(token)) for token in tokens)

    def subset(self, kept: NDArray[np.int64]) -> WordIndex:
        """Build an index of these rows alone (ascending), renumbered."""
        number = np.full(len(self), -1, dtype=np.int64)
        number[kept] = np.arange(len(kept))
        return WordIndex(self.postings().subset(number), self.lengths[kept])

    def _posting(self, token: str) -> tuple[Rows, Counts]:
        """The rows in which a token occurs and how often; good until the next row is added."""
        at = self._number.get(token)
        grown = self._rows.get(token)
        if grown is None:
            return _NOWHERE if at is None else self._stored.at(at)
        rows = np.frombuffer(grown, dtype=np.uint32)
        counts = np.frombuffer(self._counts[token], dtype=np.uint16)
        if at is None:
            return rows, counts
        stored = self._stored.at(at)
        return np.concatenate([stored[0], rows]), np.concatenate([stored[1], counts])

    def _length_norms(self) -> Norms:
        """``k1 · (1 - b + b · length / mean length)`` of every row, and what a word counts that is there once.

        Kept until a row is added.
        """
        if self._norms is None:
            lengths = np.array(self._lengths, dtype=np.float64)
            mean = float(self.lengths.mean()) if len(self) else 1.0
            norms = K1 * (1 - B + B * np.minimum(lengths / max(mean, 1.0), LONGEST))
            self._norms = norms, (K1 + 1) / (1 + norms)
        return self._norms
