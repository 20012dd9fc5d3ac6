"""Words of mood are found where they were said and not denied, in both languages."""

from __future__ import annotations

from siliconfriend.moods import moods_of


def test_denied_moods_are_not_counted() -> None:
    """Not worried is not worried; 不开心 is sad and not happy."""
    assert not moods_of(["I am not worried about it."])
    assert {mood.key for mood in moods_of(["I'm worried, but happy."])} == {"worried", "happy"}
    assert {mood.key for mood in moods_of(["我今天很不开心。"])} == {"sad"}
    assert {mood.key for mood in moods_of(["我今天很开心。"])} == {"happy"}
    assert {mood.key for mood in moods_of(["我今天特别开心。"])} == {"happy"}
    assert not moods_of(["别难过。"])
