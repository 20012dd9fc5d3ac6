"""Characters, and the language they make a text."""

from __future__ import annotations

from siliconfriend.language.characters import chinese_runs, fold, is_chinese, language_of


def test_folding_takes_letter_case_and_width_away() -> None:
    """So that whatever a keyboard makes of a word finds it."""
    assert fold("ＡＢｃ Straße") == "abc strasse"


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
