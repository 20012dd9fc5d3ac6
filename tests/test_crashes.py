"""Whatever a power cut leaves, the next start has everything it was told to be done."""

import logging
import random
from pathlib import Path

import pytest

from siliconfriend.errors import DamagedMemory
from siliconfriend.memory import database
from tests.crash_scenarios import SCENARIOS, Scenario, record, replay
from tests.killing import Victim

EVERY = {"erase": 900, "delete": 500, "night": 400, "restore": 40, "talk": 40, "import": 40}
USUAL = 30
"""Behind which steps the power is cut here, where there are many; all in ``tests.long``."""


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS, ids=[one.name for one in SCENARIOS])
def test_a_power_cut_behind_any_step(
    scenario: Scenario, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing acknowledged is gone, nothing is half-done, and it can be gone on with."""
    caplog.set_level(logging.CRITICAL)
    points, known = record(scenario, tmp_path / "home")
    every = EVERY.get(scenario.name, USUAL)
    steps, states = replay(scenario, points, known, tmp_path / "replayed", every)
    assert steps > 1
    assert states > 1


def test_a_flush_that_is_forgotten_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The replay is no proof unless it fails where the program does not flush."""
    lax = [one.replace("synchronous=FULL", "synchronous=OFF") for one in database.PRAGMAS]
    monkeypatch.setattr(database, "PRAGMAS", lax)
    (talk,) = (scenario for scenario in SCENARIOS if scenario.name == "talk")
    points, known = record(talk, tmp_path / "home")
    with pytest.raises((AssertionError, DamagedMemory)):
        replay(talk, points, known, tmp_path / "replayed")


pytestmark = pytest.mark.slow


def test_killed_at_any_moment_nothing_is_gone_or_half_done(tmp_path: Path) -> None:
    """What was acknowledged is there, what was not is there whole or not at all."""
    chance = random.Random(3)
    for scenario in SCENARIOS:
        if scenario.name in ("talk", "night", "erase", "restore"):
            victim = Victim.prepare(scenario, tmp_path / scenario.name)
            took = [victim.kill_after(chance.random() * victim.seconds) for _ in range(4)]
            assert None in took
