"""Who somebody is, from the memory that said so first."""

from __future__ import annotations

import pytest

from siliconfriend.recall.introductions import asked_of, asks_who, introduces


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Who is Nadia?", "Nadia"),
        ("So who's Aunt Kit again?", "Aunt Kit"),
        ("Do you know who Bean is?", "Bean"),
        ("Who is my brother?", "my brother"),
        ("Who is she?", ""),
        ("Who is my landlady?", ""),
        ("Who is Nadia married to?", ""),
        ("Who is my brother married to?", ""),
        ("What is my mother's name?", ""),
        ("豆豆是谁？", "豆豆"),
        ("谁是老周？", "老周"),
        ("你是谁？", ""),
        ("我的老师是谁？", ""),
        ("老周的老师是谁？", ""),
    ],
)
def test_a_question_who_somebody_is(said: str, name: str) -> None:
    """A name or a relative alone; of "she" and of what else may be asked about somebody it is silent."""
    assert asked_of(said) == name
    assert asks_who(said) is bool(name)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("What do you know about Theo?", "Theo"),
        ("Tell me about Aunt Kit.", "Aunt Kit"),
        ("What have I told you about my sister?", "my sister"),
        ("Do you remember Bean?", "Bean"),
        ("What has happened to Dad over these two years?", "Dad"),
        ("What do you know about cooking?", ""),
        ("What do you know about my plans?", ""),
        ("What happened to Dad's car?", ""),
        ("Tell me about my trip.", ""),
        ("关于沈禾你知道什么？", "沈禾"),
        ("你对林姨了解多少？", "林姨"),
        ("你还记得豆豆吗？", "豆豆"),
        ("说说我弟弟。", "我弟弟"),
        ("我爸这两年出过哪些事？", "我爸"),
        ("说说我去云南的事。", ""),
        ("你记得我吗？", ""),
        ("我的工作怎么样？", ""),
    ],
)
def test_a_question_what_is_known_of_somebody(said: str, name: str) -> None:
    """All that was told of them is asked for, and nothing beside."""
    assert asked_of(said) == name
    assert not asks_who(said)


@pytest.mark.parametrize(
    ("words", "name", "told"),
    [
        ("My sister Nadia plays the cello.", "Nadia", True),
        ("I have a cat called Bean.", "Bean", True),
        ("Nadia, my sister, plays the cello.", "Nadia", True),
        ("My manager, Gerald, was kind.", "Gerald", True),
        ("Bethan's my wife.", "Bethan", True),
        ("It rained. Nadia cooked for my sister and me.", "Nadia", False),
        ("我妹妹纳迪娅拉大提琴。", "纳迪娅", True),
        ("我养了一只猫叫豆豆。", "豆豆", True),
        ("昨天豆豆打碎了一只碗。", "豆豆", False),
    ],
)
def test_what_tells_who_it_is(words: str, name: str, told: bool) -> None:
    """A relative beside the name, or how one is called; not whatever names somebody."""
    assert introduces(words, name) is told
