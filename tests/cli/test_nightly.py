"""`nightly`: what it says, what it leaves, and its exit codes."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run


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
    assert {it: person["llm"][it] for it in ("calls", "input_tokens", "output_tokens")} == {
        "calls": 0,
        "input_tokens": 0,
        "output_tokens": 0,
    }
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
    assert "still in the queue or under way" in run("nightly", "--last").out
    done = run("worker", "--once", "--enqueued-only", "--json")
    assert (done.code, done.json) == (0, {"done": 1, "failed": 0, "later": 0, "given_back": 0})
    assert done.err == "Ada: the night is done.\n"
    last = run("nightly", "--last", "--json").json
    assert last["users"][0]["summarised"] == ["2026-03-02", "2026-03-10"]
    assert "Put into the queue: 1" in run("nightly", "--enqueue", "--user", "Ada").out
