"""Words that cannot be parsed: told in the user's language, with what was most likely meant."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from siliconfriend.cli.localized_click import find_home_flag
from tests.cli.conftest import ROOT, Run

ONE_PROCESS = """
import json, sys
from click.testing import CliRunner
from siliconfriend.cli.main import program
lines = json.loads(sys.stdin.read())
results = [CliRunner().invoke(program, words) for words in lines]
print(json.dumps([[it.exit_code, it.stdout, it.stderr] for it in results]))
"""
BOTH = {
    ("recal",): (
        "There is no command 'recal'. Did you mean recall? See: siliconfriend --help",
        "没有 'recal' 这个命令。是不是想用 recall？请看：siliconfriend --help",
    ),
    ("chat", "--usr", "x"): (
        "There is no option --usr. Did you mean --user? See: siliconfriend chat --help",
        "没有 --usr 这个选项。是不是想用 --user？请看：siliconfriend chat --help",
    ),
    ("recall",): (
        "QUESTION is missing. See: siliconfriend recall --help",
        "缺少 QUESTION。请看：siliconfriend recall --help",
    ),
    ("chat", "--user"): (
        "--user needs a value. See: siliconfriend chat --help",
        "--user 后面要写一个值。请看：siliconfriend chat --help",
    ),
    **{
        ("--now", given, "users", "list"): (
            (
                f"{given} is no moment. Write it like 2023-05-07T09:00,"
                " or with an offset, 2023-05-07T09:00+08:00."
            ),
            f"{given} 不是一个时刻。请写成 2023-05-07T09:00，或带上时差：2023-05-07T09:00+08:00。",
        )
        for given in ("noonish", "0001-01-01T00:00+14:00")
    },
    ("recall", "where?"): (
        "Whose memory is it? Name the person with --user or SILICONFRIEND_USER.",
        "是谁的记忆？请用 --user 或 SILICONFRIEND_USER 写明名字。",
    ),
}
CHINESE = {
    **{words: chinese for words, (_, chinese) in BOTH.items()},
    ("chta",): "没有 'chta' 这个命令。是不是想用 chat？请看：siliconfriend --help",
    ("erase",): "没有 'erase' 这个命令。是不是想用 memories erase？请看：siliconfriend --help",
    ("lists",): "没有 'lists' 这个命令。请看：siliconfriend --help",
    ("export", "--format", "foo"): (
        "--format 不能是这个值：foo 不在 memorybank、native、markdown 之中。请看：siliconfriend export --help"
    ),
    ("recall", "x", "--top", "many"): (
        "--top 不能是这个值：many 不是 1 或更大的整数。请看：siliconfriend recall --help"
    ),
    ("web", "--port", "70000"): (
        "--port 不能是这个值：70000 不是 0 到 65535 之间的整数。请看：siliconfriend web --help"
    ),
    ("users", "list", "all", "of"): (
        "这几个词在这里没有用处：all of。请看：siliconfriend users list --help"
    ),
    ("users", "list", "--json=yes"): "--json 后面不写值。请看：siliconfriend users list --help",
    ("import", "nowhere.json"): "打不开 nowhere.json（没有这个文件或文件夹）。什么都没有改动。",
}


def _run_in_one_process(lines: list[list[str]], **environ: str) -> list[list[object]]:
    """Run command lines in one process that was started in another language."""
    own = {name: value for name, value in os.environ.items() if name != "SILICONFRIEND_LANGUAGE"}
    done = subprocess.run(
        [sys.executable, "-c", ONE_PROCESS],
        input=json.dumps(lines),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=own | environ,
        check=True,
    )
    return list(json.loads(done.stdout))


def test_wrong_words_are_told_plainly(run: Run) -> None:
    """Exit code 2, nothing on standard output, one sentence and where to look."""
    for words, (english, _) in BOTH.items():
        done = run(*words)
        assert (done.code, done.out, done.err) == (2, "", english + "\n")


@pytest.mark.slow
def test_in_chinese_no_english_sentence_is_left() -> None:
    """Whatever was wrong with the words: its Chinese sentence, exit code 2, no other output."""
    ran = _run_in_one_process([list(words) for words in CHINESE], SILICONFRIEND_LANGUAGE="cn")
    for sentence, outcome in zip(CHINESE.values(), ran, strict=True):
        assert outcome == [2, "", f"{sentence}\n"]


@pytest.mark.slow
def test_help_is_in_the_language_of_the_setting_or_else_of_the_machine(tmp_path: Path) -> None:
    """LC_ALL wins over LC_MESSAGES and that over LANG; a setting wins over all of them."""
    (tmp_path / "config.toml").write_text('language = "en"\n', encoding="utf-8")
    chinese, english = "用法：", "Usage:"
    for environ, expected in (
        ({"LC_ALL": "", "LANG": "zh_CN.UTF-8"}, chinese),
        ({"LC_ALL": "", "LC_MESSAGES": "zh_TW", "LANG": "en_GB.UTF-8"}, chinese),
        ({"LC_ALL": "en_GB.UTF-8", "LANG": "zh_CN.UTF-8"}, english),
        ({"LC_ALL": "zh_CN.UTF-8", "SILICONFRIEND_HOME": str(tmp_path)}, english),
    ):
        ((code, out, _),) = _run_in_one_process([["chat", "-h"]], **environ)
        assert (code, str(out).split()[0]) == (0, expected), environ


def test_the_home_of_a_command_line_is_known_before_it_is_parsed() -> None:
    """Its settings may name the language of the help that the same line asks for."""
    assert find_home_flag(["--home", "/a", "chat"]) == "/a"
    assert find_home_flag(["--debug", "--home=/b", "chat"]) == "/b"
    assert find_home_flag(["chat", "--home"]) is None
    assert find_home_flag([]) is None


def test_a_mistyped_command_or_option_names_the_one_that_was_meant(run: Run) -> None:
    """In a group too, and the command of a group where only its last word was given."""
    for words, meant in (
        (["chta"], "chat"),
        (["memories", "lsit"], "list"),
        (["users", "lst"], "list"),
        (["pin"], "memories pin"),
        (["recall", "x", "--usre", "Ada"], "--user"),
    ):
        done = run(*words)
        assert done.code == 2
        assert f"Did you mean {meant}?" in done.err, words


def test_every_command_has_the_short_way_to_its_help(run: Run) -> None:
    """`-h` is `--help`, at the top and below."""
    for words in ([], ["chat"], ["memories", "list"], ["companion", "lore", "add"]):
        assert run(*words, "-h").out == run(*words, "--help").out
        assert re.search(r"^  -h, --help +Show this page\.$", run(*words, "-h").out, re.MULTILINE)
