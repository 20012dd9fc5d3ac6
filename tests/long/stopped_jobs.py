"""Stop an erasing and a deletion at every one of its steps, and count what is wrong.

``python -m tests.long.stopped_jobs`` stops an erasing and a deletion before each change
of a file, once as ``kill -9`` and once as a power cut that empties what was not flushed, lets
the next program start, and looks. It prints a line a job; one that is
not right ends it with a traceback that names the step. The figures go to
``docs/reliability/stopped_jobs.json``.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from siliconfriend.config import Settings, load_settings
from siliconfriend.memory.file_store import FileStore
from tests.control.erasure import stops
from tests.control.world import World
from tests.long.report import write_proof

FAILED_FIRST = (
    "an erasing stopped behind its tombstone could not be found again; another companion's"
    " journal kept a quotation when the erasing was stopped between changing it and writing it"
    " anew; a deletion stopped at its end left an empty folder that its own search then counted."
)


def run(what: str, *, power: bool) -> tuple[int, int]:
    """Stop one kind of job at every step; how many steps, and after how many it was finished."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/dev/shm")) as folder:
        home = Path(folder) / "home"
        settings: Settings = load_settings(home=str(home), embedding="none", timezone="UTC")
        world = World(FileStore(home), settings)
        said = stops.prepare(world)
        act = stops.erasing(said) if what == "erase" else stops.deleting
        source = Path(folder) / "source"
        home.rename(source)
        shutil.copytree(source, home)
        steps = stops.stop(act, home, settings, None, power=power)
        shutil.rmtree(home)
        finished = [
            stops.check(act, source, settings, step, power=power) for step in range(steps + 1)
        ]
        return len(finished), finished.count(True)


def main() -> None:
    """Every job, killed and with the power cut."""
    rows: list[list[str | int]] = []
    for what in ("erase", "delete"):
        for power in (False, True):
            steps, finished = run(what, power=power)
            how = "power cut" if power else "killed"
            rows.append([what, how, steps, finished, steps - finished, 0])
            print(*rows[-1], flush=True)
    write_proof(
        "stopped_jobs",
        order=20,
        title="An erasing and a deletion stopped at every step",
        command="python -m tests.long.stopped_jobs",
        columns=(
            *("job", "how", "steps", "finished by the next start"),
            *("not begun and untouched", "half-done"),
        ),
        rows=rows,
        failed_first=FAILED_FIRST,
    )


if __name__ == "__main__":
    main()
