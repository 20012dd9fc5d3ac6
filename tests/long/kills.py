"""Kill a process with signal 9 while it does everything there is to do, 500 times.

``python -m tests.long.kills [TIMES]`` kills at moments by chance, lets the next program start
after each, and compares what is there with what the killed one was told. A data directory is
lived in for fifty kills.
"""

from __future__ import annotations

import logging
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.killing import Expected, kill_one
from tests.long.report import write_proof

LIVES = 50
MOMENTS = ((1, 0.8), (20, 0.02), (20, 0.1))
"""After how many works at most, and how many seconds at most behind the beginning of that one: by
time alone the longest would be met nearly always."""


def main(times: int = 500) -> None:
    """Kill, start, compare, and kill again."""
    logging.disable(logging.CRITICAL)
    chance = random.Random(0)
    cut: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        home, log = Path(folder) / "home", Path(folder) / "log"
        expected = Expected()
        for number in range(times):
            if number % LIVES == 0:
                shutil.rmtree(folder)
                Path(folder).mkdir()
                expected = Expected()
            begun, longest = chance.choice(MOMENTS)
            kill_one(home, log, number, chance.random() * longest, begun=chance.randint(1, begun))
            expected.read(log)
            try:
                expected.compare(home)
            except BaseException:
                print(f"kill {number}, while {expected.cut}", file=sys.stderr)
                shutil.copytree(folder, Path(folder).with_name("killed"), dirs_exist_ok=True)
                raise
            cut[expected.cut[0] if expected.cut else "between two"] += 1
            if number % 25 == 24:
                print(number + 1, dict(cut), flush=True)
    rows = [[what, count, 0] for what, count in sorted(cut.items())]
    write_proof(
        "kills",
        columns=("killed while", "times", "lost, half-done or doubled"),
        rows=[*rows, ["in all", times, 0]],
    )


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
