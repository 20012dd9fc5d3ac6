"""Let every call of the file system fail once, in everything that is done to a data directory.

``python -m tests.long.faults [EVERY] [SCENARIO ...]`` fails each flush, rename, new folder or link,
and write of SQLite, and repeats the scenario on disks with little space. The error must be one of
the program's; everything acknowledged must be there. With a number, only every such call fails
(``7`` takes some ten minutes). Scenarios that are not named keep their figures.
"""

import logging
import os
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from tests.crash_scenarios import SCENARIOS, Scenario
from tests.faults import CALLS, fail, filled, small_disk, told
from tests.long.report import read_proof, write_proof

ROOM = range(0, 200, 4)
"""Kilobytes that are left on a full disk."""

NAMES = {"fsync": "a flush fails (EIO)", "renaming": "a renaming or truncation fails (EIO)"}
NAMES |= {"writing": "a write of SQLite fails (ENOSPC)"}
NAMES |= {"making": "a folder or link cannot be made (ENOSPC)"}


def fail_each(
    scenario: Scenario, source: Path, home: Path, known: str, kind: str, every: int
) -> tuple[int, int]:
    """Return how many calls of a kind were made to fail, and how often that was reported."""
    tried, told_of = 0, 0
    while True:
        shutil.copytree(source, home)
        outcome = fail(scenario, home, known, kind, tried * every + 1)
        if outcome.met:
            tried += 1
            told_of += outcome.error is not None
            scenario.check(home, known, outcome.acknowledged)
        shutil.rmtree(home)
        if not outcome.met:
            return tried, told_of


def fill(scenario: Scenario, source: Path, home: Path, known: str, every: int) -> tuple[int, int]:
    """Return how often a scenario ran on a nearly full disk, and how often that was reported."""
    told_of = 0
    for room in ROOM[::every]:
        acknowledged: list[str] = []
        home.parent.rmdir()
        with small_disk(home.parent, 2 << 20) as disk:
            shutil.copytree(source, home)
            with filled(disk, room << 10):
                error = told(partial(scenario.act, home, known, acknowledged.append))
            scenario.check(home, known, tuple(acknowledged))
        told_of += error is not None
    return len(ROOM[::every]), told_of


def main(*words: str) -> None:
    """Run every scenario, or the named ones."""
    logging.disable(logging.CRITICAL)
    every = next((int(word) for word in words if word.isdigit()), 1)
    names = [word for word in words if not word.isdigit()]
    rows: list[Any] = []
    for scenario in SCENARIOS:
        if names and scenario.name not in names:
            continue
        with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/dev/shm")) as folder:
            home, source = Path(folder) / "disk" / "home", Path(folder) / "source"
            home.mkdir(parents=True)
            known = scenario.prepare(home)
            home.rename(source)
            for kind in CALLS:
                counts = fail_each(scenario, source, home, known, kind, every)
                rows.append([scenario.name, NAMES[kind], *counts, 0])
                print(*rows[-1], flush=True)
            counts = fill(scenario, source, home, known, every)
            rows.append([scenario.name, "the disk is full", *counts, 0])
            print(*rows[-1], flush=True)
    order = [scenario.name for scenario in SCENARIOS]
    tried = names or order
    rows += [row for row in read_proof("faults") if row[0] in order and row[0] not in tried]
    write_proof(
        "faults",
        columns=("what was done", "how", "times", "told as an error", "lost or half-done"),
        rows=sorted(rows, key=lambda row: order.index(str(row[0]))),
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
