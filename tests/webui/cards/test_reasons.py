"""Why a memory came to mind, in words that a person understands."""

from __future__ import annotations

import pytest

from siliconfriend.memory.used import Used
from siliconfriend.texts import LANGUAGES, Language, area
from webui.cards.reasons import reason, why

BY_WORDS = {"lexical": 0.9, "dense": 0.3, "neighbour": 0.2, "recency": 0.05}
BY_DAY = {"date": 2.0, "talk": 1.0, "dense": 0.6, "lexical": 0.5, "retention": 0.1}


@pytest.mark.parametrize(
    ("parts", "language", "told"),
    [
        (
            BY_WORDS,
            "en",
            "It came to mind because it has words that you used and means something close to what you said.",
        ),
        (BY_WORDS, "cn", "会想起它，是因为里面有你用的词，意思和你说的相近。"),
        (
            BY_DAY,
            "en",
            "It came to mind because it is from a time you spoke of, is from a day with much on that matter and means something close to what you said.",
        ),
        ({"date": 2.0}, "cn", "会想起它，是因为说的是你提到的时间。"),
        ({}, "en", "It was among what the reply was given."),
        ({"other": 1.0}, "cn", "回复的时候，它也在手边。"),
        ({"lexical": 0.0}, "en", "It was among what the reply was given."),
    ],
    ids=["words-en", "words-cn", "day-en", "day-cn", "no-parts", "other-recipe", "nothing"],
)
def test_what_mattered_most_is_told_in_a_sentence(
    parts: dict[str, float], language: Language, told: str
) -> None:
    """The greatest part first, those of a quarter of it after it, three at most."""
    assert reason(Used("turn-1", 1.0, parts), language) == told


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_numbers_are_folded_below_it(language: Language) -> None:
    """Score and parts by their names; nothing stands where no reply used the memory."""
    shown = why(Used("turn-1", 1.45, BY_WORDS), language)
    sentence, folded = shown.split("<details>")
    assert "0.900" not in sentence
    assert "1.450" not in sentence
    assert "1.450" in folded
    assert f"<td>{area('web', language)['parts']['lexical']}</td><td>0.900</td>" in folded
    assert why(None, language) == ""


def test_every_part_of_a_score_has_its_reason_in_both_languages() -> None:
    """But what only takes away from it."""
    for language in LANGUAGES:
        parts = set(area("web", language)["parts"]) - {"repeated"}
        assert parts == set(area("web_panels", language)["why"]["parts"])
