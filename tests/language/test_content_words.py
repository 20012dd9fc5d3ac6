"""The words that carry meaning, and sentences without any."""

from __future__ import annotations

from siliconfriend.language.content_words import content_words, is_small_talk


def test_content_words_keep_how_they_were_written() -> None:
    """Counted by their stems, shown as written; words about nothing are left out."""
    found = content_words("My violins were in Bergen, weren't they?")
    assert [(word.root, word.shown) for word in found] == [
        ("violin", "violins"),
        ("bergen", "Bergen"),
    ]


def test_only_some_chinese_words_name_a_topic() -> None:
    """A noun or a verb does, an adverb does not."""
    found = {word.shown: word.names_topic for word in content_words("我悄悄去厦门钓鱼")}
    assert found["钓鱼"]
    assert found["厦门"]
    assert not found["悄悄"]


def test_what_says_nothing_of_its_own() -> None:
    """Greetings and thanks are idle, what is told is not, in both languages."""
    for idle in ("Hello, my name is Ada.", "Okay, I will try that.", "好的，谢谢你的建议。", "嗯"):
        assert is_small_talk(idle), idle
    for told in ("I traveled to Xiamen recently.", "我最近去了厦门，非常美丽。"):
        assert not is_small_talk(told), told
