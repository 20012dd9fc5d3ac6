"""Key words: what a text is about, in one letter case and width."""

from __future__ import annotations

from siliconfriend.language.characters import fold
from siliconfriend.language.keywords import extract_keywords, keyword_forms, top_keywords
from siliconfriend.texts import LANGUAGES, area


def test_letter_case_and_width_are_folded() -> None:
    """A word is the same word however it is typed."""
    assert (
        extract_keywords("ＭＡＹＡ")
        == extract_keywords("Maya")
        == extract_keywords("maya’s")
        == ("maya",)
    )


def test_key_words_are_what_a_text_is_about() -> None:
    """Idle words, short words and numbers are left out; each word comes once, in order."""
    assert extract_keywords("Maya’s sister Nadia moved to Porto in 2026; Nadia is my sister.") == (
        "maya",
        "sister",
        "nadia",
        "moved",
        "porto",
    )


def test_chinese_is_segmented() -> None:
    """Chinese words of two characters or more, and the words a longer one holds."""
    assert extract_keywords("昨天我和女朋友去了公园，听Jazz") == ("朋友", "女朋友", "公园", "jazz")


def test_the_strongest_are_in_most_texts() -> None:
    """Counted once a text; among equals by their letters, so the order is always the same."""
    texts = ["garden garden garden", "choir and garden", "choir, theo", "theo!", "amber"]
    assert top_keywords(texts, 3) == ["choir", "garden", "theo"]
    assert top_keywords(reversed(texts), 4) == ["choir", "garden", "theo", "amber"]
    assert top_keywords([], 3) == []


def test_idle_words_are_written_as_they_are_met() -> None:
    """The lists hold folded words, or they would leave nothing out."""
    for language in LANGUAGES:
        for key in ("stop", "generic", "unthematic"):
            words = area("words", language)[key].split()
            assert words == [fold(word) for word in words]


def test_keyword_forms_are_found_by_their_tokens() -> None:
    """A stem has the form it was first said in."""
    assert keyword_forms("Gardens! My garden, 3 gardens in 厦门") == {
        "garden": "gardens",
        "厦门": "厦门",
    }
