"""Quotations hold only words that were said, the ones that matter, with what is cut marked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.dialogue.excerpt import excerpt
from siliconfriend.language.overlap import overlap_terms

STORY = (
    "On Monday I overslept. Then the bus was late. At noon my sister Anna called from "
    "Lisbon about her new boat. In the evening I cooked soup. It was too salty."
)
CHINESE = "周一我睡过了头。后来公交又晚点。中午妹妹从里斯本打来电话，说她买了一条船。晚上我煮了汤。"


def test_short_words_are_quoted_whole() -> None:
    """What fits is not cut, and its line breaks become spaces."""
    assert excerpt("I am\n\nfine. ", frozenset()) == "I am fine."


def test_long_words_are_cut_to_what_matters() -> None:
    """The sentence the question is about stays whole, and the cuts are marked."""
    about = overlap_terms("When did Anna call about the boat?")
    assert excerpt(STORY, about, 80) == (
        "… At noon my sister Anna called from Lisbon about her new boat. …"
    )
    assert excerpt(STORY, about, 100) == (
        "… At noon my sister Anna called from Lisbon about her new boat. "
        "In the evening I cooked soup. …"
    )


def test_the_sentence_that_answers_stays() -> None:
    """Whatever words of the question stand in another."""
    about = overlap_terms("When did Anna call about the boat?")
    assert excerpt(STORY, about, 40, lambda it: "soup" in it) == (
        "… In the evening I cooked soup. …"
    )


def test_chinese_is_cut_at_its_own_marks() -> None:
    """Chinese sentences end without a space."""
    assert excerpt(CHINESE, overlap_terms("妹妹什么时候打的电话"), 24) == (
        "… 中午妹妹从里斯本打来电话，说她买了一条船。 …"
    )


@given(st.text(max_size=400), st.integers(10, 100))
def test_nothing_is_made_up(words: str, longest: int) -> None:
    """Whatever was said, a quotation is a stretch of it and not longer than allowed."""
    quoted = excerpt(words, overlap_terms(words[:40]), longest)
    core = quoted.removeprefix("… ").removesuffix(" …")
    assert len(core) <= longest
    assert "".join(core.split()) in "".join(words.split())
