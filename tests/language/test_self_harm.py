"""Words that speak of self-harm, and words that only sound like it, in both languages."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from siliconfriend.language.words import speaks_of_self_harm

WORDS = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "self_harm.toml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("words", WORDS["said"])
def test_plain_words_are_found(words: str) -> None:
    """Alone and within a longer message, in any letter case."""
    assert speaks_of_self_harm(words)
    assert speaks_of_self_harm(f"It rained all day. {words.upper()}! 今天下雨。{words}。")


@pytest.mark.parametrize("words", WORDS["not_said"])
def test_figures_of_speech_accidents_and_others_are_not(words: str) -> None:
    """Nor what is denied, nor what happened to somebody else."""
    assert not speaks_of_self_harm(words)
