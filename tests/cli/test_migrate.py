"""`migrate` as a person and a script run it."""

from __future__ import annotations

from pathlib import Path

import pytest

from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from tests.cli.conftest import Run

ADA = Scope.of("Ada")


def _said(home: Path) -> list[str]:
    return [turn.query for turn in FileStore(home).load(ADA).turns()]


def test_everybody_moves_and_the_rest_is_said(
    run: Run, bank: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each record is counted, what stays is named, and the setting is not touched unasked."""
    run("import", str(bank))
    run("import", str(bank), "--companion", "Robin")
    there = home.with_name("there")
    monkeypatch.chdir(home.parent)
    done = run("migrate", "--to", "./there")
    assert done.code == 0
    assert done.out.startswith(f"Moved the memory of 1 person to {there}: ")
    assert ", each compared." in done.out
    assert "Nothing in" in done.err
    assert f"--home {there}" in done.err
    assert _said(there) == _said(home)
    assert run("--home", str(there), "export").json == run("export").json
    assert not (there / "config.toml").exists()


def test_a_script_reads_what_became_of_each(run: Run, bank: Path, home: Path) -> None:
    """The same numbers again at a second run, which says that it had moved before."""
    run("import", str(bank))
    there = home.with_name("there")
    first = run("migrate", "--to", f"file:{there}", "--json").json
    again = run("migrate", "--to", f"file://{there}", "--json").json
    (moved,) = first["moved"]
    assert moved.keys() == {"user", "companion", "records", "sha256", "moved_before"}
    assert (moved["user"], moved["moved_before"], first["failed"]) == ("Ada", False, [])
    assert again["moved"] == [moved | {"moved_before": True}]


def test_words_that_go_against_each_other(run: Run, bank: Path, home: Path) -> None:
    """No place, its own place, no data directory."""
    run("import", str(bank))
    assert run("migrate").code == 2
    assert run("migrate", "--to", "file").code == 2
    assert "already" in run("migrate", "--to", str(home)).err
    assert run("--home", str(home.with_name("none")), "migrate", "--to", str(home)).code == 3


def test_nobody_is_told_to_switch_to_a_place_where_somebody_is_missing(
    run: Run, bank: Path, home: Path
) -> None:
    """Another memory of the same person is there: nothing moved, and nothing says that it had."""
    run("import", str(bank))
    there = home.with_name("there")
    run("--home", str(there), "chat", "--user", "Ada", said="I am another.\n")
    done = run("migrate", "--to", str(there))
    assert done.code == 4
    assert "Not moved: 1 person, who go on in " in done.err
    assert "Programs still use the old place" not in done.err
    assert _said(there) == ["I am another."]
