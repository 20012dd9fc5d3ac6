"""The same fact told in Chinese and in English is one fact, by rule and without a model."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from siliconfriend.extraction.comparison import compare
from siliconfriend.extraction.drafts import FactDraft
from siliconfriend.extraction.extractor import Subject
from siliconfriend.extraction.offline_facts import extract_facts
from siliconfriend.language import dictionary
from siliconfriend.memory.creation import new_turn
from tests.extraction.talks import ADA, nobody_yet
from tests.extraction.world import Reading

PAIRS = tomllib.loads((Path(__file__).parent / "both_languages.toml").read_text("utf-8"))
KNOWN = 101
"""Of the 110 pairs that say the same so many are known as one. The first 40 were at hand when the
rules were made; of the next 40, 33 were known when they were first looked at, and of the last 30,
which were written when the rules stood, 27."""


def _last(said: str) -> FactDraft | None:
    turn = new_turn(ADA, nobody_yet(), said, now=datetime(2026, 6, 1, tzinfo=UTC))
    told = [*extract_facts(Subject("Ada", "Kai", "en"), replace(turn, response="I see."))]
    return told[-1] if told else None


def _are_one(english: str, chinese: str) -> bool:
    one, other = _last(english), _last(chinese)
    return one is not None and other is not None and compare(one, other) == "same"


def test_most_of_what_is_the_same_is_known_as_one() -> None:
    """Birthday, home, calling, family, pets, tastes and fears, of oneself and of others."""
    assert sum(_are_one(*pair) for pair in PAIRS["same"]) >= KNOWN


@pytest.mark.parametrize("pair", PAIRS["different"], ids="|".join)
def test_what_differs_in_one_thing_is_never_one(pair: list[str]) -> None:
    """Like and dislike, tea and coffee, sister and brother, hers and a friend's."""
    assert not _are_one(*pair)
    assert not _are_one(*pair[::-1])


def test_a_fact_told_in_the_other_language_adds_evidence() -> None:
    """It neither stands beside the first nor passes for its correction."""
    ada = Reading()
    first = ada.say("3 10:00", "I live in Beijing. I like drinking green tea.")
    again = ada.say("5 10:00", "我住在北京。我爱喝绿茶。")
    ada.read()
    assert ada.known() == ["Ada lives in Beijing.", "Ada likes drinking green tea."]
    assert all(it.provenance.from_ids == (first, again) for it in ada.facts())
    assert not any(it.superseded_by for it in ada.memory().facts())


def test_a_sisters_taste_is_one_fact_under_either_name() -> None:
    """Ada's sister is Ada的妹妹, but 姐姐 and 妹妹 are two."""
    ada = Reading()
    ada.say("3 10:00", "My sister hates onions.")
    ada.say("5 10:00", "我妹妹讨厌洋葱。")
    ada.say("6 10:00", "我姐姐喜欢猫。")
    ada.say("7 10:00", "我妹妹喜欢猫。")
    ada.read()
    assert ada.known() == ["Ada's sister hates onions.", "Ada的姐姐喜欢猫。", "Ada的妹妹喜欢猫。"]


def test_a_change_of_heart_in_the_other_language_replaces() -> None:
    """Whoever hates what they liked does not like it any more."""
    ada = Reading()
    ada.say("3 10:00", "I like coffee.")
    ada.say("5 10:00", "我讨厌咖啡。")
    ada.say("6 10:00", "I don't like tea.")
    ada.read()
    assert ada.known() == ["Ada讨厌咖啡。", "Ada doesn't like tea."]


def test_a_move_told_in_the_other_language_is_a_correction() -> None:
    """Another town is no repetition."""
    draft = FactDraft("Ada住在上海。", (), "Ada", "object", "attribute")
    home = FactDraft("Ada lives in Beijing.", (), "Ada", "object", "attribute")
    assert compare(draft, home) == "contradictory"
    assert compare(replace(draft, text="Ada住在北京。"), home) == "same"


def test_without_the_dictionary_vectors_decide_and_seldom_dare(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What has a day, a number or a name of its own is compared as ever."""
    dictionary.meanings.cache_clear()
    dictionary.split_chinese.cache_clear()
    monkeypatch.setattr(dictionary, "_text", lambda: "")
    monkeypatch.setattr(dictionary, "_places", dict)
    assert not dictionary.meanings("爵士乐")
    assert not _are_one("I like jazz.", "我喜欢爵士乐。")
    assert _are_one("I was born on 9 July.", "我生日是七月九号。")
    assert _are_one("My husband's name is Tom.", "我老公叫Tom。")
    dictionary.meanings.cache_clear()
    dictionary.split_chinese.cache_clear()
