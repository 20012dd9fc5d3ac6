"""No text is embedded twice, in one run or in the next."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from siliconfriend.errors import ConfigurationError
from siliconfriend.evaluation.vectors import BATCH, RememberingEmbedder
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.testing import WordEmbedder

WORDS = ("kiln", "glaze", "harbour")


def test_a_text_is_embedded_once() -> None:
    """Repeats within a call and between calls come from memory, in the order asked for."""
    inner = WordEmbedder(WORDS)
    embedder = RememberingEmbedder(inner)
    texts = ["kiln", "glaze", "kiln"]
    first = embedder.passages(texts)
    second = embedder.passages(["harbour", *texts])
    assert inner.embedded == ["kiln", "glaze", "harbour"]
    np.testing.assert_array_equal(first, WordEmbedder(WORDS).passages(texts))
    np.testing.assert_array_equal(second[1:], first)
    assert (embedder.name, embedder.revision, embedder.dimension) == (
        inner.name,
        inner.revision,
        inner.dimension,
    )


def test_a_file_keeps_them_for_the_next_run(tmp_path: Path) -> None:
    """Another run finds them; another embedder does not take them for its own."""
    file = tmp_path / "vectors.sqlite"
    RememberingEmbedder(WordEmbedder(WORDS), file=file).passages(["kiln", "glaze"])
    again = WordEmbedder(WORDS)
    vectors = RememberingEmbedder(again, file=file).passages(["glaze"])
    assert again.embedded == []
    np.testing.assert_array_equal(vectors, [[0, 1, 0]])
    other = WordEmbedder(("glaze", "kiln", "harbour"))
    np.testing.assert_array_equal(
        RememberingEmbedder(other, file=file).passages(["glaze"]), [[1, 0, 0]]
    )


class _Asymmetric(WordEmbedder):
    """Like E5, whose question and passage of the same words have different vectors."""

    def queries(self, texts: Sequence[str]) -> Vectors:
        return -super().queries(texts)


def test_a_question_and_a_passage_of_the_same_words_stay_two() -> None:
    """Some embedders place them differently."""
    embedder = RememberingEmbedder(_Asymmetric(WORDS))
    np.testing.assert_array_equal(embedder.passages(["kiln"]), [[1, 0, 0]])
    np.testing.assert_array_equal(embedder.queries(["kiln"]), [[-1, 0, 0]])


def test_progress_is_told_batch_by_batch() -> None:
    """So that a bar moves while thousands of texts are embedded."""
    told: list[int] = []
    embedder = RememberingEmbedder(WordEmbedder(WORDS), embedded=told.append)
    embedder.passages([f"kiln {number}" for number in range(BATCH + 1)])
    assert told == [BATCH, 1]
    assert embedder.queries([]).shape == (0, 3)


def test_a_file_that_is_no_such_file_is_refused(tmp_path: Path) -> None:
    """It might be somebody's letter; it is left alone."""
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ada, " * 200)
    with pytest.raises(ConfigurationError):
        RememberingEmbedder(WordEmbedder(WORDS), file=file)
    assert file.read_text() == "Dear Ada, " * 200
