"""The exact words that an erasure looks for."""

from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.language.exact_words import beginning_of, identifying_words, may_hold, searchable
from siliconfriend.language.tokenizer import tokenize

WORDS = (
    *("skies", "dying", "lying", "hoping", "hopped", "happily", "relational", "conflated"),
    *("generously", "O'Brien's", "don’t", "Ｌｉｓｂｏｎ", "Straße", "3,500", "university", "news"),
    *("小明", "我种了番茄", "玻璃琴", "去年秋天", "inning", "exceed", "agreed", "luxuriated"),
)


@given(st.lists(st.sampled_from(WORDS) | st.text(max_size=12), max_size=6).map(" ".join))
def test_whatever_is_a_token_of_a_text_may_be_in_it(text: str) -> None:
    """In either language, however it is written and stemmed."""
    looked_into = searchable(text)
    assert all(beginning_of(token) in looked_into for token in tokenize(text))


def test_what_lacks_a_beginning_is_passed_over() -> None:
    """All of them must be there."""
    text = searchable("The heron stood by the pond.")
    assert may_hold(text, {beginning_of(token) for token in tokenize("herons, ponds")})
    assert not may_hold(text, {beginning_of(token) for token in tokenize("herons, lakes")})


def test_words_of_three_letters_can_tell_memories_apart() -> None:
    """Shorter ones cannot; of Chinese two characters can, but none beside a mark."""
    assert identifying_words("the cat ate an ox") == {"cat", "ate"}
    assert identifying_words("绿鳐，木木") == {"绿鳐", "木木"}
