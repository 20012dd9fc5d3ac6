"""Throw inputs at everything that reads foreign bytes: ``python -m tests.long.fuzz``.

Each target runs as a process of its own with a bounded memory, and each input, a variation of
the seeds, has a bounded time. What fails is kept in the folder of the run.

    python -m tests.long.fuzz --inputs 1000000 --write
"""

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

from tests.long.fuzz_targets import DOCUMENTED, Target, mutations, targets
from tests.long.report import write_proof

SLOWEST = 10.0
"""CPU seconds that one input may take."""
MOST_MEMORY = 1 << 30
"""Bytes of address space that an input may add to what the process had before the first."""
COLUMNS = {
    "inputs": "inputs",
    "read": "read",
    "refused": "refused with a sentence",
    "faults": "faults",
    "slowest": "slowest (s of CPU)",
    "peak_mb": "peak (MB)",
}
LARGEST = ("slowest", "peak_mb")
SLOW = {"long messages": 0.0005, "extraction": 0.03, "HTTP": 0.3, "dates": 0.1}
SLOW |= {"chat exports": 0.4, "cards": 0.5}
"""Targets that take milliseconds an input, and which part of a full share they get."""


def run(target: Target, inputs: int, seed: int, folder: Path) -> dict[str, float]:
    """Try so many variations of the seeds in this process; each place of the program fails once."""
    os.nice(19 - os.nice(0))
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MOST_MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    counts, places = dict.fromkeys(COLUMNS, 0.0), set[str]()
    for data in islice(mutations(target.seeds, random.Random(seed)), inputs):
        began, fault = time.process_time(), ""
        try:
            target.read(data)
            counts["read"] += 1
        except DOCUMENTED:
            counts["refused"] += 1
        except Exception as error:
            fault = "".join(traceback.format_exception(error))[-4000:]
            last = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{type(error).__name__} {last.filename}:{last.lineno}"
        taken = time.process_time() - began
        if taken > SLOWEST:
            fault = place = "too slow"
        if fault:
            counts["faults"] += 1
        if fault and place not in places:
            places.add(place)
            kept = folder / f"fault-{len(list(folder.glob('fault-*')))}"
            kept.write_bytes(data)
            print(f"{kept}: {fault}", file=sys.stderr, flush=True)
        counts["slowest"] = max(counts["slowest"], round(taken, 3))
        counts["inputs"] += 1
    counts["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    return counts


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
    results: dict[str, dict[str, float]] = {}
    for name in names:
        inputs = ceil(given.inputs * SLOW.get(name, 1) / whole)
        out = folder / f"{name.replace(' ', '-')}.json"
        child = os.fork()
        if child == 0:
            try:
                out.write_text(json.dumps(run(found[name], inputs, given.seed, folder)))
            finally:
                os._exit(1)
        os.waitpid(child, 0)
        died = dict.fromkeys(COLUMNS, 0.0) | {"faults": 1}
        results[name] = json.loads(out.read_text()) if out.exists() else died
        print(name, results[name], flush=True)
    if given.write:
        rows: list[list[str | float]] = [[name, *each.values()] for name, each in results.items()]
        every = [
            (max if key in LARGEST else sum)(one[key] for one in results.values())
            for key in COLUMNS
        ]
        columns = ["reader", *COLUMNS.values()]
        write_proof("fuzz", columns=columns, rows=[*rows, ["all", *every]])
    return int(any(result["faults"] for result in results.values()))


if __name__ == "__main__":
    sys.exit(main())
