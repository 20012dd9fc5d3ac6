"""Real processes on one person: nothing anyone was promised is ever gone."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from siliconfriend.memory.file_store import FileStore
from tests.memory.kills import kill_while_writing, missing, start
from tests.memory.people import NORA

pytestmark = [pytest.mark.on_disk, pytest.mark.slow]


def test_two_processes_that_write_at_once_lose_nothing(home: Path) -> None:
    """Every turn of both is there, each at a place of its own, across many folds."""
    writers = [start(home, name, 60) for name in ("web", "terminal")]
    promised = [turn for writer in writers for turn in writer.communicate(timeout=120)[0].split()]
    assert [writer.returncode for writer in writers] == [0, 0]
    turns = list(FileStore(home).load(NORA).turns())
    assert len(promised) == 120
    assert sorted(turn.query for turn in turns) == sorted(promised)
    assert [turn.position for turn in turns] == list(range(120))


def test_a_killed_process_loses_nothing_it_was_promised(home: Path) -> None:
    """Six kills at moments by chance: the files always read, every promised turn is there."""
    chance = random.Random(7)
    promised: list[str] = []
    for number in range(6):
        promised += kill_while_writing(home, f"run{number}", chance.randint(0, 30))
        assert missing(home, promised) == set()
    assert len(promised) > 15
