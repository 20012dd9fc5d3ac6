"""The word index: BM25 over all documents, updated at once."""

from __future__ import annotations

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Postings(NamedTuple):
    """The rows in which each of n tokens occurs, and how often.

    Attributes:
        tokens: each once.
        ends: where the rows of each end; shape (n,).
        rows: ascending for each token.
        counts: how often it occurs in each of them.
        lengths: how many tokens each row has.
    """

    tokens: Sequence[str]
    ends: NDArray[np.int64]
    rows: NDArray[np.uint32]
    counts: NDArray[np.uint16]
    lengths: NDArray[np.uint32]


K1 = 1.2
B = 0.75

MAX_RELATIVE_LENGTH = 2.0
"""Cap on a row's length in mean lengths; otherwise a long turn would score near 0 among short
everyday turns."""

MOST_COUNTED = 65_535  # most occurrences of a word that count in one row

LEAST_ROWS = 10
"""Minimum number of rows for an idf: with one or two rows every word would be common."""

Norms = tuple[NDArray[np.float64], NDArray[np.float64]]


class _ByToken(dict[str, float]):
    """Values by token, computed on first use."""

    def __init__(self, compute: Callable[[str], float]) -> None:
        self._compute = compute

    def __missing__(self, token: str) -> float:
        found = self[token] = self._compute(token)
        return found


class WordIndex:
    """Documents by row number (0, 1, …), searched by tokens. Not thread-safe."""

    def __init__(self) -> None:
        self._rows: dict[str, array[int]] = {}
        self._counts: dict[str, array[int]] = {}
        self._lengths = array("I")
        self._norms: Norms | None = None  # kept, as are the idfs, until a row is added
        self._idfs = _ByToken(lambda token: self.idf_at(self.frequency(token)))
        self._rarities = _ByToken(lambda token: min(1.0, self._idfs[token] / self._idf_of_once()))

    def __len__(self) -> int:
        return len(self._lengths)

    def add(self, tokens: Sequence[str]) -> None:
        """Add the next row's tokens, repeats and all."""
        row = len(self._lengths)
        self._lengths.append(len(tokens))
        self._norms = None
        self._idfs.clear()
        self._rarities.clear()
        for token, times in Counter(tokens).items():
            if token not in self._rows:
                self._rows[token], self._counts[token] = array("I"), array("H")
            self._rows[token].append(row)
            self._counts[token].append(min(times, MOST_COUNTED))

    def extend(self, rows: Sequence[Sequence[str]]) -> None:
        """Add the tokens of the next rows; into an empty index all at once."""
        if len(self) or not rows:
            for tokens in rows:
                self.add(tokens)
            return
        numbers: dict[str, int] = defaultdict(count().__next__)
        found = array("I")
        for tokens in rows:
            found.extend(map(numbers.__getitem__, tokens))
        lengths = np.array([len(tokens) for tokens in rows], dtype=np.uint32)
        row = np.repeat(np.arange(len(rows), dtype=np.int64), lengths)
        keys, counts = np.unique(
            np.array(found, dtype=np.int64) * len(rows) + row, return_counts=True
        )
        ends = np.searchsorted(keys, np.arange(1, len(numbers) + 1) * len(rows))
        occurrences = np.minimum(counts, MOST_COUNTED).astype(np.uint16)
        places = (keys % len(rows)).astype(np.uint32)
        self._fill(Postings([*numbers], ends, places, occurrences, lengths))

    def _fill(self, postings: Postings) -> None:
        """Take the rows of postings into an empty index."""
        self._lengths.frombytes(postings.lengths.tobytes())
        start = 0
        for token, end in zip(postings.tokens, postings.ends.tolist(), strict=True):
            self._rows[token] = array("I", postings.rows[start:end].tobytes())
            self._counts[token] = array("H", postings.counts[start:end].tobytes())
            start = end
        self._norms = None
        self._idfs.clear()
        self._rarities.clear()

    def frequency(self, token: str) -> int:
        """Return the number of rows with a token."""
        return len(self._rows.get(token, ()))

    def rows(self, token: str) -> NDArray[np.int64]:
        """Return the rows in which a token occurs, ascending."""
        return np.array(self._rows.get(token, ()), dtype=np.int64)

    def idf(self, token: str) -> float:
        """Return the idf of a token; 0 without rows."""
        return self._idfs[token]

    def idf_at(self, count: int) -> float:
        """Return the idf for a number of rows; 0 without rows."""
        size = len(self._lengths)
        rows = max(size, count, LEAST_ROWS)
        return math.log(1 + (rows - count + 0.5) / (count + 0.5)) if size else 0.0

    def rarity(self, tokens: Collection[str]) -> float:
        """Compute the mean idf of some tokens, as a share of that of one that occurs once; 0 of none."""
        return sum(map(self._rarities.__getitem__, tokens)) / len(tokens) if tokens else 0.0

    def _idf_of_once(self) -> float:
        return max(self.idf_at(1), 1e-9)

    def scores(self, tokens: Iterable[str] | Mapping[str, float]) -> NDArray[np.float64]:
        """Compute BM25 of every row for these tokens, or with a weight each; shape (len(self),)."""
        weights = tokens if isinstance(tokens, Mapping) else dict.fromkeys(tokens, 1.0)
        held = [(token, weight) for token, weight in weights.items() if token in self._rows]
        if not held:
            return np.zeros(len(self))
        # The views end here: an array with a view cannot grow.
        views = [np.frombuffer(self._rows[token], np.uint32) for token, _ in held]
        rows = np.concatenate(views, dtype=np.int64, casting="same_kind")
        counts = np.concatenate(
            [np.frombuffer(self._counts[token], np.uint16) for token, _ in held]
        )
        del views
        idfs = [weight * self.idf(token) for token, weight in held]
        worth = np.repeat(idfs, [self.frequency(token) for token, _ in held])
        norms, of_once = self._length_norms()
        # Most words occur once in a row, so their weight is one number per row.
        often = np.flatnonzero(counts > 1)
        repeats, its_norms = counts[often], norms[rows[often]]
        worth[often] *= repeats * (1 + its_norms) / (repeats + its_norms)
        return np.bincount(rows, worth, minlength=len(self)) * of_once

    def postings(self) -> Postings:
        """Return the rows and counts of all tokens."""
        frequencies = [len(rows) for rows in self._rows.values()]
        return Postings(
            [*self._rows],
            np.cumsum(frequencies, dtype=np.int64),
            np.frombuffer(b"".join(self._rows.values()), dtype=np.uint32),
            np.frombuffer(b"".join(self._counts.values()), dtype=np.uint16),
            np.array(self._lengths, dtype=np.uint32),
        )

    def subset(self, chosen: NDArray[np.int64]) -> WordIndex:
        """Build an index of these rows alone (ascending), renumbered."""
        number = np.full(len(self), -1, dtype=np.int64)
        number[chosen] = np.arange(len(chosen))
        tokens, ends, rows, counts, lengths = self.postings()
        places = number[rows]
        is_kept = places >= 0
        left = np.concatenate([[0], np.cumsum(is_kept)])[np.concatenate([[0], ends])]
        has_rows = np.diff(left) > 0
        kept = WordIndex()
        kept._fill(
            Postings(
                [token for token, has in zip(tokens, has_rows, strict=True) if has],
                left[1:][has_rows],
                places[is_kept].astype(np.uint32),
                counts[is_kept],
                lengths[chosen],
            )
        )
        return kept

    def _length_norms(self) -> Norms:
        """Compute ``k1 · (1 - b + b · length / mean)`` and the weight of a single word, by row."""
        if self._norms is None:
            lengths = np.array(self._lengths, dtype=np.float64)
            mean = float(lengths.mean()) if len(self) else 1.0
            norms = K1 * (1 - B + B * np.minimum(lengths / max(mean, 1.0), MAX_RELATIVE_LENGTH))
            self._norms = norms, (K1 + 1) / (1 + norms)
        return self._norms
