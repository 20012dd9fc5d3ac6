"""Cut the power behind every step of everything that is done to a data directory.

``python -m tests.long.power_cuts [SCENARIO ...]`` records which files change and are flushed in
which order, lays out every state that a power cut may leave behind each step, lets the next
program start, and looks. One that is not right ends it with a traceback that names the step.
The figures go to ``docs/reliability/power_cuts.json`` when all of them were run.
"""

from __future__ import annotations

import logging
import os
import sys
import tempfile
from pathlib import Path

from tests.crash_scenarios import SCENARIOS, Scenario, record, replay
from tests.long.report import replace_rows, write_proof

FAILED_FIRST = (
    "a new data directory was not flushed into the folder above it, so that everything in it"
    " could vanish after it had been acknowledged; a passing folder whose lock's name was lost"
    " was swept by nobody, and what lay in it kept a deletion from ending; a deletion whose files"
    " vanished in another order than they were removed left the search index, or was never"
    " finished because one of its memories could no longer be read; the intent of a restore could"
    " be there before the folders that it speaks of, so that every later command failed, or all"
    " moved out and nothing in."
)
NOT_MEASURED = (
    "the calls are those of Python; SQLite's own within the index are seen by what they left,"
    " and the index is a cache. Where more than three changes of names are not flushed, nine"
    " choices of them are tried and not all. No real power was cut."
)


def run(scenario: Scenario) -> tuple[str, int, int, int]:
    """Do it once and replay every cut; its name, steps, states, and how many were not right."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/dev/shm")) as folder:
        points, known = record(scenario, Path(folder) / "home")
        steps, states = replay(scenario, points, known, Path(folder) / "replayed")
    return scenario.name, steps, states, 0


def main(*names: str) -> None:
    """Every scenario, or those named."""
    logging.disable(logging.CRITICAL)
    chosen = [it for it in SCENARIOS if not names or it.name in names]
    rows = []
    for scenario in chosen:
        rows.append(run(scenario))
        print(*rows[-1], flush=True)
    if names:
        replace_rows("power_cuts", rows)
    else:
        write_proof(
            "power_cuts",
            order=5,
            title="The power cut behind every step",
            command="python -m tests.long.power_cuts",
            columns=("what was done", "steps", "states a cut may leave", "lost or half-done"),
            rows=rows,
            failed_first=FAILED_FIRST,
            not_measured=NOT_MEASURED,
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
