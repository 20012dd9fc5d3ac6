"""Kill a writer with signal 9 while it writes into a real PostgreSQL, 500 times.

``python -m tests.long.postgres_kills [TIMES]`` starts a writer of two threads that talk to Nora, kills
it behind a word by chance, and looks whether every turn it was told is kept is there, once, in its
place, and whether every row can be read and rests as it should. One kill in ten takes the server
instead, as a crash does, and starts it again.
"""

import random
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

from siliconfriend.memory.postgresql import PostgresDatabase, PostgresStore
from siliconfriend.memory.store import MemoryStore
from tests.long.report import write_proof
from tests.memory.people import NORA
from tests.postgres_server import PostgresServer

ROOT = Path(__file__).parents[2]
THREADS = 2
MOST_TURNS = 40
"""That a writer is told of before it is killed, at most."""
A_MEMORY = 25
"""Kills that one memory lives through."""


def kill_one(
    server: PostgresServer, address: str, name: str, after: int, *, crash: bool
) -> list[str]:
    """Start a writer, kill it (or the server) behind some turns; those it was told are kept."""
    words = [address, name, "9999", str(THREADS)]
    command = [sys.executable, "-m", "tests.memory.writer", *words]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as writer:
        assert writer.stdout is not None
        told = [writer.stdout.readline().strip() for _ in range(after)]
        if crash:
            server.stop(signal.SIGQUIT)
        writer.kill()
        told += [line.strip() for line in writer.stdout if line.endswith("\n")]
    if crash:
        server.start()
    return [one for one in told if one]


def check(store: MemoryStore, told: list[str], database: PostgresDatabase) -> tuple[int, int]:
    """How many turns that were told kept are missing, and how many stand there twice.

    Raises:
        AssertionError: places are taken twice, or something that rests cannot be read.
    """
    there = Counter(turn.query for turn in store.load(NORA).turns())
    positions = [turn.position for turn in store.load(NORA).turns()]
    assert positions == list(range(len(positions)))
    assert PostgresStore(database).repair(NORA) is None, "a row is damaged"
    return sum(one not in there for one in told), sum(count > 1 for count in there.values())


def main(times: int = 500) -> None:
    """Kill, look, and kill again."""
    chance = random.Random(0)
    rows: Counter[str] = Counter()
    turns = missing = doubled = 0
    server = PostgresServer(fsync="on", full_page_writes="on")
    try:
        told: list[str] = []
        for number in range(times):
            if number % A_MEMORY == 0:
                address = server.address(server.fresh())
                database = PostgresDatabase(address)
                told = []
            crash = chance.random() < 0.1
            before = len(told)
            after = chance.randint(1, MOST_TURNS)
            told += kill_one(server, address, str(number), after, crash=crash)
            turns += len(told) - before
            lost, twice = check(PostgresStore(database), told, database)
            missing, doubled = missing + lost, doubled + twice
            rows["the server, with a writer" if crash else "a writer"] += 1
            if number % 25 == 24:
                print(number + 1, dict(rows), turns, missing, doubled, flush=True)
            database.close()
    finally:
        server.close()
    write_proof(
        "postgres_kills",
        columns=("killed", "times", "turns told as kept", "missing", "twice"),
        rows=[
            *([what, count, "", "", ""] for what, count in sorted(rows.items())),
            ["in all", times, turns, missing, doubled],
        ],
    )


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
