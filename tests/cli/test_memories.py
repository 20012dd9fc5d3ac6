"""`memories list` and `recall`: looking at what is remembered."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run

ROW = (
    "id kind date turn text state strength unit_days retention last_recalled pinned dims_on"
    " archived_on"
)
RECALLED = "id kind date time turn text score parts state strength retention"
DOCUMENT = "user companion query recipe now memories facts sections timings_ms unembedded"


def test_list_shows_each_memory_with_its_fate(run: Run, bank: Path) -> None:
    """Twelve days after noon of 2 March less three hours, R follows the curve."""
    run("import", str(bank))
    done = run("memories", "list", "--user", "Ada", "--json").json
    assert (done["user"], done["companion"], done["policy"]) == ("Ada", "default", "companion")
    first, second, third = done["memories"]
    assert first.keys() >= set(ROW.split())
    assert [it["turn"] for it in (first, second, third)] == [0, 1, 0]
    assert first["text"] == "My cat Biscuit ran away.\nI am sorry. How long is she gone?"
    assert (first["kind"], first["state"], first["pinned"]) == ("turn", "vivid", False)
    days = 12 - 3 / 24
    assert first["retention"] == pytest.approx(
        math.exp(-days / (first["unit_days"] * first["strength"]))
    )


def test_list_for_a_persons_eyes(run: Run, bank: Path) -> None:
    """The formula in effect, then a line a memory with its words below."""
    run("import", str(bank))
    lines = run("memories", "list", "--user", "Ada").out.splitlines()
    assert "exp" in lines[0] or "e^" in lines[0]
    assert lines[1].startswith("2026-03-02  vivid 0.7")
    assert "said, fades on 2026-0" in lines[1]
    assert lines[2:4] == [
        "      My cat Biscuit ran away.",
        "      I am sorry. How long is she gone?",
    ]


def test_recall_json_is_ranked_and_changes_nothing(run: Run, bank: Path) -> None:
    """The shape of the contract, best first; looking leaves strength as it was."""
    run("import", str(bank))
    done = run("recall", "--user", "Ada", "When did Biscuit come home?", "--json").json
    assert done.keys() == set(DOCUMENT.split())
    assert (done["recipe"], done["now"]) == ("siliconfriend", "2026-03-14T09:00:00+00:00")
    best = done["memories"][0]
    assert best.keys() >= set(RECALLED.split())
    assert (best["date"], best["turn"], best["time"]) == ("2026-03-10", 0, None)
    assert best["text"] == "Biscuit came home!\nWhat a relief!"
    scores = [it["score"] for it in done["memories"]]
    assert scores == sorted(scores, reverse=True)
    assert isinstance(done["sections"], dict)
    assert all(isinstance(it, str) for it in done["sections"].values())
    listed = run("memories", "list", "--user", "Ada", "--json").json["memories"]
    assert {it["strength"] for it in listed} == {1}
    shown = run("recall", "--user", "Ada", "When did Biscuit come home?", "--why").out
    assert re.match(r"2026-03-10  \d+\.\d\d  Biscuit came home!", shown)
    assert "(said, vivid: " in shown


def test_prompt_prints_what_a_model_would_be_sent(run: Run, bank: Path) -> None:
    """The rules, what was told with its day, and the message; nothing is kept."""
    run("import", str(bank))
    before = run("memories", "list", "--user", "Ada", "--json").json
    out = run("prompt", "--user", "Ada", "When did Biscuit come home?").out
    assert out.startswith("=== system ===\nYou are SiliconFriend")
    assert "Biscuit" in out.partition("<memories>")[2].partition("</memories>")[0]
    assert "When did Biscuit come home?\n\nAbout " in out
    document = run("prompt", "--user", "Ada", "Hello.", "--json").json
    assert [it["role"] for it in document["messages"]] == ["system", "user"]
    assert run("memories", "list", "--user", "Ada", "--json").json == before


def test_a_list_can_be_cut_to_the_newest(run: Run, bank: Path) -> None:
    """The newest two of three, oldest first, and how many there are; the same in JSON."""
    run("import", str(bank))
    shown = run("memories", "list", "--user", "Ada", "--limit", "2").out
    assert "The newest 2 of 3." in shown
    assert "My cat Biscuit ran away." not in shown
    assert shown.index("Since the storm.") < shown.index("Biscuit came home!")
    listed = run("memories", "list", "--user", "Ada", "--limit", "2", "--json").json["memories"]
    assert [(it["date"], it["turn"]) for it in listed] == [("2026-03-02", 1), ("2026-03-10", 0)]
    assert "The newest" not in run("memories", "list", "--user", "Ada", "--limit", "3").out


def test_an_id_may_be_given_by_its_beginning(run: Run, bank: Path) -> None:
    """The shortest one that is of one memory alone; of several it is refused."""
    run("import", str(bank))
    pinned = run("memories", "pin", "turn-2026-03-10", "--user", "Ada", "--json").json["changed"]
    assert pinned[0].startswith("turn-2026-03-10-0-")
    assert run("memories", "show", "turn-2026-03-02-1", "--user", "Ada").code == 0
    refused = run("memories", "forget", "turn-2026-03-02", "--user", "Ada")
    assert refused.code == 2
    assert "2 memories" in refused.err
