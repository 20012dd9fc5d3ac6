"""Look at the mode of every file while everything is done that is done to a data directory.

``python -m tests.long.file_modes`` stops each job before each change of a file, on a machine whose
new files everybody may read unless a program takes care, and counts what another account could
open. The figures go to ``docs/reliability/file_modes.json``.
"""

from __future__ import annotations

import logging
import os
import shutil
import stat
import tempfile
from pathlib import Path

from siliconfriend.memory.passing import PREFIX
from tests.crash_scenarios import SCENARIOS, Scenario
from tests.disk import Disk
from tests.long.report import write_proof

OTHERS = stat.S_IRWXG | stat.S_IRWXO


def look(home: Path, ours: set[Path]) -> tuple[int, list[Path]]:
    """How many files and folders there are that the program made, and those that others may open.

    What lies in a passing folder has the modes it had in a backup; the folder itself is closed.
    """
    closed = {path for path in home.glob(f"{PREFIX}*") if not _is_open(path)}
    made = [path for path in home.rglob("*") if path not in ours and not path.is_symlink()]
    reached = [path for path in made if closed.isdisjoint(path.parents)]
    return len(made), [path for path in reached if _is_open(path)]


def _is_open(path: Path) -> bool:
    return bool(stat.S_IMODE(path.stat().st_mode) & OTHERS)


def run(scenario: Scenario) -> tuple[int, int, int]:
    """Stop it before each step: how many steps, files and folders seen, and open ones."""
    seen, open_ones, step = 0, set[Path](), 0
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/dev/shm")) as folder:
        home, source = Path(folder) / "home", Path(folder) / "source"
        home.mkdir()
        known = scenario.prepare(home)
        ours = {path for path in home.rglob("*") if not path.is_relative_to(home / "people")}
        home.rename(source)
        while True:
            shutil.copytree(source, home, symlinks=True)
            disk = Disk(home)
            disk.stop_at = step
            with disk.watched():
                scenario.act(home, known, lambda _told: None)
            count, found = look(home, ours)
            seen, open_ones = seen + count, open_ones.union(found)
            shutil.rmtree(home)
            if disk.steps < step:
                return step - 1, seen, len(open_ones)
            step += 1


def main() -> None:
    """Every scenario."""
    logging.disable(logging.CRITICAL)
    os.umask(0)
    rows: list[list[str | int]] = []
    for scenario in SCENARIOS:
        rows.append([scenario.name, *run(scenario)])
        print(*rows[-1], flush=True)
    write_proof(
        "file_modes",
        order=48,
        title="Files that another account could open",
        command="python -m tests.long.file_modes",
        columns=(
            *("what was done", "stopped before each of so many steps"),
            *("files and folders looked at", "open to others"),
        ),
        rows=rows,
        not_measured="What somebody else's program made in the data directory, and a folder that "
        "an export or a backup was sent to. Windows keeps no such modes.",
    )


if __name__ == "__main__":
    main()
