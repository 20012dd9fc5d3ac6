"""Moods over time: the side of each day, the drawing, and the same in words."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import Day, DayPersonality
from siliconfriend.moods import moods_of
from siliconfriend.texts import Language
from tests.memory.people import a_turn
from webui.cards.day_moods import DayMood, mood_of
from webui.portrait.mood_plot import mood_figure

TODAY = date(2026, 3, 6)


def a_mood(day: str, words: str) -> DayMood:
    """The mood of a day on which these words were said."""
    return DayMood(day, tuple(moods_of([words])))


@pytest.mark.parametrize(
    ("words", "side", "name"),
    [
        ("I am happy and so proud.", "bright", "happy and proud"),
        ("I was sad, and then happy.", "mixed", "happy and sad"),
        ("I am worried.", "heavy", "worried"),
    ],
)
def test_a_day_has_a_side_and_a_name(words: str, side: str, name: str) -> None:
    """By the words of mood that were said; one that says none has none."""
    found = mood_of(Day("2026-03-05", turns=(a_turn(words, day="2026-03-05"),)))
    assert found is not None
    assert (found.side, found.name("en")) == (side, name)
    assert mood_of(Day("2026-03-05", turns=(a_turn("I planted beans."),))) is None


def test_what_the_portrait_of_the_day_says_stands_before_the_words() -> None:
    """The person may have put it right; what speaks of self-harm is never read."""
    made = Provenance("person", datetime(2026, 3, 5, tzinfo=UTC))
    own = DayPersonality("2026-03-05", "Nora was calm.", made)
    day = Day("2026-03-05", turns=(a_turn("I am sad."),), personality=own)
    found = mood_of(day)
    assert found is not None
    assert found.name("en") == "calm"
    grave = replace(a_turn("I am sad."), distress=True)
    assert mood_of(Day("2026-03-05", turns=(grave,))) is None


@pytest.mark.parametrize(
    ("language", "words", "said"),
    [
        ("en", "I am happy.", "Named most: happy on two days and sad on one day."),
        ("cn", "我很开心。", "说得最多的是：开心（两天）和难过（一天）。"),
    ],
)
def test_the_drawing_is_told_in_words(language: Language, words: str, said: str) -> None:
    """The drawing is named by it, and each day is listed with a link."""
    sad = {"en": "I am sad.", "cn": "我很难过。"}[language]
    moods = [a_mood("2026-03-01", words), a_mood("2026-03-02", sad), a_mood("2026-03-05", words)]
    shown = mood_figure(moods, TODAY, language)
    assert f'role="img" aria-label="{said}"' in shown
    assert f"<figcaption>{said}</figcaption>" in shown
    assert re.findall(r"day=([0-9-]+)", shown) == ["2026-03-05", "2026-03-02", "2026-03-01"]
    assert shown.count('class="sf-mood-bright"') == 2
    assert shown.count('class="sf-mood-heavy"') == 1


def test_of_years_each_month_is_drawn() -> None:
    """Two hundred days are seven months; a month has the side of most of its days."""
    first = date(2025, 7, 1)
    days = [(first + timedelta(days=it)).isoformat() for it in range(200)]
    moods = [a_mood(it, "I am sad." if it < "2025-08-01" else "I am happy.") for it in days]
    shown = mood_figure(moods, TODAY, "en")
    assert shown.count("<path ") == 7
    assert shown.count('class="sf-mood-heavy"') == 1
