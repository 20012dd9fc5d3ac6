"""Nights as jobs: workers over one database come to what one night over everyone comes to."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from psycopg import Connection

from siliconfriend.errors import ConfigurationError, ModelUnavailable
from siliconfriend.memory.postgres import queue_tables
from siliconfriend.memory.postgres.database import Database
from siliconfriend.memory.postgres.postgres_store import PostgresStore
from siliconfriend.memory.scope import Scope
from siliconfriend.night.night_state import open_night_state
from siliconfriend.night.postgres.job_queue import MOST_ATTEMPTS, take_up_stalled
from siliconfriend.night.postgres.night_plan import due_after, plan_new, start_due
from siliconfriend.night.postgres.person_jobs import PersonJobs
from siliconfriend.night.postgres.scope_key import scope_key
from siliconfriend.night.postgres.state import PostgresNightState
from siliconfriend.night.run import run_night
from siliconfriend.testing import MovingClock
from tests.night.many_people import SlowModel, export, export_of, names, night, settle, settle_in
from tests.night.shared_nights import enqueue, runtime_of, work_once
from tests.night.world import JUNE_5

JOBS = "SELECT {} FROM siliconfriend.procrastinate_jobs ORDER BY id"


@pytest.fixture
def store(database: Database) -> PostgresStore:
    return PostgresStore(database)


@pytest.fixture
def open_connection(database: Database) -> Iterator[Connection]:
    with database.connection() as connection:
        yield connection


def test_jobs_come_to_what_a_night_over_files_comes_to(
    database: Database, store: PostgresStore, tmp_path: Path
) -> None:
    """The same memory, as many calls, and a report of everyone."""
    settle(tmp_path, 4)
    model = SlowModel()
    of_files = night(tmp_path, model)
    settle_in(store, 4)
    shared = SlowModel()
    runtime = runtime_of(database, tmp_path, shared)
    assert (enqueue(runtime).enqueued, work_once(runtime, at_once=2)) == (4, {"done": 4})
    assert export_of(store) == export(tmp_path)
    assert shared.calls == model.calls
    kept = open_night_state(runtime).reports.last(store.scopes())
    assert kept is not None
    for mine, theirs in zip(kept["users"], of_files.to_json()["users"], strict=True):
        assert {**theirs, **mine} == mine
    assert (kept["waiting"], kept["llm"]["calls"]) == (0, model.calls)


def test_a_night_over_a_database_by_one_process_is_the_same(
    database: Database, store: PostgresStore, tmp_path: Path
) -> None:
    """``nightly`` needs no worker, and its report is kept in the database."""
    settle(tmp_path, 2)
    night(tmp_path, SlowModel())
    settle_in(store, 2)
    runtime = runtime_of(database, tmp_path, SlowModel())
    report = run_night(runtime)
    assert export_of(store) == export(tmp_path)
    kept = open_night_state(runtime).reports
    last = kept.last(store.scopes())
    assert last is not None
    assert [it["user"] for it in last["users"]] == names(2)
    assert last["llm"] == report.usage.document()
    (own,) = kept.of(Scope.of("Person 01"), 5)
    assert [it["user"] for it in own["users"]] == ["Person 01"]
    assert kept.last_passes(store.scopes()) == dict.fromkeys(store.scopes(), JUNE_5)


def test_nobody_is_put_into_the_queue_twice(
    database: Database, store: PostgresStore, tmp_path: Path
) -> None:
    """A second order of the same adds those who are not there, and no night of nobody."""
    settle_in(store, 2)
    runtime = runtime_of(database, tmp_path)
    assert enqueue(runtime, users=["Person 00"]).enqueued == 1
    assert enqueue(runtime).enqueued == 2, "a night of one is none over everyone"
    assert (enqueue(runtime).enqueued, enqueue(runtime).waiting) == (0, 2)
    assert work_once(runtime) == {"done": 3}
    last = open_night_state(runtime).reports.last(store.scopes())
    assert last is not None
    assert [it["user"] for it in last["users"]] == names(2)


def test_a_person_who_is_gone_leaves_no_job(
    database: Database, store: PostgresStore, tmp_path: Path
) -> None:
    """Nor does a name of theirs stay in the tables of nights."""
    settle_in(store, 2)
    runtime = runtime_of(database, tmp_path)
    plan_new(runtime, database)
    enqueue(runtime)
    store.delete(Scope.of("Person 00"))
    with database.connection() as connection:
        rows = connection.execute(JOBS.format("args ->> 'person'")).fetchall()
        plan = connection.execute("SELECT person FROM siliconfriend.nights_due('infinity', 9)")
        assert (rows, plan.fetchall()) == ([("Person 01",)], [("Person 01",)])


def _unreachable() -> ModelUnavailable:
    return ModelUnavailable("model_unreachable", name="slow", address="here")


def test_what_may_pass_is_tried_again_later(
    database: Database, store: PostgresStore, tmp_path: Path, open_connection: Connection
) -> None:
    """A minute, then two; the report holds what was done in both, and the calls of both."""
    settle_in(store, 1)
    failing = SlowModel(0, lambda _asked, number: _unreachable() if number in (2, 3) else None)
    runtime = runtime_of(database, tmp_path, failing)
    enqueue(runtime)
    began = datetime.now(UTC)
    assert work_once(runtime) == {"later": 1}
    ((status, attempts, again),) = open_connection.execute(
        JOBS.format("status, attempts, scheduled_at")
    ).fetchall()
    assert (status, attempts) == ("todo", 1)
    assert timedelta(seconds=60) <= again - began < timedelta(seconds=90)
    assert work_once(runtime) == {}, "not before its time"
    open_connection.execute("UPDATE siliconfriend.procrastinate_jobs SET scheduled_at = now()")
    assert work_once(runtime) == {"done": 1}
    last = open_night_state(runtime).reports.last(store.scopes())
    assert last is not None
    (person,) = last["users"]
    assert (person["status"], person["errors"]) == ("ok", [])
    assert person["summarised"] == ["2026-06-01", "2026-06-03"]
    assert person["llm"]["calls"] == failing.calls


def test_what_does_not_pass_is_not_tried_again(
    database: Database, store: PostgresStore, tmp_path: Path, open_connection: Connection
) -> None:
    """A refused key ends the asking for everyone in this night."""
    settle_in(store, 3)
    refused = ModelUnavailable("model_key", name="slow", address="here", status=401)
    model = SlowModel(0, lambda _asked, _number: refused)
    runtime = runtime_of(database, tmp_path, model)
    enqueue(runtime)
    assert work_once(runtime) == {"failed": 3}
    assert model.calls == 1
    assert open_connection.execute(JOBS.format("id")).fetchall() == []


def test_two_workers_share_one_budget(
    database: Database, store: PostgresStore, tmp_path: Path
) -> None:
    """Ten calls in all, whichever of them makes them; the rest is left and no failure."""
    settle_in(store, 4)
    models = [SlowModel(0.002), SlowModel(0.002)]
    runtimes = [runtime_of(Database(database.address), tmp_path, it) for it in models]
    ordered = enqueue(runtimes[0])
    outcomes: list[str] = []

    def work(at: int) -> None:
        runtime = runtimes[at]
        assert runtime.database is not None
        state = PostgresNightState(runtime.database, runtime.shared.jobs)
        jobs = PersonJobs(runtime, runtime.database, state, max_calls=10)
        for scope in store.scopes()[at::2]:
            outcomes.append(jobs.run(ordered.night, scope, 0).outcome)

    threads = [threading.Thread(target=work, args=(at,)) for at in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(it.calls for it in models) == 10
    assert outcomes == ["done"] * 4
    for runtime in runtimes:
        assert runtime.database is not None
        runtime.database.close()


SILENCE = timedelta(seconds=30)


def _begin(connection: Connection, heartbeat: str) -> None:
    """Let every job be at work in a worker that was last heard of then."""
    (worker,) = connection.execute(
        "INSERT INTO siliconfriend.procrastinate_workers (last_heartbeat)"
        f" VALUES (now() - interval '{heartbeat}') RETURNING id".encode()
    ).fetchone() or (None,)
    connection.execute(
        "UPDATE siliconfriend.procrastinate_jobs SET status = 'doing', worker_id = %s", (worker,)
    )


def test_the_job_of_a_silent_worker_is_taken_up(
    database: Database, store: PostgresStore, tmp_path: Path, open_connection: Connection
) -> None:
    """Not while the worker is heard of, nor while it holds the person still."""
    settle_in(store, 1)
    runtime = runtime_of(database, tmp_path)
    enqueue(runtime)
    _begin(open_connection, "10 seconds")
    take_up_stalled(database, SILENCE)
    status = JOBS.format("status, attempts")
    assert open_connection.execute(status).fetchall() == [("doing", 0)]
    _begin(open_connection, "40 seconds")
    state = PostgresNightState(database, runtime.shared.jobs)
    with state.hold(Scope.of("Person 00"), JUNE_5, wait=0):
        take_up_stalled(database, SILENCE)
        assert open_connection.execute(status).fetchall() == [("doing", 0)]
    take_up_stalled(database, SILENCE)
    assert open_connection.execute(status).fetchall() == [("todo", 1)]
    assert work_once(runtime) == {"done": 1}


def test_a_job_that_kills_its_workers_ends(
    database: Database, store: PostgresStore, tmp_path: Path, open_connection: Connection
) -> None:
    """After so many the report says so, and nobody begins it again this night."""
    settle_in(store, 1)
    runtime = runtime_of(database, tmp_path)
    enqueue(runtime)
    _begin(open_connection, "40 seconds")
    open_connection.execute(
        "UPDATE siliconfriend.procrastinate_jobs SET attempts = %s", (MOST_ATTEMPTS - 1,)
    )
    assert work_once(runtime) == {}
    last = open_night_state(runtime).reports.last(store.scopes())
    assert last is not None
    assert last["users"][0]["status"] == "failed"
    assert f"{MOST_ATTEMPTS} workers ended" in last["users"][0]["errors"][0]


@pytest.mark.parametrize(
    ("moment", "zone", "date"),
    [
        ("2026-06-05T00:00:00+00:00", "UTC", "2026-06-05"),
        ("2026-06-05T04:00:00+00:00", "UTC", "2026-06-06"),
        ("2026-06-05T12:00:00+00:00", "Asia/Shanghai", "2026-06-06"),
        ("2026-06-05T12:00:00+00:00", "America/New_York", "2026-06-06"),
        ("2026-06-05T06:00:00+00:00", "America/New_York", "2026-06-05"),
    ],
)
def test_a_night_begins_in_the_persons_own_small_hours(moment: str, zone: str, date: str) -> None:
    """Between three and four by their clock, at a minute of their own."""
    due = due_after(datetime.fromisoformat(moment), ZoneInfo(zone), Scope.of("Ada"))
    local = due.astimezone(ZoneInfo(zone))
    assert (local.date().isoformat(), local.hour) == (date, 3)
    assert local.minute == int(scope_key(Scope.of("Ada"))[:8], 16) % 60


def test_each_night_is_started_once(
    database: Database, store: PostgresStore, tmp_path: Path, open_connection: Connection
) -> None:
    """However often workers look; the next one on the day after."""
    settle_in(store, 3)
    clock = MovingClock(datetime(2026, 6, 5, 2, tzinfo=UTC))
    runtime = runtime_of(database, tmp_path)
    runtime.clock = clock
    plan_new(runtime, database)
    assert start_due(runtime, database) == 0
    clock.moment = datetime(2026, 6, 5, 4, tzinfo=UTC)
    assert [start_due(runtime, database), start_due(runtime, database)] == [3, 0]
    assert work_once(runtime, starts=True) == {"done": 3}
    clock.moment = datetime(2026, 6, 9, 14, tzinfo=UTC)
    assert work_once(runtime, starts=True) == {"done": 3}, "those missed are made up for once"
    nights = open_connection.execute("SELECT name FROM siliconfriend.night ORDER BY id")
    assert nights.fetchall() == [("2026-06-05",), ("2026-06-06",)]


def test_who_is_quiet_is_not_opened(
    database: Database, store: PostgresStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The third night reports the same without a look into the memory."""
    settle_in(store, 2)
    runtime = runtime_of(database, tmp_path)
    assert isinstance(runtime.clock, MovingClock)
    for _ in range(2):
        enqueue(runtime)
        work_once(runtime)
        runtime.clock.moment += timedelta(days=1)
    enqueue(runtime)
    monkeypatch.setattr(PostgresStore, "load", None)
    assert work_once(runtime) == {"done": 2}


def test_another_version_of_the_queue_is_refused(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its tables may be others than ours."""
    monkeypatch.setattr(queue_tables, "TABLES", "02.99.sql")
    with pytest.raises(ConfigurationError, match="procrastinate"):
        work_once(runtime_of(database, tmp_path))
