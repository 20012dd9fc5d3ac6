"""``index.sqlite``: a cache that never lies and can always be lost."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from siliconfriend.errors import SiliconFriendError
from siliconfriend.recall import index_cache as cache_file
from siliconfriend.recall.index_cache import INDEX_FILE, Entry, IndexCache
from siliconfriend.recall.spoken_times import SpokenTime

TEA = Entry(("tea", "cup"), np.array([1.0, 0.0], dtype=np.float32))
POT = Entry(("pot",), np.array([0.0, 1.0], dtype=np.float32))


def known(cache: IndexCache) -> dict[str, tuple[tuple[str, ...] | None, list[float] | None]]:
    """What the cache knows of a, b and c, as plain values."""
    return {
        digest: (entry.words, None if entry.vector is None else entry.vector.tolist())
        for digest, entry in cache.find(["a", "b", "c"]).items()
    }


def test_what_was_kept_is_read_back(tmp_path: Path) -> None:
    """Words and vectors, over several writings; what is not asked for is not given."""
    IndexCache(tmp_path, "e 1").add({"a": TEA})
    IndexCache(tmp_path, "e 1").add({"b": POT})
    cache = IndexCache(tmp_path, "e 1")
    assert known(cache) == {"a": (("tea", "cup"), [1.0, 0.0]), "b": (("pot",), [0.0, 1.0])}
    assert cache.find(["b"]).keys() == {"b"}


def test_a_text_without_words_is_not_one_whose_words_are_unknown(tmp_path: Path) -> None:
    """Words that were none are known to be none."""
    cache = IndexCache(tmp_path, "e 1")
    cache.add({"a": Entry((), None), "b": Entry(None, None)})
    assert known(cache) == {"a": ((), None), "b": (None, None)}


def test_another_embedder_gets_words_and_no_vectors(tmp_path: Path) -> None:
    """Not even one with vectors of the same size; and its own do not mix with the old."""
    IndexCache(tmp_path, "e 1").add({"a": TEA, "b": POT})
    other = IndexCache(tmp_path, "e 2")
    assert known(other) == {"a": (("tea", "cup"), None), "b": (("pot",), None)}
    other.add({"a": TEA})
    assert known(other)["b"] == (("pot",), None)
    assert known(IndexCache(tmp_path, "e 1"))["a"] == (("tea", "cup"), None)


def test_words_alone_leave_the_vectors_as_they_are(tmp_path: Path) -> None:
    """A day without an embedder does not cost embedding everything again."""
    IndexCache(tmp_path, "e 1").add({"a": TEA})
    words_only = IndexCache(tmp_path, None)
    words_only.add({"a": Entry(("tea",), None), "b": Entry(("pot",), None)})
    words_only.keep(["a", "b"])
    assert known(IndexCache(tmp_path, "e 1")) == {
        "a": (("tea",), [1.0, 0.0]),
        "b": (("pot",), None),
    }


def test_other_rules_for_words_get_vectors_and_no_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stop word more, and words that were cut before it are cut again."""
    IndexCache(tmp_path, "e 1").add({"a": TEA, "b": POT})
    monkeypatch.setattr(cache_file, "tokenizer_version", lambda: "other rules")
    other = IndexCache(tmp_path, "e 1")
    assert known(other) == {"a": (None, [1.0, 0.0]), "b": (None, [0.0, 1.0])}
    other.add({"a": TEA})
    assert known(other) == {"a": (("tea", "cup"), [1.0, 0.0]), "b": (None, [0.0, 1.0])}


@pytest.mark.parametrize("damage", [b"this is no database at all" * 50, b"SQLite format 3\0x", b""])
def test_a_damaged_file_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    """It is read as nothing known and written over."""
    (tmp_path / INDEX_FILE).write_bytes(damage)
    cache = IndexCache(tmp_path, "e 1")
    assert cache.find(["a"]) == {}
    cache.add({"a": TEA})
    assert cache.find(["a"]).keys() == {"a"}


def test_a_file_with_bytes_gone_is_never_fatal(tmp_path: Path) -> None:
    """Wherever a stretch of zeros falls, the cache answers and can be written again."""
    entries = {f"d{number}": TEA for number in range(60)}
    IndexCache(tmp_path, "e 1").add(entries)
    whole = (tmp_path / INDEX_FILE).read_bytes()
    for start in range(0, len(whole), 500):
        (tmp_path / INDEX_FILE).write_bytes(whole[:start] + bytes(700) + whole[start + 700 :])
        cache = IndexCache(tmp_path, "e 1")
        cache.find([*entries])
        cache.add({"a": TEA})
        cache.tidy(["a"])
        cache.keep(["a"])


def test_a_file_of_another_form_is_made_anew(tmp_path: Path) -> None:
    """One of an older or a newer version is not read."""
    cache = IndexCache(tmp_path, "e 1")
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
    cache = IndexCache(tmp_path, "e 1")
    cache.add({"a": Entry(("zebrafinch",), None), "b": TEA})
    cache.keep(["b"])
    assert b"zebrafinch" not in (tmp_path / INDEX_FILE).read_bytes()
    assert known(cache).keys() == {"b"}
    assert [path.name for path in tmp_path.iterdir()] == [INDEX_FILE]


def test_tidying_writes_only_where_something_is_to_go(tmp_path: Path) -> None:
    """A night in which nothing left costs no writing."""
    cache = IndexCache(tmp_path, "e 1")
    cache.add({"a": TEA, "b": POT})
    before = (tmp_path / INDEX_FILE).stat().st_ino
    cache.tidy(["a", "b", "c"])
    assert (tmp_path / INDEX_FILE).stat().st_ino == before
    cache.tidy(["b"])
    assert known(cache).keys() == {"b"}


def test_what_cannot_be_written_anew_is_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an erasure a cache that is lost is better than one that still knows."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    cache = IndexCache(tmp_path, "e 1")
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

    cache = IndexCache(tmp_path, "e 1")
    cache.add({"a": TEA})
    monkeypatch.setattr(Path, "unlink", refused)
    with pytest.raises(SiliconFriendError):
        cache.keep([])


def test_several_may_write_at_once(tmp_path: Path) -> None:
    """Eight writers, each with a connection of its own as processes have."""

    def write(number: int) -> None:
        IndexCache(tmp_path, "e 1").add({f"d{number}": TEA})

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(40)))
    names = [f"d{number}" for number in range(40)]
    assert IndexCache(tmp_path, "e 1").find(names).keys() == set(names)


def test_without_a_folder_nothing_is_kept(tmp_path: Path) -> None:
    """A store in memory has no cache, and a folder that is gone is not made again."""
    IndexCache(None, "e 1").add({"a": TEA})
    gone = tmp_path / "gone"
    cache = IndexCache(gone, "e 1")
    cache.add({"a": TEA})
    cache.keep(["a"])
    cache.tidy(["a"])
    assert not gone.exists()


def test_days_are_kept_and_left_behind_like_the_rest(tmp_path: Path) -> None:
    """No days are known days; a file of before there were any takes them in; keeping drops others."""
    days = (SpokenTime(date(2026, 2, 14), date(2026, 2, 16)),)
    cache = IndexCache(tmp_path, "e 1")
    cache.add({"a": TEA})
    with closing(sqlite3.connect(tmp_path / INDEX_FILE)) as base:
        base.execute("DROP TABLE spoken")
    assert cache.find_times(["k"]) == {}
    cache.add_times({"k": days, "l": (), "m": days})
    assert cache.find_times(["k", "l", "n"]) == {"k": days, "l": ()}
    cache.tidy(["a"], ["k", "l"])
    assert cache.find_times(["k", "l", "m"]) == {"k": days, "l": ()}
    cache.keep(["a"], ["l"])
    assert cache.find_times(["k", "l", "m"]) == {"l": ()}
    assert known(cache).keys() == {"a"}


def _held(path: Path) -> closing[sqlite3.Connection]:
    """A process that keeps the file locked."""
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    return closing(holder)


def test_a_locked_file_is_waited_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reply looks into it several times; it waits the first time and then does without."""
    cache, waits = IndexCache(tmp_path, "e 1"), []
    cache.add({"a": TEA})
    connect = sqlite3.connect

    def recorded(path: Path, timeout: float, isolation_level: None) -> sqlite3.Connection:
        waits.append(timeout)
        return connect(path, timeout=timeout, isolation_level=isolation_level)

    monkeypatch.setattr(cache_file, "PATIENCE_SECONDS", 0.01)
    with _held(tmp_path / INDEX_FILE):
        monkeypatch.setattr(sqlite3, "connect", recorded)
        assert cache.find(["a"]) == {}
        cache.add({"b": POT})
        assert cache.find_times(["a"]) == {}
        assert cache.associations() == []
    assert waits == [0.01, 0, 0, 0]
    assert known(cache) == {"a": (("tea", "cup"), [1.0, 0.0])}
    monkeypatch.setattr(cache_file, "REST_SECONDS", 0.0)
    assert known(IndexCache(tmp_path, "e 1")) == {"a": (("tea", "cup"), [1.0, 0.0])}
    assert waits[-1] == 0.01


def test_a_file_in_use_is_not_swapped_under_its_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An erasure that cannot wait for it takes the file away instead; the next makes it again."""
    monkeypatch.setattr(cache_file, "PATIENCE_SECONDS", 0.01)
    cache = IndexCache(tmp_path, "e 1")
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
