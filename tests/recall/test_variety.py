"""Several pieces: a question for more than one thing gets one memory of each before two of one."""

from __future__ import annotations

import numpy as np
import pytest

from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.recall.variety import repetition, with_variety
from tests.memory.people import NORA
from tests.recall.people import NOW, a_recaller, remember, turns


def test_what_repeats_one_before_it_is_found_by_hand() -> None:
    """Five of which the fourth is the second again; cosines of the others are 0.

    Two of the twenty cosines between different ones are 1, so their mean is 0.1; from it to 1
    the same memory counts 1 and an unlike one 0.
    """
    vectors = np.eye(5, dtype=np.float32)[[0, 1, 2, 1, 4]]
    assert repetition(np.array([5.0, 4.0, 3.0, 2.0, 1.0]), vectors) == pytest.approx(
        [0, 0, 0, 1, 0]
    )


def test_the_first_three_stand_by_their_match_alone() -> None:
    """The answers that fit best are not exchanged for something else."""
    vectors = np.eye(5, dtype=np.float32)[[0, 0, 0, 0, 4]]
    assert repetition(np.array([5.0, 4.0, 3.0, 2.0, 1.0]), vectors).tolist() == [0, 0, 0, 1, 0]


TENNIS = [f"I play tennis in the park on {day}." for day in ("Monday", "Friday", "Sunday")]


def test_another_matter_stands_before_the_fourth_telling_of_one() -> None:
    """The fourth matches better than the last but says what the second said: 2 - 1 < 1.5."""
    vectors = np.eye(5, dtype=np.float32)[[0, 1, 2, 1, 4]]
    match = {"dense": np.array([5.0, 4.0, 3.0, 2.0, 1.5])}
    everything = np.ones(5, dtype=np.bool_)
    parts = with_variety("abcde".__getitem__, match, everything, 10, vectors.__getitem__)
    assert parts["dense"] is match["dense"]
    assert parts["repeated"] == pytest.approx([0, 0, 0, -1, 0])
    # What is not eligible says nothing before anybody: the second is no candidate here.
    is_eligible = np.array([True, False, True, True, True])
    parts = with_variety("abcde".__getitem__, match, is_eligible, 10, vectors.__getitem__)
    assert parts["repeated"].tolist() == [0] * 5


def test_the_same_words_again_stand_behind_all_others() -> None:
    """Told twice, the first thing takes one place; it is not looked for among the best again."""
    vectors = np.eye(5, dtype=np.float32)
    match = {"dense": np.array([5.0, 4.0, 3.0, 4.9, 1.5])}
    parts = with_variety(
        "abcad".__getitem__, match, np.ones(5, dtype=np.bool_), 10, vectors.__getitem__
    )
    assert parts["repeated"] == pytest.approx([0, 0, 0, -1, 0])


def test_words_alone_have_nothing_to_compare() -> None:
    """Without an embedder the match decides."""
    store = InMemoryStore()
    remember(store, turns((f"2026-03-0{1 + at}", it, "") for at, it in enumerate(TENNIS)))
    result = a_recaller(store, None).recall(NORA, "When do I play tennis?", now=NOW)
    assert result.memories
    assert all("repeated" not in it.parts for it in result.memories)
