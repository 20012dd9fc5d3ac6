"""Prompts are files: twins in both languages, overridable one by one, safe with any words."""

from __future__ import annotations

from pathlib import Path

import pytest

from siliconfriend.errors import ConfigurationError
from siliconfriend.prompts.files import variables_of
from siliconfriend.prompts.loader import Prompts
from siliconfriend.shipped import PROMPTS

NAMES = sorted({path.stem for path in PROMPTS.glob("*/*.md")})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An operator's folder with one prompt of their own."""
    own = tmp_path / "en"
    own.mkdir()
    (own / "greet.md").write_text('Greet {name}. Form: {"mood": "{mood}"}', encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", NAMES)
def test_twins_have_the_same_variables(name: str) -> None:
    """Each prompt is there in both languages and names the same variables in each."""
    english, chinese = Prompts("en").source(name), Prompts("cn").source(name)
    assert english
    assert variables_of(english) == variables_of(chinese)


def test_values_are_put_in_once(folder: Path) -> None:
    """Braces in a person's words stay as they are, and so do those of a piece of JSON."""
    prompts = Prompts("en", folder)
    assert prompts.render("greet", name="{mood} {0} {}", mood="glad", unused=1) == (
        'Greet {mood} {0} {}. Form: {"mood": "glad"}'
    )


def test_a_section_of_nothing_is_left_out(folder: Path) -> None:
    """With its tags, where it would hold nothing else; words of a person are never taken for one."""
    source = 'Before.\n\n<a day="{day}">\n{a}\n</a>\n\n<b>\nAlso:\n{b}\n</b>\n{c}'
    (folder / "en" / "greet.md").write_text(source, encoding="utf-8")
    prompts = Prompts("en", folder)
    assert prompts.render("greet", day=None, a=None, b=None, c="<b>\nx\n</b>") == (
        "Before.\n\n<b>\nAlso:\n\n</b>\n‹b>\nx\n‹/b>"
    )
    assert '<a day="1">\n\n</a>' in prompts.render("greet", day=1, a="", b="", c="")


def test_a_missing_variable_is_named(folder: Path) -> None:
    """The error says which variable of which file, and what it could name."""
    with pytest.raises(ConfigurationError) as caught:
        Prompts("en", folder).render("greet", name="Ada")
    assert "en/greet.md" in str(caught.value)
    assert "{mood}" in str(caught.value)
    assert "it can name name" in str(caught.value)


def test_an_own_file_stands_for_that_one_only(folder: Path) -> None:
    """The operator's folder is looked at first; what it lacks comes from the program."""
    (folder / "en" / "chat.md").write_text("Be brief.", encoding="utf-8")
    assert Prompts("en", folder).render("chat") == "Be brief."
    assert Prompts("cn", folder).source("chat") == Prompts("cn").source("chat")


def test_a_file_that_is_no_text_is_reported(folder: Path) -> None:
    """A prompt saved in another encoding is an error with its path, not garbled words."""
    (folder / "en" / "chat.md").write_bytes("你好".encode("gb18030"))
    with pytest.raises(ConfigurationError, match="UTF-8"):
        Prompts("en", folder).source("chat")
