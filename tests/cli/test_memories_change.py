"""`memories show|search|pin|unpin|forget|restore|edit|erase`: the person's hand at the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from siliconfriend.cli import app
from tests.cli.conftest import Run


@pytest.fixture
def ids(run: Run, bank: Path) -> list[str]:
    """Ada's turns, oldest first: the cat ran away, something else, the cat came home."""
    run("import", str(bank))
    listed = run("memories", "list", "--user", "Ada", "--json").json["memories"]
    return [it["id"] for it in listed]


def _of(run: Run, identifier: str) -> dict[str, Any]:
    found: dict[str, Any] = run("memories", "show", identifier, "--user", "Ada", "--json").json
    return dict(found["memory"])


def test_pin_forget_and_restore_by_id(run: Run, ids: list[str]) -> None:
    """Each says what it did and asks nothing, since each can be taken back."""
    done = run("memories", "pin", ids[0], "--user", "Ada")
    assert (done.code, done.out) == (0, f"{ids[0]} is pinned: it will not fade.\n")
    assert _of(run, ids[0])["pinned"]
    assert run("memories", "unpin", ids[0], "--user", "Ada").code == 0
    assert not _of(run, ids[0])["pinned"]
    done = run("memories", "forget", ids[0], ids[2], "--user", "Ada", "--json")
    assert done.json["changed"] == [ids[0], ids[2]]
    assert _of(run, ids[0])["state"] == "forgotten"
    assert run("memories", "restore", ids[0], "--user", "Ada").code == 0
    back = _of(run, ids[0])
    assert (back["state"], back["strength"], back["last_recalled"]) == ("vivid", 1, "2026-03-14")
    assert back["retention"] == pytest.approx(1)


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
    assert _of(run, ids[0])["text"].startswith("My dog ran away.\n")
    assert run("nightly").code == 0
    summary = ids[0].replace("turn", "day")
    assert summary in run("memories", "show", ids[0], "--user", "Ada").out
    found = run("memories", "search", "cat", "ran", "away", "--user", "Ada", "--json").json
    assert all("cat ran away" not in it["text"] for it in found["memories"])


def test_erase_json_is_the_contracts(run: Run, ids: list[str], home: Path) -> None:
    """Ids, what is made again, places searched, none left; the words are in no file."""
    run("nightly")
    done = run("memories", "erase", ids[0], "--yes", "--user", "Ada", "--json")
    assert done.code == 0
    assert done.json.keys() == {"erased", "derived", "searched", "left"}
    assert done.json["erased"] == [ids[0]]
    assert ids[0].replace("turn", "day") in done.json["derived"]
    assert (done.json["left"], done.json["searched"] > 3) == (0, True)
    assert all(b"ran away" not in it.read_bytes() for it in home.rglob("*") if it.is_file())


def test_what_is_left_is_named_and_exits_4(run: Run, ids: list[str], home: Path) -> None:
    """A note of unknown form in the data directory still has the words."""
    (home / "note.txt").write_text("My cat Biscuit ran away.", encoding="utf-8")
    done = run("memories", "erase", ids[0], "--yes", "--user", "Ada", "--json")
    assert (done.code, done.json["left"]) == (4, 1)
    assert "note.txt" in done.err
