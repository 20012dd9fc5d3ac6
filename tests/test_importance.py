"""How much a memory matters: the rule, and reading a model's rating."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.errors import UnusableAnswer
from siliconfriend.extraction.importance import offline_importance
from siliconfriend.prompts.loader import Prompts
from siliconfriend.seeds.importance import (
    LONGEST,
    NoRating,
    parse_rating,
    rate,
)
from siliconfriend.testing import ScriptedChatModel
from tests.sentences import rows

ENGLISH = Prompts("en")


@pytest.mark.parametrize(("words", "importance"), rows("importance"))
def test_kinds_of_cue_add_up(words: str, importance: float) -> None:
    """The values of the rule's formula, worked out by hand."""
    assert offline_importance(words) == importance


@given(st.text(), st.text())
def test_the_rule_stays_on_its_scale_and_never_falls(one: str, more: str) -> None:
    """From 0.1 to 1 in tenths; saying more on another line never makes a memory matter less."""
    alone, together = offline_importance(one), offline_importance(f"{one}\n{more}")
    assert alone in [step / 10 for step in range(1, 11)]
    assert together >= alone


@pytest.mark.parametrize(("answer", "importance"), rows("ratings"))
def test_a_rating_is_read_from_loose_answers(answer: str, importance: float) -> None:
    """The number from 1 to 10, whatever stands around it."""
    assert parse_rating(answer, "m") == importance


@pytest.mark.parametrize(
    "answer", ["no idea", "0", "11", "-3", "100", "85%", "1 to 10", "很一般", "0.5"]
)
def test_an_answer_without_a_rating_is_an_error(answer: str) -> None:
    """It is never taken as 0; the error is one of the model and also a ValueError."""
    with pytest.raises(NoRating) as caught:
        parse_rating(answer, "scripted")
    assert isinstance(caught.value, UnusableAnswer)
    assert isinstance(caught.value, ValueError)
    assert "scripted" in str(caught.value)


def test_a_very_long_memory_is_cut() -> None:
    """What matters in it is said by then."""
    chat = ScriptedChatModel(["3"])
    rate(chat, ENGLISH, "word " * 5000)
    assert len(chat.calls[0][0].content) < 5 * LONGEST + 1500
