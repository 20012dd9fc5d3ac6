"""The words of a text: how it is cut into them, what they tell, what is shared and searched."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.config import load_settings
from siliconfriend.config.loading import OWN_WORDS, read_own_words
from siliconfriend.errors import ConfigurationError
from siliconfriend.language.characters import chinese_runs, fold, is_chinese, language_of
from siliconfriend.language.tokenizer import OwnWord, tokenize, tokenizer_version, use_own_words
from siliconfriend.language.words import (
    content_set,
    content_words,
    is_small_talk,
    jaccard,
    keywords,
    share_of,
    top_keywords,
    word_set,
)
from siliconfriend.recall.cue import find_names
from siliconfriend.runtime import Runtime
from siliconfriend.texts import LANGUAGES, area
from tests.sentences import rows


def test_chinese_is_told_by_its_characters() -> None:
    """Also the rare and the compatible ones; marks and kana are none."""
    assert is_chinese("a 㐀")
    assert is_chinese("豈")
    assert not is_chinese("abc，。か")
    assert chinese_runs("你好, Ada和小林！") == ["你好", "和小林"]


def test_a_foreign_title_leaves_a_sentence_what_it_is() -> None:
    """More Chinese characters than Latin words make a text Chinese; neither decides nothing."""
    assert language_of("我喜欢 The Lord of the Rings 这部电影") == "cn"
    assert language_of("I read 三体 last week") == "en"
    assert language_of("123 …", otherwise="cn") == "cn"


@pytest.mark.parametrize(("text", "expected"), rows("tokens"))
def test_both_languages_are_cut_into_words(text: str, expected: list[str]) -> None:
    """Stemmed, folded, segmented, numbers whole, and without the words that tell nothing."""
    assert tokenize(text) == expected


@given(st.text())
def test_any_text_has_words(text: str) -> None:
    """Nothing a person can type breaks it, and no word is empty."""
    assert all(tokenize(text))


def test_content_words_carry_a_text() -> None:
    """As they were said and as they are indexed; words about nothing and numbers are left out."""
    assert content_words("My violins were in Bergen, weren't they? 3 violins!") == [
        ("violins", "violin"),
        ("bergen", "bergen"),
        ("violins", "violin"),
    ]
    assert content_words("读了科幻小说") == [("科幻小说", "科幻小说")]  # a longer word is one word


def test_words_are_compared_in_two_ways() -> None:
    """All of them, and those that carry the texts in any form of theirs."""
    assert word_set("Ada wants tea.", "two teas") == {"ada", "want", "tea", "two"}
    assert content_set("She bought 2 new cellos") == content_set("Buy a cello!") == {"buy", "cello"}
    assert share_of({"a", "b"}, {"b", "c"}) == 0.5
    assert share_of((), {"b"}) == 1.0
    assert jaccard({"a", "b"}, {"b", "c"}) == pytest.approx(1 / 3)
    assert jaccard((), ()) == 0.0


def test_what_says_nothing_of_its_own() -> None:
    """Greetings and thanks are idle, what is told is not, in both languages."""
    for idle in ("Hello, my name is Ada.", "Okay, I will try that.", "好的，谢谢你的建议。", "嗯"):
        assert is_small_talk(idle), idle
    for told in ("I traveled to Xiamen recently.", "我最近去了厦门，非常美丽。"):
        assert not is_small_talk(told), told


def test_key_words_are_what_a_text_is_about() -> None:
    """Idle words, short words and numbers are left out; each word comes once, in order."""
    assert keywords("Maya’s sister Nadia moved to Porto in 2026; Nadia is my sister.") == (
        "maya",
        "sister",
        "nadia",
        "moved",
        "porto",
    )


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


@pytest.fixture(autouse=True)
def _no_own_words() -> Iterator[None]:
    """They count for the whole program, so each test leaves none behind."""
    yield
    use_own_words(())


def test_a_list_is_read_in_jiebas_form(tmp_path: Path) -> None:
    """Word, count and kind, the last two as anyone likes; remarks, a mark and Windows line ends."""
    path = tmp_path / OWN_WORDS
    path.write_bytes("\ufeff# 乐器\r\n\r\n玻璃琴\r\n木木 20 nr\r\n莫兰迪色 n\r\n".encode())
    assert read_own_words(path) == (
        OwnWord("玻璃琴"),
        OwnWord("木木", 20, "nr"),
        OwnWord("莫兰迪色", None, "n"),
    )
    assert read_own_words(tmp_path / "none.txt") == ()


@pytest.mark.parametrize("line", ["琴", "ice cream", "玻璃 琴", "玻璃琴 10 n 5", "T恤", "玻璃琴,"])
def test_a_line_that_is_no_word_is_refused_with_its_number(tmp_path: Path, line: str) -> None:
    """In a sentence of its own in both languages; nothing is read in part."""
    (tmp_path / OWN_WORDS).write_text(f"# 一\n木木\n{line}\n", "utf-8")
    with pytest.raises(ConfigurationError, match="3") as caught:
        Runtime(load_settings(home=tmp_path))
    assert caught.value.message("en") != caught.value.message("cn")


def test_an_own_word_is_cut_as_one(tmp_path: Path) -> None:
    """Everywhere: in tokens, content words and names; the next home without a list has none."""
    before = tokenizer_version()
    assert "玻璃琴" not in tokenize("我弹玻璃琴")
    (tmp_path / OWN_WORDS).write_text("玻璃琴\n你好星 nr\n", "utf-8")
    Runtime(load_settings(home=tmp_path))
    assert "玻璃琴" in tokenize("我弹玻璃琴")
    assert "玻璃琴" in keywords("我弹玻璃琴")
    assert tokenize("你好星来了")[0] == "你好星"  # 你 is a part of the word here
    assert find_names("我见到了你好星") == ("你好星",)
    assert tokenizer_version() != before
    Runtime(load_settings(home=tmp_path / "other"))
    assert "玻璃琴" not in tokenize("我弹玻璃琴")
    assert tokenizer_version() == before


def test_a_weekday_is_one_token_however_it_is_written() -> None:
    for words in ("周日", "星期日", "礼拜天", "每周日", "每个星期天"):
        assert "周日" in tokenize(words), words
    assert "周三" not in tokenize("每周三次")
