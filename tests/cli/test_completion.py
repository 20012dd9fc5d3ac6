"""What the tab key gives: commands, names, ids and settings, and never an error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.shell_completion import BashComplete, ShellComplete, ZshComplete

from siliconfriend.cli.main import program
from siliconfriend.cli.options import VARIABLE
from tests.cli.conftest import Run, bank_of


def test_a_shell_gets_its_script(run: Run) -> None:
    """It calls the program by the variable that click looks at."""
    done = run("completion", "bash")
    assert (done.code, done.err) == (0, "")
    assert VARIABLE in done.out


def _completed(line: str, monkeypatch: pytest.MonkeyPatch, shell: type[ShellComplete]) -> str:
    """What a shell is told at the end of a line; a last word that ends in a space is whole."""
    words = line.split()
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(words) if line.endswith(" ") else len(words) - 1))
    return shell(program, {}, "siliconfriend", VARIABLE).complete()


@pytest.fixture
def two_people(run: Run, tmp_path: Path, bank: Path) -> None:
    """Ada and 林晓 are remembered."""
    run("import", str(bank))
    path = tmp_path / "cn.json"
    content = bank_of("林晓", ("2026-03-01", [("我养了一只猫。", "真好。")]))
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    run("import", str(path), "--lang", "cn")


@pytest.mark.usefixtures("two_people")
def test_ids_are_those_of_the_person_with_their_words_beside_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Zsh shows the words; without a person there is nobody's id to give."""
    shown = _completed("siliconfriend memories show --user 林晓 ", monkeypatch, ZshComplete)
    kind, identifier, hint = shown.splitlines()
    assert (kind, hint) == ("plain", "我养了一只猫。 真好。")
    assert identifier.startswith("turn-2026-03-01-0-")
    assert _completed("siliconfriend memories show ", monkeypatch, ZshComplete) == ""


def test_what_cannot_be_read_completes_to_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command itself will say why; the tab key says nothing and makes nothing."""
    assert _completed("siliconfriend chat --user ", monkeypatch, BashComplete) == ""
    assert not home.exists()
    home.mkdir()
    (home / "config.toml").write_text("language = = ", encoding="utf-8")
    assert _completed("siliconfriend chat --user ", monkeypatch, BashComplete) == ""
