"""What the tab key gives: names and ids, and never an error."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.shell_completion import ShellComplete, ZshComplete

from siliconfriend.cli.main import program
from siliconfriend.cli.options import VARIABLE
from tests.cli.conftest import Run


def _completed(line: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What zsh is told at the end of a line whose last word is whole."""
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split())))
    shell: ShellComplete = ZshComplete(program, {}, "siliconfriend", VARIABLE)
    return shell.complete().splitlines()


def test_a_shell_gets_its_script(run: Run) -> None:
    """It calls the program by the variable that click looks at."""
    done = run("completion", "bash")
    assert (done.code, done.err) == (0, "")
    assert VARIABLE in done.out


def test_ids_are_those_of_the_person_with_their_words_beside_them(
    run: Run, bank: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a person there is nobody's id to give."""
    run("import", str(bank))
    shown = _completed("siliconfriend memories show --user Ada ", monkeypatch)
    assert shown[1].startswith("turn-2026-03-02-0-")
    assert shown[2] == "My cat Biscuit ran away. I am sorry. How long is she gone?"
    assert _completed("siliconfriend memories show ", monkeypatch) == []
    assert "Ada" in _completed("siliconfriend chat --user ", monkeypatch)


def test_what_cannot_be_read_completes_to_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command itself will say why; the tab key says nothing and makes nothing."""
    assert _completed("siliconfriend chat --user ", monkeypatch) == []
    assert not home.exists()
    home.mkdir()
    (home / "config.toml").write_text("language = = ", encoding="utf-8")
    assert _completed("siliconfriend chat --user ", monkeypatch) == []
