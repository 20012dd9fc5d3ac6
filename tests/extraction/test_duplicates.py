"""When two facts say the same."""

from typing import Any

import pytest

from siliconfriend.extraction.duplicates import compare
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.drafts import FactDraft
from siliconfriend.memory.knowledge import EntityType, Fact, Provenance
from tests.extraction.world import at


def _fact(text: str, entity: str = "Ada", kind: EntityType = "object") -> FactDraft:
    return FactDraft(text, (), entity, kind, "attribute")


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Ada likes jazz.", "Ada likes jazz!", True),
        ("Ada likes jazz.", "Ada doesn't like jazz.", False),
        ("Ada's birthday is 4 May.", "Ada's birthday is 5 May.", False),
        ("Ada has a cat called Momo.", "Ada has a cat called Kiki.", False),
        ("Ada的猫叫毛毛。", "Ada的猫叫毛毛", True),
        ("Ada喜欢游泳。", "Ada不喜欢游泳。", False),
    ],
)
def test_words_numbers_names_and_yes_or_no_must_agree(
    one: str, other: str, *, is_same: bool
) -> None:
    """Whichever was told first."""
    assert (compare(_fact(one), _fact(other)) == "same") is is_same
    assert (compare(_fact(other), _fact(one)) == "same") is is_same


def test_of_two_people_nothing_is_the_same() -> None:
    """Nor of two kinds of entity."""
    jack = _fact("Jack likes jazz.", "Jack", "specific")
    assert compare(_fact("Ada likes jazz."), jack) == "unrelated"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada likes tea more than coffee.", "Ada likes coffee more than tea."),
        ("Tom is older than Ada.", "Ada is older than Tom."),
        ("小林比小王高。", "小王比小林高。"),
        ("小林更喜欢茶，不如咖啡那么喜欢水。", "小林更喜欢咖啡，不如茶那么喜欢水。"),
    ],
)
def test_a_comparison_turned_round_is_another_fact(one: str, other: str) -> None:
    """Though all words are the same; told in the same order it is one."""
    made: Any = (Trace(at("1")), Provenance("scripted", at("1")), "Ada", "object", "attribute")
    first, second, again = (
        Fact(f"fact-{number}", "2026-06-01", number, words, *made)
        for number, words in enumerate((one, other, one))
    )
    assert compare(first, second) == "unrelated"
    assert compare(first, again) == "same"
