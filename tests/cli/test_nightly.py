"""`nightly`, `worker` and `greet`: what they say, what they leave, and their exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, bank_of
from tests.cli.pseudo_terminal import terminal


def test_a_night_sums_up_every_day_and_a_second_does_nothing(run: Run, bank: Path) -> None:
    """Two days, two summaries; run again nothing is due."""
    run("import", str(bank))
    first = run("nightly", "--json")
    assert first.code == 0
    assert first.json["policy"] == "companion"
    (person,) = first.json["users"]
    assert (person["user"], person["companion"], person["status"]) == ("Ada", "default", "ok")
    assert person["summarised"] == ["2026-03-02", "2026-03-10"]
    assert person["errors"] == []
    assert person["llm"]["calls"] == 0
    again = run("nightly", "--json").json["users"][0]
    assert (again["summarised"], again["archived"], again["status"]) == ([], {}, "ok")
    shown = run("users", "show", "Ada", "--json").json
    assert shown["summaries"] == 2
    assert not shown["overall_history"]


def test_a_home_that_does_not_exist_exits_3(run: Run, home: Path) -> None:
    """A night scheduled for the wrong folder must not look like success."""
    done = run("nightly", "--json")
    assert (done.code, done.out) == (3, "")
    assert done.err == (
        f"The data directory {home} does not exist."
        " Name the one to work on with --home or SILICONFRIEND_HOME.\n"
    )
    assert run("worker", "--once").code == 3
    assert not home.exists()


def test_the_last_report_is_shown_again(run: Run, bank: Path) -> None:
    """In words and as JSON, the same as that night said; showing it runs nothing."""
    run("import", str(bank))
    then = run("nightly", "--json").json
    shown = run("nightly", "--last", "--json", now="2026-04-01T09:00")
    assert shown.code == 0
    (person,) = shown.json["users"]
    assert {name: person[name] for name in then["users"][0]} == then["users"][0]
    assert shown.json["now"] == then["now"]
    words = run("nightly", "--last", now="2026-04-01T09:00")
    assert words.out.startswith("The night of 14 March 2026, 09:00 UTC\n")
    assert "Ada:\n  summed up: 2 March 2026, 10 March 2026\n" in words.out


def test_what_is_enqueued_a_worker_does(run: Run, bank: Path) -> None:
    """The report is the night's, and nothing is left in the queue."""
    run("import", str(bank))
    assert run("nightly", "--last", "--json").json is None
    ordered = run("nightly", "--enqueue", "--json")
    assert (ordered.code, ordered.json["enqueued"]) == (0, 1)
    assert run("nightly", "--last", "--json").json["waiting"] == 1
    said = run("nightly", "--last").out
    assert ("in the queue or under way: 1" in said, "Nobody" in said) == (True, False)
    done = run("worker", "--once", "--enqueued-only", "--json")
    assert (done.code, done.json) == (0, {"done": 1, "failed": 0, "later": 0, "given_back": 0})
    assert done.err.endswith("Ada: the night is done.\n")
    last = run("nightly", "--last", "--json").json
    assert last["users"][0]["summarised"] == ["2026-03-02", "2026-03-10"]
    assert "Put into the queue: 1" in run("nightly", "--enqueue", "--user", "Ada").out


PLAN = "On 14 March I sit my harp exam."
SAID = "On 14 March I sit my harp exam"


@pytest.fixture
def planned(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ada told of an exam on 14 March 2026, and lets her companion speak first."""
    path = tmp_path / "bank.json"
    bank = bank_of("Ada", ("2026-02-01", [(PLAN, "Good luck!")]))
    path.write_text(json.dumps(bank), encoding="utf-8")
    assert run("import", str(path)).code == 0
    monkeypatch.setenv("SILICONFRIEND_SPEAKS_FIRST", "yes")
    monkeypatch.setenv("SILICONFRIEND_USER", "Ada")


@pytest.mark.usefixtures("planned")
def test_what_is_due_is_said_once(run: Run) -> None:
    """A notification's words, after a dry run too; for a bot each matter with its memory."""
    assert SAID in run("greet", "--dry-run").out
    document = run("greet", "--dry-run", "--json").json
    (matter,) = document["matters"]
    assert matter.pop("id").startswith("turn-2026-02-01-0-")
    assert matter == {"kind": "today", "day": "2026-03-14", "told": "2026-02-01", "text": PLAN}
    done = run("greet")
    assert (done.code, done.err) == (0, "")
    assert SAID in done.out
    again = run("greet", "--json", now="2026-03-14T18:00").json
    assert (again["greeting"], again["silent"], again["matters"]) == (None, "nothing", [])


@pytest.mark.usefixtures("planned")
def test_until_it_is_switched_on_it_says_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard output is empty; standard error says how to switch it on, and nothing is used up."""
    monkeypatch.delenv("SILICONFRIEND_SPEAKS_FIRST")
    done = run("greet")
    assert (done.code, done.out) == (0, "")
    assert "siliconfriend config set speaks_first yes" in done.err
    assert run("greet", "--json").json["silent"] == "off"
    run("config", "set", "speaks_first", "yes")
    assert SAID in run("greet").out


@pytest.mark.usefixtures("planned")
@pytest.mark.slow
def test_a_chat_at_a_terminal_begins_with_it(run: Run) -> None:
    """Behind the greeting, once; off the record nothing is used up."""
    with terminal("chat", "--off-record") as shown:
        shown.wait_for("\nAda: ")
        assert SAID not in shown.shown
    with terminal("chat") as shown:
        shown.wait_for("\nAda: ")
        assert "good to have you back" in shown.shown
        assert SAID in shown.shown
    assert run("greet").out == ""
