"""Word expansion: two ways through a table, the file an operator gives, the one memory gives."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

import siliconfriend
from siliconfriend.errors import ConfigurationError, UsageError
from siliconfriend.language.tokenizer import stem
from siliconfriend.memory.changes import Erase
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.records import Memory
from siliconfriend.person.bank import MemoryBank
from siliconfriend.recall.recaller import Recaller
from siliconfriend.seeds.association_table import (
    BASE_FILE,
    BASE_TABLE,
    AssociationTable,
    base_associations,
    learn_associations,
    read_table,
    table_of,
)
from siliconfriend.seeds.expansion import expand
from siliconfriend.seeds.from_memory import associations
from tests.memory.people import NORA
from tests.memory.stored import put
from tests.recall.people import a_fact, a_recaller, know, numbered, turns

RED = AssociationTable(
    [
        ("红色", "革命", 7),
        ("红色", "玫瑰", 6),
        ("红色", "火焰", 6),
        ("红色", "鲜血", 5),
        ("花", "花园", 8),
        ("花", "玫瑰", 5),
        ("cat", "Kitten", 9),
        ("cat", "milk", 4),
        ("morning", "coffee", 6),
        ("morning", "milk", 5),
    ]
)


def test_the_first_way_takes_from_each_word_in_turn() -> None:
    """The most probable of each, then the next of each that is not there yet."""
    found = expand("红色的花", strategy="first", table=RED).expanded_words
    assert found == (("革命", 7), ("花园", 8), ("玫瑰", 6), ("火焰", 6), ("鲜血", 5))


def test_the_second_way_sorts_by_level_and_what_recurs_rises_by_two() -> None:
    """玫瑰 stands under both words: 6 + 2, beside 8 of what came first."""
    found = expand("红色的花", strategy="second", table=RED).expanded_words
    assert found == (("玫瑰", 8), ("花园", 8), ("革命", 7), ("火焰", 6), ("鲜血", 5))
    assert expand("红色的花", strategy="mixed", table=RED).expanded_words == found


def test_the_words_put_in_are_the_ten_that_tell_most() -> None:
    """All content words are told, at most ten put in; words about nothing only where alone."""
    sentence = "apple banana cherry date elder fig grape hazel iris jasmine kiwi apple lemon"
    found = expand(sentence, table=RED)
    assert len(found.original_key_words) == 12
    assert found.input_words[0] == "apple"
    assert len(found.input_words) == 10
    assert expand("喜欢", table=RED).input_words == ("喜欢",)


@pytest.mark.parametrize(
    "wrong",
    [
        {"limit": -1},
        {"limit": 2.5},
        {"limit": True},
        {"strategy": "third"},
        {"strategy": 0},
        {"filter_values": "1"},
        {"filter_values": [-1]},
        {"filter_values": ["1"]},
        {"sentence": None},
        {"sentence": b"cat"},
    ],
)
def test_bad_arguments_are_a_usage_error(wrong: dict[str, Any]) -> None:
    """Each with a sentence of its own in both languages."""
    with pytest.raises(UsageError) as caught:
        expand(**{"sentence": "cat", "table": RED, **wrong})
    assert caught.value.message("en") != caught.value.message("cn")


def test_a_table_is_read_from_a_file(tmp_path: Path) -> None:
    """With a mark of UTF-8, remarks, empty lines and Windows line ends."""
    path = tmp_path / "associations.tsv"
    path.write_bytes(
        "\ufeff# 我的词表\r\n\r\n红色\t玫瑰\t6\r\nRed\trose\t6\r\nred\trose\t8\r\n".encode()
    )
    table = read_table(path)
    assert table.of("红色") == (("玫瑰", 6),)
    assert table.of("red") == (("rose", 8),)
    assert len(table) == 2


@pytest.mark.parametrize(
    "line", ["红色 玫瑰 6", "红色\t玫瑰", "红色\t玫瑰\t10", "红色\t\t6", "a\tb\thigh"]
)
def test_a_line_that_is_no_entry_is_refused_with_its_number(tmp_path: Path, line: str) -> None:
    """Reading the rest would find less, and nobody would know why."""
    path = tmp_path / "associations.tsv"
    path.write_text(f"# one\n花\t花园\t8\n{line}\n", "utf-8")
    with pytest.raises(ConfigurationError) as caught:
        read_table(path)
    assert "3" in caught.value.message("en")
    assert str(path) in caught.value.message("cn")


def test_the_operators_table_stands_for_every_persons(tmp_path: Path) -> None:
    """It is read again when it changes, and gone when it is moved away."""
    path = tmp_path / "associations.tsv"
    store = FileStore(tmp_path / "home")
    know(store, [a_fact("Mochi the kitten."), a_fact("piano lesson"), a_fact("tram")])
    recaller = a_recaller(store, None)
    assert _table(recaller, tmp_path).of("mochi")
    path.write_text("mochi\tsnow\t9\n", "utf-8")
    assert _table(recaller, tmp_path).of("mochi") == (("snow", 9),)
    path.write_text("mochi\train\t9\n", "utf-8")
    os.utime(path, ns=(1, 1))
    assert _table(recaller, tmp_path).of("mochi") == (("rain", 9),)
    path.unlink()
    assert ("snow", 9) not in _table(recaller, tmp_path).of("mochi")


def _table(recaller: Recaller, home: Path | None) -> AssociationTable:
    with recaller.synced_index(NORA) as (index, memory):
        return table_of(index, memory, home)


def _entries(*memories: Memory) -> dict[tuple[str, str], int]:
    return {(word, other): level for word, other, level in learn_associations(memories)}


def test_what_one_fact_tells_belongs_together() -> None:
    """Words that stand together in half of four facts: see the formula.

    p = 1/4 each and together, so the pointwise mutual information is whole; once: 1/2 of 9.
    """
    told = numbered(
        [a_fact("mochi kitten"), a_fact("piano lesson"), a_fact("tram"), a_fact("bread")]
    )
    found = _entries(*told)
    assert found == {
        ("mochi", "kitten"): 5,
        ("kitten", "mochi"): 5,
        ("piano", "lesson"): 5,
        ("lesson", "piano"): 5,
    }


def test_turns_tell_it_only_when_they_say_it_twice() -> None:
    """Two words of one turn may stand together by chance. Twice: 2/3 of 9."""
    said = [("2026-03-01", "violin porridge", ""), ("2026-03-02", "violin", "")]
    assert _entries(*turns([*said, ("2026-03-03", "porridge", "")])) == {}
    twice = [*said[:1], ("2026-03-02", "violin porridge", ""), ("2026-03-03", "tram", "")]
    more = [("2026-03-04", "bread", ""), ("2026-03-05", "lamp", "")]
    assert _entries(*turns([*twice, *more])) == {
        ("violin", "porridge"): 6,
        ("porridge", "violin"): 6,
    }


def test_an_erasure_takes_its_words_out_of_the_table(tmp_path: Path) -> None:
    """The table is learned from what is stored when it is asked for."""
    store = FileStore(tmp_path)
    gone, *_ = know(store, [a_fact("Mochi the kitten."), a_fact("piano lesson"), a_fact("tram")])
    recaller = a_recaller(store, None)
    assert _table(recaller, None).of("mochi")
    put(store, NORA, Erase((gone.id,)))
    assert not _table(recaller, None).of("mochi")


def test_expand_is_public_and_goes_by_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operator's file, else the memory of the person they name, else nothing."""
    monkeypatch.setenv("SILICONFRIEND_HOME", str(tmp_path))
    monkeypatch.setenv("SILICONFRIEND_EMBEDDING", "none")
    assert siliconfriend.expand("Mochi").expanded_words == ()
    know(FileStore(tmp_path), [a_fact("Mochi the kitten."), a_fact("piano lesson"), a_fact("tram")])
    assert siliconfriend.expand("Mochi").expanded_words == ()
    monkeypatch.setenv("SILICONFRIEND_USER", "Nora")
    assert siliconfriend.expand("Mochi").expanded_words == (("kitten", 5),)
    (tmp_path / "associations.tsv").write_text("mochi\tsnow\t9\n", "utf-8")
    assert siliconfriend.expand("Mochi").expanded_words == (("snow", 9),)


def test_an_entry_of_several_words_is_found_as_a_whole() -> None:
    """Whatever the dictionary cuts it into, in either language and any form, and nothing less."""
    table = AssociationTable([("ice cream", "summer", 6), ("红色元素", "圣诞", 7)])
    assert expand("We had ice creams.", table=table).expanded_words == (("summer", 6),)
    found = expand("画廊里的红色元素真好看", table=table)
    assert found.input_words[0] == "红色元素"
    assert found.expanded_words == (("圣诞", 7),)
    assert expand("The ice melts into the cream.", table=table).expanded_words == ()
    long = expand("ice cream " + " ".join(f"word{it}" for it in range(20)), table=table)
    assert len(long.input_words) == 10


@pytest.mark.parametrize(
    ("sentence", "expected"), [("红色的花", {"red", "flower"}), ("red flower", {"红色", "花"})]
)
def test_a_fresh_home_expands(tmp_path: Path, sentence: str, expected: set[str]) -> None:
    """In both languages and across them, where nobody has told anything."""
    table = associations(MemoryBank(tmp_path))
    expansion = siliconfriend.expand(sentence, table=table)
    assert expected <= {word for word, _ in expansion.expanded_words}


def test_what_a_person_told_comes_first() -> None:
    """Their own level counts where both have a word, and nothing stands twice."""
    base = dict(BASE_TABLE.of("coffee"))
    own = AssociationTable([("coffee", "Lisbon", 9), ("coffee", "tea", 1)], with_base=True)
    found = own.of("coffee")
    assert found[0] == ("lisbon", 9)
    assert dict(found) == {**base, "lisbon": 9, "tea": 1}
    assert len({word for word, _ in found}) == len(found)


def test_the_table_is_well_formed_and_small() -> None:
    """Every word brings at most two others to mind, best first; a download hardly grows by it."""
    path = resources.files("siliconfriend.seeds") / BASE_FILE
    assert len(path.read_bytes()) < 40_000
    for word in ("红色", "音乐", stem("music"), stem("travelling")):
        found = base_associations(word)
        levels = [level for _, level in found]
        assert 1 <= len(found) <= 5
        assert levels == sorted(levels, reverse=True)
        assert all(1 <= level <= 9 for level in levels)
    assert base_associations("qwzx") == ()
