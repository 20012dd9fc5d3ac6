"""Estimates of tokens are never below what common tokenizers count."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.models.tokens import estimate_tokens, truncate

COUNTED = {
    "3141592653589793238462643383279502884197": 40,  # one for each digit, as of Qwen and Gemma
    "3f2a9c0de41b77aa3f2a9c0de41b77aa12": 27,
    "สวัสดีครับผมชื่อสมชายอยู่กรุงเทพ": 24,
    "मेरा नाम राहुल है और मैं दिल्ली में रहता हूँ": 33,
    "Меня зовут Анна, я живу в Москве": 14,
    "def f(x):\n    return df[mask] + x['a'] != 3\n": 21,
    "我在苏州一家儿童医院做护士。": 14,
    "I teach chemistry at a secondary school in Leeds, and I like it.": 15,
    "😀😀😀": 6,
}
"""Texts with the most tokens that one of several common tokenizers makes of them."""


@pytest.mark.parametrize("text", COUNTED)
def test_no_script_is_underestimated(text: str) -> None:
    """Digits, code and other alphabets take more tokens a character than English does."""
    assert COUNTED[text] <= estimate_tokens(text) <= 2.5 * COUNTED[text]


@given(st.text(max_size=300), st.integers(1, 60))
def test_a_truncated_text_has_at_most_its_tokens(text: str, tokens: int) -> None:
    """Whatever mixture of scripts it is."""
    assert estimate_tokens(truncate(text, tokens)) <= tokens


def test_a_short_text_is_not_truncated() -> None:
    """Only its lines are joined."""
    assert truncate("Good\n morning.", 10) == "Good morning."
