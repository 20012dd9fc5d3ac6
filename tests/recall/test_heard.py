"""One message is embedded once, whoever looks for it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from siliconfriend.errors import ModelUnavailable
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.recall.embedders.heard import MOST, HeardOnce
from siliconfriend.testing import WordEmbedder


class Counting(WordEmbedder):
    """Counts what it is asked, and fails while it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.is_down = False

    def queries(self, texts: Sequence[str]) -> Vectors:
        """As a word embedder, unless it is down."""
        self.asked.extend(texts)
        if self.is_down:
            raise ModelUnavailable("model_unreachable", name="x", address="y")
        return super().queries(texts)


def test_a_question_is_embedded_once_and_is_the_same_each_time() -> None:
    """Whatever was done with the vector meanwhile; others are embedded, and so are passages."""
    inner = Counting()
    embedder = HeardOnce(inner)
    first = embedder.queries(["the cat"])
    kept = first.copy()
    first[:] = 0
    assert np.array_equal(embedder.queries(["the cat"]), kept)
    assert embedder.queries(["the dog", "the cat"]).shape == (2, inner.dimension)
    assert embedder.passages(["the cat"]).shape == (1, inner.dimension)
    assert embedder.queries([]).shape == (0, inner.dimension)
    assert inner.asked == ["the cat", "the dog", "the cat"]
    assert (embedder.name, embedder.revision) == (inner.name, inner.revision)


def test_only_the_last_questions_are_kept() -> None:
    """What was asked long ago is embedded again."""
    inner = Counting()
    embedder = HeardOnce(inner)
    for number in range(MOST + 1):
        embedder.queries([f"question {number}"])
    embedder.queries(["question 1"])
    assert len(inner.asked) == MOST + 1
    embedder.queries(["question 0"])
    assert len(inner.asked) == MOST + 2


def test_a_failure_is_not_kept() -> None:
    """The next try asks again."""
    inner = Counting()
    embedder = HeardOnce(inner)
    inner.is_down = True
    with pytest.raises(ModelUnavailable):
        embedder.queries(["the cat"])
    inner.is_down = False
    assert embedder.queries(["the cat"]).any()
