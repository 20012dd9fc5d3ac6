"""`doctor --repair`: what is left is put in place, what was damaged is kept, both are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.fixture
def folder(run: Run, bank: Path, home: Path) -> Path:
    """The folder of a person with three turns, folded, and one behind."""
    run("import", str(bank))
    (folder,) = (home / "people").iterdir()
    run("chat", "--user", "Ada", said="The peas are in.\n/quit\n")
    assert b"The peas are in." in (folder / "journal.jsonl").read_bytes()
    return folder


def test_nothing_to_repair(run: Run, folder: Path) -> None:
    """What is whole is left alone, and every check runs."""
    done = run("doctor", "--repair")
    assert (done.code, done.out.splitlines()[0]) == (0, "No memory is damaged.")
    assert run("doctor", "--repair", "--json").json["repaired"] == []
    assert not (folder / "damaged").exists()


def test_a_lost_journal_is_refused_then_repaired(run: Run, folder: Path, home: Path) -> None:
    """Refused with what is lost and safe; the repair says the same and names the backup."""
    run("backup", str(home / "all.tar.gz"))
    (folder / "journal.jsonl").unlink()
    for command in ("recall", "memories"):
        words = ["peas"] if command == "recall" else ["list"]
        refused = run(command, *words, "--user", "Ada")
        assert refused.code == 4
        assert "(journal.jsonl)" in refused.err
        assert "doctor --repair" in refused.err
    done = run("doctor", "--repair")
    assert done.code == 0
    first, backup = done.out.splitlines()[:2]
    assert first.startswith("The memory of Ada was damaged (journal.jsonl) and is put right as far")
    assert "3 turns are there" in first
    assert first.endswith("of the changes are lost.")
    assert str(home / "all.tar.gz") in backup
    assert run("recall", "peas", "--user", "Ada").code == 0


def test_a_damaged_line_is_kept(run: Run, folder: Path) -> None:
    """In JSON: what was saved, how much was not, and where the damaged file lies."""
    journal = folder / "journal.jsonl"
    damaged = journal.read_bytes().replace(b"The peas are in.", b"The bees are in.")
    journal.write_bytes(damaged)
    assert run("doctor").code == 4
    done = run("doctor", "--repair", "--json")
    assert (done.code, done.json["ok"]) == (0, True)
    (repaired,) = done.json["repaired"]
    (kept,) = repaired.pop("kept")
    assert Path(kept).read_bytes() == damaged
    assert repaired.pop("until") is not None
    assert repaired == {
        "user": "Ada",
        "companion": "default",
        "folder": f"people/{folder.name}",
        "status": "partly",
        "lost": 2,  # the message, and with its reply
        "doubtful": False,
        "turns": 3,
        "damaged": ["journal.jsonl"],
        "backups": [],
    }


def test_what_cannot_be_repaired_is_named_with_its_backups(
    run: Run, folder: Path, home: Path
) -> None:
    """Nothing is changed, and somewhere else the memory can be looked at."""
    (home / "kept").mkdir()
    run("backup", str(home / "kept" / "all.tar.gz"))
    for path in folder.rglob("memory*.json"):
        path.write_bytes(b"{")
    for path in folder.glob("backup/journal*"):
        path.unlink()
    done = run("doctor", "--repair")
    assert done.code == 4
    assert done.out.startswith("The memory of Ada is damaged and no copy of it")
    assert str(home / "kept" / "all.tar.gz") in done.out
    assert (folder / "memory.json").read_bytes() == b"{"
    restored = run("--home", str(home / "beside"), "restore", str(home / "kept" / "all.tar.gz"))
    assert restored.code == 0


def test_a_folder_of_nobody_knows_whom_is_named_too(run: Run, folder: Path, home: Path) -> None:
    """With the backup in which it can be read."""
    run("backup", str(home / "all.tar.gz"))
    for path in folder.rglob("*.json*"):
        path.write_bytes(b"{")
    done = run("doctor", "--repair", "--json")
    assert done.code == 4
    (found,) = done.json["repaired"]
    assert (found["user"], found["folder"]) == (None, f"people/{folder.name}")
    assert [it["file"] for it in found["backups"]] == [str(home / "all.tar.gz")]


def test_in_chinese(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the language of the settings."""
    monkeypatch.setenv("SILICONFRIEND_LANGUAGE", "cn")
    (folder / "journal.jsonl").write_bytes(b"")
    first = run("doctor", "--repair").out.splitlines()[0]
    assert first.startswith("Ada 的记忆有损坏（journal.jsonl），读得出来的部分已修好：3 轮对话")
    assert first.endswith("处改动丢了。")
