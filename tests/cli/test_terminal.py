"""Nothing that a terminal obeys reaches it, whoever said it and whichever command prints it."""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from itertools import pairwise
from pathlib import Path

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import siliconfriend.cli
from siliconfriend.cli.main import program
from siliconfriend.cli.terminal import HarmlessStream, harmless, harmless_json, harmless_streams
from tests.cli.conftest import Run
from tests.loopback import LoopbackServer, streamed

STEERS = (
    "\x1b]52;c;b3duZWQ=\x07\x1b]0;owned\x1b\\\x1b[2J\x1b[31m\x9b31m\x9d0;x\x9c"
    "\u202etxt\u202c\u2066x\u2069\x08\x7f\x85\r"
)
"""OSC 52 and OSC 0, CSI in both forms, C1, overrides of direction, and a carriage return."""
SPLIT = ["Hello \x1b", "]52;c;b3du", "ZWQ=\x07 there", " \u202e", "end"]
"""The words of a model whose sequences come in pieces."""
ALL_WORDS = f"My cat Biscuit{STEERS} ran away."
_STEERS = re.compile(
    b"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]"
)
"""As bytes of UTF-8, written apart from the program's own table."""

HOSTILE_RUNS = """
chat --user Ada --show-memories
demo --user Ada{x}
nightly
nightly --last
nightly --user Ada{x}
nightly --stage no{x}
nightly --json
nightly --dry-run
import {bank}
import {bank} --json
import {bad}
import no{x}.json
export
export --user Ada --format native
export --user Ada{x}
backup {folder}/b{y}.zip
backup --verify {bad}
backup --verify no{x}
restore {bad} --yes
restore no{x} --yes
recall --user Ada Biscuit
recall --user Ada Biscuit --json
recall --user Ada x{x}
recall --user N{x} q
recall --user Ada --recipe no{x} q
memories list --user Ada
memories list --user Ada --json
memories list --user N{x}
memories search --user Ada Biscuit
memories search --user Ada Biscuit --json
memories search --user Ada none{x}
memories search --user Ada --kind no{x} a
memories show --user Ada {id}
memories show --user Ada no{x}
memories pin --user Ada {id}
memories pin --user Ada --query Biscuit
memories unpin --user Ada no{x}
memories unpin --user Ada --query none{x}
memories forget --user Ada --query Biscuit
memories restore --user Ada no{x}
memories edit --user Ada {id} --query x{x}
memories edit --user Ada no{x} --query a
memories plot --user Ada no{x}
memories plot --user Ada {id} --out {folder}/p{y}.xyz
memories erase --user Ada --query Biscuit
memories erase --user Ada no{x} --yes
users list
users list --json
users show Ada
users show Ada --json
users show N{x}
users delete N{x} --yes
users key N{x}
users password N{x}
companion list
companion show Wren
companion show Wren --json
companion create x{x}
companion create Wr{y}en --persona p{x}
companion edit Wren --greeting g{x}
companion show no{x}
companion delete no{x}
companion import {bad} --name Card
companion import no{x}
companion lore list Wren
companion lore list Wren --json
companion lore add Wren rain{x}
companion lore search Wren rain
companion lore show Wren no{x}
companion lore edit Wren no{x} --text a
companion lore delete Wren no{x} --yes
config
config --json
config set no{x} 1
config set companion_name Wr{x}en
doctor
doctor --json
evaluate probing --bank no{x} --questions {bad}
evaluate locomo --data {bad}
evaluate answers --bank {bad} --questions {bad}
evaluate talk --talks no{x}
evaluate life --life {bad}
web --auth no{x}
evaluate thresholds --bank {bad} --questions {bad} --talks {bad} --out {folder}/t
serve --host no{x}
mcp --http --host no{x}
no{x}
--no{x}
--now x{x} users list
--home {bad} users list
--debug import {bad}
--debug recall --user N{x} q
""".strip().splitlines()
"""Command lines; ``{x}`` stands for what steers a terminal, ``{y}`` for what a name may hold."""


def _commands(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from _commands(below, (*path, name))
    else:
        yield path


def _is_harmless(shown: str) -> bool:
    return _STEERS.search(shown.encode("utf-8", "surrogatepass")) is None


@pytest.fixture
def places(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A home with hostile memories, a hostile companion and hostile files beside it."""
    bank = tmp_path / "bank\u202e\x1b[31m.json"
    day = [{"query": ALL_WORDS, "response": f"Oh{STEERS} no."}] * 2
    person = {"name": "Ada", "summary": {}, "personality": {}, "history": {"2026-03-02": day}}
    person["overall_history"] = person["overall_personality"] = f"Kind{STEERS}."
    bank.write_text(json.dumps({"Ada": person}), encoding="utf-8")
    bad = tmp_path / "bad\x1b]0;x\x07\u202e.json"
    bad.write_text(json.dumps({f"Bo{STEERS}": {f"x{STEERS}": STEERS}}), encoding="utf-8")
    assert run("import", str(bank)).code == 0
    assert run("companion", "create", "Wren", "--persona", f"Calm{STEERS}").code == 0
    found = run("memories", "list", "--user", "Ada", "--json").json["memories"][0]["id"]
    monkeypatch.setenv("SILICONFRIEND_MODEL", f"small{STEERS}")
    return {"bank": str(bank), "bad": str(bad), "folder": str(tmp_path), "id": found}


@pytest.mark.parametrize("words", HOSTILE_RUNS)
def test_no_command_steers_the_terminal(words: str, run: Run, places: dict[str, str]) -> None:
    """Neither its answer nor its errors; and what is asked for as JSON is JSON."""
    values = {**places, "x": STEERS, "y": "\x9b\u202e\x1b[2J"}
    split = [word.format(**values) for word in words.split()]
    done = run(*split, said=f"Hello{STEERS}\n/memories\n/why\n/no{STEERS}\n")
    assert _is_harmless(done.out + done.err), words
    assert done.out or done.err
    if "--json" in words and done.code == 0:
        assert isinstance(done.json, dict | list)


@pytest.mark.parametrize("path", list(_commands(program)), ids=" ".join)
def test_no_commands_own_words_steer_the_terminal(path: tuple[str, ...], run: Run) -> None:
    """Neither its help, nor what it says of a wrong option, a missing word or one too many."""
    for rest in (["--help"], [f"--no{STEERS}"], [STEERS] * 9):
        done = run(*path, *rest)
        assert _is_harmless(done.out + done.err)


def test_json_keeps_what_was_said(run: Run, places: dict[str, str]) -> None:
    """Read back it is to the letter what is stored: nothing is lost on the way."""
    listed = run("memories", "list", "--user", "Ada", "--json")
    assert ALL_WORDS in listed.json["memories"][0]["text"]
    assert _is_harmless(listed.out)


def test_a_models_reply_in_pieces_is_harmless(
    run: Run, model: LoopbackServer, places: dict[str, str]
) -> None:
    """A sequence split over pieces of the stream ends as plain letters."""
    model.answers([streamed(*SPLIT)])
    done = run("chat", "--user", "Ada", said="Hello\n")
    assert "Hello ]52;c;b3duZWQ= there end" in done.out
    assert _is_harmless(done.out + done.err)


@settings(max_examples=30)
@given(words=st.text(), splits=st.lists(st.integers(0, 40), max_size=3))
def test_a_stream_is_harmless_wherever_it_is_split(words: str, splits: list[int]) -> None:
    """Piece by piece the same as whole, and all that shows is kept."""
    words = f"a{STEERS}{words}z"
    below = BytesIO()
    stream = HarmlessStream(TextIOWrapper(below, "utf-8"))
    edges = [0, *sorted(splits), len(words)]
    for first, last in pairwise(edges):
        stream.write(words[first:last])
    stream.flush()
    shown = below.getvalue().decode()
    assert _is_harmless(shown)
    assert shown == harmless(words).encode("utf-8", "replace").decode()
    assert json.loads(harmless_json(json.dumps(words, ensure_ascii=False))) == words


def test_the_streams_are_put_back(capsys: pytest.CaptureFixture[str]) -> None:
    """Also after an error, and nothing that was printed is lost."""
    before = sys.stdout, sys.stderr

    def fail() -> None:
        with harmless_streams():
            print(f"one{STEERS}")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert (sys.stdout, sys.stderr) == before
    print("two")
    assert capsys.readouterr().out == "one]52;c;b3duZWQ=]0;owned\\[2J[31m31m0;xtxtx\ntwo\n"


def test_every_prompt_for_input_is_made_harmless() -> None:
    """`input` and `getpass` write past the streams: what they ask is fixed, or cleaned first."""
    folder = Path(siliconfriend.cli.__file__).parent
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("input", "getpass"):
                asked = ast.unparse(node.args[0]) if node.args else "''"
                is_fixed = not node.args or isinstance(node.args[0], ast.Constant)
                assert is_fixed or asked.startswith(("harmless(", "app.text('users.password_again"))
