"""Workers over one queue, on files and on PostgreSQL: they come to what one night comes to."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.errors import ConfigurationError, ModelError, ModelUnavailable
from siliconfriend.installation.tables import scope_key
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import ChatModel
from siliconfriend.night import run
from siliconfriend.night.calls import MAX_WAIT
from siliconfriend.night.person_night import NightOptions
from siliconfriend.night.queue import MAX_ATTEMPTS, NightReports, due_after
from siliconfriend.night.run import NightWorker, run_night
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock
from tests.memory.flips import tree
from tests.night.workers import (
    Call,
    SlowModel,
    WorkerProcess,
    alone,
    enqueue,
    export,
    export_of,
    left_in,
    names,
    night,
    runtime_of,
    settle,
    settle_in,
    work_once,
)
from tests.waiting import until

Open = Callable[..., Runtime]


@pytest.fixture(params=["file", pytest.param("postgresql", marks=pytest.mark.slow)])
def place(request: pytest.FixtureRequest) -> str:
    """Where memories are: files, or the address of a database."""
    if request.param == "file":
        return "file"
    found: str = request.getfixturevalue("database_address")
    return found


@pytest.fixture
def opened(place: str, tmp_path: Path) -> Open:
    """Opens the parts of a program over the place, with a model."""

    def open_one(chat: ChatModel | None = None, people: int = 0) -> Runtime:
        runtime = runtime_of(place, tmp_path / "home", chat)
        if people:
            settle_in(runtime.store, people)
        return runtime

    return open_one


@pytest.fixture
def start(place: str, tmp_path: Path) -> Iterator[Callable[..., WorkerProcess]]:
    """Starts a worker in a process of its own."""
    with ExitStack() as started:

        def worker(**how: Any) -> WorkerProcess:
            process = WorkerProcess(place, tmp_path / "home", **how)
            started.callback(process.kill)
            return process

        yield worker


def last_report(runtime: Runtime) -> dict[str, Any]:
    """The report of the last night, with the names of who is there."""
    found = NightReports(runtime.installation).last(runtime.store.scopes())
    assert found is not None
    return found


def test_workers_come_to_what_one_night_comes_to(opened: Open, tmp_path: Path) -> None:
    settle(tmp_path / "alone", 3)
    model = SlowModel()
    of_one = night(tmp_path / "alone", model)
    shared = SlowModel(0.002)
    runtime = opened(shared, people=3)
    assert (enqueue(runtime), work_once(runtime, at_once=2)) == (3, {"done": 3})
    assert export_of(runtime.store) == export(tmp_path / "alone")
    assert shared.calls == model.calls
    assert shared.most <= 2
    kept = last_report(runtime)
    for mine, theirs in zip(kept["users"], of_one.to_json()["users"], strict=True):
        assert {**theirs, **mine} == mine
    assert (kept["waiting"], kept["llm"]["calls"]) == (0, model.calls)


def test_a_report_is_kept_of_each_night(opened: Open) -> None:
    runtime = opened(SlowModel(), people=2)
    report = run_night(runtime)
    last, reports = last_report(runtime), NightReports(opened().installation)
    assert [each["user"] for each in last["users"]] == names(2)
    assert last["llm"] == report.usage.document()
    (own,) = reports.of(Scope.of("Person 01"), 5)
    assert [one["user"] for one in own["users"]] == ["Person 01"]
    kept = runtime.installation.tables.read("SELECT head, form FROM night, night_report")
    assert not any(name in repr(kept) for name in names(2))
    unknown = reports.last([])
    assert unknown is not None
    assert [other["user"] for other in unknown["users"]] == [None, None]


def test_a_person_who_is_deleted_leaves_nothing_in_the_queue(opened: Open) -> None:
    runtime = opened(people=2)
    enqueue(runtime)
    runtime.eraser.delete([Scope.of("Person 00")])
    rows = runtime.installation.tables.read("SELECT person FROM night_person")
    assert rows == [("Person 01",)]
    assert work_once(runtime, plans=True) == {"done": 1}


def test_what_may_pass_is_tried_again_later(opened: Open) -> None:

    def fails(_asked: str, number: int) -> Exception | None:
        error = ModelUnavailable("model_unreachable", name="slow", address="here")
        return error if number in (2, 3) else None

    failing = SlowModel(0, fails)
    runtime = opened(failing, people=1)
    enqueue(runtime)
    assert work_once(runtime) == {"later": 1}
    assert work_once(runtime) == {}, "not before its time"
    assert isinstance(runtime.clock, MovingClock)
    runtime.clock.moment += timedelta(seconds=61)
    assert work_once(runtime) == {"done": 1}
    last = last_report(runtime)
    (person,) = last["users"]
    assert (person["status"], person["errors"]) == ("ok", [])
    assert person["summarised"] == ["2026-06-01", "2026-06-03"]
    assert person["llm"]["calls"] == failing.calls


def test_two_workers_share_one_budget(opened: Open) -> None:
    models = [SlowModel(0.002), SlowModel(0.002)]
    runtimes = [opened(model) for model in models]
    settle_in(runtimes[0].store, 4)
    enqueue(runtimes[0], max_calls=10)
    workers = [NightWorker(runtime) for runtime in runtimes]
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(NightWorker.drain, workers))
    assert sum(model.calls for model in models) == 10
    assert sum(worker.tally["done"] for worker in workers) == 4
    last = last_report(runtimes[0])
    assert {one["status"] for one in last["users"]} <= {"ok", "pending"}
    assert run_night(opened(SlowModel())).exit_code == 0


def test_a_night_that_kills_its_workers_ends(opened: Open) -> None:
    runtime = opened(people=1)
    enqueue(runtime)
    runtime.installation.tables.change("UPDATE night_person SET attempts = ?", (MAX_ATTEMPTS,))
    assert work_once(runtime) == {"failed": 1}
    last = last_report(runtime)
    assert last["users"][0]["errors"] == ["night_killed"]


@pytest.mark.parametrize(
    ("moment", "zone", "date"),
    [
        ("2026-06-05T00:00:00+00:00", "UTC", "2026-06-05"),
        ("2026-06-05T04:00:00+00:00", "UTC", "2026-06-06"),
        ("2026-06-05T12:00:00+00:00", "Asia/Shanghai", "2026-06-06"),
        ("2026-06-05T06:00:00+00:00", "America/New_York", "2026-06-05"),
    ],
)
def test_a_night_begins_in_the_persons_own_small_hours(moment: str, zone: str, date: str) -> None:
    """Between three and four by their clock, at a minute of their own."""
    due = due_after(datetime.fromisoformat(moment), ZoneInfo(zone), Scope.of("Ada"))
    local = due.astimezone(ZoneInfo(zone))
    assert (local.date().isoformat(), local.hour) == (date, 3)
    assert local.minute == int(scope_key(Scope.of("Ada"))[:8], 16) % 60


def test_each_night_begins_by_itself_once(opened: Open) -> None:
    runtime = opened(people=3)
    clock = runtime.clock
    assert isinstance(clock, MovingClock)
    clock.moment = datetime(2026, 6, 5, 2, tzinfo=UTC)
    assert work_once(runtime, plans=True) == {}
    clock.moment = datetime(2026, 6, 5, 4, tzinfo=UTC)
    assert work_once(runtime, plans=True) == {"done": 3}
    assert work_once(runtime, plans=True) == {}
    clock.moment = datetime(2026, 6, 9, 14, tzinfo=UTC)
    assert work_once(runtime, plans=True) == {"done": 3}
    nights = runtime.installation.tables.read("SELECT name FROM night ORDER BY id")
    assert nights == [("2026-06-05",), ("2026-06-06",)]


def test_who_has_nothing_due_costs_nothing(tmp_path: Path) -> None:
    runtime = runtime_of("file", tmp_path)
    settle_in(runtime.store, 2)
    for _ in range(3):
        run_night(runtime)
        assert isinstance(runtime.clock, MovingClock)
        runtime.clock.move(days=1)
    before = tree(tmp_path / "people")
    report = run_night(runtime).to_json()
    assert report["llm"]["calls"] == 0
    assert {one["done"] for user in report["users"] for one in user["stages"].values()} == {0}
    assert tree(tmp_path / "people") == before


def test_a_night_says_who_is_held_by_another(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    model = SlowModel()
    runtime = opened(model, people=2)
    lease = opened().installation.leases.lease(f"night/{scope_key(Scope.of('Person 00'))}")
    assert lease.take()
    assert run_night(runtime, NightOptions(dry_run=True)).exit_code == 0, "it changes nothing"
    monkeypatch.setattr(run, "MAX_WAIT", 0.05)
    held, free = run_night(runtime).to_json()["users"]
    assert (held["status"], held["llm"]["calls"]) == ("failed", 0)
    assert held["errors"] == ["night_held"]
    assert free["status"] == "ok"
    lease.give_back()
    assert run_night(runtime).exit_code == 0


@pytest.mark.slow
def test_a_night_waits_for_one_at_work(opened: Open, start: Callable[..., WorkerProcess]) -> None:
    model = SlowModel()
    runtime = opened(model, people=1)
    enqueue(runtime)
    first = start(call=0.05)
    first.wait_until(lambda one: len(one.calls) >= 1)
    assert run_night(runtime).exit_code == 0
    assert model.calls == 0
    assert first.kill(signal.SIGTERM) == 0


@pytest.mark.slow
def test_what_a_killed_worker_was_at_another_takes_over(
    opened: Open, tmp_path: Path, start: Callable[..., WorkerProcess]
) -> None:
    expected, cost = alone(tmp_path / "alone", 4)
    runtime = opened(people=4)
    assert enqueue(runtime) == 4
    killed, other = (start(call=0.1, at_once=2) for _ in range(2))
    killed.wait_until(lambda one: len(one.calls) >= 3)
    assert killed.kill() == -signal.SIGKILL
    end = time.monotonic()
    other.wait_until(lambda _it: left_in(runtime) == 0)
    assert other.kill(signal.SIGTERM) == 0
    assert export_of(opened().store) == expected
    calls = [*killed.calls, *other.calls]
    assert 0 <= len(calls) - cost <= 2
    assert overlapping([call._replace(end=min(call.end, end)) for call in calls]) == []
    again = SlowModel()
    runtime = opened(again)
    enqueue(runtime)
    assert (work_once(runtime), again.calls) == ({"done": 4}, 0)


@pytest.mark.slow
def test_a_worker_that_is_told_to_end_gives_back_what_it_is_at(
    opened: Open, tmp_path: Path, start: Callable[..., WorkerProcess]
) -> None:
    expected, cost = alone(tmp_path / "alone", 2)
    runtime = opened(people=2)
    enqueue(runtime)
    first = start(call=0.2)
    first.wait_until(lambda one: len(one.calls) >= 2)
    assert first.kill(signal.SIGTERM) == 0
    assert first.ended == ["given_back Person 00"]
    model = SlowModel()
    runtime = opened(model)
    assert work_once(runtime) == {"done": 2}
    assert export_of(runtime.store) == expected
    assert len(first.calls) + model.calls == cost


@pytest.mark.slow
def test_a_worker_that_was_away_does_no_harm_when_it_is_back(
    opened: Open, tmp_path: Path, start: Callable[..., WorkerProcess]
) -> None:
    expected, cost = alone(tmp_path / "alone", 2)
    runtime = opened(people=2)
    enqueue(runtime)
    away = start(call=0.3)
    away.wait_until(lambda one: len(one.calls) >= 2)
    away.process.send_signal(signal.SIGSTOP)
    other = start()
    other.wait_until(lambda one: len(one.ended) >= 2)
    away.process.send_signal(signal.SIGCONT)
    away.wait_until(lambda one: len(one.ended) >= 1)
    assert [one.kill(signal.SIGTERM) for one in (away, other)] == [0, 0]
    assert away.ended == ["given_back Person 00"]
    assert sorted(other.ended) == ["done Person 00", "done Person 01"]
    assert export_of(opened().store) == expected
    assert len(away.calls) + len(other.calls) - cost in (0, 1)
    until(lambda: left_in(runtime) == 0)


def overlapping(calls: list[Call]) -> list[tuple[Call, Call]]:
    """Pairs of calls about one person of which one began before the other had ended."""
    ordered = sorted(calls, key=lambda one: (one.person, one.begin))
    return [(a, b) for a, b in pairwise(ordered) if a.person == b.person and b.begin < a.end]


def _limit(retry_after: float | None = None) -> ModelUnavailable:
    return ModelUnavailable(
        "model_busy", name="slow", address="here", status=429, retry_after=retry_after
    )


@pytest.mark.slow
def test_a_rate_limit_is_waited_out_as_long_as_the_server_says(
    tmp_path: Path, waits: list[float]
) -> None:
    home = tmp_path / "home"
    settle(home, 1)
    model = SlowModel(0, lambda _asked, number: _limit(7) if number == 2 else None)
    report = night(home, model)
    assert report.exit_code == 0
    assert waits == [7]
    assert (report.people[0].usage.calls, report.people[0].pending) == (model.calls, [])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("named", "waited", "calls"), [(None, [1, 2, 4, 8, 16] * 3, 18), (MAX_WAIT + 1, [], 1)]
)
def test_a_night_asks_a_busy_model_no_more(
    tmp_path: Path, waits: list[float], named: float | None, waited: list[float], calls: int
) -> None:
    home = tmp_path / "home"
    settle(home, 2)
    model = SlowModel(0, lambda _asked, _number: _limit(named))
    report = night(home, model)
    assert (model.calls, waits) == (calls, waited)
    assert [person.status for person in report.people] == ["failed", "failed"]


@pytest.mark.slow
def test_a_prompt_that_cannot_be_used_ends_the_night(tmp_path: Path) -> None:
    home = tmp_path / "home"
    settle(home, 4)
    failure: ModelError | ConfigurationError = ConfigurationError("prompt_missing", name="en/x.md")
    with pytest.raises(ConfigurationError):
        night(home, SlowModel(0.001, lambda _asked, _number: failure), concurrency=3)


def test_an_interrupted_night_waits_for_no_call(tmp_path: Path) -> None:
    home, ended, waited = tmp_path / "home", threading.Event(), list[bool]()
    settle(home, 3)

    def hang(_asked: str, number: int) -> None:
        if number == 3:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        waited.append(ended.wait(20))

    signal.signal(signal.SIGINT, signal.default_int_handler)
    with pytest.raises(KeyboardInterrupt):
        night(home, SlowModel(0, hang), concurrency=3)
    assert waited == []
    ended.set()
    assert night(home, SlowModel()).exit_code == 0
