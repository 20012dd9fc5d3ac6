"""Pin, forget, restore and edit: one update each, nothing destroyed."""

from __future__ import annotations

from datetime import datetime

import pytest

from siliconfriend.control.edit import act, edit_memory
from siliconfriend.errors import UsageError
from siliconfriend.memory.scope import memory_id
from siliconfriend.recall.documents import documents_of
from tests.control.world import NORA, World
from tests.night.world import working_model


def _now(world: World) -> datetime:
    return world.clock.now(world.settings.zone)


def test_forget_archives_and_restore_brings_back_with_fresh_strength(world: World) -> None:
    """No word is lost by forgetting; what comes back starts from strength 1 now."""
    said = world.say("I planted beans.")
    now = _now(world)
    world.recaller.reinforce(NORA, [said], now=now)
    act(world.store, NORA, "forget", [said], now)
    assert (world.turn(said).trace.archived, world.turn(said).query) == (now, "I planted beans.")
    world.clock.move(days=1)
    act(world.store, NORA, "restore", [said], _now(world))
    trace = world.turn(said).trace
    assert (trace.archived, trace.strength, trace.last_recall) == (None, 1.0, _now(world))


def test_an_edited_turn_is_found_by_its_new_words_and_its_day_is_made_again(world: World) -> None:
    """What was derived from the old words goes at once, and the night makes it again."""
    said = world.say("My sister Anna lives in Lisbon.")
    world.say("It rained.", on="2026-03-03")
    world.night(working_model())
    memory = world.memory()
    assert memory.overall_history is not None
    removed = edit_memory(world.store, NORA, said, _now(world), query="My cousin lives in Porto.")
    assert memory_id(NORA, "day", "2026-03-02", 0) in removed
    assert {"personality-2026-03-02", "overall_history", "overall_personality"} <= {*removed}
    assert memory_id(NORA, "day", "2026-03-03", 0) not in removed
    assert world.turn(said).edited
    world.night(working_model())
    memory = world.memory()
    day = memory.days["2026-03-02"]
    assert day.summary is not None
    texts = (day.summary, day.personality, memory.overall_history, memory.overall_personality)
    assert all("Lisbon" not in it.text for it in texts if it is not None)
    assert [it.text for it in documents_of(day) if it.id == said] == [
        "My cousin lives in Porto.\nI see."
    ]


def test_words_that_a_kind_does_not_have_are_refused(world: World) -> None:
    """A turn has no text and a summary no query."""
    said = world.say("I planted beans.")
    with pytest.raises(UsageError, match="a turn has a query"):
        edit_memory(world.store, NORA, said, _now(world), text="Beans.")
    assert world.turn(said).query == "I planted beans."
