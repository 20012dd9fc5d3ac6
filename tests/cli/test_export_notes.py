"""`export --format markdown`: a folder of notes, and what to do where it cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run


def test_notes_of_one_person_or_a_folder_each(run: Run, bank: Path, tmp_path: Path) -> None:
    """Named, the folder is the vault itself; else everyone has a folder in it."""
    run("import", str(bank))
    run("chat", "--user", "小明", "--lang", "cn", said="我去了石埠镇。\n")
    out = tmp_path / "ada"
    done = run("export", "--user", "Ada", "--format", "markdown", "--out", str(out))
    assert (done.code, done.out) == (0, "")
    assert done.err == f"Ada: 3 notes in {out}\n"
    assert "> My cat Biscuit ran away." in (out / "days" / "2026-03-02.md").read_text("utf-8")
    everyone = run("export", "--format", "markdown", "--out", str(tmp_path / "all"))
    assert everyone.code == 0
    days = sorted(
        it.relative_to(tmp_path / "all").parts[1:] for it in tmp_path.glob("all/*/*/*-*.md")
    )
    assert days == [("days", "2026-03-02.md"), ("days", "2026-03-10.md"), ("日子", "2026-03-14.md")]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--format", "markdown"), "name a folder for them"),
        (("--out", "x.md"), "--format markdown --out FOLDER"),
        (("--format", "markdown", "--out", "{strange}"), "no notes of this program"),
        (("--user", "Nobody", "--format", "markdown", "--out", "y"), "Nobody"),
    ],
)
def test_what_cannot_be_written_is_said(
    run: Run, bank: Path, tmp_path: Path, words: tuple[str, ...], sentence: str
) -> None:
    """Exit 2 and what to do; nothing is written."""
    run("import", str(bank))
    strange = tmp_path / "strange"
    strange.mkdir()
    (strange / "thesis.txt").write_text("mine")
    user = () if "--user" in words else ("--user", "Ada")
    done = run("export", *user, *(it.format(strange=strange) for it in words))
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert [it.name for it in strange.iterdir()] == ["thesis.txt"]


def test_a_folder_that_cannot_be_written(run: Run, bank: Path, tmp_path: Path) -> None:
    """Exit 3, as for any file."""
    run("import", str(bank))
    (tmp_path / "file").write_text("")
    out = str(tmp_path / "file" / "below")
    done = run("export", "--user", "Ada", "--format", "markdown", "--out", out)
    assert done.code == 3
    assert "cannot be written" in done.err
