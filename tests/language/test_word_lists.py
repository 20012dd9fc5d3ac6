"""Word lists and patterns of both languages."""

import re

import pytest

from siliconfriend import texts
from siliconfriend.language.word_lists import any_of, matches, word_list, word_pattern
from siliconfriend.texts import Language

LISTS: dict[Language, dict[str, object]] = {
    "en": {
        "mood": {"words": ["so sad", "grie*"]},
        "asks": ["^who", "when$"],
        "small": "a the",
        "lost": ["lost my {pet}"],
        "kinds": {"pet": ["cat", "dog"]},
    },
    "cn": {
        "mood": {"words": ["难过"]},
        "asks": ["谁"],
        "small": "的 了",
        "lost": ["{pet}丢了"],
        "kinds": {"pet": ["猫", "狗"]},
    },
}


@pytest.fixture(autouse=True)
def _own_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "area", lambda _name, language: LISTS[language])


def test_a_list_is_of_both_languages() -> None:
    """Whether it is written as an array or as one string."""
    assert word_list("lists-1", "mood.words") == {"so sad", "grie*", "难过"}
    assert word_list("lists-1", "small") == {"a", "the", "的", "了"}


def test_patterns_of_either_language_match() -> None:
    """Many people mix the two."""
    assert matches("lists-2", "asks", "who is it")
    assert matches("lists-2", "asks", "since when")
    assert matches("lists-2", "asks", "是谁")
    assert not matches("lists-2", "asks", "the one who")


def test_a_pattern_may_name_a_kind_of_words() -> None:
    """Each language has its own; a number of times in braces stays one."""
    assert matches("lists-4", "lost", "lost my dog")
    assert matches("lists-4", "lost", "猫丢了")
    assert not matches("lists-4", "lost", "lost my pet")


@pytest.mark.parametrize("text", ["So  SAD.", "我so sad", "grieving", "很难过"])
def test_a_word_pattern_finds_words(text: str) -> None:
    """In any letter case, with any ending at a star, beside Chinese too."""
    assert word_pattern("lists-3", "mood.words").search(text)


@pytest.mark.parametrize("text", ["also sad", "so saddened", "ungrieving"])
def test_a_word_pattern_finds_no_parts_of_words(text: str) -> None:
    """Of English; a Chinese word has no edges."""
    assert word_pattern("lists-3", "mood.words").search(text) is None


def test_any_of_prefers_the_longest() -> None:
    """And takes no word for a pattern."""
    found = re.match(any_of(["a", "a.b", "", "ab"]), "ab")
    assert found is not None
    assert found.group() == "ab"
    assert not re.fullmatch(any_of(["a.b"]), "acb")
