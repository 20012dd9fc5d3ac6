"""`chat`: whole transcripts from a pipe, and what can be typed inside."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from tests.cli.conftest import NOW, Run, turns_of
from tests.loopback import Answered, LoopbackServer, chunk, refused, streamed


def test_a_piped_talk_is_a_clean_transcript(run: Run, model: LoopbackServer, home: Path) -> None:
    """Who hears it once, then both sides; where the data lie goes to standard error."""
    model.answers([streamed("Hello", " Ada."), streamed("I see.")])
    done = run("chat", "--user", " Ada ", said="Hello!\n\nIt rains.\n")
    assert done.code == 0
    assert done.err == f"Data directory: {home}\n"
    label, *talk = done.out.splitlines()
    assert "small" in label
    assert model.url.removesuffix("/v1") in label
    assert talk == [
        "Ada: Hello!",
        "SiliconFriend: Hello Ada.",
        "Ada: It rains.",
        "SiliconFriend: I see.",
    ]
    assert turns_of(run) == [("Hello!", "Hello Ada."), ("It rains.", "I see.")]


def test_what_a_talk_took_can_be_asked(run: Run, model: LoopbackServer) -> None:
    """Requests and tokens so far, and nothing where none was asked."""
    model.answers([streamed("Hello.")])
    said = run("chat", "--user", "Ada", said="/usage\nHello!\n/usage\n").out.splitlines()
    assert said[2] == "No model was asked yet: nothing was counted and nothing is paid."
    assert said[-1] == "This talk took: 1 request to the model, 7 tokens in and 3 out."


def test_the_same_in_chinese(run: Run, model: LoopbackServer) -> None:
    """A person of Chinese is labelled, answered and named in Chinese."""
    model.answers([streamed("你好，", "小明。")])
    done = run("chat", "--user", "小明", "--lang", "cn", said="你好！\n/help\n/dance\n")
    assert done.code == 0
    _, *talk = done.out.splitlines()
    assert talk[:3] == ["小明: 你好！", "硅友: 你好，小明。", "小明: /help"]
    assert talk[3].startswith("/memories [词]      最近记得的事")
    assert talk[-1] == "没有 /dance 这个命令；输入 /help 看看有哪些。"


def test_offline_is_said_once_and_a_key_is_mentioned_not_used(
    run: Run, loopback: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key in the environment sends no word anywhere."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("OPENAI_BASE_URL", loopback.url)
    done = run("chat", "--user", "Ada", said="I planted beans.\nAnd peas.\n")
    assert done.code == 0
    assert sum("ffline" in line for line in done.out.splitlines()) == 1
    assert "OPENAI_API_KEY is set but not used" in done.err
    assert loopback.asked == []
    assert [query for query, _ in turns_of(run)] == ["I planted beans.", "And peas."]


def test_quit_ends_the_talk_there(run: Run) -> None:
    """What stands after /quit is not heard."""
    done = run("chat", "--user", "Ada", said="I planted beans.\n/quit\nAnd peas.\n")
    assert done.code == 0
    assert len(turns_of(run)) == 1


def test_off_the_record_leaves_nothing(run: Run, home: Path) -> None:
    """Not the person, not a word: no file holds what was said."""
    done = run("chat", "--user", "Ada", "--off-record", said="I stole the beans.\n")
    assert done.code == 0
    assert "Off the record: nothing of this talk is kept." in done.out
    assert run("users", "list", "--json").json == {"users": []}
    assert all(b"beans" not in path.read_bytes() for path in home.rglob("*") if path.is_file())


def test_why_memories_and_forget(run: Run, bank: Path) -> None:
    """What the last reply used is shown with its scores and can be put away by number."""
    run("import", str(bank))
    asked = "When did Biscuit come home?"
    done = run(
        "chat", "--user", "Ada", said=f"/why\n{asked}\n/why\n/forget\n/forget 1\n/memories\n"
    )
    assert done.code == 0
    blocks = re.split(r"^Ada: .*$", done.out, flags=re.MULTILINE)
    _, before, reply, why, which, put_away, lately = blocks
    assert before.strip() == "The last reply used no memory."
    assert "Biscuit came home" in reply
    assert why.strip().startswith("The last reply was based on:\n1. 2026-03-10")
    assert "Biscuit came home!" in why
    assert which.strip().endswith("Type /forget and the number of the one you mean, or its id.")
    identifier = put_away.split()[0]
    assert identifier.startswith("turn-2026-03-10-0-")
    assert f"archived 1.00  said  {identifier}" in lately
    listed = run("memories", "list", "--user", "Ada", "--json").json["memories"]
    assert [it["id"] for it in listed if it["state"] == "archived"] == [identifier]


def test_show_memories_after_each_reply(run: Run, bank: Path) -> None:
    """With the flag nobody has to ask why."""
    run("import", str(bank))
    done = run("chat", "--user", "Ada", "--show-memories", said="When did Biscuit come home?\n")
    assert "The last reply was based on:\n1. 2026-03-10" in done.out


def test_a_known_person_is_spoken_to_in_their_language(run: Run, bank: Path) -> None:
    """The language of the settings is for new people only; a flag changes the person's."""
    run("import", str(bank), "--lang", "cn")
    assert "硅友: " in run("chat", "--user", "Ada", said="Hi\n").out
    assert "SiliconFriend: " in run("chat", "--user", "Ada", "--lang", "en", said="Hi\n").out
    assert run("users", "show", "Ada", "--json").json["language"] == "en"


FAILURES = {
    "401": refused(401),
    "429": refused(429),
    "500": refused(500),
    "nothing": Answered(""),
    "half": Answered([chunk("Well"), 'data: {"choi'], cut=True),
    "hangs": Answered([chunk("Well")], hangs=True),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failing_model_loses_nothing_and_exits_5(
    run: Run, model: LoopbackServer, failure: str
) -> None:
    """One sentence on standard error; the words said are kept, and the talk went on."""
    model.answers([FAILURES[failure]])
    done = run("chat", "--user", "Ada", said="It rains.\n")
    assert done.code == 5
    assert "Traceback" not in done.err
    assert len(done.err.strip().splitlines()) == 2
    ((query, response),) = turns_of(run)
    assert query == "It rains."
    assert response == ("Well" if failure in ("half", "hangs") else "")


def test_a_talk_goes_on_after_a_failed_turn(run: Run, model: LoopbackServer) -> None:
    """The next line is answered; the exit code still tells that one was not."""
    model.answers([refused(401), streamed("Yes.")])
    done = run("chat", "--user", "Ada", said="One.\nTwo.\n")
    assert done.code == 5
    assert done.out.splitlines()[-1] == "SiliconFriend: Yes."


def test_control_characters_of_a_model_never_reach_the_terminal(
    run: Run, model: LoopbackServer
) -> None:
    """A reply cannot clear the screen or retitle the window."""
    model.answers([streamed("A\x1b[2Jb\x07\nc\x9b1md")])
    assert run("chat", "--user", "Ada", said="Hi\n").out.endswith("SiliconFriend: Ab\nc1md\n")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--user", "../x"], 2),
        (["--user", ""], 2),
        ([], 2),
        (["--user", "Ada", "--lang", "fr"], 3),
    ],
)
def test_bad_beginnings(run: Run, home: Path, words: list[str], code: int) -> None:
    """Refused names and languages end before anything is made or read."""
    done = run("chat", *words, said="Hi\n")
    assert (done.code, done.out) == (code, "")
    assert not home.exists()


def test_a_home_that_cannot_be_written_exits_3(run: Run, tmp_path: Path) -> None:
    """No chat begins whose words would be lost."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = run("--home", str(tmp_path / "file" / "x"), "chat", "--user", "Ada", said="Hi\n")
    assert (done.code, done.out) == (3, "")


def test_a_real_pipe_carries_chinese_whatever_the_locale(process: Run) -> None:
    """Names and words in Chinese survive a C locale, and bytes that are no UTF-8 harm nothing."""
    done = process(
        *("--now", NOW, "chat", "--user", "小明", "--lang", "cn"),
        said="我种了豆子。\n",
        LC_ALL="C",
        PYTHONUTF8="0",
        PYTHONCOERCECLOCALE="0",
    )
    assert (done.code, "小明: 我种了豆子。" in done.out) == (0, True)
    exported = process("export", "--user", "小明", LC_ALL="C", PYTHONUTF8="0")
    assert exported.json["小明"]["history"]["2026-03-14"][0]["query"] == "我种了豆子。"


def test_forget_pin_and_undo_one_step(run: Run, bank: Path) -> None:
    """Each says what it did; /undo takes back the last and then finds nothing more."""
    run("import", str(bank))
    identifier = run("memories", "list", "--user", "Ada", "--json").json["memories"][0]["id"]
    done = run(
        "chat",
        *("--user", "Ada"),
        said=f"/undo\n/pin {identifier}\n/undo\n/undo\n/forget {identifier}\n/unpin 7\n/undo\n",
    )
    assert [line for line in done.out.splitlines()[1:] if not line.startswith("Ada: ")] == [
        "There is nothing to take back.",
        f"{identifier} is pinned: it will not fade.",
        f"{identifier} is as it was before.",
        "There is nothing to take back.",
        f"{identifier} is archived: it no longer comes up by itself, and no word of it is lost.",
        "The last reply used no memory.",
        f"{identifier} is as it was before.",
    ]
    listed = run("memories", "list", "--user", "Ada", "--json").json["memories"]
    assert (listed[0]["state"], listed[0]["pinned"]) == ("vivid", False)


def test_memories_with_words_shows_those_that_hold_them(run: Run, bank: Path) -> None:
    """/memories home finds the one turn about coming home."""
    run("import", str(bank))
    out = run("chat", "--user", "Ada", said="/memories came home\n/memories quartz\n").out
    assert "Biscuit came home!" in out
    assert "ran away" not in out
    assert out.endswith("Nothing that is remembered of Ada fits.\n")


def test_a_wish_not_to_be_remembered_is_noticed_and_undone(run: Run, model: LoopbackServer) -> None:
    """The notice stands below the reply; /undo keeps the words after all, once."""
    model.answers([streamed("I hear you.")])
    done = run(
        "chat", "--user", "Ada", said="I was fired. Don't remember this.\n/memories\n/undo\n/undo\n"
    )
    lines = done.out.splitlines()[1:]
    assert lines[:3] == [
        "Ada: I was fired. Don't remember this.",
        "SiliconFriend: I hear you.",
        "(Not kept: this is neither summed up nor recalled, and the next night removes it."
        " /undo takes that back.)",
    ]
    assert ", not kept: the next night removes it" in lines[4]
    assert lines[-4:] == [
        "Ada: /undo",
        "That is taken back: it is kept like everything else.",
        "Ada: /undo",
        "There is nothing to take back.",
    ]
    assert len(turns_of(run)) == 1


def test_the_same_wish_in_chinese(run: Run, model: LoopbackServer) -> None:
    """别记这个 after what was said marks both, and the export has neither."""
    model.answers([streamed("我在听。"), streamed("好。")])
    done = run("chat", "--user", "小明", "--lang", "cn", said="我被裁了。\n别记这个\n")
    assert done.out.splitlines()[-1] == (
        "（这句和上一句都不会留下：不总结，不想起，下一次夜间整理时清除。输入 /undo 可以撤回。）"
    )
    assert turns_of(run, "小明") == []


def test_off_the_record_in_the_middle_of_a_talk(run: Run, home: Path) -> None:
    """Between on and off no byte of the data directory changes."""
    run("chat", "--user", "Ada", said="I planted beans.\n")
    run("chat", "--user", "Ada", said="/memories\n")  # the index is level then
    before = {it: it.read_bytes() for it in home.rglob("*") if it.is_file()}
    done = run(
        "chat",
        *("--user", "Ada"),
        said="/offrecord on\nWhat did I plant?\nI stole the beans.\n/offrecord maybe\n",
    )
    assert "Off the record: nothing of this talk is kept." in done.out
    assert done.out.endswith("Type /offrecord on or /offrecord off.\n")
    assert {it: it.read_bytes() for it in home.rglob("*") if it.is_file()} == before
    run("chat", "--user", "Ada", said="/offrecord on\n/offrecord off\nAnd peas.\n")
    assert [query for query, _ in turns_of(run)] == ["I planted beans.", "And peas."]


@pytest.mark.parametrize(
    ("language", "first", "again"),
    [
        (
            "en",
            "Another scene. What was said so far is on its way into memory.",
            "A new scene already",
        ),
        ("cn", "换一个场景。刚才说的话已经送去整理成记忆。", "已经是新的场景了"),
    ],
)
def test_another_scene_sends_the_talk_into_memory(
    run: Run, home: Path, language: str, first: str, again: str
) -> None:
    """What was said waits to be read; a second time there is nothing to send."""
    done = run("chat", "--user", "Ada", "--lang", language, said="Beans.\n/scene\n/scene\nPeas.\n")
    assert first in done.out
    assert again in done.out
    turns = FileStore(home).load(Scope.of("Ada")).turns()
    assert [turn.context for turn in turns] == ["pending", "live"]


@pytest.mark.parametrize(
    ("person", "language", "secret", "other", "asked", "answer", "kept"),
    [
        (
            *("Ada", "en", "I was fired. Don't remember this.", "The tomatoes are ripe."),
            'You asked not to keep "I was fired. Don\'t remember this.". Keep it after all?'
            " Type yes or /undo again; anything else leaves it as it is.",
            *("yes", "That is taken back: it is kept like everything else."),
        ),
        (
            *("小明", "cn", "我被裁了，别记这个。", "番茄熟了。"),
            "你说过不要记下“我被裁了，别记这个。”。还是要留下吗？"
            "输入“是”或再输入一次 /undo 就留下，别的都保持原样。",
            *("是", "已撤回：这些话会和别的话一样留着。"),
        ),
    ],
)
def test_undo_after_other_messages_names_the_words_and_asks(
    run: Run,
    model: LoopbackServer,
    home: Path,
    person: str,
    language: str,
    secret: str,
    other: str,
    asked: str,
    answer: str,
    kept: str,
) -> None:
    """Nothing but yes or another /undo keeps them; the answer is no message."""
    model.answers([streamed("..")] * 3)
    talk = ("chat", "--user", person, "--lang", language)

    def unkept() -> int:
        memory = FileStore(home).load(Scope.of(person))
        return sum(turn.unkept for turn in memory.turns())

    declined = run(*talk, said=f"{secret}\n{other}\n/undo\nno\n/undo\n{other}\n")
    assert declined.out.count(asked) == 2
    assert kept not in declined.out
    assert unkept() == 1
    assert turns_of(run, person) == [(other, ".."), (other, "..")]
    for yes in (answer, "/undo"):
        model.answers([streamed(".."), streamed("..")])
        before = len(turns_of(run, person))
        done = run(*talk, said=f"{secret}\n{other}\n/undo\n{yes}\n/undo\n")
        assert asked in done.out
        assert kept in done.out
        assert len(turns_of(run, person)) == before + 2
    assert unkept() == 1


def test_a_dead_server_leaves_no_empty_line_of_the_companion(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The transcript has the person's words, which are kept, and nothing the companion never said."""
    monkeypatch.setenv("SILICONFRIEND_LLM", "openai")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    done = run("chat", "--user", "Ada", said="Hello?\n")
    assert done.code == 5
    assert done.out.splitlines()[1:] == ["Ada: Hello?"]
    assert "http://127.0.0.1:9 cannot be reached" in done.err
    monkeypatch.delenv("SILICONFRIEND_LLM")
    assert turns_of(run) == [("Hello?", "")]


def test_a_name_that_only_looks_like_a_known_one_begins_no_memory(run: Run) -> None:
    """It is refused with what differs; who is known talks on."""
    assert run("chat", "--user", "Ada", said="Hello.\n").code == 0
    done = run("chat", "--user", "A\u200bda", said="Hello.\n")
    assert (done.code, done.out) == (2, "")
    assert "looks like Ada" in done.err
    assert "U+200B ZERO WIDTH SPACE" in done.err
    assert [it["user"] for it in run("users", "list", "--json").json["users"]] == ["Ada"]
    assert run("chat", "--user", "Ada", said="Hello.\n").code == 0
