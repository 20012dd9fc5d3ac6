"""Words inside words, in both languages."""

from __future__ import annotations

import pytest

from siliconfriend.language.tokenizer import stem
from siliconfriend.recall.compounds import parts_of


@pytest.mark.parametrize(
    ("token", "parts"),
    [("玻璃琴", ("玻", "璃", "琴")), ("弹琴", ("弹", "琴")), ("琴", ()), ("天天", ("天",))],
)
def test_a_chinese_word_is_made_of_its_characters(token: str, parts: tuple[str, ...]) -> None:
    """Each once; one that stands alone has no parts."""
    assert parts_of(token) == parts


@pytest.mark.parametrize(
    ("word", "inside"),
    [("bookshop", "shop"), ("snowboards", "board"), ("footballs", "ball"), ("homework", "work")],
)
def test_an_english_compound_has_halves(word: str, inside: str) -> None:
    """Where both are everyday words, whatever the ending of the whole."""
    assert stem(inside) in parts_of(stem(word))


@pytest.mark.parametrize("word", ["season", "earth", "heart", "message", "cat", "3.5", "x1y2"])
def test_what_only_looks_like_a_compound_is_none(word: str) -> None:
    """No son of the sea, no ear in the earth."""
    assert parts_of(stem(word)) == ()


def test_a_row_of_letters_longer_than_any_word_is_not_taken_apart() -> None:
    """It would be cut at each of them."""
    assert parts_of("bookshop") == ("book", "shop")
    assert parts_of("book" * 30 + "shop") == ()
