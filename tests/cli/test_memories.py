"""`memories` and `recall`: what is remembered, shown and changed at the terminal."""

import math
import re
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.cli import app
from siliconfriend.cli.app import App
from siliconfriend.cli.memories import _about
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
    assert [one["turn"] for one in (first, second, third)] == [0, 1, 0]
    assert first["text"] == "My cat Biscuit ran away.\nI am sorry. How long is she gone?"
    assert (first["kind"], first["state"], first["pinned"]) == ("turn", "vivid", False)
    days = 12 - 3 / 24
    assert first["retention"] == pytest.approx(
        math.exp(-days / (first["unit_days"] * first["strength"]))
    )


def test_list_for_a_persons_eyes(run: Run, bank: Path) -> None:
    """A line a memory with its words below; the formula in effect stands at the end."""
    run("import", str(bank))
    lines = run("memories", "list", "--user", "Ada").out.splitlines()
    assert "e^" in lines[-1]
    assert lines[0].startswith("2026-03-02  vivid 0.7")
    assert "said, fades on 2026-0" in lines[0]
    assert lines[1:3] == [
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
    scores = [memory["score"] for memory in done["memories"]]
    assert scores == sorted(scores, reverse=True)
    assert isinstance(done["sections"], dict)
    assert all(isinstance(section, str) for section in done["sections"].values())
    listed = run("memories", "list", "--user", "Ada", "--json").json["memories"]
    assert {one["strength"] for one in listed} == {1}
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
    assert [message["role"] for message in document["messages"]] == ["system", "user"]
    assert run("memories", "list", "--user", "Ada", "--json").json == before
    refused = run("prompt", "--user", "Ada", " ")
    assert (refused.code, refused.out) == (2, "")


def test_a_list_can_be_cut_to_the_newest(run: Run, bank: Path) -> None:
    """The newest two of three, oldest first, and how many there are; the same in JSON."""
    run("import", str(bank))
    shown = run("memories", "list", "--user", "Ada", "--limit", "2").out
    assert shown.startswith("The newest 2 of 3.\n2026-03-02")
    assert shown.index("Since the storm.") < shown.index("Biscuit came home!")
    listed = run("memories", "list", "--user", "Ada", "--limit", "2", "--json").json["memories"]
    assert [(row["date"], row["turn"]) for row in listed] == [("2026-03-02", 1), ("2026-03-10", 0)]


def test_an_id_may_be_given_by_its_beginning(run: Run, bank: Path) -> None:
    """The shortest one that is of one memory alone; of several it is refused."""
    run("import", str(bank))
    pinned = run("memories", "pin", "turn-2026-03-10", "--user", "Ada", "--json").json["changed"]
    assert pinned[0].startswith("turn-2026-03-10-0-")
    assert run("memories", "show", "turn-2026-03-02-1", "--user", "Ada").code == 0
    refused = run("memories", "forget", "turn-2026-03-02", "--user", "Ada")
    assert refused.code == 2
    assert "2 memories" in refused.err


@pytest.fixture
def ids(run: Run, bank: Path) -> list[str]:
    """Ada's turns, oldest first: the cat ran away, something else, the cat came home."""
    run("import", str(bank))
    listed = run("memories", "list", "--user", "Ada", "--json").json["memories"]
    return [one["id"] for one in listed]


def _of(run: Run, identifier: str) -> dict[str, Any]:
    found: dict[str, Any] = run("memories", "show", identifier, "--user", "Ada", "--json").json
    return dict(found["memory"])


def test_pin_forget_and_restore_by_id(run: Run, ids: list[str]) -> None:
    """Each says what it did and asks nothing, since each can be taken back."""
    done = run("memories", "pin", ids[0], "--user", "Ada")
    assert (done.code, done.out) == (0, f"{ids[0]} is pinned: it will not fade.\n")
    assert run("memories", "unpin", ids[0], "--user", "Ada").code == 0
    assert not _of(run, ids[0])["pinned"]
    done = run("memories", "forget", ids[0], ids[2], "--user", "Ada", "--json")
    assert done.json["changed"] == [ids[0], ids[2]]
    assert _of(run, ids[0])["state"] == "forgotten"
    assert run("memories", "restore", ids[0], "--user", "Ada").code == 0
    assert _of(run, ids[0])["state"] == "vivid"


def test_by_words_it_is_shown_and_asked(
    run: Run, ids: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What holds all the words is listed; a no changes nothing, a yes does it."""
    monkeypatch.setattr(app, "is_terminal", lambda: True)
    asked = run("memories", "forget", "biscuit", "HOME", "--user", "Ada", said="n\n")
    assert (asked.code, asked.out) == (0, "")
    assert "Biscuit came home!" in asked.err
    assert "ran away" not in asked.err
    assert "Put 1 memory away? [y/N]" in asked.err
    assert _of(run, ids[2])["state"] == "vivid"
    run("memories", "forget", "biscuit home", "--user", "Ada", said="y\n")
    assert _of(run, ids[2])["state"] == "forgotten"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["pin"], "Which memories?"),
        (["pin", "turn-2026-03-02-9-00000000"], "There is no memory turn-2026-03-02-9-00000000"),
        (["forget", "xylophone", "--yes"], "No memory holds all of these words: xylophone."),
        (["forget", "biscuit"], "nobody is here to ask"),
        (["pin", "--query", "turn-2026-03-02-9-00000000"], "No memory holds all of these words"),
        (["erase", "biscuit"], "Nothing was erased"),
        (["erase", "turn-2026-03-02-0"], "Nothing was erased"),
        (["show", "soup"], "There is no memory soup"),
    ],
)
def test_wrong_words_change_nothing(
    run: Run, ids: list[str], words: list[str], sentence: str
) -> None:
    """One sentence, exit 2, and everything as it was."""
    before = run("memories", "list", "--user", "Ada").out
    done = run("memories", *words, "--user", "Ada")
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert run("memories", "list", "--user", "Ada").out == before


def test_edit_corrects_and_says_what_is_made_again(run: Run, ids: list[str]) -> None:
    """New words in the list at once; the day's summary waits for the night."""
    run("nightly")
    done = run("memories", "edit", ids[0], "--query", "My dog ran away.", "--user", "Ada", "--json")
    assert done.json["changed"] == [ids[0]]
    assert ids[0].replace("turn", "day") in done.json["derived"]
    run("nightly")
    said = run("memories", "edit", ids[0], "--query", "My dog ran away.", "--user", "Ada").out
    assert said.endswith("What was written from it is gone until the next night.\n")
    assert _of(run, ids[0])["text"].startswith("My dog ran away.\n")


def test_erase_json_is_the_contracts(run: Run, ids: list[str], home: Path) -> None:
    """Ids, what is made again, places searched, none left; words left in other files exit with 4."""
    run("nightly")
    done = run("memories", "erase", ids[0], "--yes", "--user", "Ada", "--json")
    assert (done.code, done.json["erased"]) == (0, [ids[0]])
    assert done.json.keys() == {"erased", "derived", "searched", "left"}
    assert ids[0].replace("turn", "day") in done.json["derived"]
    assert (done.json["left"], done.json["searched"] > 3) == (0, True)
    assert all(b"ran away" not in path.read_bytes() for path in home.rglob("*") if path.is_file())
    (home / "note.txt").write_text("Biscuit came home!", encoding="utf-8")
    done = run("memories", "erase", ids[2], "--yes", "--user", "Ada", "--json")
    assert (done.code, done.json["left"], "note.txt" in done.err) == (4, 1, True)


@pytest.mark.parametrize(("hour", "shown"), [("12:00", ""), ("09:30", " 09:30")])
def test_an_event_of_a_whole_day_is_listed_without_an_hour(hour: str, shown: str) -> None:
    event = {"kind": "event", "time": f"2026-11-29T{hour}:00Z", "place": "Leeds", "scene": ""}
    assert _about(App(), event) == [f"2026-11-29{shown} · Leeds"]
