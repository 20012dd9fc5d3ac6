"""Kill a writing process at any moment and see whether anything it was promised is gone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from siliconfriend.errors import UnknownPerson
from siliconfriend.memory.file_store import FileStore
from tests.memory.people import NORA

ROOT = Path(__file__).parents[2]


def start(home: Path, name: str, count: int) -> subprocess.Popen[str]:
    """A writer in a process of its own."""
    command = [sys.executable, "-m", "tests.memory.writer", str(home), name, str(count)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def kill_while_writing(home: Path, name: str, after: int) -> list[str]:
    """Kill a writer while it writes the turn behind ``after`` others; gives what it promised."""
    writer = start(home, name, 100_000)
    assert writer.stdout is not None
    promised = [writer.stdout.readline() for _ in range(after)]
    writer.kill()
    rest, _ = writer.communicate()
    return "".join([*promised, rest]).split()


def missing(home: Path, promised: list[str]) -> set[str]:
    """Which promised turns the files do not have; raises where they cannot be read."""
    try:
        return set(promised) - {turn.query for turn in FileStore(home).load(NORA).turns()}
    except UnknownPerson:
        return set(promised)
