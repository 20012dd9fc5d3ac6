"""`migrate` as a person and a script run it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import pytest

from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.folder import Folder
from siliconfriend.memory.jobs import JobFiles
from siliconfriend.memory.scope import Scope
from siliconfriend.runtime import Runtime
from tests.cli.conftest import Run
from tests.memory.people import a_turn
from tests.memory.stored import put

migrate = import_module("siliconfriend.cli.migrate")
ADA = Scope.of("Ada")


def _said(home: Path) -> list[str]:
    return [turn.query for turn in FileStore(home).load(ADA).turns()]


def test_everybody_moves_and_the_rest_is_said(run: Run, bank: Path, home: Path) -> None:
    """Each record is counted, what stays is named, and the setting is not touched unasked."""
    run("import", str(bank))
    run("import", str(bank), "--companion", "Robin")
    there = home.with_name("there")
    done = run("migrate", "--to", str(there))
    assert done.code == 0
    assert done.out.startswith(f"Moved the memory of 1 person to {there}: ")
    assert "each read back from there and equal" in done.out
    assert "Nothing in" in done.err
    assert "search index is not moved" in done.err
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
    assert moved.keys() == {"user", "companion", "records", "sequence", "sha256", "moved_before"}
    assert (moved["user"], moved["moved_before"], first["failed"]) == ("Ada", False, [])
    assert again["moved"] == [moved | {"moved_before": True}]


def test_a_dry_run_writes_nothing(run: Run, bank: Path, home: Path) -> None:
    """What would move is counted, and the other place is not made."""
    run("import", str(bank))
    there = home.with_name("there")
    done = run("migrate", "--to", str(there), "--dry-run")
    assert done.out.startswith("Would move the memory of 1 person")
    assert not (there / "people").exists()
    assert FileStore(home).move_note(ADA) is None


def test_only_who_is_named_moves(run: Run, bank: Path, home: Path) -> None:
    """Others stay open where they are; a name of nobody is refused."""
    run("import", str(bank))
    put_wren = FileStore(home)
    put_wren.create(Scope.of("Wren"), put_wren.load(ADA).profile)
    there = home.with_name("there")
    assert run("migrate", "--to", str(there), "--user", "Wren").code == 0
    assert FileStore(there).scopes() == [Scope.of("Wren")]
    assert FileStore(home).move_note(ADA) is None
    assert run("migrate", "--to", str(there), "--user", "Nobody").code == 2


def test_one_that_cannot_move_is_named_and_the_exit_code_is_4(
    run: Run, bank: Path, home: Path
) -> None:
    """Somebody else of that name at the other place: nothing there is written over."""
    run("import", str(bank))
    there = home.with_name("there")
    FileStore(there).create(ADA, FileStore(home).load(ADA).profile)
    done = run("migrate", "--to", str(there), "--json")
    assert done.code == 4
    assert done.json["moved"] == []
    assert done.json["failed"][0]["user"] == "Ada"
    assert "Something else is kept" in done.err
    assert "Not moved: the memory of 1 person" in done.err
    assert _said(there) == []


@pytest.mark.parametrize("to", ["pg", "mysql://host/db", "", "file:"])
def test_a_place_that_is_none(run: Run, bank: Path, to: str) -> None:
    """Exit 2, and nothing was moved."""
    run("import", str(bank))
    done = run("migrate", "--to", to)
    assert (done.code, done.out) == (2, "")
    assert "Nothing was moved" in done.err


def test_words_that_go_against_each_other(run: Run, bank: Path, home: Path) -> None:
    """No place, its own place, --reopen with a place, --switch with another data directory."""
    run("import", str(bank))
    assert run("migrate").code == 2
    assert run("migrate", "--to", "file").code == 2
    assert "already" in run("migrate", "--to", str(home)).err
    assert run("migrate", "--to", "file", "--reopen").code == 2
    assert run("migrate", "--to", str(home.with_name("there")), "--switch").code == 2
    assert run("--home", str(home.with_name("none")), "migrate", "--to", str(home)).code == 3


def test_after_the_move_the_old_place_says_where_it_went(run: Run, bank: Path, home: Path) -> None:
    """Whoever talks there is told, in a sentence, and nothing is kept of it."""
    run("import", str(bank))
    there = home.with_name("there")
    run("migrate", "--to", str(there))
    refused = run("chat", "--user", "Ada", said="Hello again\n")
    assert f"has moved to {there}" in refused.err
    assert "Hello again" not in _said(home)
    assert run("--home", str(there), "chat", "--user", "Ada", said="Hello\n").code == 0


def test_what_was_left_can_be_opened_again(run: Run, bank: Path, home: Path) -> None:
    """Only when somebody says yes; the copy elsewhere is another memory from then on."""
    run("import", str(bank))
    there = home.with_name("there")
    run("migrate", "--to", str(there))
    assert run("migrate", "--reopen").code == 2
    done = run("migrate", "--reopen", "--yes")
    assert (done.code, done.out) == (0, "Open here again: the memory of 1 person.\n")
    put(FileStore(home), ADA, PutTurn(a_turn(scope=ADA, position=9)))
    assert "Something else is kept" in run("migrate", "--to", str(there)).err
    assert run("migrate", "--reopen", "--json").json == {"reopened": []}


def test_an_old_copy_can_be_deleted(run: Run, bank: Path, home: Path) -> None:
    """`users delete` at the old place removes it there and nowhere else."""
    run("import", str(bank))
    there = home.with_name("there")
    run("migrate", "--to", str(there))
    assert run("users", "delete", "Ada", "--yes").code == 0
    assert FileStore(home).scopes() == []
    assert _said(there)


def test_nothing_moves_while_an_erasing_is_not_finished(
    run: Run, bank: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is to go must not be carried to another place."""
    monkeypatch.setattr(Runtime, "take_up_erasures", lambda _self: [])
    run("import", str(bank))
    JobFiles(home).begin("erase", {"person": "Ada"})
    done = run("migrate", "--to", str(home.with_name("there")))
    assert done.code == 4
    assert "not finished" in done.err
    assert not home.with_name("there").exists()


def test_the_bar_names_who_is_copied_and_handed_over(
    run: Run, bank: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both passes, with how many of how many are done."""
    run("import", str(bank))
    run("import", str(bank), "--companion", "Robin")
    shown: list[tuple[str, int, int]] = []

    @contextmanager
    def bar() -> Iterator[Callable[[str, int, int], None]]:
        yield lambda what, done, total: shown.append((what, done, total))

    monkeypatch.setattr(migrate, "progress_bar", bar)
    run("migrate", "--to", str(home.with_name("there")))
    steps = ("Copying Ada", "Handing over Ada")
    assert shown == [(what, done, 2) for what in steps for done in (0, 1)]


@pytest.mark.parametrize("keeps_name", [True, False], ids=["whose", "nobody's"])
def test_a_damaged_memory_stays_and_the_others_move(
    run: Run, bank: Path, home: Path, keeps_name: bool
) -> None:
    """Its fault is told as `doctor` would, also where nobody knows any more whose it was."""
    run("import", str(bank))
    wren = Scope.of("Wren")
    FileStore(home).create(wren, FileStore(home).load(ADA).profile)
    files = Folder(home, wren)
    head = files.journal.read_bytes().splitlines(keepends=True)[0]
    files.memory.write_bytes(b"{}")
    files.journal.write_bytes(head + b"{}\n" if keeps_name else b"{}")
    done = run("migrate", "--to", str(home.with_name("there")), "--json")
    assert done.code == 4
    assert [it["user"] for it in done.json["moved"]] == ["Ada"]
    assert [it["user"] for it in done.json["failed"]] == (["Wren"] if keeps_name else [])
    assert done.json["unreadable"] == ([] if keeps_name else [files.path.name])
    assert ("Wren" if keeps_name else f"people/{files.path.name}") in done.err
    assert FileStore(home).move_note(wren) is None
    assert not FileStore(home.with_name("there")).exists(wren)
