"""A move that is killed goes on when it is run again, and people talk all the while."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.moving_killed import begin, kill_moves
from tests.postgres_server import PostgresServer

pytestmark = pytest.mark.slow


def test_killed_on_the_way_into_the_database_and_back(
    postgres_server: PostgresServer, tmp_path: Path
) -> None:
    """Nothing acknowledged is missing, nothing erased is back, and each memory is open once."""
    chance = random.Random(1)
    files = str(tmp_path / "home")
    rows = postgres_server.address(postgres_server.fresh())
    begin(files, 4)
    there = kill_moves(files, rows, tmp_path / "there", chance, kills=2)
    back = kill_moves(rows, files, tmp_path / "back", chance, kills=2)
    assert sum((there + back).values()) == 4
