"""Nothing that a terminal obeys reaches it, whoever said it and whichever command prints it."""

import ast
import json
import re
from io import BytesIO, TextIOWrapper
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import siliconfriend.cli
from siliconfriend.cli.terminal import HarmlessStream, harmless, harmless_json
from tests.cli.conftest import Run

STEERS = (
    "\x1b]52;c;b3duZWQ=\x07\x1b]0;owned\x1b\\\x1b[2J\x1b[31m\x9b31m\x9d0;x\x9c"
    "\u202etxt\u202c\u2066x\u2069\x08\x7f\x85\r"
)
"""OSC 52 and OSC 0, CSI in both forms, C1, overrides of direction, and a carriage return."""
ALL_WORDS = f"My cat Biscuit{STEERS} ran away."
ASKING = ("input", "getpass", "click.prompt", "click.confirm")
_STEERS = re.compile(
    b"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]"
)
"""As bytes of UTF-8, written apart from the program's own table."""

HOSTILE_RUNS = """
chat --user Ada --show-memories
nightly
nightly --user Ada{x}
import {bank}
import {bad}
export --user Ada --format native
backup {folder}/b{y}.zip
restore {bad} --yes
recall --user Ada Biscuit
recall --user Ada Biscuit --json
memories list --user Ada
memories list --user Ada --json
memories show --user Ada {id}
memories show --user Ada no{x}
memories erase --user Ada Biscuit --yes
users show Ada
companion show Wren
companion show Wren --json
companion import {bad} --name Card
config
config set no{x} 1
doctor
evaluate locomo --data {bad}
no{x}
--no{x}
--debug import {bad}
""".strip().splitlines()
"""Command lines; ``{x}`` stands for what steers a terminal, ``{y}`` for what a name may hold."""


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


def test_json_keeps_what_was_said(run: Run, places: dict[str, str]) -> None:
    """Read back it is to the letter what is stored: nothing is lost on the way."""
    listed = run("memories", "list", "--user", "Ada", "--json")
    assert ALL_WORDS in listed.json["memories"][0]["text"]
    assert _is_harmless(listed.out)


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


def test_every_prompt_for_input_is_made_harmless() -> None:
    """What asks writes past the streams: a question is fixed, or cleaned first."""
    folder = Path(siliconfriend.cli.__file__).parent
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ASKING:
                asked = ast.unparse(node.args[0]) if node.args else "''"
                is_fixed = not node.args or isinstance(node.args[0], ast.Constant)
                assert is_fixed or asked.startswith("harmless(")
