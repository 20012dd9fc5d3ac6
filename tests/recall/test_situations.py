"""Situations of everyday life: what a word calls to mind, and how strongly."""

from __future__ import annotations

import math

import pytest

from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.recall import situations
from siliconfriend.recall.index_pool import preload
from siliconfriend.recall.situations import FILES, MOST, Situations, situation_weights, table_text
from tests.memory.people import NORA
from tests.recall.people import NOW, a_recaller, remember, turns

TABLE = Situations.read(
    "# a comment\n"
    "wasp, bee | sting, swell, jam, picnic\n"
    "jam, marmalade | toast, jar\n"
    "washing machine | drum, leak, sock\n"
)


def idf(lines: int) -> float:
    """Of a word that stands in so many of the table's three lines."""
    return math.log(1 + 3 / (lines + 1)) / math.log(1 + 3 / 2)


def test_a_word_calls_what_belongs_to_its_situations() -> None:
    """Each by what both count: a core word 1, a further one a half, less in several lines."""
    called = TABLE.called_by(["sting"])
    assert called == {
        "wasp": 0.5,
        "bee": 0.5,
        "swell": 0.25,
        "jam": pytest.approx(0.25 * idf(2)),
        "picnic": 0.25,
    }


def test_two_words_call_a_situation_more_strongly_than_one() -> None:
    assert TABLE.called_by(["sting", "swell"])["wasp"] == pytest.approx(1.0)
    assert TABLE.called_by(["sting", "swell", "picnic"])["wasp"] == pytest.approx(1.0)


def test_of_several_situations_the_strongest_counts() -> None:
    """The jam of toast is a core word, that of the wasp a further one."""
    called = TABLE.called_by(["jam"])
    assert called["toast"] == pytest.approx(0.5 * idf(2))
    assert called["wasp"] == pytest.approx(0.5 * idf(2))
    assert called["sting"] == pytest.approx(0.25 * idf(2))
    assert "jam" not in called


def test_a_word_of_two_tokens_is_called_by_both() -> None:
    assert TABLE.called_by(["wash"]) == {}
    assert "leak" in TABLE.called_by(["machin", "wash"])


def test_what_comes_with_everything_calls_nothing() -> None:
    """Of forty lines with both, a morning tells too little of each to bring a tree to mind."""
    lines = [f"place{at}, other{at} | morning, tree" for at in range(40)]
    table = Situations.read("\n".join(lines))
    assert "tree" not in table.called_by(["morn"])
    assert "tree" in Situations.read(lines[0]).called_by(["morn"])


def test_nothing_is_called_by_what_stands_nowhere() -> None:
    assert TABLE.called_by(["qwzx"]) == {}
    assert TABLE.called_by([]) == {}


def test_only_what_was_told_is_searched_for_the_heaviest_first() -> None:
    found = situation_weights(["sting"], {"wasp", "piano"}.__contains__)
    assert found.keys() == {"wasp"}
    assert situation_weights(["漏水"], {"垫圈"}.__contains__).keys() == {"垫圈"}
    assert situation_weights([], lambda _: True) == {}
    many = situation_weights(["sting", "bread", "rain", "school"], lambda _: True)
    assert len(many) == MOST
    assert list(many.values()) == sorted(many.values(), reverse=True)


@pytest.mark.parametrize(
    ("remark", "told", "other"),
    [
        (
            "Something is buzzing round the jar.",
            "A hornet got me on the neck at the picnic.",
            "My neighbour sold his piano.",
        ),
        (
            "The pavement is icy today.",
            "Mum slipped and broke her wrist.",
            "We painted the kitchen yellow.",
        ),
        ("水龙头又漏水了。", "请师傅换了个垫圈，花了八十。", "周末去看了场话剧。"),
        ("路上结冰了，小心滑倒。", "我妈骨折了，打了石膏。", "弟弟考上了公务员。"),
    ],
)
def test_a_remark_is_nearer_to_what_belongs_to_its_situation(
    remark: str, told: str, other: str
) -> None:
    """Though it shares no word with it."""
    store = InMemoryStore()
    remember(store, turns([("2026-03-01", told, ""), ("2026-03-02", other, "")]))
    recalled = a_recaller(store, None).recall(NORA, remark, now=NOW, near=9)
    signs = {it.memory.id: it.signs for it in (*recalled.memories, *recalled.near)}
    found = [it.situation for it in signs.values() if it and it.situation > 0]
    assert len(found) == 1


@pytest.mark.parametrize("language", FILES)
def test_a_line_of_the_table_has_words_on_both_sides_and_none_twice(language: str) -> None:
    for line in table_text(language).splitlines():
        if not line.startswith("#"):
            sides = [[word.strip() for word in side.split(",")] for side in line.split("|")]
            assert len(sides) == 2, line
            words = [word for side in sides for word in side]
            assert all(words), line
            assert len(words) == len(set(words)), line


def test_the_tables_are_loaded_before_the_first_reply_needs_them() -> None:
    """By what a page does while somebody reads it."""
    situations._table.cache_clear()
    preload(vectors=False)
    assert situations._table.cache_info().currsize == len(FILES)
