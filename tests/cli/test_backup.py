"""`backup` and `restore` as a person and a script run them."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run


def test_there_and_back(run: Run, bank: Path, tmp_path: Path) -> None:
    """What was backed up is there again after it was erased; not unasked over what is there."""
    run("import", str(bank))
    run("config", "set", "openai_api_key", "sk-1")
    file = tmp_path / "all.tar.gz"
    done = run("backup", str(file))
    assert done.code == 0
    assert done.out.startswith("Wrote the memory of 1 person (")
    assert "keys of services are not in" in done.err
    refused = run("restore", str(file), "--json")
    assert (refused.code, refused.out) == (2, "")
    assert "--yes" in refused.err
    before = run("export").json
    run("users", "delete", "Ada", "--yes")
    done = run("restore", str(file), "--yes")
    assert done.code == 0
    assert done.out.startswith("Restored the memory of 1 person, as it was on 2026-03-14")
    assert run("export").json == before


def test_as_json_and_compared_with_its_hashes(run: Run, bank: Path, tmp_path: Path) -> None:
    """The counts of each; a file that is none is refused."""
    run("import", str(bank))
    file = tmp_path / "all.tar.gz"
    made = run("backup", str(file), "--json").json
    assert made.keys() == {"file", "memories", "files", "damaged", "missing"}
    assert run("backup", str(file), "--verify").out.startswith(f"{file} is whole: ")
    assert run("backup", str(file), "--verify", "--json").json["files"] == made["files"]
    done = run("--home", str(tmp_path / "new"), "restore", str(file), "--json")
    assert (done.code, done.json["memories"], done.json["files"]) == (0, 1, made["files"])
    assert run("backup", str(bank), "--verify").code == 2
