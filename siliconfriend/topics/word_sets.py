"""Sets of words by number, to be compared with another set all at once."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


class WordSets:
    """Sets of words by number (0, 1, …), found by the words that are in them."""

    def __init__(self) -> None:
        self._holding: dict[str, list[int]] = {}
        self._sizes: list[int] = []

    def __len__(self) -> int:
        return len(self._sizes)

    def append(self, words: Collection[str]) -> None:
        """Add the next set."""
        for word in words:
            self._holding.setdefault(word, []).append(len(self._sizes))
        self._sizes.append(len(words))

    def jaccard(self, words: Collection[str]) -> Numbers:
        """``|A ∩ B| / |A ∪ B|`` of a set with each of these, 0 where both are empty."""
        shared, sizes = self._shared(words), np.array(self._sizes, dtype=np.float64)
        return np.asarray(shared / np.maximum(len(words) + sizes - shared, 1.0))

    def cosine(self, words: Collection[str]) -> Numbers:
        """``|A ∩ B| / √(|A|·|B|)`` of a set with each of these, 0 where they share nothing."""
        shared, sizes = self._shared(words), np.array(self._sizes, dtype=np.float64)
        return np.asarray(shared / np.sqrt(np.maximum(len(words) * sizes, 1.0)))

    def _shared(self, words: Collection[str]) -> Numbers:
        """How many words a set shares with each of these."""
        found = [number for word in set(words) for number in self._holding.get(word, ())]
        numbers = np.array(found, dtype=np.int64)
        return np.bincount(numbers, minlength=len(self)).astype(np.float64)
