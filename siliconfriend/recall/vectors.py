"""The index of meanings: FAISS, held in LangChain's vector store.

The only file that imports ``langchain_community``. That package was archived in 2026 and
its store has edges that cost people their memories, so it is used narrowly: an exact
inner-product index over normalised vectors, one lock around every call (unlocked threads
cross-wire texts without an error), scores taken raw (its relevance scores are inverted),
no filter (it filters after taking 20), nothing saved or loaded by it (pickle).
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siliconfriend.recall.embedders.base import Vectors


class VectorIndex:
    """Vectors by row number (0, 1, …), found by their inner product; safe between threads."""

    def __init__(self, dimension: int) -> None:
        self._lock = threading.Lock()
        self._store = _new_store(dimension)
        self.dimension = dimension

    def __len__(self) -> int:
        return int(self._store.index.ntotal)

    def add(self, vectors: Vectors) -> None:
        """Add the next rows: float32, shape (n, dimension), each of length 1."""
        if not len(vectors):
            return
        with self._lock:
            first = len(self)
            names = [str(first + at) for at in range(len(vectors))]
            pairs = zip(names, np.ascontiguousarray(vectors, dtype=np.float32), strict=True)
            self._store.add_embeddings(list(pairs), ids=names)

    def nearest(self, query: NDArray[np.float32], count: int) -> NDArray[np.int64]:
        """Rows of the ``count`` nearest vectors, nearest first."""
        with self._lock:
            count = min(count, len(self))
            if count == 0:
                return np.empty(0, dtype=np.int64)
            found = self._store.similarity_search_with_score_by_vector(query, k=count)
        return np.array([int(document.page_content) for document, _ in found], dtype=np.int64)

    def products(self, query: NDArray[np.float32], rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Inner products of the query with these rows, in their order."""
        return np.asarray(self.vectors(rows) @ query, dtype=np.float64)

    def vectors(self, rows: NDArray[np.int64]) -> Vectors:
        """The vectors of these rows, in their order."""
        if not len(rows):
            return np.empty((0, self.dimension), dtype=np.float32)
        with self._lock:
            return np.asarray(self._store.index.reconstruct_batch(rows))


def _new_store(dimension: int) -> Any:
    with warnings.catch_warnings():
        # Importing the archived package warns that it is sunset; that is known (see above).
        warnings.simplefilter("ignore", DeprecationWarning)
        import faiss
        from langchain_community.docstore.base import AddableMixin, Docstore
        from langchain_community.vectorstores import FAISS
        from langchain_community.vectorstores.utils import DistanceStrategy
        from langchain_core.documents import Document
        from langchain_core.embeddings import Embeddings

    class Embedded(Embeddings):
        """Texts are embedded before they come here."""

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            raise AssertionError(texts)

        def embed_query(self, text: str) -> list[float]:
            raise AssertionError(text)

    class Rows(Docstore, AddableMixin):
        """A docstore whose documents are their row numbers; the words live in the memory."""

        def search(self, search: str) -> Document:
            return Document(page_content=search)

        def add(self, texts: dict[str, Document]) -> None:
            """Nothing to keep."""

        def delete(self, ids: Sequence[str]) -> None:
            """Nothing was kept."""

    return FAISS(
        embedding_function=Embedded(),
        index=faiss.IndexFlatIP(dimension),
        docstore=Rows(),
        index_to_docstore_id={},
        distance_strategy=DistanceStrategy.MAX_INNER_PRODUCT,
    )
