"""Stop everything that is done to a data directory at every one of its steps.

``python -m tests.long.stopped_jobs [SCENARIO ...]`` ends the program before each change of a file,
as ``kill -9`` does, on a machine whose new files everybody may read unless a program takes care.
Nothing may be open to another account then; the next program starts, and nothing may be lost.
"""

from __future__ import annotations

import logging
import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path

from siliconfriend.memory.passing import PREFIX
from tests.crash_scenarios import SCENARIOS, Scenario
from tests.disk import Disk
from tests.long.report import write_proof

OTHERS = stat.S_IRWXG | stat.S_IRWXO


def open_to_others(home: Path, ours: set[Path]) -> list[Path]:
    """What the program made that other accounts may open.

    What lies in a passing folder has the modes it had in a backup; the folder itself is closed.
    """
    closed = {path for path in home.glob(f"{PREFIX}*") if not _is_open(path)}
    made = [path for path in home.rglob("*") if path not in ours and not path.is_symlink()]
    return [path for path in made if closed.isdisjoint(path.parents) and _is_open(path)]


def _is_open(path: Path) -> bool:
    return bool(stat.S_IMODE(path.stat().st_mode) & OTHERS)


def run(scenario: Scenario) -> int:
    """Stop it before each step; how many there were."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/dev/shm")) as folder:
        home, source = Path(folder) / "home", Path(folder) / "source"
        home.mkdir()
        known = scenario.prepare(home)
        ours = {path for path in home.rglob("*") if not path.is_relative_to(home / "people")}
        home.rename(source)
        step = 0
        while True:
            shutil.copytree(source, home, symlinks=True)
            acknowledged: list[str] = []
            disk = Disk(home)
            disk.stop_at = step
            with disk.watched():
                scenario.act(home, known, acknowledged.append)
            try:
                assert open_to_others(home, ours) == []
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
    os.umask(0)
    rows: list[list[str | int]] = []
    for scenario in SCENARIOS:
        if not names or scenario.name in names:
            rows.append([scenario.name, run(scenario), 0])
            print(*rows[-1], flush=True)
    if not names:
        columns = ("what was done", "stopped before each of so many steps", "lost or half-done")
        write_proof("stopped_jobs", columns=columns, rows=rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
