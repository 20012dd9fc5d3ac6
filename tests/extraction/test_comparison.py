"""When two facts say the same, and when one is against the other."""

from __future__ import annotations

import pytest

from siliconfriend.extraction.comparison import compare
from siliconfriend.memory.drafts import FactDraft
from siliconfriend.memory.knowledge import EntityType


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
