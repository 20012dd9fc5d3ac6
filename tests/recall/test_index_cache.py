"""What every cache of an index does, whichever keeps it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from siliconfriend.memory import encryption
from siliconfriend.recall import index_file
from siliconfriend.recall.documents import digest_of
from siliconfriend.recall.index_file import Entry, IndexFile
from siliconfriend.recall.times import SpokenTime

TEA = Entry(("tea", "cup"), np.array([1.0, 0.0], dtype=np.float32))
POT = Entry(("pot",), np.array([0.0, 1.0], dtype=np.float32))

Open = Callable[[str | None], IndexFile]
"""Opens the cache of one scope as another process does, for an embedder."""


@pytest.fixture(params=["file", "encrypted file"])
def opened(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Opens the same cache each time, wherever it is kept."""
    if request.param == "encrypted file":
        encryption.KEYRING.offer("a passphrase")
        encryption.write_key(tmp_path, encryption.new_key("a passphrase"))
    return lambda embedder: IndexFile(tmp_path, embedder)


def known(cache: IndexFile) -> dict[str, tuple[tuple[str, ...] | None, list[float] | None]]:
    """What the cache knows of a, b and c, as plain values."""
    return {
        digest: (entry.words, None if entry.vector is None else entry.vector.tolist())
        for digest, entry in cache.find(["a", "b", "c"]).items()
    }


def test_what_was_kept_is_read_back(opened: Open) -> None:
    """Words and vectors, over several writings; what is not asked for is not given."""
    opened("e 1").add({"a": TEA})
    opened("e 1").add({"b": POT})
    cache = opened("e 1")
    assert known(cache) == {"a": (("tea", "cup"), [1.0, 0.0]), "b": (("pot",), [0.0, 1.0])}
    assert cache.find(["b"]).keys() == {"b"}


def test_a_text_without_words_is_not_one_whose_words_are_unknown(opened: Open) -> None:
    """Words that were none are known to be none."""
    cache = opened("e 1")
    cache.add({"a": Entry((), None), "b": Entry(None, None)})
    assert known(cache) == {"a": ((), None), "b": (None, None)}


def test_another_embedder_gets_words_and_no_vectors(opened: Open) -> None:
    """Not even one with vectors of the same size; and its own do not mix with the old."""
    opened("e 1").add({"a": TEA, "b": POT})
    other = opened("e 2")
    assert known(other) == {"a": (("tea", "cup"), None), "b": (("pot",), None)}
    other.add({"a": TEA})
    assert known(other)["b"] == (("pot",), None)
    assert known(opened("e 1"))["a"] == (("tea", "cup"), None)


def test_words_alone_leave_the_vectors_as_they_are(opened: Open) -> None:
    """A day without an embedder does not cost embedding everything again."""
    opened("e 1").add({"a": TEA})
    words_only = opened(None)
    words_only.add({"a": Entry(("tea",), None), "b": Entry(("pot",), None)})
    words_only.keep(["a", "b"])
    assert known(opened("e 1")) == {
        "a": (("tea",), [1.0, 0.0]),
        "b": (("pot",), None),
    }


def test_other_rules_for_words_get_vectors_and_no_words(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stop word more, and words that were cut before it are cut again."""
    opened("e 1").add({"a": TEA, "b": POT})
    monkeypatch.setattr(index_file, "tokenizer_version", lambda: "other rules")
    other = opened("e 1")
    assert known(other) == {"a": (None, [1.0, 0.0]), "b": (None, [0.0, 1.0])}
    other.add({"a": TEA})
    assert known(other) == {"a": (("tea", "cup"), [1.0, 0.0]), "b": (None, [0.0, 1.0])}


def test_several_may_write_at_once(opened: Open) -> None:
    """Eight writers, each with a connection of its own as processes have."""

    def write(number: int) -> None:
        opened("e 1").add({f"d{number}": TEA})

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(40)))
    names = [f"d{number}" for number in range(40)]
    assert opened("e 1").find(names).keys() == set(names)


def test_days_are_kept_and_left_behind_like_the_rest(opened: Open) -> None:
    """No days are known days; keeping drops others."""
    days = (SpokenTime(date(2026, 2, 14), date(2026, 2, 16)),)
    cache = opened("e 1")
    cache.add({"a": TEA})
    assert cache.find_times(["k"]) == {}
    cache.add_times({"k": days, "l": (), "m": days})
    assert cache.find_times(["k", "l", "n"]) == {"k": days, "l": ()}
    cache.tidy(["a"], ["k", "l"])
    assert cache.find_times(["k", "l", "m"]) == {"k": days, "l": ()}
    cache.keep(["a"], ["l"])
    assert cache.find_times(["k", "l", "m"]) == {"l": ()}
    assert known(cache).keys() == {"a"}


def test_other_rules_for_days_leave_the_rest(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """Days are read again; no word is cut and no text embedded for that."""
    days = (SpokenTime(date(2026, 2, 14), date(2026, 2, 14)),)
    opened("e 1").add({"a": TEA})
    opened("e 1").add_times({"k": days})
    monkeypatch.setattr(index_file, "spoken_rules", lambda: "other rules")
    other = opened("e 1")
    assert other.find_times(["k"]) == {}
    other.add_times({"l": days})
    assert other.find_times(["k", "l"]) == {"l": days}
    assert known(other) == {"a": (("tea", "cup"), [1.0, 0.0])}


def test_keeping_leaves_no_other_text(opened: Open) -> None:
    """What is erased is found by nobody, and the table of words goes with it."""
    cache = opened("e 1")
    cache.add({"a": TEA, "b": POT})
    cache.put_associations([("tea", "pot", 5)])
    cache.keep(["b", "c"])
    assert known(opened("e 1")) == {"b": (("pot",), [0.0, 1.0])}
    assert cache.associations() == []
    cache.keep([])
    assert known(cache) == {}


def test_a_table_of_words_replaces_the_one_before(opened: Open) -> None:
    """In both languages; what was compared is no part of it."""
    cache = opened("e 1")
    assert cache.associations() == []
    cache.put_associations([("tea", "pot", 5), ("茶", "壶", 9)], ["boat"])
    assert sorted(opened("e 1").associations()) == [("tea", "pot", 5), ("茶", "壶", 9)]
    cache.put_associations([("boat", "tea", 1)])
    assert opened("e 1").associations() == [("boat", "tea", 1)]


@pytest.mark.parametrize("changed", ["tokenizer_version", "spoken_rules", "embedder"])
def test_a_table_of_words_made_otherwise_is_not_read(
    opened: Open, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    """By other rules or another embedder other words go together."""
    opened("e 1").put_associations([("tea", "pot", 5)])
    if changed != "embedder":
        monkeypatch.setattr(index_file, changed, lambda: "other")
    assert opened("e 2" if changed == "embedder" else "e 1").associations() == []


def test_tidying_leaves_the_words_that_were_compared(opened: Open) -> None:
    """A night does not embed them again; what neither is a memory nor was compared goes."""
    cache, word = opened("e 1"), digest_of("boat")
    cache.add({"a": TEA, "b": POT, word: Entry(None, TEA.vector)})
    cache.put_associations([("tea", "pot", 5)], ["boat"])
    cache.tidy(["a"])
    assert known(cache).keys() == {"a"}
    assert cache.find([word]).keys() == {word}
    assert cache.associations() == [("tea", "pot", 5)]


def test_tidying_leaves_the_texts_compared_last(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With room for two, what was used before the last two goes."""
    monkeypatch.setattr(index_file, "MOST_USED", 2)
    cache = opened("e 1")
    cache.add({"a": TEA, "b": POT, "c": TEA})
    for used in (["a"], ["b"], ["c"], ["a"]):
        cache.note_used(used)
    cache.tidy([])
    assert known(cache).keys() == {"a", "c"}


def test_who_does_not_know_of_an_erasure_keeps_nothing_more(opened: Open) -> None:
    """A process that read the memory before would bring back what was just taken away."""
    late, eraser = opened("e 1"), opened("e 1")
    late.add({"a": TEA, "b": POT})
    eraser.erasures = 1
    eraser.keep(["b"])
    late.add({"a": TEA})
    late.add_times({"k": ()})
    late.put_associations([("tea", "pot", 5)])
    late.note_used(["a"])
    late.tidy([])
    assert known(late) == {"b": (("pot",), [0.0, 1.0])}
    assert (late.find_times(["k"]), late.associations()) == ({}, [])
    late.erasures = 1
    late.add({"a": TEA})
    assert known(late).keys() == {"a", "b"}


def test_a_new_table_of_words_has_another_mark(opened: Open) -> None:
    """By it a process knows that a night of another one has learned; an erasure changes it too."""
    cache, marks = opened("e 1"), [opened("e 1").associations_mark()]
    cache.put_associations([("tea", "pot", 5)])
    marks.append(opened("e 1").associations_mark())
    cache.add({"a": TEA})
    assert opened("e 1").associations_mark() == marks[-1]
    cache.put_associations([("tea", "pot", 5)])
    marks.append(opened("e 1").associations_mark())
    assert marks[0] == ""
    assert len(set(marks)) == 3
