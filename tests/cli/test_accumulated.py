"""Every command under the policy without a curve: strength is told, retention is none."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutDerived, PutTrace
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.recaller import Recaller
from siliconfriend.texts import Language
from tests.cli.conftest import Run
from tests.memory.stored import put

ADA = Scope.of("Ada")


@pytest.fixture(autouse=True)
def _by_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SILICONFRIEND_POLICY", "accumulated")


def test_the_list_tells_strength_and_no_retention(run: Run, bank: Path) -> None:
    """A recall makes 1 into 16; retention, unit and the days ahead are null."""
    run("import", str(bank))
    asked = "When did Biscuit come home?"
    recalled = run("recall", "--user", "Ada", asked, "--reinforce", "--json").json
    assert {it["retention"] for it in recalled["memories"]} == {None}
    assert {it["state"] for it in recalled["memories"]} == {"vivid"}
    listed = run("memories", "list", "--user", "Ada", "--json").json
    assert listed["policy"] == "accumulated"
    assert sorted({it["strength"] for it in listed["memories"]}) == [1, 16]
    for name in ("retention", "unit_days", "dims_on", "archived_on"):
        assert {it[name] for it in listed["memories"]} == {None}
    shown = run("memories", "list", "--user", "Ada")
    assert "no curve" in shown.out.splitlines()[0]
    assert "vivid with strength 16  said" in shown.out


def test_an_archived_memory_is_listed_as_such(run: Run, bank: Path) -> None:
    """Put away by hand it is archived and has its strength; brought back it has 16."""
    run("import", str(bank))
    first = run("memories", "list", "--user", "Ada", "--json").json["memories"][0]["id"]
    run("memories", "forget", "--user", "Ada", first)
    row = run("memories", "list", "--user", "Ada", "--json").json["memories"][0]
    assert (row["state"], row["strength"], row["archived_on"]) == ("archived", 1, None)
    run("memories", "restore", "--user", "Ada", first)
    row = run("memories", "show", "--user", "Ada", first, "--json").json["memory"]
    assert (row["state"], row["strength"]) == ("vivid", 16)


def test_the_night_archives_the_weakest_once(run: Run, bank: Path, home: Path) -> None:
    """Six turns of 4,000 pass 20,000 once: of the five that were there by then one goes, once."""
    run("import", str(bank))
    store = FileStore(home)
    for date in ("2026-02-20", "2026-02-21", "2026-02-22"):
        said = f"On {date[-2:]} February I swam in the lake."
        _import(run, home, date, said)
    for number, turn in enumerate(store.load(ADA).turns()):
        strong = PutTrace(turn.id, replace(turn.trace, first_strength=4000.0 - number))
        put(store, ADA, strong)
    done = run("nightly", "--json").json
    (person,) = done["users"]
    assert (done["policy"], person["archived"], person["dimmed"]) == (
        "accumulated",
        {"turn": 1},
        {},
    )
    (again,) = run("nightly", "--json").json["users"]
    assert again["archived"] == {}
    archived = [it for it in store.load(ADA).turns() if it.trace.archived]
    assert [it.trace.first_strength for it in archived] == [3995.0]
    assert "strength adds up" in run("nightly", "--last").out


def test_a_fact_grows_with_each_telling(run: Run, bank: Path, home: Path) -> None:
    """Told on the 2nd and the 10th of March, more than a week apart: 1 and 30, everywhere."""
    run("import", str(bank))
    store = FileStore(home)
    memory = store.load(ADA)
    first, _, last = memory.turns()
    fact = Fact(
        id=memory_id(ADA, "fact", last.date, 0),
        date=last.date,
        position=0,
        text="Biscuit is Ada's cat.",
        trace=Trace(last.trace.created),
        provenance=Provenance("offline", last.trace.created, (first.id, last.id)),
        entity="Biscuit",
        entity_type="specific",
        aspect="attribute",
        key_word="cat",
    )
    put(store, ADA, PutDerived(fact))
    assert memory.mentions(fact) == (first.trace.created, last.trace.created)
    row = run("memories", "show", "--user", "Ada", fact.id, "--json").json["memory"]
    assert row["strength"] == 31
    recaller = Recaller(store, None, policy=ForgettingPolicy.named("accumulated"))
    now = last.trace.created
    (recalled,) = recaller.recall(ADA, "Who is Biscuit the cat?", now=now).facts
    assert (recalled.strength, recalled.retention, recalled.state) == (31, None, "vivid")


def _import(run: Run, home: Path, date: str, said: str) -> None:
    path = home / "more.json"
    day = {date: [{"query": said, "response": "I see."}]}
    path.write_text(json.dumps({"Ada": {"name": "Ada", "history": day}}), encoding="utf-8")
    assert run("import", str(path)).code == 0


@pytest.mark.parametrize("language", ["en", "cn"])
def test_settings_and_the_check_know_it(
    run: Run, bank: Path, language: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`config` lists its three settings and sets them; `doctor` finds everything well."""
    monkeypatch.setenv("SILICONFRIEND_LANGUAGE", language)
    run("import", str(bank))
    assert run("config", "set", "accumulated_step", "one").code == 0
    assert run("config", "set", "accumulated_days", "0").code == 3
    listed = run("config", "--json").json
    assert listed["policy"]["value"] == "accumulated"
    assert listed["accumulated_step"] == {"value": "one", "source": "file"}
    assert listed["accumulated_minimum"] == {"value": 1000, "source": "default"}
    assert run("doctor").code == 0


@pytest.mark.slow
def test_a_picture_of_strength(run: Run, bank: Path, tmp_path: Path) -> None:
    """The axis is strength, and no line of one half is drawn."""
    pytest.importorskip("matplotlib", reason="NOT TESTED: pip install 'siliconfriend[plot]'")
    run("import", str(bank))
    run("recall", "--user", "Ada", "When did Biscuit come home?", "--reinforce")
    out = tmp_path / "ada.svg"
    assert run("memories", "plot", "--user", "Ada", "--out", str(out)).code == 0
    comments = out.read_text(encoding="utf-8")
    assert "<!-- strength -->" in comments
    assert "faded below" not in comments
