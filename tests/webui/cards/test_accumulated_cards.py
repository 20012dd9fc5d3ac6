"""Memories on the page under the policy that has no curve: strength instead of a bar."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from siliconfriend.control.listing import MemoryRow, memory_rows
from siliconfriend.forgetting.policy import ACCUMULATED
from siliconfriend.memory.changes import PutTrace, PutTurn
from siliconfriend.memory.creation import new_profile, new_turn
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.texts import Language
from webui.cards.cards import card
from webui.fading.panel import examples, states_at
from webui.fading.words import legend

NORA = Scope.of("Nora")
NOW = datetime(2026, 3, 6, 9, tzinfo=UTC)


@pytest.fixture
def memory() -> PersonMemory:
    """Nora, who said one thing and was asked about it the day after."""
    said = datetime(2026, 3, 5, 9, tzinfo=UTC)
    empty = PersonMemory(new_profile(NORA, language="en", timezone="UTC", now=said))
    memory = PutTurn(new_turn(NORA, empty, "I planted beans.", now=said)).apply(empty)
    (turn,) = memory.turns()
    return PutTrace(turn.id, turn.trace.recalled(NOW, memory.profile.zone)).apply(memory)


@pytest.fixture
def row(memory: PersonMemory) -> MemoryRow:
    """How it stands."""
    (row,) = memory_rows(memory, ACCUMULATED, NOW)
    return row


@pytest.mark.parametrize(("language", "strength"), [("en", "strength 16"), ("cn", "强度 16")])
def test_a_card_has_no_bar(row: MemoryRow, language: Language, strength: str) -> None:
    """A bar of zero would say that everything is gone."""
    shown = card(row, date(2026, 3, 6), language)
    assert strength in shown
    assert "sf-bar" not in shown


def test_the_fading_panel_names_it_with_its_strength(row: MemoryRow, memory: PersonMemory) -> None:
    """It is chosen once, as the most recalled, and nothing is foretold to fade."""
    assert examples([row]) == [row.memory.id]
    shown = legend([row], date(2026, 3, 6), "en")
    assert "I planted beans." in shown
    assert "strength 16" in shown
    then = datetime(2028, 3, 6, tzinfo=UTC)
    assert states_at([row], then, memory) == {"vivid": 1, "faded": 0, "archived": 0}
