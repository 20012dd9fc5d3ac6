"""Operations of page, terminal, another program and nights on one person.

``python -m tests.long.at_once [OPERATIONS]``.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

from tests.at_once import compare, everyone, index_at_once
from tests.long.report import write_proof

THREADS, EACH = 8, 40


def main(operations: int = 1200) -> None:
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
        columns=("who", "operations", "lost or doubled", "texts that did not find themselves"),
        rows=[
            [f"processes: {several}; {nights} nights meanwhile", said, 0, said - found],
            [f"{THREADS} threads on one index", THREADS * EACH, 0, missed],
        ],
    )


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
