"""The operator's own words: how their file is read, and what they change."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from siliconfriend.config import load_settings
from siliconfriend.config.own_words import FILE_NAME, read_own_words
from siliconfriend.errors import ConfigurationError
from siliconfriend.language.tokenizer import OwnWord, tokenize, tokenizer_version, use_own_words
from siliconfriend.language.words import content_words
from siliconfriend.recall.cue import find_names
from siliconfriend.runtime import Runtime


@pytest.fixture(autouse=True)
def _no_own_words() -> Iterator[None]:
    """They count for the whole program, so each test leaves none behind."""
    yield
    use_own_words(())


def test_a_list_is_read_in_jiebas_form(tmp_path: Path) -> None:
    """Word, count and kind, the last two as anyone likes; remarks, a mark and Windows line ends."""
    path = tmp_path / FILE_NAME
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
    (tmp_path / FILE_NAME).write_text(f"# 一\n木木\n{line}\n", "utf-8")
    with pytest.raises(ConfigurationError, match="3") as caught:
        Runtime(load_settings(home=tmp_path))
    assert caught.value.message("en") != caught.value.message("cn")


def test_an_own_word_is_cut_as_one(tmp_path: Path) -> None:
    """Everywhere: in tokens, content words and names; the next home without a list has none."""
    before = tokenizer_version()
    assert "玻璃琴" not in tokenize("我弹玻璃琴")
    (tmp_path / FILE_NAME).write_text("玻璃琴\n你好星 nr\n", "utf-8")
    Runtime(load_settings(home=tmp_path))
    assert "玻璃琴" in tokenize("我弹玻璃琴")
    assert "玻璃琴" in [word.shown for word in content_words("我弹玻璃琴")]
    assert tokenize("你好星来了")[0] == "你好星"  # 你 is a part of the word here
    assert find_names("我见到了你好星") == ("你好星",)
    assert tokenizer_version() != before
    Runtime(load_settings(home=tmp_path / "other"))
    assert "玻璃琴" not in tokenize("我弹玻璃琴")
    assert tokenizer_version() == before
