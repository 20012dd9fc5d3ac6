"""Cut the power behind the steps of everything that is done to a data directory.

``python -m tests.long.power_cuts [EVERY] [SCENARIO ...]`` records which files change and are flushed in
which order, lays out every state that a power cut may leave behind each step, lets the next
program start, and looks. One that is not right ends it with a traceback that names the step.
Of scenarios that are not named the figures in ``docs/reliability/power_cuts.json`` stay.
"""

import logging
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.crash_scenarios import SCENARIOS, Scenario, record, replay
from tests.long.report import read_proof, write_proof


def run(scenario: Scenario, every: int) -> tuple[str, int, int, int]:
    """Do it once and replay every cut; its name, steps, states, and how many were not right."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/dev/shm")) as folder:
        points, known = record(scenario, Path(folder) / "home")
        steps, states = replay(scenario, points, known, Path(folder) / "replayed", every)
    return scenario.name, steps, states, 0


def main(*words: str) -> None:
    """Run every scenario, or the named ones; with a number cut behind every such step."""
    logging.disable(logging.CRITICAL)
    every = next((int(word) for word in words if word.isdigit()), 1)
    names = [word for word in words if not word.isdigit()]
    chosen = [other for other in SCENARIOS if not names or other.name in names]
    rows: list[Any] = []
    for scenario in chosen:
        rows.append(run(scenario, every))
        print(*rows[-1], flush=True)
    order, tried = [one.name for one in SCENARIOS], names or tuple(each.name for each in SCENARIOS)
    rows += [row for row in read_proof("power_cuts") if row[0] in order and row[0] not in tried]
    write_proof(
        "power_cuts",
        columns=("what was done", "steps", "states a cut may leave", "lost or half-done"),
        rows=sorted(rows, key=lambda row: order.index(str(row[0]))),
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
