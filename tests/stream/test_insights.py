"""Reading insights and questions from what a model wrote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.prompts.loader import Prompts
from siliconfriend.stream import parse_insights
from siliconfriend.stream.reflection import (
    Insight,
    format_insights,
    infer_insights,
    parse_questions,
)
from siliconfriend.testing import ScriptedChatModel


def test_numbered_lines_with_evidence() -> None:
    """The form the prompts ask for gives pairs of words and numbers, in order."""
    answer = """1. Maya trusts her choir with what she cannot say at work. [7, 52, 47]
2. Theo and Maya like different things and stay close because of it. [22, 40]
3. Nadia's move made Maya write letters again. [3, 57, 62, 42]
4. The flat above the bakery is where Maya recovers. [14]"""
    assert parse_insights(answer) == [
        ("Maya trusts her choir with what she cannot say at work.", [7, 52, 47]),
        ("Theo and Maya like different things and stay close because of it.", [22, 40]),
        ("Nadia's move made Maya write letters again.", [3, 57, 62, 42]),
        ("The flat above the bakery is where Maya recovers.", [14]),
    ]


@pytest.mark.parametrize(
    ("line", "insight"),
    [
        ("1. Ada sings [ 1, 2 ]", ("Ada sings", [1, 2])),
        ("2) Ada sings [1; 2]", ("Ada sings", [1, 2])),
        ("**3.** Ada **sings** [1]", ("Ada sings", [1])),
        ("1. Ada sings [1][2]", ("Ada sings", [1, 2])),
        ("1. Ada sings [1, 2].", ("Ada sings.", [1, 2])),
        ("1. Ada sings [2, 1, 2]", ("Ada sings", [2, 1])),
        ("1. Ada sings [3-5]", ("Ada sings", [3, 4, 5])),
        ("1. Ada sings [9-2]", ("Ada sings", [9, 2])),
        ("1. Ada sings [Statements 1 and 2]", ("Ada sings", [1, 2])),
        ("1、小安爱唱歌【1，2】", ("小安爱唱歌", [1, 2])),
        ("3、小安爱唱歌 [证据：第1条和第2条]", ("小安爱唱歌", [1, 2])),
    ],
)
def test_forms_that_models_write(line: str, insight: Insight) -> None:
    """Other brackets, marks, widths and words inside the brackets mean the same."""
    assert parse_insights(line) == [insight]


def test_what_stands_around_is_no_insight() -> None:
    """A preface, a remark at the end and empty points are left out."""
    answer = """Sure, here are the insights:

1. Ada sings [1]
2.
3. [4]

I hope this helps!"""
    assert parse_insights(answer) == [("Ada sings", [1])]
    assert parse_insights("") == []
    assert parse_insights("I cannot say.") == []


def test_a_wrapped_line_goes_on() -> None:
    """Words and evidence on the next line belong to the insight; after an empty line no more."""
    answer = """1. Ada sings in the evening
   because the day is loud [1]
2. Ada hums
[2, 3]
3. Ada writes

That was all."""
    assert parse_insights(answer) == [
        ("Ada sings in the evening because the day is loud", [1]),
        ("Ada hums", [2, 3]),
        ("Ada writes", []),
    ]


words = st.text(st.characters(whitelist_categories=("Lu", "Ll", "Lo")), min_size=1, max_size=20)
insights = st.lists(
    st.tuples(words, st.lists(st.integers(0, 10**6), unique=True, max_size=6)), max_size=8
)


@given(insights)
def test_what_is_listed_is_read_again(given_ones: list[Insight]) -> None:
    """Writing insights in the form and reading them gives the same insights."""
    assert parse_insights(format_insights(given_ones)) == given_ones


def test_an_absurd_answer_takes_no_time() -> None:
    """Ten thousand brackets, words in them, or a range without end are read at once."""
    parse_insights("1. x " + "[1] " * 10_000)
    parse_insights("1. x [" + "证据" * 20_000 + "]")
    parse_insights("[" * 20_000 + "]" * 20_000)
    assert parse_insights("1. x [1-999999999]") == [("x", [1, 999999999])]


def test_questions_are_the_numbered_lines() -> None:
    """At most so many, without their marks; without numbers the lines that ask."""
    answer = "Here you go:\n1. Why does Ada sing?\n2. **What holds Theo?**\n3、外婆为什么写信？\n4. More?"
    assert parse_questions(answer, 3) == [
        "Why does Ada sing?",
        "What holds Theo?",
        "外婆为什么写信？",
    ]
    assert parse_questions("Well.\nWhy does Ada sing?\n为什么？", 3) == [
        "Why does Ada sing?",
        "为什么？",
    ]
    assert parse_questions("No idea.", 3) == []


def test_an_insight_that_cites_nothing_there_is_dropped() -> None:
    """One wrong number makes the whole insight one that was made up."""
    chat = ScriptedChatModel(2 * ["1. a [0, 2]\n2. b [0, 9]\n3. c\n4. d [3]"])
    found = infer_insights(chat, Prompts("en"), {0: "Ada sings"}, "Why?", range(3))
    assert found == [("a", [0, 2]), ("c", [])]
