"""What comes back each year: days of a life that were named, in either language."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from siliconfriend.dialogue.anniversaries import find_anniversaries
from siliconfriend.memory.changes import PutTurn, apply_all
from siliconfriend.texts import Language
from tests.dialogue.people import SCOPES, empty, turn

TODAY = date(2026, 3, 14)


def _found(language: Language, told_on: str, words: str, today: date = TODAY) -> list[date]:
    memory = apply_all(
        empty(language), [PutTurn(turn(SCOPES[language], f"{told_on}T12:00", words, "I see."))]
    )
    return [it.day for it in find_anniversaries(memory, today)]


@pytest.mark.parametrize(
    ("language", "told_on", "words", "day"),
    [
        ("en", "2025-08-02", "We got married on 14 March 2019 in Lima.", date(2019, 3, 14)),
        ("en", "2025-03-14", "My niece was born today!", date(2025, 3, 14)),
        ("en", "2025-03-15", "Our old dog died yesterday.", date(2025, 3, 14)),
        ("cn", "2025-08-02", "我们是2019年3月14日结婚的。", date(2019, 3, 14)),
        ("cn", "2025-03-15", "外婆昨天去世了。", date(2025, 3, 14)),
    ],
)
def test_a_day_of_a_life_comes_back(
    language: Language, told_on: str, words: str, day: date
) -> None:
    """By the day it was, however it was named and whenever it was told."""
    assert _found(language, told_on, words) == [day]
    assert _found(language, told_on, words, date(2026, 3, 13)) == []


@pytest.mark.parametrize(
    ("told_on", "words"),
    [
        ("2025-03-14", "I bought bread today."),  # of no weight
        ("2025-03-14", "My aunt got married."),  # when, nobody said
        ("2025-03-14", "When did we get married, on 14 March 2019?"),  # a question
        ("2026-03-14", "My niece was born today!"),  # of this year
        ("2025-03-01", "My wedding is on 14 March 2027."),  # to come
        ("2025-03-20", "My aunt died last week."),  # a week is no day
    ],
)
def test_nothing_is_guessed(told_on: str, words: str) -> None:
    """What is no day of a life, or names no one day that has been, does not come back."""
    assert _found("en", told_on, words) == []


def test_what_was_put_away_does_not_come_back() -> None:
    """An archived memory no longer comes up by itself, on no day."""
    told = turn(SCOPES["en"], "2025-08-02T12:00", "We got married on 14 March 2019.", "I see.")
    away = replace(told, trace=told.trace.archived_at(datetime(2025, 9, 1, tzinfo=UTC)))
    memory = apply_all(empty("en"), [PutTurn(away)])
    assert find_anniversaries(memory, TODAY) == ()
