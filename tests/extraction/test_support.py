"""What stands in none of the turns is not believed; what says the same in other words is."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path

import pytest

from siliconfriend.extraction.support import Source, is_supported, meaning_of, unsupported_in
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.embedders.cached import CachedEmbedder, Embed
from siliconfriend.texts import LANGUAGES, Language
from tests.embedding import WordEmbedder
from tests.sentences import rows

Pairs = dict[str, list[list[str]]]
PAIRS: Pairs = tomllib.loads((Path(__file__).parent / "support_pairs.toml").read_text("utf-8"))
FRESH: Pairs = tomllib.loads(
    (Path(__file__).parent / "support_pairs_fresh.toml").read_text("utf-8")
)
NAMES: dict[Language, str] = {"en": "Ada", "cn": "小林"}
DAY = date(2026, 6, 3)
ELSEWHERE = 37
"""How many rows lie between what was said and a fact that nobody told at all."""


def _shares(
    language: Language,
    spoken: Language,
    embed: Embed | None,
    rows: range,
    pairs: Pairs = PAIRS,
) -> dict[str, float]:
    """Which share of the facts in one language is believed after turns in another, by kind."""
    believed = dict.fromkeys(("honest", "near", "unrelated"), 0)
    for row in rows:
        said = Source([pairs[spoken][row][0]], DAY)
        _, honest, near = pairs[language][row]
        unrelated = pairs[language][(row + ELSEWHERE) % len(pairs[language])][1]
        for kind, text in (("honest", honest), ("near", near), ("unrelated", unrelated)):
            believed[kind] += is_supported(text, said, [NAMES[language]], embed)
    return {kind: number / len(rows) for kind, number in believed.items()}


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    """The one that comes with the program."""
    from siliconfriend.recall.embedders.bundled import BundledEmbedder

    return CachedEmbedder(BundledEmbedder())


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("spoken", LANGUAGES)
def test_honest_paraphrases_are_kept_and_inventions_are_not(
    language: Language, spoken: Language, embedder: Embedder
) -> None:
    """Of fifty pairs a language; across languages an invention on the same matter passes more."""
    found = _shares(language, spoken, meaning_of(embedder), range(0, 100, 2))
    assert found["unrelated"] <= 0.02
    assert found["honest"] >= 0.86
    assert found["near"] <= (0.2 if language == spoken else 0.34)


@pytest.mark.slow
def test_pairs_that_no_rule_was_made_with_are_judged_alike(embedder: Embedder) -> None:
    """94 of 100 honest paraphrases were kept, and 19 inventions on the same matter, when written."""
    found = [
        _shares(language, spoken, meaning_of(embedder), range(len(FRESH["en"])), FRESH)
        for language in LANGUAGES
        for spoken in LANGUAGES
    ]
    assert all(it["unrelated"] == 0 for it in found)
    assert sum(it["honest"] for it in found) / 4 >= 0.92
    assert sum(it["near"] for it in found) / 4 <= 0.2


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_alone_tell_what_nobody_told_at_all(language: Language) -> None:
    """Where there is no embedder, or none that the thresholds were measured with."""
    assert meaning_of(None) is None
    assert meaning_of(WordEmbedder()) is None
    found = _shares(language, language, None, range(100))
    assert found["unrelated"] <= 0.02
    assert found["honest"] >= 0.9


@pytest.mark.parametrize(("said", "fact", "is_told"), rows("figures_and_names"))
def test_figures_and_names_must_be_said(said: str, fact: str, is_told: bool) -> None:
    """A day may be that of a "tomorrow", reckoned from the day it was said."""
    assert is_supported(fact, Source([said], DAY), ["Ada"], None) is is_told


@pytest.mark.parametrize(
    ("fact", "is_told"),
    [
        ("Ada lives in Bergen.", True),
        ("Ada hates Bergen.", False),
        ("Ada lives in Oslo.", False),
        ("Ada lives in Leeds.", False),
    ],
)
def test_what_a_correction_leaves_was_told_before(
    fact: str, is_told: bool, embedder: Embedder
) -> None:
    """Of the fact that it corrects only what was said now may be another."""
    said = Source(["I moved from Leeds to Bergen today!"], DAY, corrected="Ada lives in Leeds.")
    assert is_supported(fact, said, ["Ada"], meaning_of(embedder)) == is_told


SAID = (
    "2026-03-14\nAda: I planted beans on the balcony with my sister Mia. "
    "We leave for Rome tomorrow; the train is 1,200 yen."
)
说 = "2026-03-14\n小林：我今天和妹妹小美在阳台种了豆子，明天去成都，还有十四天放假。"


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("Ada planted beans with Mia and leaves for Rome on 15 March.", []),
        ("Mia’s sister Ada is Warm and patient. On Sunday she rested. Two topics came up.", []),
        ("A train for 1200 yen.", []),
        ("Ada planted beans with Tom in Oslo.", ["Tom", "Oslo"]),
        ("Ada spent 300 euros, and twenty-one more.", ["21", "300"]),
        ("Ada leaves on 2026-03-19.", ["19"]),
        ("Oslo begins a sentence, as any word may.", []),
    ],
)
def test_what_is_new_in_an_english_text(text: str, new: list[str]) -> None:
    """Days that a "tomorrow" means are not; nor is what a text counts of its own."""
    assert unsupported_in(text, SAID, ["Ada"]) == new


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("小林和小美种了豆子，3月15日去成都，14天后放假。", []),
        ("小林性格和蔼，有三个爱好，回复时要多鼓励她。", []),
        ("小林和王芳去了上海。", ["王芳", "上海"]),
        ("小林种了50盆豆子。", ["50"]),
    ],
)
def test_what_is_new_in_a_chinese_text(text: str, new: list[str]) -> None:
    """Names of people and places, by the segmenter and the dictionary."""
    assert unsupported_in(text, 说, ["小林"]) == new
