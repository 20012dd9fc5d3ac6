"""After years the panels stay readable: nothing lists a life."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from siliconfriend.control.listing import MemoryRow, memory_rows
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutTurn, apply_all
from siliconfriend.memory.records import PersonMemory
from tests.memory.people import a_profile, a_turn
from webui.fading.curve_plot import Curve, Wording, drawing, letter_heights
from webui.fading.panel import MOST_CHOICES, choices_of, examples

TODAY = date(2026, 3, 6)
NOW = datetime(2026, 3, 6, 12, tzinfo=UTC)
YEAR = [(TODAY - timedelta(days=it)).isoformat() for it in range(300, 0, -1)]


@pytest.fixture
def years() -> list[MemoryRow]:
    """Three turns on each of 300 days, those of the first 100 in the archive."""
    changes = []
    for number, day in enumerate(YEAR):
        made = datetime.fromisoformat(f"{day}T12:00+00:00")
        trace = Trace(made, archived=NOW if number < 100 else None)
        for position in range(3):
            turn = a_turn("I planted beans.", "Good.", day=day, position=position)
            changes.append(PutTurn(replace(turn, trace=trace)))
    memory = apply_all(PersonMemory(a_profile()), changes)
    return list(memory_rows(memory, ForgettingPolicy.named("companion"), NOW))


def test_curves_are_offered_of_the_newest_outside_the_archive(years: list[MemoryRow]) -> None:
    """At most so many, the newest first, with what is chosen already even from the archive."""
    oldest = years[0].memory.id
    offered = [it.memory.id for it in choices_of(years, [oldest])]
    assert len(offered) == MOST_CHOICES + 1
    assert offered[0] == years[-1].memory.id
    assert offered[-1] == oldest
    few = years[:9]
    assert choices_of(few, []) == few[::-1]


def test_the_curves_shown_first_are_of_what_is_left(years: list[MemoryRow]) -> None:
    """One that ended a year ago would press the others together; where all are put away, those."""
    shown = examples(years)
    assert shown[0] == years[300].memory.id
    assert examples(years[:3])[0] == years[0].memory.id


def test_two_labels_do_not_stand_upon_each_other() -> None:
    """Over years now and the day looked ahead to lie together: one label goes above."""

    def heights(days_ahead: int) -> set[str]:
        then = NOW + timedelta(days=days_ahead)
        years_ago = Curve("Beans", [(NOW - timedelta(days=1000), 1.0), (NOW, 0.1)], [])
        wording = Wording(name="Beans", now="now", then="later", day=str)
        drawn = drawing([years_ago], NOW, then, wording)
        found = [it for it in drawn.split("<text ") if ">now<" in it or ">later<" in it]
        return {it.split('y="')[1].split('"')[0] for it in found}

    assert len(heights(30)) == 2
    assert len(heights(700)) == 1
    assert len(heights(0)) == 1


def test_the_letters_of_curves_that_end_together_stand_one_above_the_other() -> None:
    """R of 0.5 ends at 151; of 0.1 and nothing the lowest stands at 268, and no two within 22."""

    def ending(kept: float) -> Curve:
        return Curve("Beans", [(NOW, kept)], [])

    curves = [ending(0.0), ending(0.05), ending(0.5), Curve("None", [], []), ending(0.02)]
    assert letter_heights(curves) == pytest.approx({0: 268, 4: 246, 1: 224, 2: 151})
