"""``index.sqlite``: a cache that never lies and can always be lost."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from siliconfriend.errors import SiliconFriendError
from siliconfriend.recall import index_file
from siliconfriend.recall.index_file import INDEX_FILE, Entry, IndexFile
from siliconfriend.recall.times import SpokenTime
from tests.recall.test_index_cache import POT, TEA, known


def test_a_file_of_before_days_were_kept_takes_them_in(tmp_path: Path) -> None:
    """Its table is made where it is missing."""
    days = (SpokenTime(date(2026, 2, 14), date(2026, 2, 16)),)
    cache = IndexFile(tmp_path, "e 1")
    cache.add({"a": TEA})
    with closing(sqlite3.connect(tmp_path / INDEX_FILE)) as base:
        base.execute("DROP TABLE spoken")
    assert cache.find_times(["k"]) == {}
    cache.add_times({"k": days})
    assert cache.find_times(["k"]) == {"k": days}


@pytest.mark.parametrize("damage", [b"this is no database at all" * 50, b"SQLite format 3\0x", b""])
def test_a_damaged_file_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    """It is read as nothing known and written over."""
    (tmp_path / INDEX_FILE).write_bytes(damage)
    cache = IndexFile(tmp_path, "e 1")
    assert cache.find(["a"]) == {}
    cache.add({"a": TEA})
    assert cache.find(["a"]).keys() == {"a"}


def test_a_file_whose_tables_are_no_text_is_made_anew(tmp_path: Path) -> None:
    """SQLite quotes the damage in its error, which Python then cannot read."""
    IndexFile(tmp_path, "e 1").add({"a": TEA})
    data = (tmp_path / INDEX_FILE).read_bytes()
    damaged = data.replace(b"CREATE TABLE entry (", b"CREATE TABLE entry \x97")
    (tmp_path / INDEX_FILE).write_bytes(damaged)
    cache = IndexFile(tmp_path, "e 1")
    assert damaged != data
    assert cache.find(["a"]) == {}
    cache.add({"a": TEA})
    assert cache.find(["a"]).keys() == {"a"}


def test_a_file_with_bytes_gone_is_never_fatal(tmp_path: Path) -> None:
    """Wherever a stretch of zeros falls, the cache answers and can be written again."""
    entries = {f"d{number}": TEA for number in range(60)}
    IndexFile(tmp_path, "e 1").add(entries)
    whole = (tmp_path / INDEX_FILE).read_bytes()
    for start in range(0, len(whole), 500):
        (tmp_path / INDEX_FILE).write_bytes(whole[:start] + bytes(700) + whole[start + 700 :])
        cache = IndexFile(tmp_path, "e 1")
        cache.find([*entries])
        cache.add({"a": TEA})
        cache.tidy(["a"])
        cache.keep(["a"])


def test_a_file_of_another_form_is_made_anew(tmp_path: Path) -> None:
    """One of an older or a newer version is not read."""
    cache = IndexFile(tmp_path, "e 1")
    cache.add({"a": TEA})
    base = sqlite3.connect(tmp_path / INDEX_FILE)
    with base:
        base.execute("UPDATE stamp SET value = 'of tomorrow' WHERE name = 'format'")
    base.close()
    assert cache.find(["a"]) == {}
    cache.add({"b": POT})
    assert known(cache).keys() == {"b"}


def test_keeping_leaves_no_old_byte(tmp_path: Path) -> None:
    """SQLite keeps deleted words in a file; a file written anew does not."""
    cache = IndexFile(tmp_path, "e 1")
    cache.add({"a": Entry(("zebrafinch",), None), "b": TEA})
    cache.keep(["b"])
    assert b"zebrafinch" not in (tmp_path / INDEX_FILE).read_bytes()
    assert known(cache).keys() == {"b"}
    assert [path.name for path in tmp_path.iterdir()] == [INDEX_FILE]


def test_what_cannot_be_written_anew_is_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an erasure a cache that is lost is better than one that still knows."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    cache = IndexFile(tmp_path, "e 1")
    cache.add({"a": TEA})
    monkeypatch.setattr(Path, "replace", full)
    cache.keep([])
    assert [path.name for path in tmp_path.iterdir()] == []


def test_what_can_be_neither_written_nor_deleted_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An erasure must not pass for done."""

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    cache = IndexFile(tmp_path, "e 1")
    cache.add({"a": TEA})
    monkeypatch.setattr(Path, "unlink", refused)
    with pytest.raises(SiliconFriendError):
        cache.keep([])


def test_without_a_folder_nothing_is_kept(tmp_path: Path) -> None:
    """A store in memory has no cache, and a folder that is gone is not made again."""
    IndexFile(None, "e 1").add({"a": TEA})
    gone = tmp_path / "gone"
    cache = IndexFile(gone, "e 1")
    cache.add({"a": TEA})
    cache.keep(["a"])
    cache.tidy(["a"])
    assert not gone.exists()


def _held(path: Path) -> closing[sqlite3.Connection]:
    """A process that keeps the file locked."""
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    return closing(holder)


def test_a_locked_file_is_waited_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reply looks into it several times; it waits the first time and then does without."""
    cache, waits = IndexFile(tmp_path, "e 1"), []
    cache.add({"a": TEA})
    connect = sqlite3.connect

    def recorded(path: Path, timeout: float, isolation_level: None) -> sqlite3.Connection:
        waits.append(timeout)
        return connect(path, timeout=timeout, isolation_level=isolation_level)

    monkeypatch.setattr(index_file, "PATIENCE_SECONDS", 0.01)
    with _held(tmp_path / INDEX_FILE):
        monkeypatch.setattr(sqlite3, "connect", recorded)
        assert cache.find(["a"]) == {}
        cache.add({"b": POT})
        assert cache.find_times(["a"]) == {}
        assert cache.associations() == []
    assert waits == [0.01, 0, 0, 0]
    assert known(cache) == {"a": (("tea", "cup"), [1.0, 0.0])}
    monkeypatch.setattr(index_file, "REST_SECONDS", 0.0)
    assert known(IndexFile(tmp_path, "e 1")) == {"a": (("tea", "cup"), [1.0, 0.0])}
    assert waits[-1] == 0.01


def test_a_file_in_use_is_not_swapped_under_its_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An erasure that cannot wait for it takes the file away instead; the next makes it again."""
    monkeypatch.setattr(index_file, "PATIENCE_SECONDS", 0.01)
    cache = IndexFile(tmp_path, "e 1")
    cache.add({"a": TEA, "b": POT})
    swapped = []
    replace = Path.replace
    monkeypatch.setattr(Path, "replace", lambda *names: swapped.append(names) or replace(*names))
    with closing(sqlite3.connect(tmp_path / INDEX_FILE, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        cache.keep(["b"])
        assert swapped == []
        assert [path.name for path in tmp_path.iterdir()] == []
    cache.add({"b": POT})
    assert known(cache) == {"b": (("pot",), [0.0, 1.0])}


def test_a_few_rows_that_nothing_stands_for_wait_for_more(tmp_path: Path) -> None:
    """Of 128 texts two may: to look for them, each night would go through all of ten years."""
    cache = IndexFile(tmp_path, "e 1")
    kept = [f"kept {at}" for at in range(128)]
    cache.add(dict.fromkeys([*kept, "gone 1", "gone 2"], TEA))
    cache.tidy(kept)
    assert cache.find(["gone 1", "gone 2"]).keys() == {"gone 1", "gone 2"}
    cache.add({"gone 3": TEA})
    cache.tidy(kept)
    assert cache.find(["gone 1", "gone 2", "gone 3", *kept]).keys() == {*kept}
