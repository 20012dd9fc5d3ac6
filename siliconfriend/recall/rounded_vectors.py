"""Vectors rounded to a byte a number: what a search looks at first.

A search over all vectors is bound by how fast memory is read, and of these there is a quarter.
How far rounding moved any of them is measured, so that a search knows when looking at them was
not enough; without that bound something near could be missed, and nobody would see it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from siliconfriend.recall.embedders.base import Vectors

BLOCK = 4096
"""Rows rounded at once, so that what is reckoned with stays in the processor's cache."""

SUMMED = 1e-5
"""What the order of adding up changes in the product of two vectors of length 1 at most."""

FARTHER = 1.5
"""All are rounded anew once a vector lies so far outside what was seen that it was moved this many
times as far as any was before: of one language, then of another."""


class RoundedVectors:
    """The rounded vectors of rows 0, 1, …; hold a lock around every call.

    Each number is rounded to one of 255 steps between what is usual for its place, the mean, and
    the farthest from it (FAISS, ``QT_8bit_uniform``).

    Args:
        dimension: of the vectors.
    """

    def __init__(self, dimension: int) -> None:
        import faiss

        self._faiss: Any = faiss
        self._dimension = dimension
        self._begin(np.zeros((0, dimension), dtype=np.float32))

    def __len__(self) -> int:
        return int(self._index.ntotal)

    def sync(self, vectors: Vectors) -> None:
        """Round the vectors that are new among all: float32, shape (n, dimension)."""
        if not len(self):
            self._begin(vectors)
        self._add(vectors[len(self) :])
        if self._moved > FARTHER * self._moved_at_first:
            self._begin(vectors)
            self._add(vectors)

    def search(
        self, query: NDArray[np.float32], count: int, limits: Any
    ) -> tuple[NDArray[np.int64], float]:
        """Find the ``count`` nearest by their rounded products.

        Args:
            query: shape (dimension,).
            count: of rows.
            limits: search parameters of FAISS that say which rows count; None for all.

        Returns:
            the rows, ascending, and what the exact product of any other row with the query is
            less than; minus infinity where there is no other.
        """
        asked = np.ascontiguousarray(query * self._reach)[np.newaxis]
        products, rows = self._index.search(asked, count, params=limits)
        found = np.sort(rows[0][rows[0] >= 0])
        if len(found) < count:
            return found, -np.inf
        length = float(np.linalg.norm(query))
        least = float(products[0][-1]) + float(query @ self._mean)
        return found, least + (self._moved + SUMMED) * length

    def _begin(self, vectors: Vectors) -> None:
        """Begin anew, with steps that suit these vectors."""
        kind = self._faiss.ScalarQuantizer.QT_8bit_uniform
        self._index = self._faiss.IndexScalarQuantizer(
            self._dimension, kind, self._faiss.METRIC_INNER_PRODUCT
        )
        self._index.train(
            np.repeat(np.array([[-1.0], [1.0]], dtype=np.float32), self._dimension, axis=1)
        )
        self._moved = self._moved_at_first = 0.0
        if len(vectors):
            self._mean = vectors.mean(axis=0)
            lowest, highest = vectors.min(axis=0), vectors.max(axis=0)
            reach = np.maximum(highest - self._mean, self._mean - lowest)
            self._reach = np.maximum(reach, np.float32(1e-6))

    def _add(self, vectors: Vectors) -> None:
        for start in range(0, len(vectors), BLOCK):
            block = vectors[start : start + BLOCK]
            first = len(self)
            self._index.add((block - self._mean) / self._reach)
            rounded = self._index.reconstruct_n(first, len(block)) * self._reach + self._mean
            moved = float(np.linalg.norm(block - rounded, axis=1).max())
            self._moved = max(self._moved, moved)
        if not self._moved_at_first:
            self._moved_at_first = self._moved
