"""Where play begins and where it ends."""

from __future__ import annotations

import pytest

from siliconfriend.extraction.queue import role_play_turns
from tests.extraction.talks import nobody_yet, said


@pytest.mark.parametrize(
    ("words", "played"),
    [
        (("I am a nurse.", "Let's role-play: you are a barista.", "I am the queen."), [2, 3]),
        (("Pretend you are a pirate.", "I am the queen."), [1, 2]),
        (("From now on you are a detective.",), [1]),
        (("我们来玩角色扮演吧。", "我是女王。"), [1, 2]),
        (("从现在开始，你就是侦探。",), [1]),
        (("Let's role-play!", "Okay, stop the role-play. I moved to Oslo.", "I like tea."), [1]),
        (("Let's role-play!", "I am a king.", "Back to reality: I moved to Oslo."), [1, 2]),
        (("Let's role-play!", "不演了，我搬到上海了。"), [1]),
        (("Let's role-play!", "回到现实吧。"), [1]),
        (("My daughter plays the piano.", "The role of my father was important."), []),
        (("我喜欢演戏。", "我妹妹是一名演员。"), []),
    ],
)
def test_play_lasts_from_its_words_to_the_end_of_it_or_of_the_scene(
    words: tuple[str, ...], played: list[int]
) -> None:
    """The turn that ends it is in earnest again; words about plays are no play."""
    memory = nobody_yet()
    for minute, query in enumerate(words):
        memory = said(memory, f"3 14:{minute:02}", query)
    turns = list(memory.turns())
    found = role_play_turns(turns)
    assert [number for number, turn in enumerate(turns, start=1) if turn.id in found] == played
