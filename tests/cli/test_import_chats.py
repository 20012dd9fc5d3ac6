"""`import --from`: the past from other programs, as a person meets it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run, turns_of
from tests.cli.pseudo_terminal import terminal
from tests.importers.makers import gpt_conversation, gpt_message, write


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """A ChatGPT export with a talk of two turns, a notice and a key somebody pasted."""
    talk = gpt_conversation(
        gpt_message("system", "You are helpful.", None),
        gpt_message("user", "Why does sk-abcdefghijklmnopqrstuvwx fail?", "2025-05-01T23:30"),
        gpt_message("assistant", "It expired.", "2025-05-01T23:31"),
        gpt_message("user", "Thanks", "2025-05-02T08:00"),
    )
    return write(tmp_path / "conversations.json", [talk])


def test_an_export_is_recognised_and_comes_in_once(run: Run, export: Path, home: Path) -> None:
    """What was read, who spoke, the days, what was left out, and which command sums it up."""
    first = run("import", str(export), "--user", "Ada")
    assert (first.code, first.out.splitlines()) == (
        0,
        [
            "Read: chatgpt, 1 talk with 3 messages.",
            "You: user. The other: ChatGPT.",
            "From 2025-05-01 to 2025-05-02: 2 days, 2 turns.",
            "Keys that were left out of the words: 1.",
            "Left out: 1 message, notices of the program.",
            "Ada: 2 turns added",
            "However long ago it was said, it fades from today on, like what is told today.",
        ],
    )
    assert first.err.splitlines() == [
        f"Data directory: {home}",
        "A night makes summaries and a portrait of it: siliconfriend nightly --user Ada",
    ]
    assert turns_of(run) == [("Why does [a key was left out] fail?", "It expired."), ("Thanks", "")]
    second = run("import", str(export), "--user", "Ada", "--from", "chatgpt")
    assert second.out.splitlines()[-2:] == ["Ada: nothing new", "Here already: 2 turns."]
    assert "nightly" not in second.err


def test_without_a_terminal_what_is_open_is_an_error(run: Run, tmp_path: Path) -> None:
    """With the flag that answers it; a time zone is taken from the settings and told."""
    path = write(tmp_path / "chat.txt", "3/4/23, 23:05 - Annie: Hello\n3/4/23, 23:06 - Ben: Hi\n")
    words = ["import", str(path), "--user", "Ada"]
    for flag, value in (("--date-order", "day"), ("--me", "Annie")):
        said = run(*words)
        assert (said.code, said.out) == (2, "")
        assert flag in said.err
        words += [flag, value]
    done = run(*words)
    assert (done.code, turns_of(run)) == (0, [("Hello", "Hi")])
    assert "no time zone; they are read as UTC" in done.err


CHAT = "3/4/23, 23:05 - Annie: Hello\n3/4/23, 23:06 - Ben: Hi\n"


@pytest.mark.slow
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
