"""Fixtures of the night's tests."""

import pytest

from siliconfriend.config import Settings
from siliconfriend.night import calls
from tests.night.world import World


@pytest.fixture
def world(settings: Settings) -> World:
    """Nobody yet, on 5 June 2026, three in the morning."""
    return World(settings)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits before retries: time passes only by them, and they are over at once."""
    waits: list[float] = []
    monkeypatch.setattr(calls, "monotonic", lambda: sum(waits))
    monkeypatch.setattr(calls, "pause", lambda _stopped, seconds: waits.append(seconds))
    return waits


@pytest.fixture
def two_days(world: World) -> World:
    """Ada talked on the 1st and the 3rd of June."""
    world.say("My sister Nora moved to Bergen and I helped carry her piano.", on="2026-06-01")
    world.say("I am worried about my exam in marine biology.", on="2026-06-03")
    world.say("Do you think I should ask for more time?", on="2026-06-03")
    return world
