"""`import --from`: the past from other programs, as a person meets it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.chat_exports import taking_in
from siliconfriend.chat_exports.drafts import Draft
from siliconfriend.memory.records import Turn
from tests.chat_exports.makers import gpt_conversation, gpt_message, write
from tests.cli.conftest import Run, turns_of


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


def test_the_key_is_nowhere(run: Run, export: Path, home: Path) -> None:
    """What looks like a key reaches neither the screen nor the disk."""
    said = run("import", str(export), "--user", "Ada", "--json")
    assert "abcdefghijklmnop" not in said.out + said.err
    for path in home.rglob("*"):
        assert not path.is_file() or b"abcdefghijklmnop" not in path.read_bytes()


def test_a_dry_run_writes_nothing(run: Run, export: Path, home: Path) -> None:
    """Not even the person; and its JSON says all that the text says."""
    said = run("import", str(export), "--user", "Ada", "--dry-run")
    assert said.out.splitlines()[-2:] == [
        "Would be added: 2 turns.",
        "Nothing was written (--dry-run).",
    ]
    assert not (home / "people").exists()
    document = run("import", str(export), "--user", "Ada", "--dry-run", "--json").json
    assert document == {
        "people": [
            {
                "user": "Ada",
                "companion": "default",
                "turns": 2,
                "grown": 0,
                "skipped": 0,
                "kept_erased": 0,
                "dates": ["2025-05-01", "2025-05-02"],
            }
        ],
        "turns": 2,
        "dry_run": True,
        "formats": ["chatgpt"],
        "chats": 1,
        "speakers": [{"person": "user", "companion": "ChatGPT"}],
        "read": {
            "messages": 3,
            "turns": 2,
            "days": 2,
            "first": "2025-05-01",
            "last": "2025-05-02",
        },
        "left_out": {"system": 1},
        "keys_left_out": 1,
    }


def test_the_person_s_time_zone_decides_the_day(
    run: Run, export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half past eleven at night in London is the next morning in Shanghai."""
    monkeypatch.setenv("SILICONFRIEND_TIMEZONE", "Asia/Shanghai")
    run("import", str(export), "--user", "Ada")
    assert list(run("export", "--user", "Ada").json["Ada"]["history"]) == ["2025-05-02"]


def test_in_chinese(run: Run, export: Path) -> None:
    """All of it in the language of the settings, and the mark in the person's."""
    said = run("import", str(export), "--user", "小明", "--lang", "cn")
    assert said.out.splitlines() == [
        "读到：chatgpt，1 段对话，3 条消息。",
        "你：user。对方：ChatGPT。",
        "从 2025-05-01 到 2025-05-02：2 天，2 轮对话。",
        "从话里略去的密钥：1 个。",
        "没有读入：1 条消息，程序的提示。",
        "小明：新增 2 轮对话",
        "不论是多久以前说的，都从今天起才开始淡去，和今天说的一样。",
    ]
    assert turns_of(run, "小明")[0][0] == "Why does ［此处略去一个密钥］ fail?"


def test_nobody_named(run: Run, export: Path) -> None:
    """An export does not say whose memory it becomes."""
    said = run("import", str(export))
    assert (said.code, said.out) == (2, "")
    assert "--user" in said.err


def test_another_person_s_memory_stays_as_it_is(run: Run, export: Path) -> None:
    """What is imported for one is nowhere in the other's."""
    run("import", str(export), "--user", "Ada")
    run("import", str(export), "--user", "Ben", "--companion", "Pebble")
    assert len(turns_of(run)) == 2
    assert run("export", "--user", "Ben").code == 2


@pytest.mark.parametrize(
    ("words", "key"),
    [
        (["--from", "memorybank"], "memory bank"),
        (["--from", "chatgpt", "--other", "Siri"], "Siri"),
        (["--from", "chatgpt", "--timezone", "Mars/Base"], "Mars/Base"),
        (["--from", "chatgpt", "--encoding", "klingon"], "klingon"),
        (["--from", "nowhere"], "nowhere"),
    ],
)
def test_wrong_words_change_nothing(run: Run, export: Path, words: list[str], key: str) -> None:
    """Exit code 2, one sentence that names what is wrong."""
    said = run("import", str(export), "--user", "Ada", *words)
    assert (said.code, said.out) == (2, "")
    assert key in said.err
    assert run("users", "list", "--json").json == {"users": []}


def test_a_memory_bank_can_be_tried_and_one_person_taken(run: Run, tmp_path: Path) -> None:
    """`--dry-run` and `--user` work for whole memories too."""
    people = {name: {"history": {"2026-03-02": [["Hello", "Hi"]]}} for name in ("Ada", "Ben")}
    path = write(tmp_path / "bank.json", people)
    tried = run("import", str(path), "--user", "Ben", "--dry-run")
    assert tried.out.splitlines() == [
        "Ben: 1 turn added",
        "Read 1 person, added 1 turn.",
        "Nothing was written (--dry-run).",
    ]
    assert run("users", "list", "--json").json == {"users": []}
    run("import", str(path), "--user", "Ben", "--from", "memorybank")
    assert [it["user"] for it in run("users", "list", "--json").json["users"]] == ["Ben"]
    lacking = run("import", str(path), "--user", "Cleo")
    assert (lacking.code, lacking.out) == (2, "")
    assert "Ada, Ben" in lacking.err
    alone = run("import", str(path), "--me", "Ada")
    assert (alone.code, alone.out) == (2, "")
    assert "--me" in alone.err


def test_an_export_of_nothing(run: Run, tmp_path: Path) -> None:
    """An empty list, an empty file and a talk without words."""
    for content in ([], "", [gpt_conversation()]):
        path = write(tmp_path / "conversations.json", content)
        said = run("import", str(path), "--user", "Ada", "--from", "chatgpt")
        assert (said.code, said.out) == (2, ""), json.dumps(content)
        assert "Traceback" not in said.err


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


def test_two_files_of_two_kinds_are_one_memory(run: Run, export: Path, tmp_path: Path) -> None:
    """In order of time, each recognised by itself."""
    chat = "13.04.25, 23:05 - Ada: Spring\n13.06.25, 23:06 - Ada: Summer\n"
    path = write(tmp_path / "chat.txt", chat)
    run("import", str(export), str(path), "--user", "Ada", "--timezone", "UTC")
    assert [query for query, _ in turns_of(run)][::3] == ["Spring", "Summer"]


def test_names_from_a_file_steer_no_terminal(run: Run, tmp_path: Path) -> None:
    """Nor do words, nor the name of the file itself; in a dry run and in an error."""
    name = "A\x1b]0;pwned\x07da\u202e"
    path = write(tmp_path / "chat.txt", f"13.05.23, 15:05 - {name}: Hi\n13.05.23, 15:06 - B: Ho\n")
    for words in ((), ("--me", "B", "--dry-run"), ("--me", "B"), ("--me", name, "--other", "C")):
        said = run("import", str(path), "--user", "Ada", *words)
        for mark in ("\x1b", "\x07", "\u202e"):
            assert mark not in said.out + said.err


def test_an_interrupted_import_says_how_far_it_is(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 130; what is in is whole, and the same command goes on."""
    days = range(1, 29)
    chat = "".join(f"{day}.05.23, 15:05 - Ada: Day {day}\n" for day in days)
    path = write(tmp_path / "chat.txt", chat)
    monkeypatch.setattr(taking_in, "CHUNK", 10)
    real = taking_in._new_turn

    def stop_at_the_15th(draft: Draft, *words: Any) -> Turn:
        if draft.date.endswith("15"):
            raise KeyboardInterrupt
        return real(draft, *words)

    with monkeypatch.context() as patch:
        patch.setattr(taking_in, "_new_turn", stop_at_the_15th)
        stopped = run("import", str(path), "--user", "Ada", "--timezone", "UTC")
    assert (stopped.code, stopped.out) == (130, "")
    assert "Stopped: 10 of 28 turns are in" in stopped.err
    assert len(turns_of(run)) == 10
    run("import", str(path), "--user", "Ada", "--timezone", "UTC")
    assert [query for query, _ in turns_of(run)] == [f"Day {day}" for day in days]


def test_erased_words_do_not_come_back(run: Run, tmp_path: Path, home: Path) -> None:
    """Nor in a longer export of a format without ids, nor as the edited message."""
    first = "13.05.23, 15:05 - Ada: My secret garden\n13.05.23, 15:06 - Ben: I see\n"
    later = first.replace("garden", "garden! <This message was edited>")
    path = write(tmp_path / "chat.txt", first + "13.05.23, 15:07 - Ada: Hello\n")
    words = ("import", str(path), "--user", "Ada", "--timezone", "UTC")
    run(*words)
    erased = run("memories", "list", "--user", "Ada", "--json").json["memories"][0]["id"]
    run("memories", "erase", "--user", "Ada", erased, "--yes")
    for content in (first, later):
        write(path, content + "13.05.23, 15:07 - Ada: Hello\n14.05.23, 15:07 - Ada: Bye\n")
        said = run(*words)
        assert "not brought back, because it was erased here: 1 turn" in said.out
        assert [query for query, _ in turns_of(run)] == ["Hello", "Bye"]
    for place in home.rglob("*"):
        assert not place.is_file() or b"secret" not in place.read_bytes()


def test_an_edited_message_is_not_taken_twice(run: Run, tmp_path: Path) -> None:
    """The file says that it was edited; what was taken in first stays."""
    first = "13.05.23, 15:05 - Ada: My garten\n13.05.23, 15:05 - Ada: is green\n"
    path = write(tmp_path / "chat.txt", first)
    words = ("import", str(path), "--user", "Ada", "--timezone", "UTC")
    run(*words)
    write(path, first.replace("garten", "garden <This message was edited>"))
    assert "Here already: 1 turn." in run(*words).out
    assert turns_of(run) == [("My garten\nis green", "")]


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "      brought here on 2026-03-14 with other talks; it fades from that day on"),
        ("cn", "      2026-03-14 随别处的对话带来，从那天起才开始淡去"),
    ],
)
def test_a_memory_says_when_it_was_brought(run: Run, export: Path, lang: str, said: str) -> None:
    """Its own day is the one it was said on; the curve and its days follow the bringing."""
    run("--now", "2026-03-14T09:00Z", "import", str(export), "--user", "Ada", "--lang", lang)
    words = ("--now", "2026-04-13T09:00Z", "memories")
    (row, _) = run(*words, "list", "--user", "Ada", "--json").json["memories"]
    assert (row["date"], row["last_recalled"], row["brought_on"]) == (
        "2025-05-01",
        "2025-05-01",
        "2026-03-14",
    )
    assert row["retention"] == pytest.approx(0.5)
    assert (row["dims_on"], row["strength"]) == ("2026-04-13", 1.0)
    assert said in run(*words, "show", row["id"], "--user", "Ada").out.splitlines()
