"""Two processes and eight threads on one memory: nothing lost, nothing doubled, no place taken twice."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.postgres_store import PostgresStore
from tests.memory.people import NORA, a_profile
from tests.memory.stored import queries, say

ROOT = Path(__file__).parents[3]


@pytest.mark.slow
def test_processes_and_threads_lose_nothing(database: Database) -> None:
    """Four threads in each of two processes say 8 turns each, while this one reads on and folds."""
    store = PostgresStore(database, fold_at=3000)
    store.create(NORA, a_profile())
    command = [sys.executable, "-m", "tests.memory.postgres.writer", database.address, "4", "8"]
    writers = [
        subprocess.Popen([*command, name], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for name in ("a", "b")
    ]
    seen = 0
    while any(writer.poll() is None for writer in writers):
        memory = store.load(NORA)
        turns = list(memory.turns())
        assert [turn.position for turn in turns] == list(range(len(turns)))
        assert len(turns) >= seen
        seen = len(turns)
        store.fold(NORA)
    told = [line for writer in writers for line in writer.communicate()[0].split()]
    assert [writer.returncode for writer in writers] == [0, 0]
    assert sorted(queries(store)) == sorted(told)
    assert sorted(queries(PostgresStore(database))) == sorted(queries(store))
    assert len(told) == 64


def test_eight_threads_of_one_process(database: Database) -> None:
    """With fewer connections than threads, each turn is there once and in its place."""
    store = PostgresStore(Database(database.address, most=3), fold_at=2000)
    store.create(NORA, a_profile())

    def talk(name: int) -> None:
        for number in range(5):
            say(store, f"{name}-{number}")

    threads = [threading.Thread(target=talk, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    turns = list(PostgresStore(database).load(NORA).turns())
    assert {turn.query for turn in turns} == {f"{a}-{b}" for a in range(8) for b in range(5)}
    assert [turn.position for turn in turns] == list(range(40))
