"""Processes killed with signal 9 while they do everything there is to do."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.killing import Expected, kill_one

pytestmark = pytest.mark.slow


def test_killed_at_any_moment_nothing_is_gone_or_half_done(tmp_path: Path) -> None:
    """What was acknowledged is there, what was not is there whole or not at all."""
    chance, expected = random.Random(3), Expected()
    home, log = tmp_path / "home", tmp_path / "log"
    for number in range(4):
        kill_one(home, log, number, chance.random() * 0.1, begun=chance.randint(1, 5))
        expected.read(log)
        expected.compare(home)
    assert expected.nora
