"""Word expansion: two ways through a table, and the file that an operator gives."""

import os
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

import siliconfriend
from siliconfriend.errors import ConfigurationError, UsageError
from siliconfriend.language.tokenizer import stem
from siliconfriend.seeds.association_table import (
    BASE_FILE,
    BASE_TABLE,
    AssociationTable,
    base_associations,
    read_table,
    table_in,
)
from siliconfriend.seeds.expansion import expand

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


@pytest.mark.parametrize("wrong", [{"limit": -1}, {"strategy": "third"}])
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


def test_the_operators_table_stands_for_the_base_one(tmp_path: Path) -> None:
    """It is read again when it changes, and gone when it is moved away."""
    path = tmp_path / "associations.tsv"
    assert table_in(tmp_path) is table_in(None) is BASE_TABLE
    for other in ("snow", "rain"):
        path.write_text(f"mochi\t{other}\t9\n", "utf-8")
        os.utime(path, ns=(1, len(other) + ord(other[0])))
        assert table_in(tmp_path).of("mochi") == ((other, 9),)
    assert table_in(tmp_path).of("red") == ()
    path.unlink()
    assert table_in(tmp_path) is BASE_TABLE


def test_expand_is_public_and_goes_by_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operator's file, else the base table."""
    monkeypatch.setenv("SILICONFRIEND_HOME", str(tmp_path))
    assert siliconfriend.expand("Mochi").expanded_words == ()
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
    long = expand("ice cream " + " ".join(f"word{number}" for number in range(20)), table=table)
    assert len(long.input_words) == 10


@pytest.mark.parametrize(
    ("sentence", "expected"), [("红色的花", {"red", "flower"}), ("red flower", {"红色", "花"})]
)
def test_the_base_table_expands_in_both_languages(sentence: str, expected: set[str]) -> None:
    """And across them."""
    expansion = siliconfriend.expand(sentence, table=BASE_TABLE)
    assert expected <= {word for word, _ in expansion.expanded_words}


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
