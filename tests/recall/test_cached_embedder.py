"""No text is embedded twice: in one talk, in one night, in one evaluation or in the next."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.recall.embedders.cached import MAX_QUERIES, CachedEmbedder
from siliconfriend.recall.index_file import IndexFile
from siliconfriend.testing import WordEmbedder

WORDS = ("kiln", "glaze", "harbour")


class Counting(WordEmbedder):
    """Counts what it is asked."""

    def __init__(self, words: Sequence[str] = ()) -> None:
        super().__init__(words)
        self.asked: list[str] = []
        self.largest_batch = 0

    def passages(self, texts: Sequence[str]) -> Vectors:
        """As a word embedder."""
        self.largest_batch = max(self.largest_batch, len(texts))
        return super().passages(texts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """As a word embedder with the signs turned."""
        self.asked.extend(texts)
        return -super().queries(texts)


def test_a_passage_is_embedded_once() -> None:
    """Repeats within a call and between calls come from the cache, in the order asked for."""
    inner = WordEmbedder(WORDS)
    embedder = CachedEmbedder(inner)
    texts = ["kiln", "glaze", "kiln"]
    first = embedder.passages(texts)
    second = embedder.passages(["harbour", *texts])
    assert inner.embedded == ["kiln", "glaze", "harbour"]
    np.testing.assert_array_equal(first, WordEmbedder(WORDS).passages(texts))
    np.testing.assert_array_equal(second[1:], first)
    assert embedder.passages([]).shape == (0, 3)
    assert (embedder.name, embedder.revision, embedder.dimension) == (
        inner.name,
        inner.revision,
        inner.dimension,
    )


def test_a_question_is_embedded_once_and_is_the_same_each_time() -> None:
    """Whatever was done with the vector meanwhile."""
    inner = Counting(WORDS)
    embedder = CachedEmbedder(inner)
    first = embedder.queries(["kiln"])
    kept = first.copy()
    first[:] = 0
    assert np.array_equal(embedder.queries(["kiln"]), kept)
    assert embedder.queries(["glaze", "kiln"]).shape == (2, inner.dimension)
    assert embedder.queries([]).shape == (0, inner.dimension)
    assert inner.asked == ["kiln", "glaze"]


def test_only_the_last_used_are_kept() -> None:
    """What was asked long ago is embedded again; being asked for again counts as use."""
    inner = Counting()
    embedder = CachedEmbedder(inner)
    for number in range(MAX_QUERIES):
        embedder.queries([f"question {number}"])
    embedder.queries(["question 0"])
    embedder.queries(["one more"])
    assert len(inner.asked) == MAX_QUERIES + 1
    embedder.queries(["question 0"])
    assert len(inner.asked) == MAX_QUERIES + 1
    embedder.queries(["question 1"])
    assert len(inner.asked) == MAX_QUERIES + 2


def test_many_texts_are_embedded_few_at_a_time() -> None:
    """So that whoever else needs the embedder gets it in between, and a bar can move."""
    inner, batches = Counting(), list[int]()
    embedder = CachedEmbedder(inner, batch_size=16, on_embedded=batches.append)
    assert len(embedder.passages([f"w{it}" for it in range(100)])) == 100
    assert inner.largest_batch == 16
    assert batches == [16] * 6 + [4]
    embedder.passages(["w1"])
    assert sum(batches) == 100


def test_a_file_keeps_them_for_the_next_run(tmp_path: Path) -> None:
    """Of passages and queries, and no words of them."""
    path = tmp_path / "vectors.sqlite"
    for again in (Counting(WORDS), Counting(WORDS)):
        embedder = CachedEmbedder(again, file=IndexFile(path, "words 1"))
        np.testing.assert_allclose(
            embedder.passages(["harbour glaze"]), [[0, 0.5**0.5, 0.5**0.5]], atol=1e-6
        )
        np.testing.assert_array_equal(embedder.queries(["glaze"]), [[0, -1, 0]])
    assert again.embedded == again.asked == []
    assert b"harbour" not in path.read_bytes()


def test_threads_may_share_one(tmp_path: Path) -> None:
    """With a cache too small for all of them, and a file, each gets the vectors it asked for."""
    embedder = CachedEmbedder(
        WordEmbedder(WORDS), max_passages=2, file=IndexFile(tmp_path / "v", "words 1")
    )
    expected, wrong = WordEmbedder(WORDS).passages(WORDS), list[Vectors]()

    def ask() -> None:
        for _ in range(50):
            found = embedder.passages(WORDS)
            if not np.array_equal(found, expected):
                wrong.append(found)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
