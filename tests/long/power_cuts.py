"""Cut the power behind the steps of everything that is done to a data directory.

``python -m tests.long.power_cuts [SCENARIO ...]`` (``EVERY=1`` for each step, else a quarter of the
longest are tried) records which files change and are flushed in
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
from tests.long.report import write_proof

LONG = {"night": 16, "erase": 4, "delete": 4, "restore": 2, "encrypt": 2}
"""Behind which steps the power is cut of those that have many."""


def run(scenario: Scenario) -> tuple[str, int, int, int]:
    """Do it once and replay every cut; its name, steps, states, and how many were not right."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/dev/shm")) as folder:
        points, known = record(scenario, Path(folder) / "home")
        every = int(os.environ.get("EVERY", "0")) or LONG.get(scenario.name, 1)
        steps, states = replay(scenario, points, known, Path(folder) / "replayed", every)
    return scenario.name, steps, states, 0


def main(*names: str) -> None:
    """Every scenario, or those named."""
    logging.disable(logging.CRITICAL)
    chosen = [it for it in SCENARIOS if not names or it.name in names]
    rows = []
    for scenario in chosen:
        rows.append(run(scenario))
        print(*rows[-1], flush=True)
    if not names:
        write_proof(
            "power_cuts",
            columns=("what was done", "steps", "states a cut may leave", "lost or half-done"),
            rows=rows,
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
