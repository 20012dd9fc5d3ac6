"""Where play begins and where it ends."""

from __future__ import annotations

import pytest

from siliconfriend.extraction.queue import role_play_turns
from tests.extraction.talks import nobody_yet, said


def _played(*words: str) -> list[int]:
    """The numbers of the turns that are play, from 1."""
    memory = nobody_yet()
    for minute, query in enumerate(words):
        memory = said(memory, f"3 14:{minute:02}", query)
    turns = list(memory.turns())
    return [
        number for number, turn in enumerate(turns, start=1) if turn.id in role_play_turns(turns)
    ]


@pytest.mark.parametrize(
    "begin",
    [
        "Let's role-play: you are a barista.",
        "Pretend you are a pirate.",
        "From now on you are a detective.",
        "我们来玩角色扮演吧。",
        "从现在开始，你就是侦探。",
    ],
)
def test_play_begins_with_the_words_for_it(begin: str) -> None:
    """And goes on to the end of the scene where nobody ends it."""
    assert _played("I am a nurse.", begin, "I am the queen.") == [2, 3]


@pytest.mark.parametrize(
    "end",
    [
        "Okay, stop the role-play. I moved to Oslo.",
        "Back to reality: I moved to Oslo.",
        "不演了，我搬到上海了。",
        "回到现实吧。",
    ],
)
def test_what_ends_it_is_in_earnest_again(end: str) -> None:
    """The turn that ends the play tells of the person, and so do those after it."""
    assert _played("Let's role-play!", "I am the queen.", end, "I like tea.") == [1, 2]


@pytest.mark.parametrize(
    "earnest",
    [
        "My daughter plays the piano.",
        "The role of my father was important.",
        "我喜欢演戏。",
        "我妹妹是一名演员。",
    ],
)
def test_words_about_plays_are_no_play(earnest: str) -> None:
    """Only the wish to play begins one."""
    assert _played(earnest) == []
