"""Sentences of both languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.language.sentences import (
    join_sentences,
    sentences_within,
    split_at_marks,
    split_sentences,
)


def test_where_sentences_end() -> None:
    """Abbreviations and numbers do not end one; Chinese marks and line ends do."""
    assert split_sentences("I saw Dr. Wu at 3.30 p.m. today. Fine!\nYes") == [
        "I saw Dr. Wu at 3.30 p.m. today.",
        "Fine!",
        "Yes",
    ]
    assert split_sentences("我去了公园。看到了“樱花！”真美……是吗？") == [
        "我去了公园。",
        "看到了“樱花！”",
        "真美……",
        "是吗？",
    ]
    assert split_sentences("  ") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See a.org for it", ["See a.org for it"]),
        ("我去了公园.你呢?好", ["我去了公园.", "你呢?", "好"]),
        ("So late!How was it?Fine", ["So late!", "How was it?", "Fine"]),
        ("“Stop!” she said. (Then left.) Well", ["“Stop!”", "she said.", "(Then left.)", "Well"]),
        ("！！！", []),
        ("“。”", []),
    ],
)
def test_marks_that_end_no_sentence(text: str, expected: list[str]) -> None:
    """An address does not end one, a mark beside a Chinese character does; marks alone are none."""
    assert split_sentences(text) == expected


def test_sentences_are_joined_as_they_are_written() -> None:
    """With a space in English and none after a Chinese mark."""
    assert join_sentences(["One.", "Two."]) == "One. Two."
    assert join_sentences(["好的。", "“真美！”", "Yes."]) == "好的。“真美！”Yes."


@given(st.text())
def test_any_text_has_sentences(text: str) -> None:
    """None is empty, and joined again they say all that the text says."""
    sentences = split_sentences(text)
    assert all(sentence.strip() == sentence != "" for sentence in sentences)
    assert all(sentence in text for sentence in sentences)


def test_the_finest_pieces_end_at_every_mark() -> None:
    """Also where no sentence does."""
    assert split_at_marks("See a.org, Dr. Wu!\n好。") == ["See a.", "org, Dr.", "Wu!", "好。"]


def test_a_row_of_abbreviations_is_one_sentence() -> None:
    """None of them ends it, and the longest is known by its last characters."""
    assert split_sentences("We met Prof. Dr. St. Clair. He left.") == [
        "We met Prof. Dr. St. Clair.",
        "He left.",
    ]
    assert len(split_sentences("Mr. " * 20_000 + "X")) == 1


LIST = (
    "Here are three ways:\n1. **Walk** in the wood every morning.\n2. Read a novel.\n3. Call Nell."
)


def test_the_number_of_a_list_ends_no_sentence() -> None:
    """Its item stands behind it."""
    assert split_sentences(LIST)[1:3] == [
        "1. **Walk** in the wood every morning.",
        "2. Read a novel.",
    ]


@pytest.mark.parametrize(
    ("most", "about", "kept"),
    [
        (80, "", "Here are three ways: 1. **Walk** in the wood every morning. 2. Read a novel."),
        (20, "Which novel?", "2. Read a novel."),
        (12, "", "Here are th…"),
    ],
)
def test_an_excerpt_is_neither_empty_nor_a_heading(most: int, about: str, kept: str) -> None:
    """A heading is kept with what follows it, and one that is too long is cut."""
    found = sentences_within(LIST, most, len, about)
    assert found == kept


@pytest.mark.parametrize(
    ("about", "kept"),
    [
        ("", "Sure! Until the books are open, I wou…"),
        ("What about the books?", "Until the books are open, I would say…"),
    ],
)
def test_a_courtesy_takes_not_the_place_of_what_follows_it(about: str, kept: str) -> None:
    reply = "Sure! Until the books are open, I would say no to them. Sleep on it."
    assert sentences_within(reply, 38, len, about) == kept


def test_the_end_can_be_kept() -> None:
    """The newest sentences of a story, without a gap."""
    story = "She rows. She moved to Leeds in May. She has a cat."
    kept = sentences_within(story, 45, len, keep_end=True)
    assert kept == "She moved to Leeds in May. She has a cat."
