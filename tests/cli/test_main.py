"""What all commands share: help, languages, wrong words, errors and their exit codes."""

import subprocess
import sys
from pathlib import Path

import click
import pytest

from siliconfriend.cli.main import program
from siliconfriend.errors import StoreError
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.file_store import FileStore
from tests.cli.conftest import ROOT, Run
from tests.memory.people import NORA, a_profile, a_turn
from tests.memory.stored import put

HEAVY = [
    "torch",
    "faiss",
    "gradio",
    "langchain_community",
    "openai",
    "numpy",
    "pandas",
    "rich",
    "pydantic",
]


@pytest.mark.parametrize(
    ("words", "begins"), [(["--help"], "Usage: siliconfriend"), (["users", "list"], "Nora (with")]
)
def test_a_start_loads_nothing_heavy(words: list[str], begins: str, tmp_path: Path) -> None:
    """Help, and who is remembered, need neither numpy nor pydantic: half of a start."""
    store = FileStore(tmp_path / "home")
    store.create(NORA, a_profile())
    put(store, NORA, PutTurn(a_turn("I planted peas.")))
    code = (
        "import sys, siliconfriend.cli.main as it\n"
        f"try: it.program.main(['--home', {str(tmp_path / 'home')!r}, *{words!r}])\n"
        "except SystemExit as done: assert not done.code\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(begins)
    assert done.stdout.splitlines()[-1] == "[]"


def test_help_speaks_chinese(process: Run) -> None:
    """Headings, options and the help option itself follow SILICONFRIEND_LANGUAGE."""
    done = process("users", "--help", SILICONFRIEND_LANGUAGE="zh")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].startswith("用法： siliconfriend users ")
    assert {"选项:", "  -h, --help  显示这一页。", "命令:"} <= set(lines)
    assert "  list      按名字列出记住的每一个人。" in lines
    wrong = process("users", "lst", SILICONFRIEND_LANGUAGE="zh").err.splitlines()
    assert wrong == [
        "没有 'lst' 这个命令。 是不是想写 'list'？",
        "请看：siliconfriend users --help",
    ]


def test_no_command_is_an_error_that_names_the_help(run: Run) -> None:
    """Without a command the words are wrong."""
    done = run()
    assert (done.code, done.out) == (2, "")
    assert done.err == "Missing command.\nSee: siliconfriend --help\n"
    assert "Did you mean 'siliconfriend --home … COMMAND'?" in run("chat", "--home", "x").err


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (KeyboardInterrupt(), 130, "Stopped. What"),
        (StoreError("nothing_said"), 4, "The message is"),
        (ZeroDivisionError("by 0"), 1, "An unexpected error occurred (ZeroDiv"),
    ],
)
def test_errors_have_their_exit_codes(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, told: str
) -> None:
    """An interruption is 130, an error of the tree its own code; a traceback only if asked for."""

    def fail() -> None:
        raise error

    monkeypatch.setitem(program.commands, "fail", click.Command("fail", callback=fail))
    done = run("fail")
    assert (done.code, done.out) == (code, "")
    assert done.err.lstrip().startswith(told)
    assert "Traceback" not in done.err
    assert ("Traceback" in run("--debug", "fail").err) == isinstance(error, Exception)


def test_a_reader_who_leaves_early_is_no_error_worth_telling(home: Path) -> None:
    """`siliconfriend config | head -1` says nothing about a broken pipe."""
    command = f"{sys.executable} -m siliconfriend config | head -1"
    done = subprocess.run(
        ["/bin/sh", "-c", command], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.stdout.split()[:3] == ["home", str(home), "environment"]
    assert done.stderr == ""


@pytest.mark.parametrize(("words", "code"), [("users delete Ada <&-", 2), ("doctor 2>&-", 0)])
def test_a_closed_stream_is_an_empty_one(words: str, code: int, home: Path) -> None:
    """A service manager may start a program without one."""
    command = f"SILICONFRIEND_EMBEDDING=none {sys.executable} -m siliconfriend {words}"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, cwd=ROOT, check=False)
    assert done.returncode == code


def test_a_shell_gets_its_script(process: Run) -> None:
    """It calls the program by the variable that click looks at."""
    done = process(_SILICONFRIEND_COMPLETE="bash_source")
    assert (done.code, done.err) == (0, "")
    assert "_SILICONFRIEND_COMPLETE" in done.out
