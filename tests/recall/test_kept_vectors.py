"""Vectors that are kept for a scope: made once, known by a hash alone, gone with an erasure."""

from __future__ import annotations

from pathlib import Path

from siliconfriend.recall.documents import digest_of
from siliconfriend.recall.index_cache import KeptVectors
from siliconfriend.recall.index_file import INDEX_FILE, IndexFile
from siliconfriend.testing import WordEmbedder

VOCABULARY = ("tea", "pot", "boat", "茶")


def kept(folder: Path, embedder: WordEmbedder) -> KeptVectors:
    """A new one over what lies in a folder."""
    cache = IndexFile(folder, f"{embedder.name} {embedder.revision}")
    cache.add({})
    return KeptVectors(embedder, cache)


def test_no_text_is_embedded_twice(tmp_path: Path) -> None:
    """Not within one call, not by the next process, in neither language."""
    embedder = WordEmbedder(VOCABULARY)
    first = kept(tmp_path, embedder).passages(["tea", "茶", "tea"])
    again = kept(tmp_path, embedder).passages(["boat", "茶", "tea"])
    assert embedder.embedded == ["tea", "茶", "boat"]
    assert first.tolist() == [[1, 0, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0]]
    assert again.tolist() == [[0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0]]


def test_no_word_is_written(tmp_path: Path) -> None:
    """The file knows a text by its hash."""
    kept(tmp_path, WordEmbedder(VOCABULARY)).passages(["harbour"])
    written = (tmp_path / INDEX_FILE).read_bytes()
    assert b"harbour" not in written
    assert digest_of("harbour").encode() in written


def test_an_erasure_takes_them(tmp_path: Path) -> None:
    """Whose sentence it was, the hash does not tell; so none stays."""
    vectors = kept(tmp_path, WordEmbedder(VOCABULARY))
    vectors.passages(["tea", "boat"])
    IndexFile(tmp_path, None).keep([])
    assert digest_of("boat").encode() not in (tmp_path / INDEX_FILE).read_bytes()
