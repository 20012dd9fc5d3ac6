"""When two facts say the same, and when one is against the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from siliconfriend.extraction.comparison import Statement, compare, statement_of
from siliconfriend.extraction.drafts import FactDraft
from siliconfriend.extraction.phrases import month_and_day
from siliconfriend.language.numbers import numbers_in
from siliconfriend.memory.knowledge import EntityType


def _fact(text: str, entity: str = "Ada", kind: EntityType = "object") -> FactDraft:
    return FactDraft(text, (), entity, kind, "attribute")


def _nearby(texts: Sequence[str]) -> NDArray[np.float32]:
    """An embedder to which everything means the same."""
    return np.ones((len(texts), 1), dtype=np.float32)


def test_numbers_are_read_in_both_languages() -> None:
    """Months by their number, days in digits, words and Chinese numerals."""
    assert numbers_in("on 3 May") == numbers_in("五月三号") == numbers_in("May the third") == {3, 5}
    assert numbers_in("12月25日") == numbers_in("25 December") == {12, 25}
    assert numbers_in("十二月二十五日") == {12, 25}
    assert numbers_in("two cats") == numbers_in("两只猫") == {2}
    assert numbers_in("a cat") == numbers_in("一般") == frozenset()


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
    assert compare(_fact(one), _fact(other), _nearby) == "same"
    assert compare(_fact(other), _fact(one), _nearby) == "same"


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
    assert compare(_fact(one), _fact(other), _nearby) != "same"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("the fourth of May", (5, 4)),
        ("May twenty-first, 1990", (5, 21)),
        ("30 Sept", (9, 30)),
        ("1994年6月30日", (6, 30)),
        ("二月十四", (2, 14)),
        ("in May", (5, 0)),
        ("三天后", None),
        ("next Friday", None),
        ("3 days away", None),
    ],
)
def test_a_day_of_the_year_is_the_same_in_either_language(
    text: str, day: tuple[int, int] | None
) -> None:
    """Written out or in digits; what means something only today is none."""
    assert month_and_day(text) == day


def test_the_fourth_of_may_is_not_the_fifth_of_april() -> None:
    """Though both have the same numbers."""
    assert (
        compare(_fact("Ada's birthday is 4 May."), _fact("Ada的生日是四月五号。"), _nearby)
        != "same"
    )


def test_of_two_people_nothing_is_the_same() -> None:
    """Nor of two kinds of entity; without vectors a sentence of no known kind is not compared."""
    jack = _fact("Jack likes jazz.", "Jack", "specific")
    assert compare(_fact("Ada likes jazz."), jack, _nearby) != "same"
    assert compare(_fact("Ada swims at dawn."), _fact("Ada天亮时游泳。"), _nearby) == "same"
    assert compare(_fact("Ada swims at dawn."), _fact("Ada天亮时游泳。"), None) != "same"


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
    assert compare(_fact(newer), _fact(older)) == "contradictory"
    assert compare(_fact(newer), _fact(newer)) != "contradictory"


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
    jack = _fact("Jack lives in Bergen.", "Jack", "specific")
    assert compare(_fact(newer), _fact(older)) != "contradictory"
    assert compare(jack, _fact(older)) != "contradictory"


def test_a_slot_is_read_behind_the_name() -> None:
    """And only in a sentence that begins with it."""
    home = statement_of(_fact("Ada now lives in New York City."))
    assert home == Statement("home", "New York City")
    assert home.is_single
    assert statement_of(_fact("Since May Ada lives in Oslo.")) is None
