"""``index.sqlite``: a cache that never lies and can always be lost."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from siliconfriend.recall.cache import FILE_NAME, Entry, IndexCache

TEA = Entry(("tea", "cup"), np.array([1.0, 0.0], dtype=np.float32))
POT = Entry(("pot",), np.array([0.0, 1.0], dtype=np.float32))


def _plain(entries: dict[str, Entry]) -> dict[str, tuple[tuple[str, ...], list[float] | None]]:
    return {
        digest: (entry.words, None if entry.vector is None else entry.vector.tolist())
        for digest, entry in entries.items()
    }


def test_what_was_kept_is_read_back(tmp_path: Path) -> None:
    """Words and vectors, over several writings."""
    IndexCache(tmp_path, "e 1").add({"a": TEA})
    IndexCache(tmp_path, "e 1").add({"b": POT})
    assert _plain(IndexCache(tmp_path, "e 1").read()) == {
        "a": (("tea", "cup"), [1.0, 0.0]),
        "b": (("pot",), [0.0, 1.0]),
    }


def test_another_embedder_gets_words_and_no_vectors(tmp_path: Path) -> None:
    """Not even one with vectors of the same size; and its own do not mix with the old."""
    IndexCache(tmp_path, "e 1").add({"a": TEA, "b": POT})
    other = IndexCache(tmp_path, "e 2")
    assert _plain(other.read()) == {"a": (("tea", "cup"), None), "b": (("pot",), None)}
    other.add({"a": TEA})
    assert _plain(IndexCache(tmp_path, "e 2").read())["b"] == (("pot",), None)


def test_a_damaged_file_is_made_anew(tmp_path: Path) -> None:
    """It is read as nothing known and written over."""
    (tmp_path / FILE_NAME).write_bytes(b"this is no database at all" * 50)
    cache = IndexCache(tmp_path, "e 1")
    assert cache.read() == {}
    cache.add({"a": TEA})
    assert cache.read().keys() == {"a"}


def test_replacing_leaves_no_old_byte(tmp_path: Path) -> None:
    """SQLite keeps deleted words in a file; a file written anew does not."""
    cache = IndexCache(tmp_path, "e 1")
    cache.add({"a": Entry(("zebrafinch",), None), "b": TEA})
    cache.replace({"b": TEA})
    assert b"zebrafinch" not in (tmp_path / FILE_NAME).read_bytes()
    assert cache.holds_only(["b"])
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


def test_without_a_folder_nothing_is_kept(tmp_path: Path) -> None:
    """A store in memory has no cache, and a folder that is gone is not made again."""
    IndexCache(None, "e 1").add({"a": TEA})
    gone = tmp_path / "gone"
    IndexCache(gone, "e 1").add({"a": TEA})
    IndexCache(gone, "e 1").replace({"a": TEA})
    assert not gone.exists()
