"""The FAISS index: exact, and safe where the library by itself is not."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from siliconfriend.recall.vector_index import VectorIndex


def _unit(count: int, dimension: int = 16, seed: int = 7) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _index(vectors: np.ndarray) -> VectorIndex:
    index = VectorIndex(vectors.shape[1])
    index.add(vectors)
    return index


def test_eight_threads_add_and_each_vector_finds_itself() -> None:
    """Without a lock texts end up under each other's vectors, with all counts right."""
    vectors = _unit(800)
    index = VectorIndex(16)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda first: index.add(vectors[first : first + 10]), range(0, 800, 10)))
    assert len(index) == 800
    held = index.vectors(np.arange(800))
    for vector in vectors:
        row = int(index.nearest(vector, 1)[0])
        assert np.array_equal(held[row], vector)


def test_only_chosen_rows_are_looked_at() -> None:
    """The nearest among them; of none, none."""
    vectors, query = _unit(40), _unit(1, seed=8)[0]
    held, chosen = _index(vectors), np.arange(40) % 7 == 0
    expected = [row for row in np.argsort(-(vectors @ query)).tolist() if row % 7 == 0]
    assert held.nearest(query, 3, chosen).tolist() == expected[:3]
    assert held.nearest(query, 99, chosen).tolist() == expected
    assert held.nearest(query, 3, np.zeros(40, dtype=np.bool_)).tolist() == []


def test_products_and_vectors_are_those_of_the_rows_asked_for() -> None:
    """In their order, a row twice too, of many and of few; vectors to the last bit."""
    vectors, query = _unit(40), _unit(1, seed=8)[0]
    held, rows = _index(vectors), np.array([39, 0, 17, 0, 20])
    for asked in (rows, np.arange(40)[::-1].copy()):
        products = held.inner_products(query, asked)
        assert np.allclose(products, vectors[asked] @ query, atol=1e-6)
    assert np.array_equal(held.vectors(rows), vectors[rows])
    assert held.vectors(rows[:0]).shape == (0, 16)


def test_rows_that_stay_are_numbered_anew() -> None:
    """And more are added behind them."""
    vectors, query = _unit(40), _unit(1, seed=8)[0]
    kept = np.array([0, 3, 19, 20, 39])
    few = _index(vectors).subset(kept)
    few.add(vectors[7:9])
    left = vectors[[*kept, 7, 8]]
    assert np.array_equal(few.vectors(np.arange(7)), left)
    assert few.nearest(query, 7).tolist() == np.argsort(-(left @ query)).tolist()
