"""Loose comparison of texts by the terms they share."""

from __future__ import annotations

from siliconfriend.language.overlap import character_pairs, overlap_terms, words_and_pairs


def test_content_words_leave_out_what_every_sentence_has() -> None:
    """Small words count nothing; forms of a word meet; Chinese goes in pairs."""
    assert overlap_terms("Did you recommend me painters?") == {"recom", "paint"}
    assert overlap_terms("a painting") == {"paint"}
    assert overlap_terms("我去了绿禾公园") == {"绿禾", "禾公", "公园"}


def test_chinese_in_pairs() -> None:
    """Pairs never span what stands between two runs; a lone character is a word of its own."""
    assert character_pairs("硅友，好朋友a友") == ["硅友", "好朋", "朋友"]
    assert words_and_pairs("Go 好 朋友们 ３") == ["go", "好", "朋友", "友们", "3"]
