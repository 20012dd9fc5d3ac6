"""Throw inputs at everything that reads foreign bytes: ``python -m tests.long.fuzz``.

Each target runs as a process of its own with a bounded memory, and each input, a variation of
the seeds, has a bounded time. What fails is kept in the folder of the run.

    python -m tests.long.fuzz --inputs 1000000 --write
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import sys
import tempfile
import time
import traceback
from itertools import islice
from math import ceil
from pathlib import Path
from typing import Any

from tests.long.fuzz_targets import DOCUMENTED, mutations, targets
from tests.long.report import write_proof

SLOWEST = 10.0
"""CPU seconds that one input may take."""
MOST_MEMORY = 1 << 30
"""Bytes of address space that an input may add to what the process had before the first."""


NUMBERS = ("inputs", "read", "refused", "slowest", "peak_mb")
SLOW = {
    "long messages": 0.0005,
    "extraction": 0.03,
    "archives": 0.2,
    "HTTP": 0.3,
    "dates": 0.1,
    "MCP": 0.2,
    "chat exports": 0.4,
    "cards": 0.5,
}
"""Targets that take milliseconds an input, and which part of a full share they get."""


class Run:
    """Counts what one target was given and what became of it."""

    def __init__(self, target: Any, documented: tuple[type[Exception], ...], folder: Path) -> None:
        self._target = target
        self._documented = documented
        self._folder = folder
        self.seeds = target.seeds
        self.counts: dict[str, Any] = {**dict.fromkeys(NUMBERS[:3], 0), "faults": 0, "slowest": 0.0}
        self.faults: dict[str, str] = {}

    def try_one(self, data: bytes) -> None:
        """Give the target one input; a fault is kept, each place of the program once."""
        began = time.process_time()
        try:
            self._target.read(data)
            self.counts["read"] += 1
        except self._documented:
            self.counts["refused"] += 1
        except Exception as error:
            self._keep(error, data)
        taken = time.process_time() - began
        if taken > SLOWEST:
            self._keep(TimeoutError(f"{taken:.1f} s"), data)
        self.counts["slowest"] = max(self.counts["slowest"], round(taken, 3))
        self.counts["inputs"] += 1

    def _keep(self, error: BaseException, data: bytes) -> None:
        self.counts["faults"] += 1
        last = traceback.extract_tb(error.__traceback__)[-1:]
        place = (
            f"{type(error).__name__} {last[0].filename}:{last[0].lineno}" if last else str(error)
        )
        if place not in self.faults:
            self.faults[place] = "".join(traceback.format_exception(error))[-4000:]
            kept = self._folder / f"fault-{len(list(self._folder.glob('fault-*')))}"
            kept.write_bytes(data)
            print(f"{kept}: {self.faults[place]}", file=sys.stderr, flush=True)


def _run(run: Run, inputs: int, seed: int, out: Path) -> None:
    """Try so many variations of the seeds in this process, and write what came of them."""
    os.nice(19 - os.nice(0))
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MOST_MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    for data in islice(mutations(run.seeds, random.Random(seed)), inputs):
        run.try_one(data)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    out.write_text(json.dumps({**run.counts, "peak_mb": peak}))


def main() -> int:
    """Run all targets, or those named, one after the other."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--inputs", type=int, default=20_000, help="over all targets together")
    asked.add_argument("--target", action="append", default=[])
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--write", action="store_true", help="keep the proof in docs/")
    given = asked.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    found = targets(folder / "targets")
    names = given.target or list(found)
    whole = sum(SLOW.get(name, 1) for name in names)
    results: dict[str, dict[str, Any]] = {}
    for name in names:
        inputs = ceil(given.inputs * SLOW.get(name, 1) / whole)
        out = folder / f"{name.replace(' ', '-')}.json"
        child = os.fork()
        if child == 0:
            try:
                _run(Run(found[name], DOCUMENTED, folder), inputs, given.seed, out)
            finally:
                os._exit(1)
        os.waitpid(child, 0)
        is_whole = out.exists()
        results[name] = (
            json.loads(out.read_text()) if is_whole else {**dict.fromkeys(NUMBERS, 0), "faults": 1}
        )
        print(name, results[name], flush=True)
    if given.write:
        _write(results)
    return int(any(result["faults"] for result in results.values()))


def _write(results: dict[str, dict[str, Any]]) -> None:
    counted, largest = ("inputs", "read", "refused", "faults"), ("slowest", "peak_mb")
    rows: list[list[str | int | float]] = [
        [name, *(it[key] for key in (*counted, *largest))] for name, it in results.items()
    ]
    whole = [sum(it[key] for it in results.values()) for key in counted]
    most = [max(it[key] for it in results.values()) for key in largest]
    write_proof(
        "fuzz",
        columns=[
            *("reader", "inputs", "read", "refused with a sentence", "faults"),
            *("slowest (s of CPU)", "peak (MB)"),
        ],
        rows=[*rows, ["all", *whole, *most]],
    )


if __name__ == "__main__":
    sys.exit(main())
