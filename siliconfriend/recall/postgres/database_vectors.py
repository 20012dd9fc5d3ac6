"""One person's vectors, compared in the database that holds them (pgvector), exactly.

For a memory of which the vectors would fill a process. A question is compared with all of them in
one reading, whose products answer every further look of the same recall; what was said since the
index was opened is compared in the process.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from siliconfriend.errors import StoreError
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.recall.postgres.index_rows import IndexRows
from siliconfriend.recall.postgres.vector_format import load_vectors
from siliconfriend.recall.vector_index import VectorIndex
from siliconfriend.recall.vector_search import Vector

MOST_QUESTIONS = 4
"""Questions whose products are held: a recall asks for a message, its talk and what was before."""

_PRODUCT = np.dtype([("digest", ">u8"), ("product", ">f8")])


def open_database_vectors(
    database: Database, scope: Scope, digests: Sequence[str], dimension: int
) -> DatabaseVectors | None:
    """The vectors of rows with these texts; None where the database lacks one.

    Raises:
        StoreError: the database cannot be read.
    """
    found = DatabaseVectors(database, scope, digests, dimension)
    return found if found.is_whole() else None


class DatabaseVectors:
    """The :class:`~siliconfriend.recall.vector_search.VectorSearch` of vectors in a database.

    Args:
        database: where they are.
        scope: whose they are.
        digests: of the text of each row that is there.
        dimension: of each.

    Attributes:
        dimension: as given.
        is_lost: another process took some away.

    Raises:
        StoreError: from every method that compares or reads, where the database cannot be read or
            some are gone.
    """

    def __init__(
        self, database: Database, scope: Scope, digests: Sequence[str], dimension: int
    ) -> None:
        self._database = database
        self._scope = scope
        self._digests = [*digests]
        self._names = np.array([int(digest[:16], 16) for digest in digests], dtype=np.uint64)
        self._since = VectorIndex(dimension)
        self._products: OrderedDict[bytes, NDArray[np.float64]] = OrderedDict()
        self.dimension = dimension
        self.is_lost = False

    def __len__(self) -> int:
        return len(self._digests) + len(self._since)

    @property
    def nbytes(self) -> int:
        """Bytes of those that are in this process, and of the products held."""
        held = sum(it.nbytes for it in self._products.values())
        return self._since.nbytes + self._names.nbytes + held

    def is_whole(self) -> bool:
        """True if the database has the vector of every row."""
        return bool(
            np.isin(self._names, self._read(np.zeros(self.dimension, np.float32))["digest"]).all()
        )

    def add(self, vectors: Vectors) -> None:
        """Add the next rows: float32, shape (n, dimension), each of length 1."""
        self._since.add(vectors)

    def all_vectors(self) -> None:
        """Not in this process."""

    def nearest(
        self, query: NDArray[np.float32], count: int, allowed: NDArray[np.bool_] | None = None
    ) -> NDArray[np.int64]:
        """Find the rows of the ``count`` nearest vectors, nearest first."""
        products = self._all_products(query)
        if allowed is not None:
            products = np.where(allowed, products, -np.inf)
        count = min(count, len(self) if allowed is None else int(allowed.sum()))
        if count == 0:
            return np.empty(0, dtype=np.int64)
        found = np.argpartition(-products, count - 1)[:count]
        return found[np.argsort(-products[found], kind="stable")].astype(np.int64)

    def inner_products(
        self, queries: Sequence[Vector], rows: NDArray[np.int64]
    ) -> list[NDArray[np.float64]]:
        """Inner products of each query with these rows, in their order."""
        return [self._all_products(query)[rows] for query in queries]

    def vectors(self, rows: NDArray[np.int64]) -> Vectors:
        """The vectors of these rows, in their order."""
        found = np.empty((len(rows), self.dimension), dtype=np.float32)
        is_stored = rows < len(self._digests)
        found[is_stored] = self._stored([self._digests[row] for row in rows[is_stored].tolist()])
        found[~is_stored] = self._since.vectors(rows[~is_stored] - len(self._digests))
        return found

    def subset(self, kept: NDArray[np.int64]) -> DatabaseVectors:
        """Build an index of these rows alone (ascending), renumbered."""
        stored = kept[kept < len(self._digests)]
        digests = [self._digests[row] for row in stored.tolist()]
        fresh = DatabaseVectors(self._database, self._scope, digests, self.dimension)
        fresh._since = self._since.subset(kept[len(stored) :] - len(self._digests))
        return fresh

    def _stored(self, digests: Sequence[str]) -> Vectors:
        """The vectors of texts, from the database."""
        if not digests:
            return np.empty((0, self.dimension), dtype=np.float32)
        with self._database.transaction(self._scope.person, read_only=True) as connection:
            found = IndexRows(connection, self._scope).vectors(digests)
        if any(digest not in found for digest in digests):
            raise self._lost()
        return load_vectors([found[digest] for digest in digests], self.dimension)

    def _all_products(self, query: NDArray[np.float32]) -> NDArray[np.float64]:
        """The inner product of a query with every row."""
        name = query.tobytes()
        stored = self._products.pop(name, None)
        stored = self._stored_products(query) if stored is None else stored
        self._products[name] = stored
        while len(self._products) > MOST_QUESTIONS:
            self._products.popitem(last=False)
        (since,) = self._since.inner_products([query], np.arange(len(self._since)))
        return np.concatenate([stored, since])

    def _stored_products(self, query: NDArray[np.float32]) -> NDArray[np.float64]:
        """The inner product of a query with every row that is in the database."""
        read = self._read(query)
        if not np.isin(self._names, read["digest"]).all():
            raise self._lost()
        read = read[np.argsort(read["digest"])]
        at = np.searchsorted(read["digest"], self._names)
        return read["product"][at].astype(np.float64)

    def _read(self, query: NDArray[np.float32]) -> NDArray[np.void]:
        """The beginning of each digest, and the product of its vector with a query."""
        with self._database.transaction(self._scope.person, read_only=True) as connection:
            data = IndexRows(connection, self._scope).products(query)
        return np.frombuffer(data, dtype=_PRODUCT)

    def _lost(self) -> StoreError:
        self.is_lost = True
        return StoreError("index_changed", name=self._scope.person)
