"""`worker` and `nightly --enqueue`: what they say, and what they need."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.postgres_server import PostgresServer


@pytest.fixture
def in_database(
    postgres_server: PostgresServer, database_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory is in a database."""
    monkeypatch.setenv("SILICONFRIEND_STORE", postgres_server.address(database_name))


@pytest.mark.usefixtures("in_database")
def test_what_is_enqueued_a_worker_does(run: Run, bank: Path) -> None:
    """The report is the night's, and nothing is left in the queue."""
    run("import", str(bank))
    assert run("nightly", "--last", "--json").json is None
    ordered = run("nightly", "--enqueue", "--json")
    assert (ordered.code, ordered.json["enqueued"], ordered.json["waiting"]) == (0, 1, 0)
    assert run("nightly", "--last", "--json").json["waiting"] == 1
    assert "still in the queue or under way" in run("nightly", "--last").out
    done = run("worker", "--once", "--enqueued-only", "--json")
    assert (done.code, done.json) == (0, {"done": 1, "failed": 0, "later": 0, "given_back": 0})
    assert done.err == "Ada: the night is done.\n"
    last = run("nightly", "--last", "--json").json
    assert last["users"][0]["summarised"] == ["2026-03-02", "2026-03-10"]
    assert "waiting there already: 0" in run("nightly", "--enqueue", "--user", "Ada").out


@pytest.mark.usefixtures("in_database")
def test_a_worker_starts_nights_by_itself(run: Run, bank: Path) -> None:
    """In the small hours of the person."""
    run("import", str(bank))
    early = run("worker", "--once", now="2026-03-14T01:00")
    assert early.out == ("Nights done: 0; failed: 0; to be tried again: 0; given back: 0.\n")
    assert "Nights done: 1" in run("worker", "--once", now="2026-03-14T05:00").out


@pytest.mark.usefixtures("in_database")
@pytest.mark.parametrize("option", [("--dry-run",), ("--concurrency", "2")], ids=lambda it: it[0])
def test_what_only_a_worker_decides_is_not_ordered(run: Run, option: tuple[str, ...]) -> None:
    """Taken silently it would not be done."""
    refused = run("nightly", "--enqueue", *option)
    assert (refused.code, option[0] in refused.err) == (2, True)


def test_a_database_out_of_reach_exits_4(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever starts the worker starts it again."""
    monkeypatch.setenv("SILICONFRIEND_STORE", "postgresql://ada@127.0.0.1:1/memories")
    done = run("worker", "--once")
    assert (done.code, done.out) == (4, "")
    assert "The database 127.0.0.1/memories cannot be reached" in done.err


@pytest.mark.parametrize("command", [("worker",), ("worker", "--once"), ("nightly", "--enqueue")])
@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "memory is in files here"), ("cn", "这里的记忆存在文件里")],
)
def test_without_a_database_they_say_what_they_need(
    run: Run,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
    language: str,
    words: str,
) -> None:
    """A setting is missing, and its name is told."""
    home.mkdir(exist_ok=True)
    monkeypatch.setenv("SILICONFRIEND_LANGUAGE", language)
    done = run(*command)
    assert (done.code, done.out) == (3, "")
    assert words in done.err
    assert "SILICONFRIEND_STORE=postgresql://" in done.err
