"""`import` and `export`: whole memories, and the past from other programs, as a person meets it."""

import json
import os
from pathlib import Path

import pytest

from tests.cli.conftest import Run, bank_of, turns_of
from tests.cli.pseudo_terminal import terminal
from tests.importers.makers import gpt_conversation, gpt_message, write


def test_import_says_what_came_in_and_twice_adds_nothing(run: Run, bank: Path, home: Path) -> None:
    """The second time every person is known, and the ids are those of the first time."""
    first = run("import", str(bank))
    assert (first.code, first.out) == (0, "Ada: 3 turns added\nRead 1 person, added 3 turns.\n")
    assert first.err == f"Data directory: {home}\n"
    ids = [
        memory["id"]
        for memory in run("memories", "list", "--user", "Ada", "--json").json["memories"]
    ]
    second = run("import", str(bank))
    assert second.out == "Ada: nothing new\nRead 1 person, added 0 turns.\n"
    again = run("memories", "list", "--user", "Ada", "--json").json["memories"]
    assert [one["id"] for one in again] == ids


def test_of_several_files_a_bad_one_is_named_and_none_is_imported(
    run: Run, bank: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"Ben": ')
    done = run("import", str(bank), str(bad))
    assert (done.code, done.out) == (2, "")
    assert "bad.json" in done.err
    assert run("users", "list", "--json").json["users"] == []


def test_a_text_of_the_portrait_is_corrected_by_its_id(run: Run, tmp_path: Path) -> None:
    """It is no memory of a day, but its id stands beside it in `memories show`."""
    person = bank_of("Ada", ("2026-03-02", [("Hello.", "Hi.")]))
    person["Ada"]["overall_history"] = "Ada lives in Oslo."
    path = tmp_path / "bank.json"
    path.write_text(json.dumps(person), encoding="utf-8")
    run("import", str(path))
    done = run(
        "memories", "edit", "overall_history", "--text", "Ada lives in Bergen.", "--user", "Ada"
    )
    assert (done.code, done.out) == (0, "overall_history is corrected.\n")
    shown = run("users", "show", "Ada", "--json").json
    assert shown["overall_history"] == "Ada lives in Bergen."


def test_export_to_a_file_is_for_its_owner_only(run: Run, bank: Path, tmp_path: Path) -> None:
    """A diary on disk is not for everyone on the machine."""
    run("import", str(bank))
    out = tmp_path / "out.json"
    done = run("export", "--format", "native", "--out", str(out))
    assert (done.code, done.out) == (0, "")
    assert done.err == f"Wrote 1 person to {out}.\n"
    assert "Ada" in json.loads(out.read_text(encoding="utf-8"))
    assert out.stat().st_mode & 0o077 == 0
    os.mkfifo(pipe := tmp_path / "pipe")  # as /dev/stdout may be
    assert (run("export", "--out", str(pipe)).code, pipe.is_fifo()) == (3, True)


def test_a_bad_file_imports_nothing(run: Run, tmp_path: Path) -> None:
    """Exit code 2, one sentence, and no person half taken in."""
    path = tmp_path / "bad.json"
    path.write_text('{"Ada": {"history": {"2026-03-02": [["a", "b"]]}}, "": {"history": {}}}')
    done = run("import", str(path), "--json")
    assert (done.code, done.out) == (2, "")
    assert done.err.strip()
    assert "Traceback" not in done.err
    assert run("users", "list", "--json").json == {"users": []}


@pytest.mark.parametrize(
    ("name", "companion", "told"),
    [
        ("Nobody", "default", "`siliconfriend users list` shows who is known"),
        ("Adda", "default", "Did you mean Ada?"),
        ("Ada", "Wren", "Ada has told Wren nothing. What is remembered of Ada was told to default"),
        ("../x", "default", "name"),
    ],
)
def test_unknown_and_refused_names_exit_2(
    run: Run, bank: Path, name: str, companion: str, told: str
) -> None:
    """One sentence on standard error, nothing on standard output."""
    run("import", str(bank))
    done = run("recall", "x", "--user", name, "--companion", companion)
    assert (done.code, done.out) == (2, "")
    assert told in done.err


def test_notes_of_one_person_or_a_folder_each(run: Run, bank: Path, tmp_path: Path) -> None:
    """Named, the folder is the vault itself; else everyone has a folder in it."""
    run("import", str(bank))
    out = tmp_path / "ada"
    done = run("export", "--user", "Ada", "--format", "markdown", "--out", str(out))
    assert (done.code, done.out, done.err) == (0, "", f"Ada: 3 notes in {out}\n")
    assert "> My cat Biscuit ran away." in (out / "days" / "2026-03-02.md").read_text("utf-8")
    assert run("export", "--format", "markdown", "--out", str(tmp_path / "all")).code == 0
    assert len([*tmp_path.glob("all/*/days/*.md")]) == 2
    assert run("export", "--format", "markdown").code == 2


@pytest.mark.parametrize(
    "content",
    [
        b'{"conversationId": "x", "messages": []}',
        b"timestamp,sender,message\n2024-05-01,me,hello\n",
        b"\x7fELF\x02\x01\xff\xfe\x00",
    ],
)
def test_a_file_of_no_known_form_is_named_as_one(run: Run, tmp_path: Path, content: bytes) -> None:
    """With the formats that are read, and not as a broken file of ours."""
    (tmp_path / "x.json").write_bytes(content)
    done = run("import", str(tmp_path / "x.json"), "--user", "Zoe", "--timezone", "UTC")
    assert done.code == 2
    assert "not a format I read" in done.err


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
            "Keys left out of the words: 1.",
            "Left out: 1 message, notices of the program.",
            "Ada: 2 turns added",
            "Imported memories fade from today on, like what is told today.",
        ],
    )
    assert first.err.splitlines() == [
        f"Data directory: {home}",
        "To make summaries and a portrait of it: siliconfriend nightly --user Ada",
    ]
    assert turns_of(run) == [("Why does [a key was left out] fail?", "It expired."), ("Thanks", "")]
    second = run("import", str(export), "--user", "Ada", "--from", "chatgpt")
    assert second.out.splitlines()[-2:] == ["Ada: nothing new", "Already there: 2 turns."]
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
    assert {one["date"] for one in day if one["kind"] == "turn"} == {"2023-03-05"}
    assert "day" in {one["kind"] for one in day}
