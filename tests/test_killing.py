"""Processes killed with signal 9 in the middle of their work."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.crash_scenarios import SCENARIOS
from tests.killing import Victim

pytestmark = pytest.mark.slow


def test_killed_at_any_moment_nothing_is_gone_or_half_done(tmp_path: Path) -> None:
    """What was acknowledged is there, what was not is there whole or not at all."""
    chance = random.Random(3)
    for scenario in SCENARIOS:
        if scenario.name in ("talk", "night", "erase", "restore"):
            victim = Victim.prepare(scenario, tmp_path / scenario.name)
            took = [victim.kill_after(chance.random() * victim.seconds) for _ in range(4)]
            assert None in took
