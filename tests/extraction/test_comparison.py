"""When two facts say the same, and when one is against the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from siliconfriend.extraction.comparison import compare
from siliconfriend.memory.drafts import FactDraft
from siliconfriend.memory.knowledge import EntityType


def _fact(text: str, entity: str = "Ada", kind: EntityType = "object") -> FactDraft:
    return FactDraft(text, (), entity, kind, "attribute")


def _nearby(texts: Sequence[str]) -> NDArray[np.float32]:
    """An embedder to which everything means the same."""
    return np.ones((len(texts), 1), dtype=np.float32)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada likes jazz.", "Ada likes jazz!"),
        ("Ada likes swimming.", "Ada喜欢游泳。"),
    ],
)
def test_the_same_in_other_words_or_another_language(one: str, other: str) -> None:
    """Words decide within a language, vectors between two."""
    assert compare(_fact(one), _fact(other), _nearby) == "same"
    assert compare(_fact(other), _fact(one), _nearby) == "same"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada likes jazz.", "Ada doesn't like jazz."),
        ("Ada's birthday is 4 May.", "Ada的生日是四月五号。"),
        ("Ada has two cats.", "Ada有三只猫。"),
        ("Ada likes swimming.", "Ada不喜欢游泳。"),
        ("Ada has a cat called Momo.", "Ada有一只叫Kiki的猫。"),
    ],
)
def test_numbers_names_and_yes_or_no_must_agree(one: str, other: str) -> None:
    """However near the vectors lie."""
    assert compare(_fact(one), _fact(other), _nearby) != "same"


def test_of_two_people_nothing_is_the_same() -> None:
    """Nor of two kinds of entity; without vectors a sentence of no known kind is not compared."""
    jack = _fact("Jack likes jazz.", "Jack", "specific")
    assert compare(_fact("Ada likes jazz."), jack, _nearby) != "same"
    assert compare(_fact("Ada swims at dawn."), _fact("Ada天亮时游泳。"), _nearby) == "same"
    assert compare(_fact("Ada swims at dawn."), _fact("Ada天亮时游泳。"), None) != "same"
