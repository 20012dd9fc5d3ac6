"""Throw inputs at everything that reads foreign bytes: ``python -m tests.long.fuzz``.

Each target runs as a process of its own with a bounded memory, and each input has a bounded
time. With ``atheris`` (``pip install atheris``; Linux) the inputs are guided by coverage, else
they are variations of the seeds. What fails is kept in the folder of the run.

    python -m tests.long.fuzz --inputs 1000000 --write
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
import traceback
from importlib.util import find_spec
from itertools import islice
from math import ceil
from pathlib import Path
from typing import Any

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
    "index.sqlite": 0.3,
    "index.rows.npz": 0.3,
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
        self.counts: dict[str, Any] = {
            "inputs": 0,
            "read": 0,
            "refused": 0,
            "faults": 0,
            "slowest": 0.0,
        }
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


def _vary(run: Run, inputs: int, seed: int) -> dict[str, Any]:
    """Try so many variations of the seeds."""
    from tests.long.fuzz_targets import mutations

    began = time.process_time()
    for data in islice(mutations(run.seeds, random.Random(seed)), inputs):
        run.try_one(data)
    return _result(run, began, "variations")


def _guide(run: Run, inputs: int, folder: Path, out: Path) -> None:
    """Try inputs that atheris chooses; it ends the process, so the result is written."""
    import atheris

    corpus = folder / "corpus"
    corpus.mkdir()
    for number, data in enumerate(run.seeds):
        (corpus / str(number)).write_bytes(data)
    began = time.process_time()

    def one(data: bytes) -> None:
        run.try_one(data)
        if run.counts["inputs"] >= inputs:
            out.write_text(json.dumps(_result(run, began, "coverage")))
            os._exit(0)

    flags = ["-runs=-1", "-timeout=60", "-rss_limit_mb=0", "-max_len=8192", "-verbosity=0"]
    atheris.Setup([sys.argv[0], *flags, str(corpus)], one)
    atheris.Fuzz()


def _result(run: Run, began: float, engine: str) -> dict[str, Any]:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    spent = round(time.process_time() - began)
    return {**run.counts, "peak_mb": peak, "cpu": spent, "engine": engine, "kinds": len(run.faults)}


def _run_engine(engine: str, given: argparse.Namespace, folder: Path) -> dict[str, dict[str, Any]]:
    """Run every target in a fork of this process, which has loaded everything once."""
    if engine == "coverage":
        import atheris

        with atheris.instrument_imports(include=["siliconfriend", "webui"]):
            from tests.long.fuzz_targets import DOCUMENTED, targets
    else:
        from tests.long.fuzz_targets import DOCUMENTED, targets
    found = targets(Path(tempfile.mkdtemp(dir=folder)))
    names = given.target or list(found)
    whole = sum(SLOW.get(name, 1) for name in names)
    results: dict[str, dict[str, Any]] = {}
    for name in names:
        inputs = ceil(given.inputs * SLOW.get(name, 1) / (whole * given.engines))
        out = folder / f"result-{engine}-{name.replace(' ', '-')}-{given.seed}.json"
        if out.exists():
            results[name] = json.loads(out.read_text())
            continue
        child = os.fork()
        if child == 0:
            try:
                _run_child(Run(found[name], DOCUMENTED, folder), inputs, given.seed, out, engine)
            finally:
                os._exit(1)
        ended = os.waitpid(child, 0)[1]
        results[name] = (
            json.loads(out.read_text())
            if out.exists()
            else {**dict.fromkeys(NUMBERS, 0), "faults": 1, "engine": f"{engine}, ended: {ended}"}
        )
        print(name, results[name], flush=True)
    return results


def _run_child(run: Run, inputs: int, seed: int, out: Path, engine: str) -> None:
    os.nice(19 - os.nice(0))
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MOST_MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    if engine == "coverage":
        _guide(run, inputs, Path(tempfile.mkdtemp(dir=out.parent)), out)
    else:
        out.write_text(json.dumps(_vary(run, inputs, seed)))


def main() -> int:
    """Run all targets, or those named, one after the other."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--inputs", type=int, default=20_000, help="over all targets together")
    asked.add_argument("--target", action="append", default=[])
    asked.add_argument("--engine", choices=["both", "variations", "coverage"], default="both")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument(
        "--folder", type=Path, help="where faults and results are kept; run again, it goes on"
    )
    asked.add_argument("--write", action="store_true", help="keep the proof in docs/")
    asked.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    asked.add_argument("--engines", type=int, default=1, help=argparse.SUPPRESS)
    given = asked.parse_args()
    folder = given.folder or Path(tempfile.mkdtemp(prefix="fuzz-"))
    folder.mkdir(parents=True, exist_ok=True)
    if given.child:
        given.child.write_text(json.dumps(_run_engine(given.engine, given, folder)))
        return 0
    engines = [given.engine] if given.engine != "both" else ["variations"]
    if given.engine == "both" and find_spec("atheris") is not None:
        engines.append("coverage")
    results: list[tuple[str, dict[str, Any]]] = []
    running = []
    for engine in engines:
        words = [*sys.argv[1:], "--engine", engine, "--engines", str(len(engines))]
        words += ["--folder", str(folder), "--child", str(folder / f"{engine}.json")]
        running.append(subprocess.Popen([sys.executable, "-m", "tests.long.fuzz", *words]))
    assert not any(child.wait() for child in running)
    for engine in engines:
        results += json.loads((folder / f"{engine}.json").read_text()).items()
    if given.write:
        _write(results)
    return int(any(result["faults"] for _name, result in results))


def _write(results: list[tuple[str, dict[str, Any]]]) -> None:
    from tests.long.report import write_proof

    counted = ("inputs", "read", "refused", "faults")
    rows: list[list[str | int | float]] = [
        [name, *(it[key] for key in counted), it["engine"], it["slowest"], it["peak_mb"]]
        for name, it in results
    ]
    whole = [sum(it[key] for _name, it in results) for key in counted]
    most = [max(it[key] for _name, it in results) for key in ("slowest", "peak_mb")]
    write_proof(
        "fuzz",
        columns=[
            *("reader", "inputs", "read", "refused with a sentence", "faults"),
            *("guided by", "slowest (s of CPU)", "peak (MB)"),
        ],
        rows=[*rows, ["all", *whole, "", *most]],
    )


if __name__ == "__main__":
    sys.exit(main())
