"""The overview that linked pages share."""

from __future__ import annotations

from siliconfriend.topics.assignment import MAX_OVERVIEW, extend_overview


def test_the_new_sentences_come_last_and_none_twice() -> None:
    """What it said already is not said again."""
    found = extend_overview("They met. They ate.", "They ate. They left.")
    assert found == "They met. They ate. They left."


def test_chinese_sentences_stand_without_spaces() -> None:
    """As they are written."""
    assert extend_overview("聊了钢琴。", "五月开始上课。") == "聊了钢琴。五月开始上课。"


def test_the_oldest_sentences_make_room() -> None:
    """It never grows beyond its length, but for one sentence that is longer by itself."""
    found = ""
    for at in range(100):
        found = extend_overview(found, f"This is what was said in hour {at} of that day.")
    assert len(found) <= MAX_OVERVIEW + 20
    assert found.endswith("This is what was said in hour 99 of that day.")
    assert "hour 0 " not in found
