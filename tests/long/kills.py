"""Kill a process with signal 9 in the middle of its work, 500 times.

``python -m tests.long.kills [TIMES]`` kills each scenario of the power cuts in turn at a moment by
chance, lets the next program start, and compares what is there with what the killed one was told.
"""

import logging
import os
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.crash_scenarios import SCENARIOS
from tests.killing import Victim
from tests.long.report import write_proof


def main(times: int = 500) -> None:
    """Kill, start, compare, and kill again."""
    logging.disable(logging.CRITICAL)
    chance = random.Random(0)
    cut: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/dev/shm")) as folder:
        victims = [Victim.prepare(scenario, Path(folder) / scenario.name) for scenario in SCENARIOS]
        for number in range(times):
            victim = victims[number % len(victims)]
            ended = victim.kill_after(chance.random() * victim.seconds) is not None
            cut["just ended" if ended else victim.scenario.name] += 1
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
