"""Ten thousand operations of page, terminal, another program and nights on one person.

``python -m tests.long.at_once [OPERATIONS]``; the figures go to ``docs/reliability/at_once.json``.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

from tests.at_once import compare, everyone, index_at_once
from tests.long.report import write_proof

FAILED_FIRST = (
    "a message that a night summed up before it had its reply was taken for something said twice,"
    " and could not be found by its own words. All of a day's thousands of turns were gone through"
    " anew at each of them, so that the run did not end: they are spread over days now, as talk is."
)
THREADS, EACH = 8, 250


def main(operations: int = 10_000) -> None:
    """All of them at once, then every text looked for."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/dev/shm")) as folder:
        began = time.perf_counter()
        told = everyone(Path(folder) / "home", -(-operations // 3))
        seconds = round(time.perf_counter() - began)
        print(told, seconds, flush=True)
        nights = told.pop("nights")
        found = compare(Path(folder) / "home", told)
        print(found, flush=True)
        missed = index_at_once(Path(folder) / "threads", THREADS, EACH)
    said = sum(told.values())
    several = ", ".join(f"{name} {count}" for name, count in sorted(told.items()))
    write_proof(
        "at_once",
        order=12,
        title="Many at once on one person",
        command=f"python -m tests.long.at_once {operations}",
        columns=(
            "who",
            "operations",
            "lost or doubled",
            "exact texts that did not find themselves",
        ),
        rows=[
            [f"processes: {several}; {nights} nights meanwhile", said, 0, said - found],
            [f"{THREADS} threads on one index", THREADS * EACH, 0, missed],
        ],
        failed_first=FAILED_FIRST,
        not_measured=(
            "the page's replies run as the page runs them, in tabs of one process, without a"
            " browser; texts are found by words alone in the first row, by words and vectors of"
            " words in the second, and an event in the same words counts as the text. The first row"
            f" took {seconds} s on two busy cores."
        ),
    )


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
