"""Someone goes away for a season and comes back: the story that forgetting must tell well."""

from __future__ import annotations

import pytest

from siliconfriend.control.actions import pin, restore
from siliconfriend.control.listing import memory_rows
from siliconfriend.forgetting.policy import ForgettingPolicy
from tests.night.world import ADA, World

COMPANION = ForgettingPolicy.named("companion")


@pytest.fixture
def world(settings) -> World:
    """Ada, offline."""
    return World(settings)


def _states(world: World) -> dict[str, str]:
    memory = world.store.load(ADA)
    now = world.clock.now(memory.profile.zone)
    return {it.memory.id: it.prospect.state for it in memory_rows(memory, COMPANION, now)}


def test_who_comes_back_after_a_season_is_still_known(world: World) -> None:
    """After 90 days small talk is dim and what matters is vivid; later it is archived, not lost."""
    tea = [world.say(f"Tea by the window, cup {cup}.", on="2026-06-02") for cup in range(8)]
    loss = world.say("My grandmother died last night and I cannot stop crying.", on="2026-06-03")
    pinned = world.say("My locker is number 12.", on="2026-06-03")
    pin(world.store, ADA, [pinned])
    world.night()
    portrait = world.store.load(ADA).overall_personality
    assert portrait is not None

    world.clock.set("2026-09-02T03:00:00+00:00")
    world.night()
    states = _states(world)
    assert {states[it] for it in tea} == {"faded"}
    assert (states[loss], states[pinned]) == ("vivid", "vivid")
    assert {state for it, state in states.items() if it.startswith("day-")} == {"vivid"}
    assert world.store.load(ADA).overall_personality == portrait

    world.clock.set("2026-09-20T03:00:00+00:00")
    report = world.night(allow_large=True)
    assert report.people[0].archived == {"turn": len(tea)}
    states = _states(world)
    assert {states[it] for it in tea} == {"archived"}
    assert (states[loss], states[pinned]) == ("vivid", "vivid")

    restore(world.store, ADA, tea, world.clock.now(world.store.load(ADA).profile.zone))
    world.night()
    assert {_states(world)[it] for it in tea} == {"vivid"}
    assert next(turn.query for turn in world.store.load(ADA).turns()) == "Tea by the window, cup 0."
