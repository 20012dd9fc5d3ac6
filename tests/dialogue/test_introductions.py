"""Who somebody is, from the memory that said so first."""

from __future__ import annotations

import pytest

from siliconfriend.dialogue.introductions import asked_name, introduces


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Who is Nadia?", "Nadia"),
        ("So who's Aunt Kit again?", "Aunt Kit"),
        ("Do you know who Bean is?", "Bean"),
        ("Who is she?", ""),
        ("Who is Nadia married to?", ""),
        ("豆豆是谁？", "豆豆"),
        ("谁是老周？", "老周"),
        ("你是谁？", ""),
        ("我的老师是谁？", ""),
    ],
)
def test_a_question_who_bears_a_name(said: str, name: str) -> None:
    """A name alone; of "she" and of what else may be asked about somebody it is silent."""
    assert asked_name(said) == name


@pytest.mark.parametrize(
    ("words", "name", "told"),
    [
        ("My sister Nadia plays the cello.", "Nadia", True),
        ("I have a cat called Bean.", "Bean", True),
        ("Nadia, my sister, plays the cello.", "Nadia", True),
        ("It rained. Nadia cooked for my sister and me.", "Nadia", False),
        ("我妹妹纳迪娅拉大提琴。", "纳迪娅", True),
        ("我养了一只猫叫豆豆。", "豆豆", True),
        ("昨天豆豆打碎了一只碗。", "豆豆", False),
    ],
)
def test_what_tells_who_it_is(words: str, name: str, told: bool) -> None:
    """A relative beside the name, or how one is called; not whatever names somebody."""
    assert introduces(words, name) is told
