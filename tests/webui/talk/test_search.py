"""Words are found inside the talk: in any order, by their beginnings, and in Chinese anywhere."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.memory.changes import PutTurn, apply_all
from siliconfriend.memory.records import PersonMemory
from tests.memory.people import a_profile, a_turn
from webui.talk.search import find_lines


def talk(*said: tuple[str, str, str]) -> PersonMemory:
    """A talk of these days, messages and answers."""
    turns = [
        a_turn(query, response, day=day, position=place)
        for place, (day, query, response) in enumerate(said)
    ]
    return apply_all(PersonMemory(a_profile()), [PutTurn(turn) for turn in turns])


def found(memory: PersonMemory, words: str) -> list[str]:
    """What the lines say in which the words stand, newest first."""
    return [it.turn.query for it in find_lines(memory, words)[0]]


EARLIER, LATER = "2026-03-01", "2026-03-05"
SEA = talk(
    (EARLIER, "We walked by the sea.", "Lovely."),
    (EARLIER, "Otters played in the harbour!", "How many otters?"),
    (LATER, "Nothing much.", "Will you walk by the sea again?"),
    (LATER, "我在海边捡到一张旧地图", "真有意思。"),
)


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("sea", ["Nothing much.", "We walked by the sea."]),
        ("SEA walk", ["Nothing much.", "We walked by the sea."]),
        ("otter", ["Otters played in the harbour!"]),
        ("playing", ["Otters played in the harbour!"]),
        ("harb", ["Otters played in the harbour!"]),
        ("arbour", []),
        ("sea otters", []),
        ("many harbour", ["Otters played in the harbour!"]),
        ("harbour!", ["Otters played in the harbour!"]),
        ("ｓｅａ", ["Nothing much.", "We walked by the sea."]),
        ("边捡", ["我在海边捡到一张旧地图"]),
        ("地图 海边", ["我在海边捡到一张旧地图"]),
        ("旧地图海边", ["我在海边捡到一张旧地图"]),
        ("海港", []),
        ("!", ["Otters played in the harbour!"]),
        ("  ", []),
        ("", []),
    ],
)
def test_a_line_is_found_by_all_its_words(words: str, lines: list[str]) -> None:
    """Whoever said them; a word counts from its beginning, Chinese anywhere."""
    assert found(SEA, words) == lines


def test_what_was_found_is_marked_where_it_stands() -> None:
    """In the message, or in the answer where only that holds the words; cut around the first."""
    (line,) = find_lines(SEA, "otters")[0]
    assert line.by == "person"
    assert line.excerpt == (("Otters", True), (" played in the harbour!", False))
    (newer, _) = find_lines(SEA, "walk sea")[0]
    assert newer.by == "companion"
    assert [it for it, is_found in newer.excerpt if is_found] == ["walk", "sea"]
    (chinese,) = find_lines(SEA, "旧地图海边")[0]
    assert [it for it, is_found in chinese.excerpt if is_found] == ["海边", "旧地图"]
    far = talk((EARLIER, f"{'so ' * 40}ＣＡＦÉ! {'on ' * 80}on", ""))
    (cut,) = find_lines(far, "café")[0]
    assert cut.excerpt[0] == ("… ", False)
    assert cut.excerpt[2] == ("ＣＡＦÉ", True)
    assert cut.excerpt[-1][0].endswith(" …")


def test_lines_are_found_a_page_at_a_time_whatever_was_taken_back_meanwhile() -> None:
    """Going on after a line needs no line to be there, and says when there is no more."""
    memory = talk(*((EARLIER, f"Beans, row {row}.", "") for row in range(5)))
    first, is_more = find_lines(memory, "beans", most=2)
    assert [it.turn.position for it in first] == [4, 3]
    assert is_more
    without = replace(memory, days={})
    assert find_lines(without, "beans", before=first[-1].turn.id) == ([], False)
    second, is_more = find_lines(memory, "beans", before=first[-1].turn.id, most=3)
    assert [it.turn.position for it in second] == [2, 1, 0]
    assert not is_more


@given(
    st.text(alphabet="ab海边 ßİﬁ😀\n.", max_size=30), st.text(alphabet="ab海边ßİﬁ😀 ", max_size=6)
)
def test_an_excerpt_is_made_of_the_words_of_its_line(said: str, words: str) -> None:
    """Whatever folds to more or fewer characters, nothing is cut in two or invented."""
    for line in find_lines(talk((EARLIER, said, "")), words)[0]:
        shown = "".join(it for it, _ in line.excerpt).removesuffix(" …").removeprefix("… ")
        assert shown in " ".join(said.split())
        assert any(is_found for _, is_found in line.excerpt)


def test_an_excerpt_begins_with_a_word() -> None:
    """Neither in the midst of one nor with the mark that ended the one before; signs too are found."""
    english = talk((EARLIER, f"{'lamps and coats, ' * 9}soup!", ""))
    (line,) = find_lines(english, "soup")[0]
    assert line.excerpt[1] == ("lamps and coats, lamps and coats, ", False)
    chinese = talk((EARLIER, "早上，" * 20 + "地图", ""))
    (line,) = find_lines(chinese, "地图")[0]
    assert line.excerpt[1][0].startswith("早上，早上")
    signs = talk((EARLIER, "…" * 90 + "?!" + "…" * 9, ""))
    (line,) = find_lines(signs, "?!")[0]
    assert ("?!", True) in line.excerpt
