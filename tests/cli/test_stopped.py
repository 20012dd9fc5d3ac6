"""An erasing, a deletion or a restore that was stopped, as the next commands show it."""

from __future__ import annotations

from pathlib import Path

import pytest

from siliconfriend.control.erasure import erase
from siliconfriend.installation.installation import installation_in
from tests.cli.conftest import Run

DELETE = ("users", "delete", "Ada", "--yes")


def _stopped(run: Run, home: Path, *words: str) -> None:
    """Run a command that a failing disk stops behind the loss of the memory."""

    def failing(*_: object, **__: object) -> None:
        raise OSError(5, "Input/output error")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(erase, "replace_backups", failing)
        assert run(*words).code == 4
    assert installation_in(home).jobs.unfinished()


def test_the_same_command_finishes_an_erasing(run: Run, bank: Path, home: Path) -> None:
    """It ends with its proof, never with "no such memory"."""
    run("import", str(bank))
    rows = run("memories", "list", "--user", "Ada", "--json").json["memories"]
    words = ("memories", "erase", rows[0]["id"], "--yes", "--user", "Ada")
    _stopped(run, home, *words)
    done = run(*words, "--json")
    assert (done.code, done.json["left"], done.json["erased"]) == (0, 0, [words[2]])
    assert "An erasing of Ada's that had been stopped is finished now: 0 left." in done.err
    assert installation_in(home).jobs.unfinished() == []
    assert run(*words).code == 2


def test_the_same_command_finishes_a_deletion(run: Run, bank: Path, home: Path) -> None:
    """Exit 0 with the proof, also where the person is not there any more."""
    run("import", str(bank))
    _stopped(run, home, *DELETE)
    done = run(*DELETE, "--json")
    assert (done.code, done.json["left"]) == (0, 0)
    assert run(*DELETE).code == 2
