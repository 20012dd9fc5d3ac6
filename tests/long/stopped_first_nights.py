"""Kill the first night over a long talk at any moment, and see whether anything done is lost.

``python -m tests.long.stopped_first_nights [TIMES] [DAYS]``. Each night goes on where the one
before was killed (signal 9). After every kill the memory must load, and no day that was
summarised, no turn that was read or rated may be undone; what is told of the progress must be
what is left. In the end the memory must be the one that an undisturbed night leaves, whatever
texts were embedded must not be embedded again but for the batch that a kill met, and the program
must not have grown.
"""

from __future__ import annotations

import multiprocessing
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path

from benchmarks.long_life import BEGAN, NORA, HashEmbedder, first_turns, remember
from siliconfriend.clock import FixedClock
from siliconfriend.config import Settings
from siliconfriend.memory.days import outlines
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.records import PersonMemory
from siliconfriend.night.run import run_night
from siliconfriend.recall.documents import digest_of
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.recall.index import BATCH
from siliconfriend.runtime import Runtime
from tests.long.report import write_proof

EMBEDDED = "embedded.txt"
"""Digests of the texts that were embedded, one a line, beside the data directory."""
LONGEST = 0.25
"""A night is killed within this part of what an undisturbed one takes."""

POLL = 0.05

_NIGHTS = multiprocessing.get_context("forkserver")
_NIGHTS.set_forkserver_preload(["tests.long.stopped_first_nights", "faiss", "sqlite3"])


class LoggingEmbedder(HashEmbedder):
    """Writes down what it embeds."""

    def __init__(self, log: Path) -> None:
        super().__init__()
        self._log = log

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One row a text."""
        with self._log.open("a") as file:
            file.writelines(f"{digest_of(text)}\n" for text in texts)
        return super().passages(texts)


def night(home: Path, days: int, told: Connection) -> None:
    """The night after so many days, which tells what it is doing; the whole of a child process."""
    clock = FixedClock(BEGAN + timedelta(days=days - 1, hours=20))
    embedder = LoggingEmbedder(home.with_name(f"{home.name}-{EMBEDDED}"))
    report = run_night(
        Runtime(Settings(home=home), clock, embedder=embedder),
        progress=lambda what, done, total: told.send((what, done, total)),
    )
    told.send("ended" if report.exit_code == 0 else f"failed: {report.to_json()}")


@dataclass
class Run:
    """One night in a process of its own: its progress, and the last thing it said."""

    told: list[tuple[str, int, int]] = field(default_factory=list)
    last: object = None
    seconds: float = 0.0
    megabytes: float = 0.0


def run(home: Path, days: int, kill_after: float | None) -> Run:
    """Run a night and kill it so many seconds after it began."""
    here, there = _NIGHTS.Pipe(duplex=False)
    process = _NIGHTS.Process(target=night, args=(home, days, there))
    process.start()
    there.close()
    found, began = Run(), time.perf_counter()
    while True:
        passed = time.perf_counter() - began
        if kill_after is not None and passed >= kill_after:
            process.kill()
            kill_after = None
        found.megabytes = max(found.megabytes, _megabytes(process.pid))
        try:
            if here.poll(POLL):
                found.last = here.recv()
                if isinstance(found.last, tuple):
                    found.told.append(found.last)
        except (EOFError, ConnectionResetError):
            break
    process.join()
    found.seconds = time.perf_counter() - began
    return found


def _megabytes(pid: int | None) -> float:
    """The most that a process has taken so far; 0 where nobody can tell."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else 0.0


def done_in(memory: PersonMemory) -> Counter[str]:
    """How much of the night's work stands in a memory."""
    found = [outline for _, outline in outlines(memory.days)]
    return Counter(
        summarised=sum(it.texts != "due" for it in found),
        read=sum(not it.unread for it in found),
        rated=sum(not it.unrated for it in found),
        events=sum(1 for _ in memory.events()),
    )


def false_progress(told: Sequence[tuple[str, int, int]], left: int) -> bool:
    """True if a night told of more days to summarise than were left, or counted backwards."""
    backwards = any(
        done < before and before < total for (_, before, total), (_, done, _) in pairwise(told)
    )
    return backwards or (bool(told) and told[0][2] > max(left, 2))


def main(times: int = 20, days: int = 30) -> None:
    """Kill nights over one year after another, each until a night comes to its end."""
    chance, found, most = random.Random(0), Counter[str](), 0.0
    with tempfile.TemporaryDirectory() as folder:
        fresh, whole = Path(folder) / "fresh", Path(folder) / "whole"
        remember(fresh, first_turns(days))
        shutil.copytree(fresh, whole)
        undisturbed = run(whole, days, None)
        assert undisturbed.last == "ended", undisturbed.last
        expected = FileStore(whole).load(NORA)
        lives = 0
        while found["killed"] < times:
            lives += 1
            home = Path(folder) / f"life{lives}"
            shutil.copytree(fresh, home)
            before = done_in(FileStore(home).load(NORA))
            while True:
                left = days - before["summarised"]
                night_run = run(home, days, chance.uniform(0.0, LONGEST) * undisturbed.seconds)
                is_ended = night_run.last == "ended"
                most = max(most, night_run.megabytes)
                memory = FileStore(home).load(NORA)
                there = done_in(memory)
                found["undone"] += any(there[name] < before[name] for name in before)
                found["false progress"] += false_progress(night_run.told, left)
                found["ended" if is_ended else "killed"] += 1
                print(lives, dict(found), dict(there), f"{night_run.seconds:.1f} s", flush=True)
                before = there
                if is_ended:
                    break
            found["other result"] += (memory.days, memory.overall_history) != (
                expected.days,
                expected.overall_history,
            )
            embedded = (Path(folder) / f"{home.name}-{EMBEDDED}").read_text().split()
            found["embedded again"] += len(embedded) - len(set(embedded))
    wrong = found["undone"] + found["false progress"] + found["other result"]
    wrong += found["embedded again"] > BATCH * found["killed"]
    print(dict(found), f"{undisturbed.megabytes:.0f} MB, at most {most:.0f} MB")
    write_proof(
        "stopped_first_nights",
        columns=[
            *("days", "turns", "killed", "anything undone", "false progress", "other result"),
            *("texts embedded", "of these again", "memory undisturbed", "memory at most"),
        ],
        rows=[
            [
                *(days, days * 20, found["killed"], found["undone"], found["false progress"]),
                *(found["other result"], len(embedded), found["embedded again"]),
                *(f"{undisturbed.megabytes:.0f} MB", f"{most:.0f} MB"),
            ]
        ],
    )
    if wrong:
        sys.exit("something is wrong")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
