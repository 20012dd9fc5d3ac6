"""When two facts say the same, and when one is against the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from siliconfriend.extraction.claims import numbers, opposed, same, slot_of
from siliconfriend.extraction.extractor import FactDraft
from siliconfriend.memory.knowledge import EntityType


def _claim(text: str, entity: str = "Ada", kind: EntityType = "object") -> FactDraft:
    return FactDraft(text, (), entity, kind, "attribute")


def _nearby(texts: Sequence[str]) -> NDArray[np.float32]:
    """An embedder to which everything means the same."""
    return np.ones((len(texts), 1), dtype=np.float32)


def test_numbers_are_read_in_both_languages() -> None:
    """Months by their number, days in digits, words and Chinese numerals."""
    assert numbers("on 3 May") == numbers("五月三号") == numbers("May the third") == {3, 5}
    assert numbers("12月25日") == numbers("25 December") == {12, 25}
    assert numbers("十二月二十五日") == {12, 25}
    assert numbers("two cats") == numbers("两只猫") == {2}
    assert numbers("a cat") == numbers("一般") == frozenset()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada likes jazz.", "Ada likes jazz!"),
        ("Ada's birthday is 3 May.", "Ada's birthday is on the third of May."),
        ("Ada's birthday is 3 May.", "Ada的生日是五月三号。"),
        ("Ada lives in Oslo.", "Ada moved to Oslo."),
        ("Ada likes swimming.", "Ada喜欢游泳。"),
    ],
)
def test_the_same_in_other_words_or_another_language(one: str, other: str) -> None:
    """Words decide within a language, vectors between two."""
    assert same(_claim(one), _claim(other), _nearby)
    assert same(_claim(other), _claim(one), _nearby)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada likes jazz.", "Ada likes rock."),
        ("Ada likes jazz.", "Ada doesn't like jazz."),
        ("Ada's birthday is 3 May.", "Ada's birthday is 4 May."),
        ("Ada has two cats.", "Ada有三只猫。"),
        ("Ada likes swimming.", "Ada不喜欢游泳。"),
        ("Ada has a cat called Momo.", "Ada有一只叫Kiki的猫。"),
    ],
)
def test_numbers_names_and_yes_or_no_must_agree(one: str, other: str) -> None:
    """However near the vectors lie."""
    assert not same(_claim(one), _claim(other), _nearby)


def test_of_two_people_nothing_is_the_same() -> None:
    """Nor of two kinds of entity; and without vectors no two languages are compared."""
    jack = _claim("Jack likes jazz.", "Jack", "specific")
    assert not same(_claim("Ada likes jazz."), jack, _nearby)
    assert not same(_claim("Ada likes swimming."), _claim("Ada喜欢游泳。"), None)


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Ada's birthday is 4 May.", "Ada's birthday is 3 May."),
        ("Ada的生日是五月四号。", "Ada's birthday is 3 May."),
        ("Ada moved to Bergen.", "Ada lives in Oslo."),
        ("Ada住在上海。", "Ada住在杭州。"),
        ("Ada works as a teacher.", "Ada works as a nurse."),
    ],
)
def test_what_one_has_only_one_of_is_put_right(newer: str, older: str) -> None:
    """A birthday, a home and a job; the same value again is no contradiction."""
    assert opposed(_claim(newer), _claim(older))
    assert not opposed(_claim(newer), _claim(newer))


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Ada likes jazz.", "Ada likes rock."),
        ("Ada lives in a small flat.", "Ada lives in Oslo."),
        ("Ada's sister lives in Bergen.", "Ada lives in Oslo."),
    ],
)
def test_other_things_stand_beside_each_other(newer: str, older: str) -> None:
    """Two likes are two facts; what is told of another is not told of her."""
    jack = _claim("Jack lives in Bergen.", "Jack", "specific")
    assert not opposed(_claim(newer), _claim(older))
    assert not opposed(jack, _claim(older))


def test_a_slot_is_read_behind_the_name() -> None:
    """And only in a sentence that begins with it."""
    assert slot_of(_claim("Ada now lives in New York City.")) == ("home", "New York City")
    assert slot_of(_claim("Since May Ada lives in Oslo.")) == ("", "")
