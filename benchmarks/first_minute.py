"""Measure the wait of a new user: from `make chat` to the first prompt, and to the first reply.

What `make chat` starts once everything is installed, ``siliconfriend demo``, runs at a
pseudo-terminal in an empty data directory, so that the sample is copied and its first night
runs too; then once more in the same directory. It prints the medians in seconds, and how many
seconds of one core it took until the reply, which says the same on a busy machine. Folders of
other checkouts may be given, to be measured in turn with this one.
``python benchmarks/first_minute.py [--runs N] [CHECKOUT]...``.
"""

from __future__ import annotations

import argparse
import os
import pty
import resource
import select
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parents[1]
PROMPT = "\nMaya: "
QUESTION = "What did I see at Harrow Light?\n"
ANSWERED = "otters"
PATIENCE = 120.0


def main() -> None:
    """Measure every checkout in turn, and print a line for each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("checkouts", nargs="*", type=Path, default=[])
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    checkouts = [*options.checkouts, HERE]
    taken: dict[Path, list[tuple[float, ...]]] = {checkout: [] for checkout in checkouts}
    for _ in range(options.runs):
        for checkout in checkouts:
            with tempfile.TemporaryDirectory() as home:
                taken[checkout].append((*_talk(checkout, home), *_talk(checkout, home)))
    for checkout, rows in taken.items():
        medians = [statistics.median(times) for times in zip(*rows, strict=True)]
        for name, (prompt, reply, cores) in (("first", medians[:3]), ("later", medians[3:])):
            print(
                f"{checkout.name}, {name}: {prompt:.1f} s to the prompt, {reply:.1f} s from the"
                f" question to the reply, {cores:.1f} s of one core in all"
            )


def _talk(checkout: Path, home: str) -> tuple[float, float, float]:
    """Seconds to the first prompt, from the question to the prompt behind its answer, and of a core."""
    outer, inner = pty.openpty()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, "-m", "siliconfriend", "--home", home, "demo", "--lang", "en"],
        stdin=inner,
        stdout=inner,
        stderr=inner,
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout), "TERM": "dumb"},
        start_new_session=True,
    )
    os.close(inner)
    try:
        _wait_for(outer, PROMPT)
        prompted = time.perf_counter()
        os.write(outer, QUESTION.encode())
        assert ANSWERED in _wait_for(outer, PROMPT, behind=ANSWERED)
        replied = time.perf_counter()
    finally:
        child.kill()
        child.wait()
        os.close(outer)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cores = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return prompted - began, replied - prompted, cores


def _wait_for(terminal: int, words: str, *, behind: str = "") -> str:
    """Read until ``words`` stand behind ``behind``; everything that was shown."""
    shown, until = "", time.monotonic() + PATIENCE
    while behind not in shown or words not in shown[shown.find(behind) :]:
        ready, _, _ = select.select([terminal], [], [], until - time.monotonic())
        assert ready, shown
        shown += os.read(terminal, 4096).decode(errors="replace").replace("\r", "")
    return shown


if __name__ == "__main__":
    main()
