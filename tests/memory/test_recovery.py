"""A damaged file is never read as an empty one, and never costs more than itself."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from siliconfriend.errors import DamagedMemory
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.folder import Folder
from tests.memory.people import NORA, a_profile, a_turn
from tests.memory.stored import put, say

DAMAGE = [b"", b"{", b"null", b"[]", b"\x00" * 200, b'{"format": "siliconfriend-memory"}']


@pytest.fixture
def files(home: Path) -> Folder:
    """Where Nora's files lie."""
    return Folder(home, NORA)


def _live(home: Path, *, generations: int) -> list[str]:
    """Two turns in each generation and two behind the last fold; gives all that was said."""
    store = FileStore(home)
    store.create(NORA, a_profile())
    said = []
    for number in range(generations * 2 + 2):
        said.append(f"number {number}")
        say(store, said[-1])
        if number % 2 and number < generations * 2:
            store.fold(NORA)
    return said


def _queries(home: Path) -> list[str]:
    return [turn.query for turn in FileStore(home).load(NORA).turns()]


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("generations", [0, 1, 3])
def test_a_damaged_memory_file_is_rebuilt_whole(
    home: Path, files: Folder, damage: bytes, generations: int, caplog: pytest.LogCaptureFixture
) -> None:
    """From the backup, its journal and the present one; the damaged file is kept and told."""
    said = _live(home, generations=generations)
    files.memory.write_bytes(damage)
    with caplog.at_level(logging.WARNING):
        assert _queries(home) == said
    (kept,) = files.damaged.iterdir()
    assert kept.read_bytes() == damage
    assert str(files.damaged) in caplog.text
    caplog.clear()
    assert _queries(home) == said
    assert caplog.records == []


def test_the_rebuilt_memory_is_the_same_in_all(home: Path, files: Folder) -> None:
    """Not only the words: everything is as it was, and the store can go on."""
    _live(home, generations=2)
    before = FileStore(home).load(NORA)
    files.memory.write_bytes(b"{")
    assert FileStore(home).load(NORA) == before
    after = put(FileStore(home), NORA, PutTurn(a_turn("on")))
    assert FileStore(home).load(NORA) == after


def test_a_missing_memory_file_is_rebuilt(home: Path, files: Folder) -> None:
    """A file that is gone is like one that is damaged."""
    said = _live(home, generations=1)
    files.memory.unlink()
    assert _queries(home) == said


def test_a_second_damage_after_mending_is_mended_too(home: Path, files: Folder) -> None:
    """Mending leaves enough behind for the next time."""
    said = _live(home, generations=2)
    for _ in range(3):
        files.memory.write_bytes(b"{")
        assert _queries(home) == said


def test_an_older_file_put_back_by_hand_does_not_lose_the_newer(home: Path, files: Folder) -> None:
    """A ``memory.json`` that ends before its journal begins is bridged by the backups."""
    said = _live(home, generations=2)
    for _ in range(2):
        older = min(files.backup.glob("memory-*.json"))
        files.memory.write_bytes(older.read_bytes())
        assert _queries(home) == said
        FileStore(home).fold(NORA)


def test_two_damaged_files_still_leave_the_backup_before(home: Path, files: Folder) -> None:
    """The second generation is there for a damaged backup."""
    said = _live(home, generations=3)
    files.memory.write_bytes(b"{")
    (files.backup / "memory-3.json").write_bytes(b"{")
    assert _queries(home) == said
    assert len(list(files.damaged.iterdir())) == 2


@pytest.mark.parametrize("spot", [1, 2])
def test_a_damaged_line_costs_that_line_and_waits_for_a_repair(
    home: Path, files: Folder, spot: int
) -> None:
    """Nothing is touched before somebody asks for it; then the lines around it are all there."""
    said = _live(home, generations=1)
    parts = files.journal.read_bytes().splitlines(keepends=True)
    parts[spot] = b'{"seq":' + b"#" * 20 + b"\n"
    files.journal.write_bytes(b"".join(parts))
    before = {path: path.read_bytes() for path in files.path.rglob("*") if path.is_file()}
    for _ in range(2):
        with pytest.raises(DamagedMemory) as raised:
            FileStore(home).load(NORA)
        assert raised.value.key == "memory_partly_lost"
        assert raised.value.exit_code == 4
        assert "(journal.jsonl), and 1 of the changes" in raised.value.message("en")
        assert "turns: 3, the last of 2026-03-14" in raised.value.message("en")
    assert {path: path.read_bytes() for path in before} == before
    repair = FileStore(home).repair(NORA)
    assert repair is not None
    assert (repair.lost, repair.is_doubtful, repair.turns) == (1, False, 3)
    assert FileStore(home).repair(NORA) is None
    (kept,) = files.damaged.iterdir()
    assert b"".join(parts) == kept.read_bytes()
    left = said[:2] + [it for number, it in enumerate(said[2:], 1) if number != spot]
    assert _queries(home) == left
    after = put(FileStore(home), NORA, PutTurn(a_turn("on")))
    assert FileStore(home).load(NORA) == after


def test_a_damaged_first_line_of_the_journal_costs_nothing(home: Path, files: Folder) -> None:
    """The head only names the segment; the lines behind it are all there."""
    said = _live(home, generations=1)
    parts = files.journal.read_bytes().splitlines(keepends=True)
    files.journal.write_bytes(b"".join([b"#\n", *parts[1:]]))
    assert _queries(home) == said


def test_lines_that_are_gone_are_told(home: Path, files: Folder) -> None:
    """With file and backups lost, what the journal alone holds is not taken for everything."""
    _live(home, generations=2)
    files.memory.write_bytes(b"{")
    for path in files.backup.glob("memory-*.json"):
        path.write_bytes(b"{")
    (files.backup / "journal-1.jsonl").unlink()
    before = {path: path.read_bytes() for path in files.path.rglob("*") if path.is_file()}
    for _ in range(2):
        with pytest.raises(DamagedMemory) as raised:
            FileStore(home).load(NORA)
        assert raised.value.key == "memory_lost"
        assert str(files.path) in raised.value.message("en")
    with pytest.raises(DamagedMemory):
        FileStore(home).create(NORA, a_profile())
    assert {path: path.read_bytes() for path in before} == before


def test_a_damaged_memory_still_counts_as_a_memory(home: Path, files: Folder) -> None:
    """It is listed, cannot be begun anew, and can be deleted."""
    _live(home, generations=1)
    for path in (files.memory, *files.backup.iterdir()):
        path.write_bytes(b"{")
    store = FileStore(home)
    assert store.exists(NORA)
    assert store.scopes() == [NORA]
    store.delete(NORA)
    assert store.scopes() == []
    assert not files.path.exists()


def test_a_journal_that_shrank_is_noticed(home: Path, files: Folder) -> None:
    """A process that read further than the journal goes now does not write behind its end."""
    store = FileStore(home)
    _live(home, generations=0)
    assert len(list(store.load(NORA).turns())) == 2
    parts = files.journal.read_bytes().splitlines(keepends=True)
    files.journal.write_bytes(b"".join(parts[:-1]))
    with pytest.raises(DamagedMemory):
        say(store, "on")
    store.repair(NORA)
    say(store, "on")
    assert _queries(home) == ["number 0", "on"]
    assert b"\x00" not in files.journal.read_bytes()


def test_damage_inside_a_valid_file_is_named_and_mended(home: Path, files: Folder) -> None:
    """JSON that is whole but not a memory is damage too: a turn without its words, say."""
    said = _live(home, generations=1)
    form = json.loads(files.memory.read_bytes())
    for turns in form["history"].values():
        del turns[0]["query"]
    files.memory.write_text(json.dumps(form), encoding="utf-8")
    assert _queries(home) == said
