"""The index of words: BM25 over whatever was said, new turns included at once.

Scores are the classic ones (Robertson and Zaragoza 2009), with k1 = 1.2 and b = 0.75 and
idf = ln(1 + (N - n + 0.5) / (n + 0.5)). Every word keeps its postings in growing arrays
that numpy reads in place, so a turn is added in microseconds and counts in the very next
question, with no second index for what is new.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

K1 = 1.2
B = 0.75


class WordIndex:
    """Documents by row number (0, 1, …), found by their words. Not safe between threads."""

    def __init__(self) -> None:
        self._rows: dict[str, array[int]] = {}
        self._counts: dict[str, array[int]] = {}
        self._lengths = array("I")
        self._norms: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self._lengths)

    def add(self, words: Sequence[str]) -> None:
        """Add the next row's words, repeats and all."""
        row = len(self._lengths)
        self._lengths.append(len(words))
        self._norms = None
        for word, count in Counter(words).items():
            if word not in self._rows:
                self._rows[word], self._counts[word] = array("I"), array("H")
            self._rows[word].append(row)
            self._counts[word].append(min(count, 65535))

    def frequency(self, word: str) -> int:
        """In how many rows a word stands."""
        return len(self._rows.get(word, ()))

    def rows(self, word: str) -> NDArray[np.int64]:
        """The rows in which a word stands, ascending."""
        return np.array(self._rows.get(word, ()), dtype=np.int64)

    def idf(self, word: str) -> float:
        """How much a word tells: 0 where there are no rows, high for a rare one."""
        found = self.frequency(word)
        return math.log(1 + (len(self) - found + 0.5) / (found + 0.5))

    def scores(self, words: Iterable[str] | Mapping[str, float]) -> NDArray[np.float64]:
        """BM25 of every row for these words, or with a weight each: float64, shape (len(self),)."""
        weights = words if isinstance(words, Mapping) else dict.fromkeys(words, 1.0)
        total = np.zeros(len(self), dtype=np.float64)
        norms = self._length_norms()
        for word, weight in weights.items():
            if word not in self._rows:
                continue
            rows = np.frombuffer(self._rows[word], dtype=np.uint32)
            counts = np.frombuffer(self._counts[word], dtype=np.uint16)
            total[rows] += weight * self.idf(word) * (K1 + 1) * counts / (counts + norms[rows])
        return total

    def only(self, kept: NDArray[np.int64]) -> WordIndex:
        """These rows alone (ascending), numbered anew."""
        number = np.full(len(self), -1, dtype=np.int64)
        number[kept] = np.arange(len(kept))
        fresh = WordIndex()
        fresh._lengths = array("I", np.asarray(self._lengths, dtype=np.uint32)[kept].tobytes())
        for word, rows in self._rows.items():
            places = number[np.frombuffer(rows, dtype=np.uint32)]
            stay = places >= 0
            if stay.any():
                counts = np.frombuffer(self._counts[word], dtype=np.uint16)
                fresh._rows[word] = array("I", places[stay].astype(np.uint32).tobytes())
                fresh._counts[word] = array("H", counts[stay].tobytes())
        return fresh

    def _length_norms(self) -> NDArray[np.float64]:
        """``k1 · (1 - b + b · length / mean length)`` of every row; the same until one is added."""
        if self._norms is None:
            lengths = np.array(self._lengths, dtype=np.float64)
            mean = max(float(lengths.mean()), 1.0) if len(lengths) else 1.0
            self._norms = K1 * (1 - B + B * lengths / mean)
        return self._norms
