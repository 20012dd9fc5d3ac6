"""The FAISS index: exact, and safe where the library by itself is not."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from siliconfriend.recall.vector_index import MULTIPLIED, VectorIndex


def _unit(count: int, dimension: int = 16, seed: int = 7) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.mark.parametrize("count", [MULTIPLIED - 1, MULTIPLIED, 3 * MULTIPLIED + 1])
def test_products_are_those_of_their_rows_however_many_there_are(count: int) -> None:
    """In the order asked for, of all rows and of a few."""
    vectors = _unit(count)
    index = VectorIndex(vectors.shape[1])
    index.add(vectors)
    query = vectors[count // 2]
    backwards = np.arange(count)[::-1].copy()
    few = np.array([count - 1, 0, count // 2])
    for rows in (backwards, few):
        products = index.inner_products(query, rows)
        assert products.dtype == np.float64
        assert np.allclose(products, (vectors @ query)[rows], atol=1e-6)
    assert index.inner_products(query, few)[2] == pytest.approx(1.0, abs=1e-6)


def test_the_nearest_come_first_with_their_products() -> None:
    """Against a plain matrix product."""
    vectors, query = _unit(200), _unit(1, seed=8)[0]
    index = VectorIndex(16)
    index.add(vectors)
    expected = np.argsort(-(vectors @ query))[:5]
    assert index.nearest(query, 5).tolist() == expected.tolist()
    assert np.allclose(
        index.inner_products(query, expected), (vectors @ query)[expected], atol=1e-6
    )


def test_only_chosen_rows_are_looked_at() -> None:
    """The nearest among them, and no more than there are."""
    vectors, query = _unit(200), _unit(1, seed=8)[0]
    index = VectorIndex(16)
    index.add(vectors)
    chosen = np.zeros(200, dtype=np.bool_)
    chosen[::7] = True
    expected = [row for row in np.argsort(-(vectors @ query)) if row % 7 == 0]
    assert index.nearest(query, 5, chosen).tolist() == expected[:5]
    assert sorted(index.nearest(query, 99, chosen)) == sorted(expected)
    assert index.nearest(query, 3, np.zeros(200, dtype=np.bool_)).tolist() == []


def test_rows_that_stay_are_numbered_anew() -> None:
    """In the order given."""
    vectors, query = _unit(10), _unit(1, seed=8)[0]
    index = VectorIndex(16)
    index.add(vectors)
    few = index.subset(np.array([7, 2, 5]))
    assert np.array_equal(few.vectors(np.arange(3)), vectors[[7, 2, 5]])
    assert few.nearest(query, 1).tolist() == [int(np.argmax(vectors[[7, 2, 5]] @ query))]


def test_what_is_usual_is_read_of_the_rows_that_count() -> None:
    """Mean and deviation of a few rows exactly, of many by a sample, and of none zeros."""
    vectors, query = _unit(3000), _unit(1, seed=8)[0]
    index = VectorIndex(16)
    index.add(vectors)
    products = vectors @ query
    few = np.array([1, 5, 700])
    mean, spread = index.usual_inner_products(query, few)
    assert (mean, spread) == pytest.approx((products[few].mean(), products[few].std()), abs=1e-6)
    mean, spread = index.usual_inner_products(query, np.arange(3000))
    assert (mean, spread) == pytest.approx((products[::6].mean(), products[::6].std()), abs=1e-6)
    assert index.usual_inner_products(query, np.arange(0)) == (0.0, 0.0)


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


def test_an_empty_index_finds_nothing() -> None:
    """And more than there is gives what there is."""
    index = VectorIndex(16)
    assert index.nearest(_unit(1)[0], 3).tolist() == []
    index.add(_unit(2))
    assert len(index.nearest(_unit(1)[0], 9)) == 2
    assert index.inner_products(_unit(1)[0], np.empty(0, dtype=np.int64)).tolist() == []
