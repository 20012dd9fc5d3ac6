"""A text as the words one finds it by."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.language.tokenizer import tokenize


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Walking in PARKS", ["walk", "park"]),
        ("Nora's kettle", ["nora", "kettl"]),
        ("ＡＢＣ 公園", ["abc", "公園"]),
        ("我去了绿禾公园", ["绿禾", "公园"]),
        ("周末去IKEA买了3.5米的窗帘", ["周末", "ikea", "买", "3.5", "米", "窗帘"]),
        ("我种了一棵树，我们学吉他", ["种", "一棵", "一棵树", "学", "吉他"]),
        ("我的猫叫什么", ["猫", "叫"]),
        ("room 404, 12:30", ["room", "404", "12:30"]),
        ("do you remember what I said", []),
    ],
)
def test_both_languages_are_cut_into_words(text: str, expected: list[str]) -> None:
    """Stemmed, folded, segmented, numbers whole, and without the words that tell nothing."""
    assert tokenize(text) == expected


@given(st.text())
def test_any_text_has_words(text: str) -> None:
    """Nothing a person can type breaks it, and no word is empty."""
    assert all(tokenize(text))
