"""Each embedder has its thresholds: the operator's, the project's, or those of its family."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from siliconfriend.errors import ConfigurationError
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.recall.relevance_threshold import Cuts, RelevanceThreshold
from siliconfriend.recall.thresholds import E5, WIDE, WORDS_ONLY, add_thresholds, threshold_of


@dataclass
class Named:
    """An embedder of which only the name and the dimension matter."""

    name: str
    dimension: int = 2
    revision: str = "1"

    def passages(self, texts: object) -> Vectors:
        """Never asked."""
        raise AssertionError

    queries = passages


LEARNED = RelevanceThreshold(
    question=Cuts(0.5, 0.6, 0.4),
    remark=Cuts(0.03, 0.02, 0.01),
    usual={"en": np.array([0.1, 0.2], np.float32), "cn": np.array([0.3, 0.4], np.float32)},
)


def test_the_bundled_embedder_has_learned_numbers() -> None:
    """A remark passes by less than a question, and a usual message is known in both languages."""
    found = threshold_of(Named("bundled", 384))
    assert found.question.english > found.question.across
    assert found.remark.english < found.question.english
    assert {language: len(vector) for language, vector in found.usual.items()} == {
        "en": 384,
        "cn": 384,
    }


def test_an_unknown_embedder_has_those_of_its_family() -> None:
    """Nothing is taken off a remark there, since nobody measured it."""
    assert threshold_of(Named("sentence-transformers:intfloat/multilingual-e5-base")) is E5
    assert threshold_of(Named("openai:text-embedding-3-small")) is WIDE
    assert threshold_of(None) is WORDS_ONLY
    assert not E5.usual
    assert not WIDE.usual


def test_the_operators_file_comes_first(tmp_path: Path) -> None:
    """What was written is read again, and other embedders in the file stay."""
    file = tmp_path / "thresholds.json"
    add_thresholds(file, "bundled", LEARNED)
    add_thresholds(file, "mine", LEARNED)
    for name in ("bundled", "mine"):
        found = threshold_of(Named(name), file)
        assert (found.question, found.remark) == (LEARNED.question, LEARNED.remark)
        assert found.usual["cn"] == pytest.approx([0.3, 0.4], abs=1e-5)
    assert threshold_of(Named("another"), file) is WIDE
    assert threshold_of(Named("another"), tmp_path / "none.json") is WIDE


@pytest.mark.parametrize(
    "words",
    ["{", "[]", '{"mine": []}', '{"mine": {"question": {"english": 1}}}'],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, words: str) -> None:
    """Going on with other numbers would find other things, and nobody would know why."""
    file = tmp_path / "thresholds.json"
    file.write_text(words, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"thresholds\.json"):
        threshold_of(Named("mine"), file)


def test_vectors_of_another_length_are_refused(tmp_path: Path) -> None:
    """They were learned for another model of the same name."""
    file = tmp_path / "thresholds.json"
    add_thresholds(file, "mine", LEARNED)
    with pytest.raises(ConfigurationError, match=r"thresholds\.json"):
        threshold_of(Named("mine", 3), file)
