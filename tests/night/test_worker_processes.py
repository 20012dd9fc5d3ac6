"""Real workers over one real database: killed, stopped, and two of them at once."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.postgres_store import PostgresStore
from siliconfriend.night.night_state import open_night_state
from tests.night.many_people import SlowModel, export, export_of, night, settle, settle_in
from tests.night.shared_nights import Call, WorkerProcess, enqueue, left_in, runtime_of, work_once
from tests.waiting import until

pytestmark = pytest.mark.slow


@pytest.fixture
def store(database: Database) -> PostgresStore:
    return PostgresStore(database)


@pytest.fixture
def start(database: Database, tmp_path: Path) -> Iterator[Callable[..., WorkerProcess]]:
    """Start a worker over the database."""
    with ExitStack() as started:

        def worker(**how: float) -> WorkerProcess:
            process = WorkerProcess(database.address, tmp_path, **how)
            started.callback(process.close)
            return process

        yield worker


def alone(home: Path, count: int) -> tuple[object, int]:
    """What one night over files leaves of so many people, and how many calls it takes."""
    settle(home, count)
    model = SlowModel()
    night(home, model)
    return export(home), model.calls


def test_what_a_killed_worker_was_at_another_takes_up(
    database: Database,
    store: PostgresStore,
    tmp_path: Path,
    start: Callable[..., WorkerProcess],
) -> None:
    """Two at once, each at two people, and never both at one, though each person has two jobs.

    Of the calls only those may be paid twice that the kill met.
    """
    expected, cost = alone(tmp_path / "alone", 4)
    settle_in(store, 4)
    killed, other = (start(call=0.1, at_once=2) for _ in range(2))

    def both_are_there() -> bool:
        assert (killed.process.poll(), other.process.poll()) == (None, None)
        return workers_in(database) == 2

    until(both_are_there)
    runtime = runtime_of(database, tmp_path)
    assert (enqueue(runtime).enqueued, enqueue(runtime, today=True).enqueued) == (4, 4)
    killed.wait_until(lambda it: len(it.calls) >= 3)
    assert killed.kill() == -signal.SIGKILL
    end = time.monotonic()
    other.wait_until(lambda _it: left_in(database) == 0)
    assert other.kill(signal.SIGTERM) == 0
    assert export_of(store) == expected
    calls = [*killed.calls, *other.calls]
    assert 0 <= len(calls) - cost <= 2
    assert overlapping([replace(it, end=min(it.end, end)) for it in calls]) == []
    assert enqueue(runtime).enqueued == 4
    again = SlowModel()
    assert work_once(runtime_of(database, tmp_path, again)) == {"done": 4}
    assert again.calls == 0


def test_a_worker_that_is_told_to_end_gives_back_what_it_is_at(
    database: Database,
    store: PostgresStore,
    tmp_path: Path,
    start: Callable[..., WorkerProcess],
) -> None:
    """At once, and nothing is paid twice."""
    expected, cost = alone(tmp_path / "alone", 2)
    settle_in(store, 2)
    enqueue(runtime_of(database, tmp_path))
    first = start(call=0.2)
    first.wait_until(lambda it: len(it.calls) >= 2)
    assert first.kill(signal.SIGTERM) == 0
    assert first.ended == ["given_back Person 00"]
    model = SlowModel()
    assert work_once(runtime_of(database, tmp_path, model)) == {"done": 2}
    assert export_of(store) == expected
    assert len(first.calls) + model.calls == cost


def test_a_worker_that_was_away_does_no_harm_when_it_is_back(
    database: Database,
    store: PostgresStore,
    tmp_path: Path,
    start: Callable[..., WorkerProcess],
) -> None:
    """Stopped in the middle of a call, as where its machine is cut off; another did its work."""
    expected, cost = alone(tmp_path / "alone", 2)
    settle_in(store, 2)
    enqueue(runtime_of(database, tmp_path))
    away = start(call=0.2)
    away.wait_until(lambda it: len(it.calls) >= 2)
    away.process.send_signal(signal.SIGSTOP)
    other = start()
    other.wait_until(lambda it: len(it.ended) >= 2)
    away.process.send_signal(signal.SIGCONT)
    away.wait_until(lambda it: len(it.ended) >= 1)
    assert [it.kill(signal.SIGTERM) for it in (away, other)] == [0, 0]
    assert away.ended == ["given_back Person 00"]
    assert sorted(other.ended) == ["done Person 00", "done Person 01"]
    assert export_of(store) == expected
    assert len(away.calls) + len(other.calls) - cost in (0, 1)
    kept = open_night_state(runtime_of(database, tmp_path)).reports.last(store.scopes())
    assert kept is not None
    assert [it["status"] for it in kept["users"]] == ["ok", "ok"]


def workers_in(database: Database) -> int:
    """How many workers have said that they are there."""
    with database.transaction() as connection:
        rows = connection.execute("SELECT id FROM siliconfriend.procrastinate_workers").fetchall()
    return len(rows)


def overlapping(calls: list[Call]) -> list[tuple[Call, Call]]:
    """Pairs of calls about one person of which one began before the other had ended."""
    ordered = sorted(calls, key=lambda it: (it.person, it.begin))
    return [(a, b) for a, b in pairwise(ordered) if a.person == b.person and b.begin < a.end]
