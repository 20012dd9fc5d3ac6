"""Vectors that are made once while a run lasts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from siliconfriend.extraction.embedding import AT_ONCE, RememberedVectors
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.testing import WordEmbedder


def test_a_text_is_embedded_once() -> None:
    """Asked for again, alone or among others, it is known; the order is that of the question."""
    embedder = WordEmbedder(["jazz", "tea"])
    vectors = RememberedVectors(embedder)
    assert vectors(["jazz", "tea", "jazz"]).tolist() == [[1, 0], [0, 1], [1, 0]]
    assert vectors(["tea"]).tolist() == [[0, 1]]
    assert embedder.embedded == ["jazz", "tea"]
    assert vectors([]).shape == (0, 2)


def test_what_another_knows_is_not_embedded() -> None:
    """Nor asked for twice."""
    embedder = WordEmbedder(["jazz", "tea"])
    vectors = RememberedVectors(embedder)
    asked: list[str] = []

    def known(texts: Sequence[str]) -> Vectors:
        asked.extend(texts)
        return np.array([[0.6, 0.8]] * len(texts), dtype=np.float32)

    vectors.learn(["a topic"], known)
    vectors.learn(["a topic"], known)
    assert np.allclose(vectors(["a topic"]), [[0.6, 0.8]])
    assert (asked, embedder.embedded) == (["a topic"], [])


def test_many_texts_are_embedded_few_at_a_time() -> None:
    """So that whoever else needs the embedder gets it in between."""

    class Counting(WordEmbedder):
        most = 0

        def passages(self, texts: Sequence[str]) -> Vectors:
            self.most = max(self.most, len(texts))
            return super().passages(texts)

    embedder = Counting()
    assert len(RememberedVectors(embedder)([f"w{it}" for it in range(100)])) == 100
    assert embedder.most == AT_ONCE
