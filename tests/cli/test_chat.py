"""`chat` and `demo`: whole transcripts from a pipe, and what can be typed inside."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from siliconfriend.cli.chat import QUESTIONS
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from siliconfriend.person.companions import read_sample
from tests.cli.conftest import NOW, ROOT, Run, turns_of
from tests.loopback import Answered, LoopbackServer, chunk, streamed


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
    assert re.search(rf"forgotten \d\.\d\d  said  {identifier}", lately)
    listed = run("memories", "list", "--user", "Ada", "--json").json["memories"]
    assert [one["id"] for one in listed if one["state"] == "forgotten"] == [identifier]


def test_why_names_what_is_due(run: Run, model: LoopbackServer) -> None:
    model.answers([streamed("I will."), streamed("How was the lesson?"), streamed("Sweet ones?")])
    run(
        "chat",
        "--user",
        "Ada",
        said="Ask me tomorrow how the lesson went.\n",
        now="2026-03-13T18:00",
    )
    said = "Hello!\n/why\nI bought plums.\n/why\n"
    done = run("chat", "--user", "Ada", said=said, now="2026-03-14T18:00")
    assert done.out.endswith(
        "Ada: /why\n"
        "The last reply was based on:\n"
        "1. 2026-03-13  due  Ask me tomorrow how the lesson went.\n"
        "The model was shown everything you told so far.\n"
        "Ada: I bought plums.\nSiliconFriend: Sweet ones?\nAda: /why\n"
        "The model was shown everything you told so far.\n"
    )


def test_a_failing_model_loses_nothing_and_exits_5(run: Run, model: LoopbackServer) -> None:
    """One sentence on standard error; the words said are kept, and the talk went on."""
    model.answers([Answered([chunk("Well")], hangs=True)])
    done = run("chat", "--user", "Ada", said="It rains.\n")
    assert done.code == 5
    assert "Traceback" not in done.err
    assert len(done.err.strip().splitlines()) == 2
    assert turns_of(run) == [("It rains.", "Well")]


@pytest.mark.slow
def test_an_interrupted_pipe_keeps_the_words_and_exits_130(
    run: Run, model: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was said and heard until then is kept, and no traceback is shown."""
    monkeypatch.setenv("SILICONFRIEND_TIMEOUT", "30")
    model.answers([Answered([chunk("Once upon a time")], hangs=True)])
    command = [sys.executable, "-m", "siliconfriend", "--now", NOW, "chat", "--user", "Ada"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=ROOT) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(b"Tell me a story.\n")
        child.stdin.flush()
        heard = b""
        while b"Once upon a time" not in heard:
            heard += (piece := os.read(child.stdout.fileno(), 4096))
            assert piece, heard
        child.send_signal(signal.SIGINT)
        complaint = child.communicate(timeout=60)[1]
    assert (child.returncode, b"Traceback" in complaint) == (130, False), complaint
    assert turns_of(run) == [("Tell me a story.", "Once upon a time")]


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
        f"{identifier} is as it was.",
        "There is nothing to take back.",
        f"{identifier} is put away: it is kept, but not recalled until you restore it.",
        "The last reply used no memory.",
        f"{identifier} is as it was.",
    ]
    listed = run("memories", "list", "--user", "Ada", "--json").json["memories"]
    assert (listed[0]["state"], listed[0]["pinned"]) == ("vivid", False)


def test_a_wish_not_to_be_remembered_is_taken_back_until_the_next_message(
    run: Run, model: LoopbackServer, home: Path
) -> None:
    """At once it is; later nobody keeps by mistake what they asked not to."""
    secret, other = "I was fired. Don't remember this.", "The tomatoes are ripe."
    talk = ("chat", "--user", "Ada")
    for said, unkept, answer in (
        (f"{secret}\n/undo\n", 0, "That is taken back: it is kept like everything else."),
        (f"{secret}\n{other}\n/undo\n", 1, "There is nothing to take back."),
    ):
        model.answers([streamed("..")] * 2)
        assert answer in run(*talk, said=said).out
        memory = FileStore(home).load(Scope.of("Ada"))
        assert sum(turn.unkept for turn in memory.turns()) == unkept


@pytest.mark.slow
def test_the_demo_shows_recall_a_portrait_and_a_faded_memory(run: Run, home: Path) -> None:
    """In a data directory of its own: the sample person, summed up, with some of it dim."""
    done = run("demo", said=f"{QUESTIONS['en']}\n/quit\n")
    assert done.code == 0
    name, _ = read_sample("en")
    assert f"Preparing {name}'s memory" in done.err
    assert "He lost his glasses in the sea" in done.out
    own = ("--home", str(home / "demo"))
    shown = run(*own, "users", "show", name, "--json").json
    assert (shown["last"], shown["days"]) == ("2026-03-14", 15)
    assert shown["summaries"] >= 14
    listed = run(*own, "memories", "list", "--user", name, "--json").json["memories"]
    assert {"vivid", "faded"} <= {one["state"] for one in listed}
    assert run("users", "list", "--json").json == {"users": []}
    for fresh, last in ((), "2026-03-14"), (("--fresh",), "2026-03-19"):
        run("demo", *fresh, said="", now="2026-03-20T09:00")
        assert run(*own, "users", "show", name, "--json").json["last"] == last


def test_input_that_is_not_utf8_is_refused_and_never_stored(process: Run, home: Path) -> None:
    """A line in GBK is named; what stands before it is kept, and nothing in its place."""
    gbk = "我今天很开心".encode("gbk").decode(errors="surrogateescape")
    done = process("--home", str(home), "chat", "--user", "Zoe", said=f"I moved.\n{gbk}\nBye.\n")
    assert done.code == 2
    assert "Line 2 of the input is not UTF-8" in done.err
    kept = process("--home", str(home), "memories", "list", "--user", "Zoe", "--json").json
    assert [row["text"].splitlines()[0] for row in kept["memories"]] == ["I moved."]
