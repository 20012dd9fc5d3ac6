"""What of a message was told: behind its greeting, and in the sentences of a reply."""

from __future__ import annotations

import pytest

from siliconfriend.dialogue.told_words import is_quoted_in, without_greeting
from tests.dialogue.people import SCOPES, turn


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("hey. i'm Dario, 34", "i'm Dario, 34"),
        ("Morning, just off shift", "just off shift"),
        ("Hello there!! Kit is ill.", "Kit is ill."),
        ("Hey, good morning! I slept badly.", "I slept badly."),
        ("How are you? I broke a leg.", "I broke a leg."),
        ("嗨，我叫戴锐", "我叫戴锐"),
        ("早，刚下夜班", "刚下夜班"),
        ("晚上好呀！我到家了。", "我到家了。"),
        # no greeting, or nothing else
        ("Morning walks, that is what I like.", "Morning walks, that is what I like."),
        ("Early, far too early.", "Early, far too early."),
        ("早点睡，别熬夜", "早点睡，别熬夜"),
        ("喂猫，浇花，然后睡觉", "喂猫，浇花，然后睡觉"),
        ("Hi!", "Hi!"),
        ("你好", "你好"),
        ("", ""),
    ],
)
def test_a_greeting_is_left_out(words: str, told: str) -> None:
    """Nobody wants their "hi" back months later."""
    assert without_greeting(words) == told


def test_a_bare_word_is_no_quotation() -> None:
    """Many a reply has "well" in it; where nothing else was said, it is all there is to find."""
    told = turn(SCOPES["en"], "2026-03-01T12:00", "Well. The harp is sold.", "I see.")
    assert is_quoted_in(told, "On 1 March you told me that the harp is sold.")
    assert not is_quoted_in(told, "They may well come tomorrow.")
    bare = turn(SCOPES["en"], "2026-03-01T12:00", "Well.", "I see.")
    assert is_quoted_in(bare, "You said: “Well.”")
