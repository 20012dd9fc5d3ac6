"""What many people cost where nobody has said anything: nights with nothing to do, and the list.

So many people are remembered, each with a talk on two days, and have one night that reads them.
The next night finds that there is nothing to do, and those after it know that. Each is a process
of its own; seconds of processor time are printed, of the nights without loading libraries, of
``users list`` with all of it.
Vectors are drawn by hash, as in ``ten_years.py``: ``python benchmarks/many_people.py [PEOPLE …]``
writes ``docs/reliability/many_people.json``.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.ten_years import HashEmbedder
from siliconfriend.clock import FixedClock
from siliconfriend.config import Settings
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.import_export import import_bank
from siliconfriend.night.run import run_night
from siliconfriend.recall.index_pool import preload
from siliconfriend.runtime import Runtime
from tests.long.report import write_proof

SIZES = (300,)
FIRST_NIGHT = datetime(2026, 6, 5, 3, tzinfo=UTC)
DAYS = ("2026-06-02", "2026-06-03")
ROOT = Path(__file__).resolve().parents[1]


def settle(home: Path, people: int) -> None:
    """Begin the memory of so many people, each with three turns on each of the days."""
    bank = {}
    for number in range(people):
        said = [
            {"query": f"I planted {number + row} rows of beans.", "response": "How nice."}
            for row in range(3)
        ]
        name = f"Person {number:04}"
        bank[name] = {"name": name, "history": dict.fromkeys(DAYS, said)}
    import_bank(FileStore(home), bank, language="en", zone=ZoneInfo("UTC"), now=FIRST_NIGHT)


def a_night(home: Path, number: int) -> float:
    """Run the night so many days after the first in a process of its own; its seconds."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_night, (home, number))


def _night(home: Path, number: int) -> float:
    preload(vectors=True)
    now = FIRST_NIGHT + timedelta(days=number)
    began = time.process_time()
    report = run_night(Runtime(Settings(home=home), FixedClock(now), embedder=HashEmbedder()))
    seconds = time.process_time() - began
    assert report.exit_code == 0, report.to_json()
    return seconds


def a_list(home: Path) -> float:
    """Run ``users list``; its seconds, those of the program's start among them."""
    command = [sys.executable, "-m", "siliconfriend", "--home", str(home), "users", "list"]
    before = _of_children()
    subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True, stdout=-3
    )
    return _of_children() - before


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def a_row(people: int) -> list[str]:
    """What so many people cost."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        settle(home, people)
        nights = [a_night(home, number) for number in range(4)]
        listing = min(a_list(home) for _ in range(3))
    return [f"{people:,}", *(f"{seconds:.2f} s" for seconds in (*nights, listing))]


def main(*sizes: int) -> None:
    columns = [
        *("people", "night over all that was said", "next night, which finds nothing to do"),
        *("the one after", "and the one after that", "`users list`"),
    ]
    rows = []
    for people in sizes or SIZES:
        rows.append(a_row(people))
        print(dict(zip(columns, rows[-1], strict=True)), flush=True)
    write_proof(
        "many_people",
        columns=columns,
        rows=rows,
    )


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
