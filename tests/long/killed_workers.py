"""Kill workers with signal 9 in the middle of nights, 100 times, while people talk.

``python -m tests.long.killed_workers [TIMES]`` keeps three workers at the nights of 24 people over
one database and kills one of them by chance, again and again, until the queue is empty; then the
memory is compared with what a single machine's night makes of the same people, and with what was
acknowledged to those who talked meanwhile.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from siliconfriend.memory.store import MemoryStore
from tests.long.report import write_proof
from tests.memory.stored import say
from tests.night.workers import (
    TODAY,
    Call,
    SlowModel,
    calls_in,
    enqueue,
    export,
    export_of,
    left_in,
    night,
    runtime_of,
    settle,
    settle_in,
    work_once,
)
from tests.night.workers import main as be_a_worker
from tests.night.world import JUNE_5
from tests.postgres_server import PostgresServer

PEOPLE = 24
WORKERS = 3
AT_ONCE = 2
CALL = 0.1
CONTEXT = multiprocessing.get_context("forkserver")


@dataclass
class Found:
    """What all rounds came to.

    Attributes:
        rounds: nights over everyone.
        kills: workers killed, and ``at_work`` those of them that were at a person.
        calls: of the model, ``needed`` and ``again``: beyond those.
        cut_off: calls that a kill met.
        said: turns acknowledged meanwhile.
        lost: of them, or of what the night makes; the run ends at the first.
    """

    rounds: int = 0
    kills: int = 0
    at_work: int = 0
    needed: int = 0
    again: int = 0
    cut_off: int = 0
    said: int = 0
    lost: list[str] = field(default_factory=list)


class ForkedWorker:
    """A worker forked from a process that has everything loaded, so that it can be killed often.

    Args:
        address: of the database.
        home: a data directory for it.
    """

    def __init__(self, address: str, home: Path) -> None:
        self._printed = Path(tempfile.mkstemp(dir=home.parent)[1])
        given = (address, str(home), str(self._printed))
        self._process = CONTEXT.Process(target=serve, args=given, daemon=True)
        self._process.start()

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Send it a signal and wait for its end."""
        assert self._process.pid is not None
        if self._process.is_alive():
            os.kill(self._process.pid, number)
        self._process.join()

    @property
    def calls(self) -> list[Call]:
        """The calls that it has printed."""
        whole, _, _torn = self._printed.read_text("utf-8").rpartition("\n")
        return calls_in([it for it in whole.splitlines() if it[:1].isdigit()])


def serve(address: str, home: str, printed: str) -> None:
    """Be a worker that prints into a file."""
    logging.disable(logging.CRITICAL)
    with Path(printed).open("a", encoding="utf-8", buffering=1) as sys.stdout:
        be_a_worker(address, home, str(CALL), "2", str(AT_ONCE))


class Talk(threading.Thread):
    """Somebody of all people says something every few moments, until told to stop.

    Attributes:
        said: what the store has acknowledged.
    """

    def __init__(self, store: MemoryStore) -> None:
        super().__init__(daemon=True)
        self.said: list[str] = []
        self.ended = threading.Event()
        self._store = store

    def run(self) -> None:
        """Say it."""
        scopes = self._store.scopes()
        while not self.ended.wait(0.05):
            words = f"said-{len(self.said)}"
            say(self._store, words, scopes[len(self.said) % len(scopes)], now=JUNE_5)
            self.said.append(words)


def one_round(
    server: PostgresServer,
    home: Path,
    expected: object,
    found: Found,
    chance: random.Random,
    times: int,
) -> None:
    """One night over everyone with kills, finished and compared."""
    name = server.fresh()
    address = server.address(name)
    runtime = runtime_of(address, home)
    store = runtime.store
    settle_in(store, PEOPLE)
    enqueue(runtime)
    talk = Talk(store)
    talk.start()

    def start() -> ForkedWorker:
        return ForkedWorker(address, home)

    workers = [start() for _ in range(WORKERS)]
    gone: list[ForkedWorker] = []
    while left_in(runtime):
        time.sleep(chance.uniform(0, 0.5))
        asking = [at for at, it in enumerate(workers) if it.calls]
        if found.kills >= times or not asking:
            continue
        at = chance.choice(asking)
        workers[at].kill()
        found.kills += 1
        found.at_work += any(it.is_open for it in workers[at].calls)
        if found.kills % 10 == 0:
            print(f"{found.kills} kills, {left_in(runtime)} nights left", flush=True)
        gone.append(workers[at])
        workers[at] = start()
    for worker in workers:
        worker.kill(signal.SIGTERM)
    talk.ended.set()
    talk.join()
    calls = [it for worker in (*gone, *workers) for it in worker.calls]
    rest = SlowModel()
    last = runtime_of(address, home, rest)
    enqueue(last)
    work_once(last)
    found.rounds += 1
    found.said += len(talk.said)
    found.again += len(calls) + rest.calls - found.needed
    found.cut_off += sum(it.is_open for it in calls)
    if export_of(store) != expected:
        found.lost.append(f"round {found.rounds}: the memory is not that of a single machine")
    heard = {
        it.query for scope in store.scopes() for it in store.load(scope).turns() if it.date == TODAY
    }
    found.lost += sorted(set(talk.said) - heard)
    server.drop(name)


def main(times: int = 100) -> None:
    """Kill so many workers."""
    logging.disable(logging.WARNING)
    CONTEXT.set_forkserver_preload(["__main__", "tests.night.workers"])
    chance, found = random.Random(0), Found()
    with tempfile.TemporaryDirectory() as folder:
        alone = Path(folder, "alone")
        settle(alone, PEOPLE)
        model = SlowModel()
        night(alone, model)
        expected, found.needed = export(alone), model.calls
        server = PostgresServer()
        try:
            while found.kills < times and not found.lost:
                one_round(server, Path(folder, "home"), expected, found, chance, times)
                print(found, flush=True)
        finally:
            server.close()
    if found.lost:
        sys.exit("; ".join(found.lost[:5]))
    rows = [
        [f"workers killed, of {WORKERS} at a time", found.kills],
        ["of them while they waited for the model, the others between two calls", found.at_work],
        [f"nights over {PEOPLE} people that were finished by others", found.rounds],
        ["calls a night needs", found.needed],
        ["calls made again, in all of them", found.again],
        ["calls that a kill cut off", found.cut_off],
        ["turns acknowledged meanwhile", found.said],
        ["lost, or other than a single machine's night", 0],
    ]
    write_proof(
        "killed_workers",
        columns=("what", "times"),
        rows=rows,
    )


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
