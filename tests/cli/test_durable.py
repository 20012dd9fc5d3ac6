"""What a command says is done is still there after a power cut a moment later."""

from __future__ import annotations

from pathlib import Path

import pytest

from siliconfriend.memory.backup_file import verify_backup
from tests.cli.conftest import Run
from tests.disk import Disk


def _cut(run: Run, root: Path, *words: str, said: str | None = None) -> None:
    """Run a command, and cut the power when it is done."""
    disk = Disk(root)
    disk.flush_all()
    with disk.watched():
        done = run(*words, said=said)
    assert done.code == 0, done.err
    assert disk.unflushed_folders() == set()
    disk.cut_power()


def test_a_setting_in_a_new_data_directory(run: Run, tmp_path: Path) -> None:
    """The file, and every folder above it that was made for it."""
    home = tmp_path / "a" / "b"
    _cut(run, tmp_path, "--home", str(home), "config", "set", "language", "cn")
    assert "cn" in (home / "config.toml").read_text(encoding="utf-8")


def test_people_that_were_imported_into_a_new_data_directory(
    run: Run, tmp_path: Path, bank: Path
) -> None:
    """With their folders, and the directory itself."""
    home = tmp_path / "a" / "b"
    _cut(run, tmp_path, "--home", str(home), "import", str(bank))
    assert run("--home", str(home), "users", "show", "Ada", "--json").json["turns"] == 3


def test_what_was_said_in_a_new_data_directory(run: Run, tmp_path: Path) -> None:
    """The first words to a new home."""
    home = tmp_path / "a" / "b"
    words = ("--home", str(home), "chat", "--user", "Nora")
    _cut(run, tmp_path, *words, said="I planted peas.\n/quit\n")
    kept = run("--home", str(home), "memories", "list", "--user", "Nora", "--json").json
    assert "I planted peas." in kept["memories"][0]["text"]


@pytest.mark.parametrize("place", ["", "kept"])
def test_a_backup(run: Run, tmp_path: Path, home: Path, bank: Path, place: str) -> None:
    """Beside other files or in a folder of its own, in the data directory."""
    run("import", str(bank))
    (home / place).mkdir(exist_ok=True)
    file = home / place / "all.tar.gz"
    _cut(run, tmp_path, "backup", str(file))
    assert verify_backup(file).files > 0


@pytest.mark.parametrize(
    "words",
    [
        ("export", "--user", "Ada", "--out"),
        ("export", "--format", "native", "--out"),
    ],
)
def test_an_export(run: Run, tmp_path: Path, bank: Path, words: tuple[str, ...]) -> None:
    """As a file that can be read in again."""
    run("import", str(bank))
    _cut(run, tmp_path, *words, str(tmp_path / "out.json"))
    again = run("--home", str(tmp_path / "other"), "import", str(tmp_path / "out.json"))
    assert again.code == 0


def test_backups_in_the_data_directory_are_not_in_the_next(
    run: Run, home: Path, bank: Path
) -> None:
    """Else each would be twice as large as the one before, under whatever name."""
    run("import", str(bank))
    names = ("one.tar.gz", "two.tar.gz", "no-ending", "people.json")
    sizes: list[int] = []
    for name in names:
        assert run("backup", str(home / name)).code == 0
        sizes.append(verify_backup(home / name).files)
    assert len(set(sizes)) == 1
