"""An erasing, a deletion or a restore that was stopped, as the next commands show it."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.disk import Disk

DELETE = ("users", "delete", "Ada", "--yes")


def _stopped(run: Run, home: Path, words: Sequence[str], before_end: int) -> None:
    """Run a command and stop it some steps before its end."""
    saved = home.with_name("saved")
    shutil.copytree(home, saved)
    counting = Disk(home)
    with counting.watched():
        run(*words)
    shutil.rmtree(home)
    saved.rename(home)
    disk = Disk(home)
    disk.stop_at = counting.steps - before_end
    with disk.watched():
        run(*words)
    assert list((home / "jobs").glob("*.json"))


def _erase(run: Run) -> list[str]:
    rows = run("memories", "list", "--user", "Ada", "--json").json["memories"]
    return ["memories", "erase", rows[0]["id"], "--yes", "--user", "Ada"]


@pytest.mark.parametrize("before_end", [3, 30])
def test_the_same_command_finishes_an_erasing(
    run: Run, bank: Path, home: Path, before_end: int
) -> None:
    """Behind the tombstone or before it: it ends with its proof, never with "no such memory"."""
    run("import", str(bank))
    words = _erase(run)
    _stopped(run, home, words, before_end)
    done = run(*words, "--json")
    assert (done.code, done.json["left"], done.json["erased"]) == (0, 0, [words[2]])
    assert "An erasing of Ada's that had been stopped is finished now: 0 left." in done.err
    assert list((home / "jobs").glob("*.json")) == []
    assert run(*words).code == 2


@pytest.mark.parametrize("before_end", [3, 9])
def test_the_same_command_finishes_a_deletion(
    run: Run, bank: Path, home: Path, before_end: int
) -> None:
    """Exit 0 with the proof, also where the person is not there any more."""
    run("import", str(bank))
    _stopped(run, home, DELETE, before_end)
    done = run(*DELETE, "--json")
    assert (done.code, done.json["left"]) == (0, 0)
    assert run(*DELETE).code == 2


@pytest.mark.parametrize("command", [("nightly",), ("doctor",), ("users", "list")])
def test_whatever_comes_next_finishes_it(
    run: Run, bank: Path, home: Path, command: Sequence[str]
) -> None:
    """The night, the check, any start; told once, and then it is over."""
    run("import", str(bank))
    _stopped(run, home, DELETE, 3)
    assert "The deletion of Ada that had been stopped is finished now: 0 left." in run(*command).err
    assert run(*command).err.count("finished now") == 0


def test_what_cannot_be_finished_is_shown(run: Run, bank: Path, home: Path) -> None:
    """By every start, and by the check as a fault, until the words are gone; both languages."""
    run("import", str(bank))
    words = _erase(run)
    shown = run("memories", "show", words[2], "--user", "Ada", "--json").json["memory"]["text"]
    (home / "diary.txt").write_text(shown, encoding="utf-8")
    assert run(*words).code == 4
    done = run("doctor")
    line = f"Not finished: words that were erased of Ada still stand in {home / 'diary.txt'}"
    assert (done.code, f"FAULT unfinished: {line}" in done.out, line in done.err) == (4, True, True)
    run("config", "set", "language", "cn")
    assert (
        f"还没有完成：从Ada的记忆里抹去的话还在 {home / 'diary.txt'} 里" in run("users", "list").err
    )
    (home / "diary.txt").unlink()
    assert run("doctor").code == 0


def test_a_restore_of_an_earlier_version_that_was_stopped_is_shown(
    run: Run, bank: Path, home: Path
) -> None:
    """Nothing takes it up, and nothing of it is thrown away."""
    run("import", str(bank))
    old = home / ".siliconfriend-ab12cd34" / "old"
    old.mkdir(parents=True)
    (old / "people").mkdir()
    done = run("doctor")
    assert done.code == 4
    assert f"the memories from before it lie in {old.parent}, under old" in done.out
    assert (old / "people").is_dir()
