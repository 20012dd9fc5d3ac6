"""BM25, with scores worked out by hand."""

from __future__ import annotations

import math

import pytest

from siliconfriend.recall.word_index import FEWEST, WordIndex


def _lexicon(*rows: str) -> WordIndex:
    lexicon = WordIndex()
    for row in rows:
        lexicon.add(row.split())
    return lexicon


def test_a_score_worked_out_by_hand() -> None:
    """Two rows of 2 and 4 words, average 3; "bean" once in the first, twice in the second."""
    scores = _lexicon("bean wall", "bean bean pot sun").scores(["bean"])
    idf = math.log(1 + (FEWEST - 2 + 0.5) / 2.5)
    short = idf * 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / 3))
    long = idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 4 / 3))
    assert scores == pytest.approx([short, long])


def test_what_is_longer_than_twice_the_mean_counts_as_so_long() -> None:
    """Beside three rows of one word the mean is 3: nine words count as six."""
    long = _lexicon("sun", "tea", "cup", "bean bean bean a b c d e f").scores(["bean"])[3]
    idf = math.log(1 + (FEWEST - 1 + 0.5) / 1.5)
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
