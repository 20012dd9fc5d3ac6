"""A model judges derived sentences; its yes counts only with words that were said."""

from typing import Any

import pytest

from siliconfriend.errors import UnusableAnswer
from siliconfriend.extraction.judge import (
    MAX_CLAIMS,
    Claim,
    format_record,
    judge_claims,
    stands_in,
)
from siliconfriend.prompts.loader import Prompts
from siliconfriend.testing import ScriptedChatModel
from tests.extraction.world import ADA, batch_of

SAID = ("So, I've decided: I'm not applying. Mark will.", "A clear no, then.")


def a_verdict(number: int, quote: str, *, holds: bool = True) -> dict[str, Any]:
    """A verdict as a model answers it."""
    return {"number": number, "quote": quote, "holds": holds}


@pytest.mark.parametrize(
    ("quote", "stands"),
    [
        ("I'm not applying", True),
        ("i’m not applying… Mark will", True),
        ("Ada: So, I've decided: I'm not applying.", True),
        ("A clear no", True),
        ("I am applying", False),
        ("", False),
        ("…", False),
    ],
)
def test_a_yes_counts_with_words_of_a_cited_turn(quote: str, stands: bool) -> None:
    """Letter case, marks and gaps do not matter; what nobody said is no evidence."""
    batch = batch_of(SAID, "Something else.")
    chat = ScriptedChatModel([{"verdicts": [a_verdict(1, quote)]}], confirms=False)
    claim = Claim("Ada decided not to apply.", batch.turns[:1])
    assert judge_claims(chat, Prompts("en"), ADA, [claim], batch.turns) == [stands]


def test_words_of_another_turn_are_no_evidence() -> None:
    """They may stand beside words of the cited turn, and then say who is meant."""
    batch = batch_of(SAID, "My brother Mark is applying for leave.")
    assert not stands_in("is applying for leave", batch.turns[:1], batch.turns)
    assert stands_in("is applying for leave", batch.turns)
    assert stands_in("My brother Mark … Mark will", batch.turns[:1], batch.turns)
    assert not stands_in("My sister … Mark will", batch.turns[:1], batch.turns)


def test_a_sentence_without_a_verdict_or_with_a_no_does_not_hold() -> None:
    """Each by its number, in one request that shows the talk in its order."""
    batch = batch_of(SAID, "I'd rather keep my lab.")
    claims = [Claim("Ada keeps her lab.", batch.turns[1:]), *[Claim("No.", batch.turns[:1])] * 2]
    verdicts = [a_verdict(3, "Mark will", holds=False), a_verdict(1, "keep my lab")]
    chat = ScriptedChatModel([{"verdicts": verdicts}], confirms=False)
    assert judge_claims(chat, Prompts("en"), ADA, claims) == [True, False, False]
    (asked,) = chat.calls[0]
    assert "1. [2] Ada keeps her lab.\n2. [1] No." in asked.content
    assert "\n4. [2] Ada sold a lighthouse" in asked.content
    assert asked.content.index("Mark will") < asked.content.index("rather keep my lab")


def test_an_answer_that_is_cut_is_asked_for_in_halves() -> None:
    batch = batch_of("I planted beans.")
    claims = [Claim("Ada planted beans.", batch.turns)] * 3
    cut = UnusableAnswer("model_cut", name="scripted", longest=9)
    yes = {"verdicts": [a_verdict(1, "beans")]}
    chat = ScriptedChatModel([cut, yes, yes], confirms=False)
    assert judge_claims(chat, Prompts("en"), ADA, claims) == [True, True, False]
    with pytest.raises(UnusableAnswer):
        judge_claims(ScriptedChatModel([cut], confirms=False), Prompts("en"), ADA, claims[:1])


def test_long_words_are_shown_as_far_as_there_is_room() -> None:
    """Each turn has its day and weekday."""
    batch = batch_of("word " * 900 + "It ended well.", "I slept.")
    whole = format_record(ADA, batch.turns, 2000)
    assert "It ended well." in whole
    assert "\n[2] 2026-06-03 (Wednesday)\nAda: I slept." in whole
    short = format_record(ADA, batch.turns, 200)
    assert "It ended well." not in short
    assert "Ada: I slept." in short


def test_many_sentences_are_judged_in_parts() -> None:
    """In their order; nothing is asked about none."""
    batch = batch_of("I planted beans.")
    claims = [Claim(f"Beans {number}.", batch.turns) for number in range(MAX_CLAIMS + 2)]
    half = {"verdicts": [a_verdict(1, "beans")]}
    chat = ScriptedChatModel([half, half], confirms=False)
    found = judge_claims(chat, Prompts("en"), ADA, claims)
    assert [at for at, holds in enumerate(found) if holds] == [0, len(claims) // 2]
    assert judge_claims(ScriptedChatModel(), Prompts("en"), ADA, []) == []
