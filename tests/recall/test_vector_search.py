"""What every search over vectors does, whether they are in the process or in the database."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.postgres_store import PostgresStore
from siliconfriend.recall.documents import digest_of
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.recall.index_cache import Entry
from siliconfriend.recall.postgres.postgres_index import PostgresIndexes
from siliconfriend.recall.vector_index import VectorIndex
from siliconfriend.recall.vector_search import VectorSearch
from tests.memory.people import NORA, a_profile

Hold = Callable[[Vectors], VectorSearch]
"""Makes a search over some vectors."""

ALL_THERE, HALF_THERE = 1.0, 0.5


@pytest.fixture(params=["process", "database", "half of them in the database"])
def hold(request: pytest.FixtureRequest) -> Hold:
    """Each place where vectors can be."""

    def in_process(vectors: Vectors) -> VectorSearch:
        index = VectorIndex(vectors.shape[1])
        index.add(vectors)
        return index

    if request.param == "process":
        return in_process
    share = ALL_THERE if request.param == "database" else HALF_THERE
    database: Database = request.getfixturevalue("database")
    PostgresStore(database).create(NORA, a_profile())

    def in_database(vectors: Vectors) -> VectorSearch:
        stored = vectors[: int(share * len(vectors))]
        digests = [digest_of(str(row)) for row in range(len(stored))]
        cache = PostgresIndexes(database).cache(NORA, "e 1")
        cache.add({it: Entry((), row) for it, row in zip(digests, stored, strict=True)})
        found = cache.stored_vectors(digests, vectors.shape[1])
        assert found is not None
        found.add(vectors[len(stored) :])
        return found

    return in_database


def unit(count: int, seed: int = 7) -> Vectors:
    """Vectors of length 1 in 16 dimensions."""
    vectors = np.random.default_rng(seed).normal(size=(count, 16)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_the_nearest_come_first(hold: Hold) -> None:
    """Against a plain matrix product; no more than there are."""
    vectors, query = unit(40), unit(1, seed=8)[0]
    held = hold(vectors)
    expected = np.argsort(-(vectors @ query))
    assert len(held) == 40
    assert held.nearest(query, 5).tolist() == expected[:5].tolist()
    assert held.nearest(query, 99).tolist() == expected.tolist()


def test_only_chosen_rows_are_looked_at(hold: Hold) -> None:
    """The nearest among them; of none, none."""
    vectors, query = unit(40), unit(1, seed=8)[0]
    held, chosen = hold(vectors), np.arange(40) % 7 == 0
    expected = [row for row in np.argsort(-(vectors @ query)).tolist() if row % 7 == 0]
    assert held.nearest(query, 3, chosen).tolist() == expected[:3]
    assert held.nearest(query, 99, chosen).tolist() == expected
    assert held.nearest(query, 3, np.zeros(40, dtype=np.bool_)).tolist() == []


def test_products_and_vectors_are_those_of_the_rows_asked_for(hold: Hold) -> None:
    """In their order, a row twice too, each question by itself; vectors to the last bit."""
    vectors, queries = unit(40), unit(6, seed=8)
    held, rows = hold(vectors), np.array([39, 0, 17, 0, 20])
    assert np.allclose(held.inner_products(queries, rows), queries @ vectors[rows].T, atol=1e-6)
    (again,) = held.inner_products(queries[:1], rows)
    assert np.allclose(again, (vectors @ queries[0])[rows], atol=1e-6)
    assert np.array_equal(held.vectors(rows), vectors[rows])
    assert held.vectors(rows[:0]).shape == (0, 16)


def test_rows_that_stay_are_numbered_anew(hold: Hold) -> None:
    """And more are added behind them."""
    vectors, query = unit(40), unit(1, seed=8)[0]
    kept = np.array([0, 3, 19, 20, 39])
    few = hold(vectors).subset(kept)
    few.add(vectors[7:9])
    left = vectors[[*kept, 7, 8]]
    assert np.array_equal(few.vectors(np.arange(7)), left)
    assert few.nearest(query, 7).tolist() == np.argsort(-(left @ query)).tolist()


def test_an_empty_one_finds_nothing(hold: Hold) -> None:
    """And what is added is found."""
    held = hold(unit(40)[:0])
    assert held.nearest(unit(1)[0], 3).tolist() == []
    held.add(unit(2))
    assert len(held.nearest(unit(1)[0], 9)) == 2
