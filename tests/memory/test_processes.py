"""Real processes on one person: nothing anyone was promised is ever gone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from siliconfriend.memory.file_store import FileStore
from tests.memory.people import NORA

ROOT = Path(__file__).parents[2]

pytestmark = [pytest.mark.on_disk, pytest.mark.slow]


def test_two_processes_that_write_at_once_lose_nothing(home: Path) -> None:
    """Every turn of both is there, each at a place of its own, across many folds."""
    command = [sys.executable, "-m", "tests.memory.writer", str(home)]
    writers = [
        subprocess.Popen([*command, name, "60"], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for name in ("web", "terminal")
    ]
    promised = [turn for writer in writers for turn in writer.communicate(timeout=120)[0].split()]
    assert [writer.returncode for writer in writers] == [0, 0]
    turns = list(FileStore(home).load(NORA).turns())
    assert len(promised) == 120
    assert sorted(turn.query for turn in turns) == sorted(promised)
    assert [turn.position for turn in turns] == list(range(120))
