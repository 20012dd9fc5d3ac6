"""`nightly`: what it says, what it leaves, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from siliconfriend.cli.nightly import people_at_once
from siliconfriend.config import Settings
from tests.cli.conftest import Run, bank_of
from tests.loopback import LoopbackServer, refused, streamed


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


@pytest.fixture
def served(loopback: LoopbackServer, monkeypatch: pytest.MonkeyPatch) -> LoopbackServer:
    """The server that the settings name as the model's."""
    monkeypatch.setenv("SILICONFRIEND_LLM", "openai")
    monkeypatch.setenv("OPENAI_BASE_URL", loopback.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong")
    return loopback


def test_a_model_that_fails_for_everyone_leaves_the_days_pending_and_exits_5(
    run: Run, bank: Path, served: LoopbackServer
) -> None:
    """The report is printed all the same, and nothing of the failure is remembered."""
    run("import", str(bank))
    served.answers([refused(401)])
    done = run("nightly", "--json")
    assert done.code == 5
    (person,) = done.json["users"]
    assert (person["status"], person["summarised"]) == ("failed", [])
    assert person["errors"]
    assert run("users", "show", "Ada", "--json").json["summaries"] == 0


def test_a_model_that_fails_for_some_exits_6(
    run: Run, bank: Path, tmp_path: Path, served: LoopbackServer
) -> None:
    """What Bob told is refused; the days of Ada are summed up."""
    other = tmp_path / "bob.json"
    other.write_text(json.dumps(bank_of("Bob", ("2026-03-11", [("I row.", "Do you?")]))))
    run("import", str(bank))
    run("import", str(other))
    answer = json.dumps(
        {"summary": "Ada's cat.", "traits": "kind", "mood": "glad", "strategy": "x"}
    )
    served.answers_by(
        lambda asked: refused(400) if "I row." in json.dumps(asked) else streamed(answer)
    )
    done = run("nightly", "--stage", "summarise", "--json")
    assert done.code == 6
    assert {it["user"]: it["status"] for it in done.json["users"]} == {"Ada": "ok", "Bob": "failed"}
    assert run("nightly", "--stage", "summarise", "--json").code == 5, "nobody else is left"


def test_a_model_that_fails_for_one_day_exits_6(
    run: Run, bank: Path, served: LoopbackServer
) -> None:
    """One person, one day of two."""
    run("import", str(bank))
    answer = json.dumps(
        {"summary": "Ada's cat.", "traits": "kind", "mood": "glad", "strategy": "x"}
    )
    served.answers_by(
        lambda asked: refused(400) if "came home" in json.dumps(asked) else streamed(answer)
    )
    done = run("nightly", "--stage", "summarise", "--json")
    assert (done.code, done.json["users"][0]["summarised"]) == (6, ["2026-03-02"])


def test_the_report_in_plain_words(run: Run, bank: Path, home: Path) -> None:
    """Where the data lie, which formula, and what was done for whom."""
    run("import", str(bank))
    done = run("nightly")
    assert done.code == 0
    assert f"Data directory: {home}" in done.err
    assert "Ada" in done.out


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


def test_the_last_report_is_told_in_chinese(
    run: Run, bank: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its words are made anew in the language of the settings."""
    run("import", str(bank))
    run("nightly")
    monkeypatch.setenv("SILICONFRIEND_LANGUAGE", "cn")
    shown = run("nightly", "--last")
    assert shown.out.startswith("2026年3月14日")
    assert "已总结：2026年3月2日" in shown.out


def test_there_may_be_no_last_report(run: Run, bank: Path) -> None:
    """A sentence, and null for a program; a dry run is no night."""
    run("import", str(bank))
    run("nightly", "--dry-run")
    assert run("nightly", "--last").out.startswith("There has been no night yet")
    assert run("nightly", "--last", "--json").json is None


@pytest.mark.parametrize(
    "change",
    [
        {"users": [{}]},
        {"policy": "none such"},
        {"now": "yesterday"},
        {"now": None},
        {"seconds": "long"},
        {"unreadable": 3},
        {"users": {"Ada": 1}},
    ],
)
def test_a_malformed_report_is_passed_over(
    run: Run, bank: Path, home: Path, change: dict[str, object]
) -> None:
    """It is named, the one before is shown, and the next night runs."""
    run("import", str(bank))
    run("nightly")
    shown = run("nightly", "--last").out
    (report,) = (home / "night").glob("2*.json")
    form = json.loads(report.read_bytes())
    malformed = home / "night" / "9999.json"
    malformed.write_text(json.dumps(form | change), encoding="utf-8")
    again = run("nightly", "--last")
    assert (again.code, again.out) == (0, shown)
    assert f"{malformed} is no report of a night and was passed over" in again.err
    assert run("nightly").code == 0


@pytest.mark.parametrize(
    "change",
    [
        {"pending": ["2026-13-99"]},
        {"archived": {"nothing such": 1}},
        {"stages": {"tidy": 3}},
        {"errors": [3]},
        {"llm": {"calls": 1}},
        {"events": "many"},
    ],
)
def test_a_report_with_a_malformed_person_is_passed_over(
    run: Run, bank: Path, home: Path, change: dict[str, object]
) -> None:
    """Whatever is told of a person is checked before the first line is printed."""
    run("import", str(bank))
    run("nightly")
    (report,) = (home / "night").glob("2*.json")
    form = json.loads(report.read_bytes())
    form["users"][0] |= change
    report.write_text(json.dumps(form), encoding="utf-8")
    done = run("nightly", "--last")
    assert (done.code, done.out[:28]) == (0, "There has been no night yet;")
    assert str(report) in done.err


def test_the_last_report_names_nobody_who_was_deleted(run: Run, bank: Path) -> None:
    """What was done for them still counts, without their name."""
    run("import", str(bank))
    run("nightly")
    run("users", "delete", "Ada", "--yes")
    shown = run("nightly", "--last")
    assert "Ada" not in shown.out
    assert "Someone who is not remembered any more:" in shown.out
    assert run("nightly", "--last", "--json").json["users"][0]["user"] is None


def test_a_folder_that_cannot_be_read_is_no_success(run: Run, bank: Path, home: Path) -> None:
    """It is named, everyone else is done, and the exit code is 6; what is kept names nobody."""
    run("import", str(bank))
    lost = home / "people" / "emily-0123456789abcdef"
    lost.mkdir()
    (lost / "memory.json").write_bytes(b"\x00\x00")
    done = run("nightly", "--json")
    assert done.code == 6
    assert done.json["unreadable"] == ["emily-0123456789abcdef"]
    assert done.json["users"][0]["status"] == "ok"
    assert (lost / "memory.json").read_bytes() == b"\x00\x00"
    words = run("nightly")
    assert words.code == 6
    assert "No night for the folder emily-0123456789abcdef" in words.out
    kept = "".join(path.read_text() for path in (home / "night").glob("2*.json"))
    assert "emily" not in kept
    assert "0123456789abcdef" in kept


def test_somebody_named_whose_files_are_damaged_is_not_unknown(
    run: Run, bank: Path, home: Path
) -> None:
    """Nothing can be read of Ada: the night failed, and says where her files are."""
    run("import", str(bank))
    (folder,) = (home / "people").iterdir()
    for path in folder.rglob("*.json*"):
        path.write_bytes(b"\x00")
    done = run("nightly", "--user", "Ada", "--json")
    assert done.code == 6
    assert "is damaged" in done.json["users"][0]["errors"][0]


def test_a_report_that_cannot_be_kept_exits_3(run: Run, bank: Path, home: Path) -> None:
    """In one sentence, without a traceback."""
    run("import", str(bank))
    (home / "night").write_text("in the way")
    done = run("nightly", "--json")
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith(f"The data directory {home} cannot be made or written.")


@pytest.mark.parametrize(
    ("llm", "people"), [("deepseek", 4), ("openai", 4), ("ollama", 1), ("offline", 1)]
)
def test_a_service_writes_several_peoples_nights_at_once(
    tmp_path: Path, llm: str, people: int
) -> None:
    """Any service does, a server on this machine does not, and who asks decides."""
    settings = Settings(home=tmp_path, llm=llm)
    assert people_at_once(settings, None) == people
    assert people_at_once(settings, 2) == 2


def test_people_at_once_share_one_budget(
    run: Run, bank: Path, loopback: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """--concurrency with --max-calls: the server hears of no more, also where it fails."""
    run("import", str(bank))
    loopback.answers([refused(500)] * 9)
    monkeypatch.setenv("SILICONFRIEND_LLM", "openai")
    monkeypatch.setenv("OPENAI_BASE_URL", loopback.url)
    done = run("nightly", "--concurrency", "4", "--max-calls", "1", "--json")
    assert done.code == 0
    assert done.json["users"][0]["status"] == "pending"
    assert done.json["users"][0]["llm"]["calls"] == 1 == len(loopback.asked)
    assert run("nightly", "--concurrency", "0").code == 2
