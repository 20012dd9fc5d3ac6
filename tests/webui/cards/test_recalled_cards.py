"""What a reply used says on its card how vivid it was when it came to mind."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from siliconfriend.control.listing import memory_rows
from siliconfriend.forgetting.policy import COMPANION
from siliconfriend.memory.changes import PutTrace, PutTurn
from siliconfriend.memory.creation import new_profile, new_turn
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.used import Used
from siliconfriend.texts import Language
from webui.cards.cards import card

NORA = Scope.of("Nora")
NOW = datetime(2026, 3, 6, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "37% when it came to mind"), ("cn", "想起来的时候是 37%")],
)
def test_a_card_shows_how_vivid_a_memory_was_when_it_was_recalled(
    language: Language, told: str
) -> None:
    """It was at 37%, and recalling it made it vivid again; where nothing recalled it, nothing is said."""
    empty = PersonMemory(new_profile(NORA, language="en", timezone="UTC", now=NOW))
    memory = PutTurn(new_turn(NORA, empty, "I planted beans.", now=NOW)).apply(empty)
    (turn,) = memory.turns()
    memory = PutTrace(turn.id, turn.trace.recalled(NOW, memory.profile.zone)).apply(memory)
    (row,) = memory_rows(memory, COMPANION, NOW)
    for retention, is_told in ((0.3679, True), (None, False), (1.0, False)):
        used = Used(turn.id, 0.9, {}, retention)
        assert (told in card(row, date(2026, 3, 6), language, used)) is is_told
