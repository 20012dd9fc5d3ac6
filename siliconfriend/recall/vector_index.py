"""The vector index: search by inner product in FAISS.

A search of a large index selects candidates by 8-bit copies of the vectors, which are a quarter of
the size, and ranks them by the vectors themselves.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siliconfriend.recall.embedders.base import Vector, Vectors

MULTIPLIED = 256
"""Rows per matrix product. Larger products run on several threads, which stall on a busy machine:
12 ms instead of 0.1 ms for 3,000 rows."""

SCATTERED = 4  # gathering a vector costs so many times what multiplying one in its place does

LARGE = 20_000
"""Minimum number of rows for 8-bit copies."""

OVERSAMPLED = 2
"""Number of 8-bit candidates per nearest vector; their error is far below that distance in rank."""

TRAINED = 10_000
"""Number of vectors from which the range of the 8-bit copies is taken."""


def inner_products(vectors: Vectors, query: Vector) -> NDArray[np.float64]:
    """Return the inner product of each vector with the query, a few at a time."""
    found = np.empty(len(vectors), dtype=np.float32)
    for start in range(0, len(vectors), MULTIPLIED):
        np.matmul(vectors[start : start + MULTIPLIED], query, out=found[start : start + MULTIPLIED])
    return found.astype(np.float64)


class VectorIndex:
    """Vectors by row number (0, 1, …), searched by inner product; thread-safe."""

    def __init__(self, dimension: int) -> None:
        import faiss

        self.dimension = dimension
        self._lock = threading.Lock()
        self._faiss: Any = faiss
        self._flat: Any = faiss.IndexFlatIP(dimension)
        self._copies: Any = None

    @property
    def nbytes(self) -> int:
        """Size in memory, in bytes."""
        return len(self) * self.dimension * (4 + (self._copies is not None))

    def __len__(self) -> int:
        return int(self._flat.ntotal)

    def add(self, vectors: Vectors) -> None:
        """Add the next rows: float32, shape (n, dimension), each of length 1."""
        with self._lock:
            self._flat.add(np.ascontiguousarray(vectors, dtype=np.float32))

    def nearest(
        self, query: Vector, count: int, allowed: NDArray[np.bool_] | None = None
    ) -> NDArray[np.int64]:
        """Find the rows of the ``count`` nearest vectors, nearest first.

        ``allowed``: which rows count, bool of shape (len(self),); all of them without it.
        """
        rows = np.arange(len(self)) if allowed is None else np.flatnonzero(allowed)
        if len(rows) * SCATTERED < len(self) or not len(rows):
            products = inner_products(self.vectors(rows), query)
            return rows[np.argsort(-products, kind="stable")[:count]]
        limits = None
        if allowed is not None and len(rows) < len(self):
            chosen = self._faiss.IDSelectorBitmap(np.packbits(allowed, bitorder="little"))
            limits = self._faiss.SearchParameters(sel=chosen)
        asked = np.ascontiguousarray(query, dtype=np.float32)[np.newaxis]
        with self._lock:
            if len(self) < LARGE:
                _, found = self._flat.search(asked, min(count, len(rows)), params=limits)
                return np.asarray(found[0], dtype=np.int64)
            most = min(OVERSAMPLED * count, len(rows))
            _, found = self._synced_copies().search(asked, most, params=limits)
            near = np.sort(found[0])
            products = inner_products(self._matrix()[near], query)
            return np.asarray(near[np.argsort(-products, kind="stable")[:count]], dtype=np.int64)

    def _synced_copies(self) -> Any:
        """Return the 8-bit copies of all vectors."""
        matrix = self._matrix()
        if self._copies is None:
            faiss = self._faiss
            kind = faiss.ScalarQuantizer.QT_8bit_uniform
            self._copies = faiss.IndexScalarQuantizer(
                self.dimension, kind, faiss.METRIC_INNER_PRODUCT
            )
            self._copies.train(matrix[:: max(1, len(matrix) // TRAINED)].copy())
        if self._copies.ntotal < len(matrix):
            self._copies.add(matrix[self._copies.ntotal :])
        return self._copies

    def vectors(self, rows: NDArray[np.int64]) -> Vectors:
        """Return the vectors of these rows, in their order."""
        with self._lock:
            return self._matrix()[rows]

    def subset(self, chosen: NDArray[np.int64]) -> VectorIndex:
        """Build an index of these rows alone, renumbered in the order given."""
        fresh = VectorIndex(self.dimension)
        fresh.add(self.vectors(chosen))
        return fresh

    def _matrix(self) -> Vectors:
        """Return all vectors in their place; good until the next are added."""
        if not len(self):
            return np.empty((0, self.dimension), dtype=np.float32)
        held = self._faiss.rev_swig_ptr(self._flat.get_xb(), len(self) * self.dimension)
        return np.asarray(held).reshape(len(self), self.dimension)
