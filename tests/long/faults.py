"""Let every call of the file system fail once, in everything that is done to a data directory.

``python -m tests.long.faults [SCENARIO ...]`` fails each flush, each renaming and each making of
a folder or link, and does the same again on a disk that is full after so many kilobytes. What is
said must be one of the program's errors; what was acknowledged must be there.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
import tempfile
from pathlib import Path

from tests.crash_scenarios import SCENARIOS, Scenario
from tests.faults import CALLS, fail, filled, small_disk, told
from tests.long.report import write_proof

ROOM = range(0, 200, 4)
"""Kilobytes that are left on a full disk."""

NAMES = {"fsync": "a flush fails (EIO)", "renaming": "a renaming or truncation fails (EIO)"}
NAMES |= {"writing": "a write of SQLite fails (ENOSPC)"}
NAMES |= {"making": "a folder or link cannot be made (ENOSPC)"}


def fail_each(scenario: Scenario, kind: str) -> tuple[int, int]:
    """How many calls of a kind there were, and how often the failing of one was told."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/dev/shm")) as folder:
        home, source = Path(folder) / "home", Path(folder) / "source"
        home.mkdir()
        known = scenario.prepare(home)
        home.rename(source)
        nth, told_of = 0, 0
        while True:
            shutil.copytree(source, home)
            outcome = fail(scenario, home, known, kind, nth + 1)
            if not outcome.met:
                return nth, told_of
            nth += 1
            told_of += outcome.error is not None
            scenario.check(home, known, outcome.acknowledged)
            shutil.rmtree(home)


def fill(scenario: Scenario) -> tuple[int, int]:
    """On a disk with less and less room: how often it was done, and how often that was told."""
    with tempfile.TemporaryDirectory() as folder:
        told_of = [_is_told(scenario, Path(folder) / f"disk{room}", room) for room in ROOM]
    return len(ROOM), sum(told_of)


def _is_told(scenario: Scenario, place: Path, room: int) -> bool:
    acknowledged: list[str] = []
    with small_disk(place, 2 << 20) as disk:
        home = disk / "home"
        home.mkdir()
        known = scenario.prepare(home)
        with filled(disk, room << 10):
            error = told(lambda: scenario.act(home, known, acknowledged.append))
        scenario.check(home, known, tuple(acknowledged))
    return error is not None


def main(*names: str) -> None:
    """Every scenario, or those named."""
    logging.disable(logging.CRITICAL)
    rows: list[list[str | int]] = []
    for scenario in SCENARIOS:
        if names and scenario.name not in names:
            continue
        for kind in CALLS:
            rows.append([scenario.name, NAMES[kind], *fail_each(scenario, kind), 0])
            print(*rows[-1], flush=True)
        rows.append([scenario.name, "the disk is full", *fill(scenario), 0])
        print(*rows[-1], flush=True)
    if not names:
        write_proof(
            "faults",
            columns=("what was done", "how", "times", "told as an error", "lost or half-done"),
            rows=rows,
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
