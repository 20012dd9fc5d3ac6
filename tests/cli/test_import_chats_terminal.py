"""`import --from` at a real terminal: what a file leaves open is asked, and then a night offered."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.chat_exports.makers import write
from tests.cli.conftest import Run, turns_of
from tests.cli.pseudo_terminal import terminal

pytestmark = pytest.mark.slow

CHAT = "3/4/23, 23:05 - Annie: Hello\n3/4/23, 23:06 - Ben: Hi\n"


def test_what_the_file_leaves_open_is_asked(run: Run, tmp_path: Path) -> None:
    """Who is who, by number; the order of the date; the time zone; and one night after it."""
    path = write(tmp_path / "chat.txt", CHAT)
    with terminal("import", str(path), "--user", "Ada") as shown:
        shown.wait_for("can be read with the day or with the month first")
        shown.wait_for("Number or name:")
        shown.type("month\n")
        shown.wait_for("Who of these are you: Annie, Ben?")
        shown.wait_for("2  Ben")
        shown.type("1\n")
        shown.wait_for("Which time zone were they written in? [UTC]")
        shown.type("America/New_York\n")
        shown.wait_for("You: Annie. The other: Ben.")
        shown.wait_for("Ada: 1 turn added")
        shown.wait_for("Run one night now")
        shown.type("y\n")
        shown.wait_for("Ada")
        assert shown.wait_for_end() == 0
    assert turns_of(run) == [("Hello", "Hi")]
    day = run("memories", "list", "--user", "Ada", "--json").json["memories"]
    # Five past eleven at night in New York is the next morning in Ada's zone.
    assert {it["date"] for it in day if it["kind"] == "turn"} == {"2023-03-05"}
    assert "day" in {it["kind"] for it in day}


def test_a_wrong_answer_and_no_night(run: Run, tmp_path: Path) -> None:
    """An answer that is none of the choices changes nothing; Enter means no night."""
    path = write(tmp_path / "chat.txt", CHAT)
    words = ("import", str(path), "--user", "Ada", "--date-order", "day", "--lang", "cn")
    with terminal(*words) as shown:
        shown.wait_for("这些人里哪一个是你：Annie, Ben？")
        shown.type("Zoe\n")
        assert shown.wait_for_end() == 2
    assert run("users", "list", "--json").json == {"users": []}
    with terminal(*words, "--me", "Annie", "--timezone", "UTC") as shown:
        shown.wait_for("现在就整理一夜")
        shown.type("\n")
        assert shown.wait_for_end() == 0
    memories = run("memories", "list", "--user", "Ada", "--json").json["memories"]
    assert [it["kind"] for it in memories] == ["turn"]


def test_interrupted_while_it_asks(run: Run, tmp_path: Path) -> None:
    """Ctrl-C leaves with 130 and nothing written."""
    path = write(tmp_path / "chat.txt", CHAT)
    with terminal("import", str(path), "--user", "Ada") as shown:
        shown.wait_for("Number or name:")
        shown.child.send_signal(signal.SIGINT)
        # A signal that comes before readline waits is looked at after the next key.
        shown.type("\n")
        assert shown.wait_for_end() == 130
    assert run("users", "list", "--json").json == {"users": []}
