"""Kill workers with signal 9 in the middle of nights, 100 times, while people talk.

``python -m tests.long.killed_workers [TIMES]`` keeps three workers at the nights of 24 people over
one database and kills one of them by chance, again and again, until the queue is empty; then the
memory is compared with what a single machine's night makes of the same people, and with what was
acknowledged to those who talked meanwhile.
"""

import logging
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from siliconfriend.memory.store import MemoryStore
from tests.long.report import write_proof
from tests.memory.stored import say
from tests.night.workers import (
    TODAY,
    WorkerProcess,
    alone,
    calls_left,
    enqueue,
    export_of,
    left_in,
    runtime_of,
    settle_in,
)
from tests.night.world import JUNE_5
from tests.postgres_server import PostgresServer

PEOPLE = 24
WORKERS = 3


def talk(store: MemoryStore, said: list[str], ended: threading.Event) -> None:
    """Somebody of all people says something every few moments; keep what was acknowledged."""
    scopes = store.scopes()
    while not ended.wait(0.05):
        words = f"said-{len(said)}"
        say(store, words, scopes[len(said) % len(scopes)], now=JUNE_5)
        said.append(words)


def one_round(
    address: str, home: Path, expected: object, kills: int, chance: random.Random
) -> Counter[str]:
    """One night over everyone with at most so many kills, finished and compared; its counts."""
    runtime, found = runtime_of(address, home), Counter(rounds=1)
    store = runtime.store
    settle_in(store, PEOPLE)
    enqueue(runtime)
    said, ended = list[str](), threading.Event()
    talking = threading.Thread(target=talk, args=(store, said, ended), daemon=True)
    talking.start()

    def start() -> WorkerProcess:
        return WorkerProcess(address, home, call=0.1, at_once=2)

    workers, gone = [start() for _ in range(WORKERS)], list[WorkerProcess]()
    while left_in(runtime):
        time.sleep(chance.uniform(0, 0.5))
        asking = [at for at, worker in enumerate(workers) if worker.calls]
        if found["kills"] == kills or not asking:
            continue
        at = chance.choice(asking)
        workers[at].kill()
        found["kills"] += 1
        found["at work"] += any(call.is_open for call in workers[at].calls)
        gone.append(workers[at])
        workers[at] = start()
    for worker in workers:
        worker.kill(signal.SIGTERM)
    ended.set()
    talking.join()
    calls = [call for worker in (*gone, *workers) for call in worker.calls]
    found["calls"] = len(calls) + calls_left(address, home)
    found["cut off"] = sum(call.is_open for call in calls)
    found["said"] = len(said)
    assert export_of(store) == expected, "the memory is not that of a single machine"
    turns = (turn for scope in store.scopes() for turn in store.load(scope).turns())
    lost = set(said) - {turn.query for turn in turns if turn.date == TODAY}
    assert not lost, sorted(lost)
    return found


def main(times: int = 100) -> None:
    """Kill so many workers."""
    logging.disable(logging.WARNING)
    chance, found = random.Random(0), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        expected, needed = alone(Path(folder, "alone"), PEOPLE)
        server = PostgresServer()
        try:
            while found["kills"] < times:
                name = server.fresh()
                left = times - found["kills"]
                home = Path(folder, "home")
                found += one_round(server.address(name), home, expected, left, chance)
                print(dict(found), flush=True)
                server.drop(name)
        finally:
            server.close()
    rows = [
        [f"workers killed, of {WORKERS} at a time", found["kills"]],
        ["of them while they waited for the model, the others between two calls", found["at work"]],
        [f"nights over {PEOPLE} people that were finished by others", found["rounds"]],
        ["calls a night needs", needed],
        ["calls made again, in all of them", found["calls"] - needed * found["rounds"]],
        ["calls that a kill cut off", found["cut off"]],
        ["turns acknowledged meanwhile", found["said"]],
        ["lost, or other than a single machine's night", 0],
    ]
    write_proof("killed_workers", columns=("what", "times"), rows=rows)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
