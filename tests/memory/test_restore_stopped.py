"""A restore that is stopped or fails, and what a backup leaves out; ``test_crashes.py`` cuts the power behind each step."""

import errno
import os
from pathlib import Path

import pytest

from siliconfriend.clock import FixedClock
from siliconfriend.config import Settings
from siliconfriend.errors import StoreError
from siliconfriend.memory.atomic import EXCHANGE, OWNER, PREFIX
from siliconfriend.memory.atomic import NEW as NEW_FILES
from siliconfriend.memory.backup import back_up, restore
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.scope import Scope
from siliconfriend.runtime import Runtime
from tests.memory.people import NORA, NOW, a_profile, a_turn
from tests.memory.stored import put

OLD = ["I planted peas."]
NEW = ["It rained."]
OTTO = Scope.of("Otto")


@pytest.fixture
def file(home: Path, tmp_path: Path) -> Path:
    """A backup in which it rained; in the home by now peas were planted and Otto is known."""
    store, file = FileStore(home), tmp_path / "backup.zip"
    store.create(NORA, a_profile())
    put(store, NORA, PutTurn(a_turn(NEW[0])))
    back_up(home, file, now=NOW)
    store.delete(NORA)
    for scope in (NORA, OTTO):
        store.create(scope, a_profile(scope))
        put(store, scope, PutTurn(a_turn(OLD[0], scope=scope)))
    (home / "mynotes.txt").write_text("mine", encoding="utf-8")
    (home / "companions").mkdir()
    (home / "companions" / "notes").write_text("theirs", encoding="utf-8")
    return file


def _said(home: Path) -> tuple[list[str], list[str]]:
    """Who is known, and what Nora said, as a program that starts now reads it."""
    store = FileStore(home)
    people = [scope.person for scope in store.scopes()]
    return people, [turn.query for turn in store.load(NORA).turns()]


def _leftovers(home: Path) -> list[str]:
    return [path.name for path in home.rglob(f"{PREFIX}*")]


def test_what_a_killed_restore_had_unpacked_goes_at_the_next_start(home: Path, file: Path) -> None:
    unpacked = home / EXCHANGE / NEW_FILES
    unpacked.mkdir(parents=True)
    (home / EXCHANGE / OWNER).touch()
    (unpacked / "words.txt").write_text("It rained.")
    Runtime(Settings(home=home), FixedClock(NOW)).resume_erasures()
    assert _leftovers(home) == []


def test_a_move_that_fails_is_taken_back(
    home: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename, failures = os.rename, iter([True])

    def broken(source: Path, target: Path) -> None:
        if Path(target) == home / "people" and next(failures, False):
            raise OSError(errno.EIO, "Input/output error")
        rename(source, target)

    monkeypatch.setattr(os, "rename", broken)
    with pytest.raises(StoreError, match="Input/output error"):
        restore(file, home, replace=True)
    monkeypatch.undo()
    assert (_said(home), _leftovers(home)) == ((["Nora", "Otto"], OLD), [])


def test_one_memory_that_cannot_be_opened_costs_nobody_else_their_copy(
    home: Path, file: Path, tmp_path: Path
) -> None:
    store = FileStore(home)
    path = store.folder(OTTO) / "memory.sqlite"
    path.unlink()
    path.mkdir()
    done = back_up(home, file, now=NOW)
    folder = store.folder(OTTO).relative_to(home).as_posix()
    assert (done.missing, done.damaged, done.people) == ((folder,), (), 1)
    restore(file, tmp_path / "other")
    assert _said(tmp_path / "other") == (["Nora"], OLD)
