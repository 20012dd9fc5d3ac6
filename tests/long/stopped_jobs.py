"""Stop everything that is done to a data directory at every one of its steps.

``python -m tests.long.stopped_jobs [SCENARIO ...]`` ends the program before each change of a file,
as ``kill -9`` does, lets the next one start, and looks. One that is not right ends it with a
traceback that names the step. The figures go to ``docs/reliability/stopped_jobs.json`` when all
of them were run.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
import tempfile
from pathlib import Path

from tests.crash_scenarios import SCENARIOS, Scenario
from tests.disk import Disk
from tests.long.report import replace_rows, write_proof

FAILED_FIRST = (
    "an erasing stopped behind its tombstone could not be found again; another companion's"
    " journal kept a quotation when the erasing was stopped between changing it and writing it"
    " anew; a deletion stopped at its end left an empty folder that its own search then counted;"
    " a restore synced nothing before the old files went."
)


def run(scenario: Scenario) -> int:
    """Stop it before each step; how many there were."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/dev/shm")) as folder:
        home, source = Path(folder) / "home", Path(folder) / "source"
        home.mkdir()
        known = scenario.prepare(home)
        home.rename(source)
        step = 0
        while True:
            shutil.copytree(source, home)
            acknowledged: list[str] = []
            disk = Disk(home)
            disk.stop_at = step
            with disk.watched():
                scenario.act(home, known, acknowledged.append)
            try:
                scenario.check(home, known, tuple(acknowledged))
            except BaseException as error:
                error.add_note(f"{scenario.name}: stopped before step {step}")
                raise
            if disk.steps < step:
                return step - 1
            step += 1
            shutil.rmtree(home)


def main(*names: str) -> None:
    """Every scenario, or those named."""
    logging.disable(logging.CRITICAL)
    rows: list[list[str | int]] = []
    for scenario in SCENARIOS:
        if not names or scenario.name in names:
            rows.append([scenario.name, run(scenario), 0])
            print(*rows[-1], flush=True)
    if names:
        replace_rows("stopped_jobs", rows)
    else:
        write_proof(
            "stopped_jobs",
            order=10,
            title="Stopped before every step",
            command="python -m tests.long.stopped_jobs",
            columns=("what was done", "stopped before each of so many steps", "lost or half-done"),
            rows=rows,
            failed_first=FAILED_FIRST,
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
