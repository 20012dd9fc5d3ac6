"""Damage that leaves valid files behind: it is named, mended or refused, and never believed."""

from __future__ import annotations

import json
import logging
from collections import Counter
from pathlib import Path

import pytest

from siliconfriend.errors import DamagedMemory
from siliconfriend.memory import checksum, mark
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.folder import Folder
from tests.memory.damage import flips, live, outcome, put_back, tree, without_checksums
from tests.memory.people import NORA
from tests.memory.stored import queries, say


def _refused(home: Path) -> DamagedMemory:
    """The error of a memory that is refused, with no file changed."""
    before = tree(home)
    with pytest.raises(DamagedMemory) as raised:
        FileStore(home).load(NORA)
    assert raised.value.exit_code == 4
    assert tree(home) == before
    return raised.value


def test_a_changed_number_hides_no_turns(home: Path, files: Folder) -> None:
    """With another ``folded_through`` the turns behind it would be passed over without a word."""
    memory = live(home, behind=5)
    data = files.memory.read_bytes()
    assert b'"folded_through": 3' in data
    files.memory.write_bytes(data.replace(b'"folded_through": 3', b'"folded_through": 8'))
    assert outcome(home, memory) == "whole"
    (kept,) = files.damaged.iterdir()
    assert b'"folded_through": 8' in kept.read_bytes()


@pytest.mark.parametrize("name", ["memory.json", "journal.jsonl", "journal.mark"])
def test_a_flipped_bit_is_never_believed(home: Path, files: Folder, name: str) -> None:
    """Wherever it is: the memory is what was said, or it is refused and left as it is."""
    memory = live(home)
    before, path = tree(home), files.path / name
    seen: Counter[str] = Counter()
    for _, data in flips(path.read_bytes(), 11):
        path.write_bytes(data)
        seen[outcome(home, memory)] += 1
        put_back(home, before)
    allowed = {"whole", "memory_partly_lost"} if name == "journal.jsonl" else {"whole"}
    assert seen.keys() == allowed


def test_a_lost_journal_is_named_with_what_it_held(home: Path, files: Folder) -> None:
    """How many changes are gone, what is safe; nothing goes on before a repair."""
    live(home, behind=14)
    files.journal.unlink()
    error = _refused(home)
    assert (error.key, error.details["lost"], error.details["turns"]) == (
        "memory_partly_lost",
        14,
        2,
    )
    assert error.details["files"] == "journal.jsonl"
    repair = FileStore(home).repair(NORA)
    assert repair is not None
    assert (repair.lost, repair.turns, repair.files) == (14, 2, ("journal.jsonl",))
    assert queries(FileStore(home)) == ["fold 0, one", "fold 0, two"]
    say(FileStore(home), "on")
    assert queries(FileStore(home)) == ["fold 0, one", "fold 0, two", "on"]


@pytest.mark.parametrize("left", [b"", b"\x00" * 300])
def test_an_emptied_journal_is_one_that_is_lost(home: Path, files: Folder, left: bytes) -> None:
    """Empty, or as long as it was and full of nothing."""
    live(home, behind=14)
    files.journal.write_bytes(left)
    assert _refused(home).details["lost"] == 14


def test_a_journal_that_lost_its_last_lines_is_noticed(home: Path, files: Folder) -> None:
    """Cut at a line's end it looks like one that was never longer."""
    live(home, behind=5)
    files.journal.write_bytes(b"".join(files.journal.read_bytes().splitlines(True)[:-2]))
    error = _refused(home)
    assert (error.details["lost"], error.details["files"]) == (2, "journal.jsonl")
    FileStore(home).repair(NORA)
    assert queries(FileStore(home))[2:] == ["behind 0", "behind 1", "behind 2"]


def test_a_last_line_whose_end_is_damaged_is_not_taken_for_a_torn_one(
    home: Path, files: Folder
) -> None:
    """It was told durable: that is more than something which was being written."""
    live(home, behind=2)
    data = files.journal.read_bytes()
    files.journal.write_bytes(data[:-3])
    assert _refused(home).details["lost"] == 1


def test_a_lost_journal_with_nothing_in_it_costs_nothing(
    home: Path, files: Folder, caplog: pytest.LogCaptureFixture
) -> None:
    """The warning names the file, and no folder that is not there."""
    memory = live(home, behind=0)
    files.journal.unlink()
    with caplog.at_level(logging.WARNING):
        assert outcome(home, memory) == "whole"
    assert [record.getMessage() for record in caplog.records] == [
        "Files of Nora's memory were missing (journal.jsonl). It was put together again from"
        " the others and nothing of it is lost."
    ]
    assert not files.damaged.exists()


def test_without_its_mark_nobody_knows_how_much_a_lost_journal_held(
    home: Path, files: Folder
) -> None:
    """As in files of an earlier version; that it is gone is told all the same."""
    live(home)
    files.journal.unlink()
    files.mark.unlink()
    error = _refused(home)
    assert (error.key, error.details["turns"]) == ("memory_end_lost", 2)
    assert "journal.jsonl" in error.message("cn")
    repair = FileStore(home).repair(NORA)
    assert repair is not None
    assert (repair.lost, repair.is_whole) == (None, False)
    assert len(queries(FileStore(home))) == 2


def test_files_without_checksums_are_read_and_get_them(home: Path, files: Folder) -> None:
    """An earlier version's files read as before; the next line and the next fold are sealed."""
    memory = live(home)
    without_checksums(files.path)
    assert outcome(home, memory) == "whole"
    store = FileStore(home)
    say(store, "on")
    last = files.journal.read_bytes().splitlines()[-1]
    assert checksum.verify(last, json.loads(last))
    store.fold(NORA)
    data = files.memory.read_bytes()
    assert checksum.verify(data, json.loads(data))
    assert mark.read(files.mark) == 6
    assert outcome(home, store.load(NORA)) == "whole"


def test_a_changed_file_with_no_good_copy_is_taken_only_when_asked(
    home: Path, files: Folder
) -> None:
    """Somebody's own change cannot be told from damage: it is kept and named, then taken."""
    live(home)
    for path in files.backup.iterdir():
        path.unlink()
    changed = files.memory.read_bytes().replace(b"fold 0, one", b"fold 0, 0ne")
    files.memory.write_bytes(changed)
    error = _refused(home)
    assert (error.key, error.details["turns"]) == ("memory_doubtful", 4)
    repair = FileStore(home).repair(NORA)
    assert repair is not None
    assert (repair.is_doubtful, repair.lost, repair.is_whole) == (True, 0, False)
    (kept,) = repair.kept
    assert kept.read_bytes() == changed
    assert queries(FileStore(home))[0] == "fold 0, 0ne"


def test_a_changed_file_that_does_not_know_how_far_it_goes_is_never_taken(
    home: Path, files: Folder
) -> None:
    """What its journal says of it is another thing, so lines would be passed over."""
    live(home)
    for path in files.backup.iterdir():
        path.unlink()
    data = files.memory.read_bytes()
    files.memory.write_bytes(data.replace(b'"folded_through": 3', b'"folded_through": 4'))
    assert _refused(home).key == "memory_lost"
    with pytest.raises(DamagedMemory, match="doctor --repair"):
        FileStore(home).repair(NORA)
    assert queries_of(files) == 4


def queries_of(files: Folder) -> int:
    """How often something was asked in the files as they lie there."""
    return sum(path.read_bytes().count(b'"query"') for path in (files.memory, files.journal))


def test_a_file_changed_by_hand_counts_without_its_checksum(home: Path, files: Folder) -> None:
    """As the page on the format says: whoever removes it vouches for the file."""
    live(home)
    form = json.loads(files.memory.read_bytes())
    form["overall_history"] = "A quiet spring."
    del form["crc32"]
    files.memory.write_text(json.dumps(form), encoding="utf-8")
    memory = FileStore(home).load(NORA)
    assert memory.overall_history is not None
    assert memory.overall_history.text == "A quiet spring."


def test_a_repair_that_was_stopped_keeps_nothing_twice(home: Path, files: Folder) -> None:
    """The damaged file was set aside before: it is the same bytes."""
    live(home)
    data = files.journal.read_bytes()
    files.journal.write_bytes(data.replace(b"behind 0", b"behind 9"))
    files.set_aside("journal.jsonl", files.journal.read_bytes())
    FileStore(home).repair(NORA)
    assert [path.name for path in files.damaged.iterdir()] == ["1-journal.jsonl"]
