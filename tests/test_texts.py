"""Every text exists in both languages and names the same values in each."""

from __future__ import annotations

import string
from pathlib import Path
from typing import Any

import pytest

from siliconfriend import texts

FOLDER = Path(texts.__file__).parent
AREAS = sorted({path.stem for path in FOLDER.glob("*/*.toml")})
WORD_LISTS = {"moods"}
"""Areas that are lists of words of a language, with no counterpart word for word."""


def _flat(table: dict[str, Any], before: str = "") -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            found |= _flat(value, f"{before}{key}.")
        else:
            found[before + key] = value
    return found


def _variables(value: object) -> set[str]:
    if not isinstance(value, str):
        return set()
    return {name for _, name, _, _ in string.Formatter().parse(value) if name}


@pytest.mark.parametrize("area", AREAS)
def test_both_languages_have_the_same_texts(area: str) -> None:
    """No text and no variable of a text is missing; the kinds of words are each language's own."""
    english, chinese = (
        {key: value for key, value in flat.items() if not key.startswith("kinds.")}
        for flat in (_flat(texts.area(area, "en")), _flat(texts.area(area, "cn")))
    )
    assert english.keys() == chinese.keys()
    if area in WORD_LISTS:
        return
    for key in english:
        assert _variables(english[key]) == _variables(chinese[key]), key


def test_texts_put_values_in() -> None:
    """A text takes its values, whichever language it is in."""
    assert "300" in texts.text("errors", "name_too_long", "en", length=300, longest=200)
    assert "300" in texts.text("errors", "name_too_long", "cn", length=300, longest=200)
