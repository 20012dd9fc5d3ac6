"""`greet`: what is due, once each, and silence where there is nothing, at night and unasked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, bank_of
from tests.cli.pseudo_terminal import terminal

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
