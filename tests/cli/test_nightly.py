"""`nightly`: what it says, what it leaves, and its exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.loopback import LoopbackServer, refused


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
    assert person["llm"] == {"calls": 0, "input_tokens": 0, "output_tokens": 0}
    again = run("nightly", "--json").json["users"][0]
    assert (again["summarised"], again["archived"], again["status"]) == ([], {}, "ok")
    shown = run("users", "show", "Ada", "--json").json
    assert shown["summaries"] == 2
    assert shown["overall_history"]


def test_a_dry_run_writes_nothing(run: Run, bank: Path) -> None:
    """The same shape of what would be done, and nothing is done."""
    run("import", str(bank))
    done = run("nightly", "--dry-run", "--json").json["users"][0]
    assert done["summarised"] == ["2026-03-02", "2026-03-10"]
    assert run("users", "show", "Ada", "--json").json["summaries"] == 0


def test_todays_talk_waits_for_tomorrow_unless_told(run: Run, bank: Path) -> None:
    """Only days before the person's today; --today takes it in."""
    run("import", str(bank))
    moment = "2026-03-10T22:00"
    assert run("nightly", "--json", now=moment).json["users"][0]["summarised"] == ["2026-03-02"]
    done = run("nightly", "--today", "--json", now=moment)
    assert done.json["users"][0]["summarised"] == ["2026-03-10"]


def test_a_home_that_does_not_exist_exits_3(run: Run, home: Path) -> None:
    """A night scheduled for the wrong folder must not look like success."""
    done = run("nightly", "--json")
    assert (done.code, done.out) == (3, "")
    assert done.err == (
        f"The data directory {home} does not exist."
        " Name the one to work on with --home or SILICONFRIEND_HOME.\n"
    )
    assert not home.exists()


@pytest.mark.parametrize("words", [["--user", "Nobody"], ["--user", "../x"], ["--stage", "dream"]])
def test_wrong_words_exit_2(run: Run, bank: Path, words: list[str]) -> None:
    """An unknown person, a refused name and a stage there is none of."""
    run("import", str(bank))
    done = run("nightly", *words, "--json")
    assert (done.code, done.out) == (2, "")
    assert done.err.strip()


def test_a_failing_model_leaves_the_day_pending_and_exits_6(
    run: Run, bank: Path, loopback: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The report is printed all the same, and nothing of the failure is remembered."""
    run("import", str(bank))
    loopback.answers([refused(401)])
    monkeypatch.setenv("SILICONFRIEND_LLM", "openai")
    monkeypatch.setenv("OPENAI_BASE_URL", loopback.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong")
    done = run("nightly", "--json")
    assert done.code == 6
    (person,) = done.json["users"]
    assert (person["status"], person["summarised"]) == ("failed", [])
    assert person["errors"]
    assert run("users", "show", "Ada", "--json").json["summaries"] == 0


def test_the_report_in_plain_words(run: Run, bank: Path, home: Path) -> None:
    """Where the data lie, which formula, and what was done for whom."""
    run("import", str(bank))
    done = run("nightly")
    assert done.code == 0
    assert f"Data directory: {home}" in done.err
    assert "Ada" in done.out
