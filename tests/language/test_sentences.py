"""Sentences of both languages, and which of them ask."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.language.sentences import (
    asks_by_order,
    ends_as_question,
    is_question,
    join_sentences,
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


def test_a_question_by_its_words_and_by_its_end() -> None:
    """A question word may stand in a statement, which therefore does not end as a question."""
    for asked in ("What is it", "Tell me what it was.", "你喜欢画画吗", "Really?"):
        assert is_question(asked), asked
    assert is_question("我不知道怎么办。")
    assert not ends_as_question("我不知道怎么办。")
    assert ends_as_question("你喜欢画画吗")
    assert ends_as_question("“Really?”")
    assert not ends_as_question("I like it.")
    assert not is_question("I like it.")


STATEMENTS = (
    *("他们正从我窗户底下跑过去呢", "他还没回来呢", "这个可好吃呢", "老师还夸我画得很好呢！"),
    *("今天可热闹呢~", "还在医院呢", "had my first scan", "had dinner with Kit", "is raining"),
    *("did the dishes and the laundry", "were in Leeds all week", "did it again", "isn't fair"),
    *("was so nervous", "had the flu", "does my head in"),
)
QUESTIONS = (
    *("你呢", "我的钥匙呢", "然后呢", "要是下雨呢", "怎么还不来呢", "去不去呢", "如果他不来呢"),
    *("你还没吃饭呢？", "did i tell you about kit", "was i ever in Japan", "was the film good"),
    *("can my son swim", "didn't i tell you", "did the vet call back", "was Fay ill?"),
    "did the operation go well",
)


@pytest.mark.parametrize("told", STATEMENTS)
def test_a_statement_that_looks_like_a_question(told: str) -> None:
    """A particle may end one, and people leave "I" out before a verb that may ask."""
    assert not ends_as_question(told)
    assert not asks_by_order(told)
    assert not is_question(told)


@pytest.mark.parametrize("asked", QUESTIONS)
def test_a_question_without_its_mark(asked: str) -> None:
    """It asks after somebody by a particle, or by the order of its words."""
    assert is_question(asked)
    assert ends_as_question(asked) == (not asked.isascii() or asked.endswith("?"))


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
