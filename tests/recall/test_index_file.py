"""``index.sqlite``: a cache that never lies, holds no words of anybody, and can always be lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from siliconfriend.errors import SiliconFriendError
from siliconfriend.memory import encryption
from siliconfriend.recall import index_file
from siliconfriend.recall.index_file import INDEX_FILE, IndexFile

TEA = np.array([1.0, 0.0], dtype=np.float32)
POT = np.array([0.0, 1.0], dtype=np.float32)

Open = Callable[[str | None], IndexFile]
"""Opens the cache of one scope as another process does, for an embedder."""


@pytest.fixture(params=["file", "encrypted file"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """Opens the same cache each time, as it is and encrypted."""
    if request.param == "encrypted file":
        encryption.KEYRING.offer("a passphrase")
        encryption.write_key(tmp_path, encryption.lock_key("a passphrase"))
    return lambda embedder: IndexFile(tmp_path / INDEX_FILE, embedder)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the cache lies, with one vector in it."""
    IndexFile(tmp_path / INDEX_FILE, "e 1").add({"a": TEA})
    return tmp_path / INDEX_FILE


def known(cache: IndexFile) -> dict[str, list[float]]:
    """What the cache knows of a, b and c, as plain values."""
    return {digest: vector.tolist() for digest, vector in cache.find(["a", "b", "c"]).items()}


def test_another_embedder_gets_no_vectors(opened: Open) -> None:
    """Not even one with vectors of the same size; and its own do not mix with the old."""
    opened("e 1").add({"a": TEA, "b": POT})
    other = opened("e 2")
    assert known(other) == {}
    other.add({"a": POT})
    assert known(opened("e 2")) == {"a": [0.0, 1.0]}
    assert known(opened("e 1")) == {}


def test_words_alone_leave_the_vectors_as_they_are(opened: Open) -> None:
    """A day without an embedder does not cost embedding everything again."""
    opened("e 1").add({"a": TEA, "b": POT})
    words_only = opened(None)
    assert known(words_only) == {}
    words_only.write("words", b"tea", erasures=0)
    words_only.keep(["a"])
    assert known(opened("e 1")) == {"a": [1.0, 0.0]}


def test_several_may_write_at_once(opened: Open) -> None:
    """Eight writers, each with a connection of its own as processes have."""
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: opened("e 1").add({f"d{number}": TEA}), range(40)))
    names = [f"d{number}" for number in range(40)]
    assert opened("e 1").find(names).keys() == set(names)


def test_data_counts_by_the_rules_it_was_made_by(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was kept last; and nothing for who asks by others, or cuts words otherwise."""
    for data in (b"first", b"second"):
        opened("e 1").write("rows", data, "of today", erasures=0)
        assert opened("e 2").read("rows", "of today") == data
    assert opened("e 1").read("rows", "of tomorrow") is None
    monkeypatch.setattr(index_file, "tokenizer_version", lambda: "other")
    assert opened("e 1").read("rows", "of today") is None


def test_tidying_leaves_the_newest_of_what_is_no_memory(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With room for one, of three texts that were only compared; a memory stays however old."""
    monkeypatch.setattr(index_file, "MOST_UNUSED", 1)
    cache = opened("e 1")
    for digest in ("a", "b", "c"):
        cache.add({digest: TEA})
    cache.tidy(["a", "b"])
    assert known(cache).keys() == {"a", "b", "c"}
    cache.tidy(["a"])
    assert known(cache).keys() == {"a", "c"}


def test_an_erasure_leaves_no_other_text(opened: Open, tmp_path: Path) -> None:
    """Nor a word, nor a byte of what was deleted, nor a free page where some could be."""
    cache = opened("e 1")
    cache.add({"a": np.array([0.123456, 0.5], dtype=np.float32), "b": POT})
    cache.write("words", b"zebrafinch" * 1000, erasures=0)
    cache.erasures = 1
    cache.keep(["b", "c"])
    assert known(opened("e 1")) == {"b": [0.0, 1.0]}
    assert cache.read("words") is None
    data = (tmp_path / INDEX_FILE).read_bytes()
    assert b"zebrafinch" not in data
    assert np.float32(0.123456).tobytes() not in data
    with closing(sqlite3.connect(tmp_path / INDEX_FILE)) as base:
        assert base.execute("PRAGMA freelist_count").fetchone() == (0,)


def test_who_does_not_know_of_an_erasure_keeps_nothing_more(opened: Open) -> None:
    """A process that read the memory before would bring back what was just taken away."""
    late, eraser = opened("e 1"), opened("e 1")
    late.add({"a": TEA, "b": POT})
    eraser.erasures = 1
    eraser.keep(["b"])
    late.add({"a": TEA})
    late.write("words", b"tea", erasures=0)
    late.tidy([])
    assert known(late) == {"b": [0.0, 1.0]}
    assert late.read("words") is None
    late.erasures = 1
    late.add({"a": TEA})
    assert known(late).keys() == {"a", "b"}


@pytest.mark.parametrize(
    "damage", [b"this is no database at all" * 50, b"SQLite format 3\0x", b"", None]
)
def test_a_damaged_file_is_made_anew(path: Path, damage: bytes | None) -> None:
    """It is read as nothing known and written over; SQLite may quote what Python cannot read."""
    table = b"CREATE TABLE vector "
    assert table + b"(" in path.read_bytes()
    unread = path.read_bytes().replace(table + b"(", table + b"\x97")
    path.write_bytes(unread if damage is None else damage)
    cache = IndexFile(path, "e 1")
    assert known(cache) == {}
    cache.add({"a": TEA})
    assert known(cache) == {"a": [1.0, 0.0]}


def test_what_can_be_neither_written_nor_deleted_says_so(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An erasure must not pass for done."""

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    path.write_bytes(b"this is no database at all" * 50)
    monkeypatch.setattr(Path, "unlink", refused)
    with pytest.raises(SiliconFriendError):
        IndexFile(path, "e 1").keep([])


def test_a_locked_file_is_waited_for_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reply looks into it several times; it waits the first time and then does without."""
    cache, waits = IndexFile(path, "e 1"), []
    connect = sqlite3.connect

    def recorded(path: Path, timeout: float, isolation_level: None) -> sqlite3.Connection:
        waits.append(timeout)
        return connect(path, timeout=timeout, isolation_level=isolation_level)

    monkeypatch.setattr(index_file, "BUSY_TIMEOUT", 0.01)
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        monkeypatch.setattr(sqlite3, "connect", recorded)
        assert cache.find(["a"]) == {}
        cache.add({"b": POT})
        assert cache.read("words") is None
    assert waits == [0.01, 0, 0]
    assert known(cache) == {"a": [1.0, 0.0]}
    monkeypatch.setattr(index_file, "BACKOFF", 0.0)
    assert known(IndexFile(path, "e 1")) == {"a": [1.0, 0.0]}
    assert waits[-1] == 0.01


def test_a_locked_file_is_deleted_by_an_erasure(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It cannot wait for another process; the next makes it again."""
    monkeypatch.setattr(index_file, "BUSY_TIMEOUT", 0.01)
    cache = IndexFile(path, "e 1")
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        cache.keep(["b"])
        assert not path.exists()
    cache.add({"b": POT})
    assert known(cache) == {"b": [0.0, 1.0]}
