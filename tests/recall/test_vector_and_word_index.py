"""The FAISS index, exact and safe between threads; BM25, with scores worked out by hand."""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from siliconfriend.recall import vector_index
from siliconfriend.recall.vector_index import VectorIndex
from siliconfriend.recall.word_index import LEAST_ROWS, WordIndex


def _unit(count: int, dimension: int = 16, seed: int = 7) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


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


def test_vectors_are_those_of_the_rows_asked_for() -> None:
    """In their order, a row twice too, to the last bit."""
    vectors = _unit(40)
    held, rows = _index(vectors), np.array([39, 0, 17, 0, 20])
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


def test_a_large_index_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """By 8-bit copies, also of vectors that were added later, and among chosen rows."""
    monkeypatch.setattr(vector_index, "LARGE", 1_000)
    vectors, query = _unit(4_000, 64), _unit(1, 64, seed=8)[0]
    held, chosen = _index(vectors[:3_000]), np.arange(4_000) % 3 > 0
    held.nearest(query, 5)
    held.add(vectors[3_000:])
    best = np.argsort(-(vectors @ query))
    assert held.nearest(query, 50).tolist() == best[:50].tolist()
    assert held.nearest(query, 50, chosen).tolist() == best[chosen[best]][:50].tolist()
    kept = np.arange(0, 4_000, 2)
    left = np.argsort(-(vectors[kept] @ query))[:50]
    assert held.subset(kept).nearest(query, 50).tolist() == left.tolist()


def _lexicon(*rows: str) -> WordIndex:
    lexicon = WordIndex()
    for row in rows:
        lexicon.add(row.split())
    return lexicon


def test_a_score_worked_out_by_hand() -> None:
    """Two rows of 2 and 4 words, average 3; "bean" once in the first, twice in the second."""
    scores = _lexicon("bean wall", "bean bean pot sun").scores(["bean"])
    idf = math.log(1 + (LEAST_ROWS - 2 + 0.5) / 2.5)
    short = idf * 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / 3))
    long = idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 4 / 3))
    assert scores == pytest.approx([short, long])


def test_what_is_longer_than_twice_the_mean_counts_as_so_long() -> None:
    """Beside three rows of one word the mean is 3: nine words count as six."""
    long = _lexicon("sun", "tea", "cup", "bean bean bean a b c d e f").scores(["bean"])[3]
    idf = math.log(1 + (LEAST_ROWS - 1 + 0.5) / 1.5)
    assert long == pytest.approx(idf * 3 * 2.2 / (3 + 1.2 * (0.25 + 0.75 * 2)))


def test_among_few_rows_a_word_that_occurs_tells_nearly_as_much_as_one_that_does_not() -> None:
    """In one row ln(1 + 9.5 / 1.5) = 1.99 beside ln(1 + 10.5 / 0.5) = 3.09; in sixty it is by N."""
    one = _lexicon("lima")
    assert one.idf("lima") == pytest.approx(math.log(1 + 9.5 / 1.5))
    assert one.idf("happened") == pytest.approx(math.log(22))
    assert _lexicon(*["lima"] * 60).idf("lima") == pytest.approx(math.log(1 + 0.5 / 60.5))


def test_nothing_is_found_in_nothing() -> None:
    """No rows, no words and an unknown word give no scores."""
    assert WordIndex().scores(["tea"]).tolist() == []
    assert _lexicon("tea").scores([]).tolist() == [0.0]
    assert _lexicon("tea", "").scores(["snow"]).tolist() == [0.0, 0.0]
