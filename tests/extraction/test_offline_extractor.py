"""Reading without a model: facts from set phrases alone, with their kind and value."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.extraction.day_sentences import weightiest_sentences
from siliconfriend.extraction.duplicates import compare
from siliconfriend.extraction.extractor import Subject
from siliconfriend.extraction.offline_extractor import OfflineExtractor
from siliconfriend.memory.drafts import FactDraft
from siliconfriend.texts import LANGUAGES, Language
from tests.extraction.world import ADA, XIAO, batch_of, ids

PHRASES: dict[str, list[dict[str, Any]]] = tomllib.loads(
    Path(__file__).parents[1].joinpath("data", "offline_facts.toml").read_text(encoding="utf-8")
)
SUBJECTS: dict[Language, Subject] = {"en": ADA, "cn": XIAO}


def _facts(subject: Subject, *spoken: str) -> tuple[FactDraft, ...]:
    return OfflineExtractor().extract(subject, batch_of(*spoken), ()).facts


@pytest.mark.parametrize("language", LANGUAGES)
def test_set_phrases_give_facts(language: Language) -> None:
    """Every phrase of the table, and nothing from what only looks like one."""
    found = {
        row["said"]: [[fact.kind, fact.value] for fact in _facts(SUBJECTS[language], row["said"])]
        for row in PHRASES[language]
    }
    wrong = {
        row["said"]: found[row["said"]]
        for row in PHRASES[language]
        if found[row["said"]] != row["facts"]
    }
    assert not wrong


@pytest.mark.parametrize(
    ("subject", "said", "text", "key_word"),
    [
        (ADA, "My dog is called Rex.", "Ada's dog is called Rex.", "Rex"),
        (XIAO, "我妹妹叫小北。", "小林的妹妹叫小北。", "小北"),
    ],
)
def test_a_fact_is_about_the_person(subject: Subject, said: str, text: str, key_word: str) -> None:
    batch = batch_of("Hello.", said)
    (fact,) = OfflineExtractor().extract(subject, batch, ()).facts
    assert (fact.text, fact.key_word, fact.entity) == (text, key_word, subject.person)
    assert fact.turns == ids(batch, 2)


def test_nothing_else_is_made_by_rule() -> None:
    """No event; a role-play tells nothing."""
    found = OfflineExtractor().extract(ADA, batch_of("I carried the piano. I live in Leeds."), ())
    assert found.events == ()
    play = batch_of("Let's pretend I'm the queen of Mars.", "My name is Zorba.")
    assert not OfflineExtractor().extract(ADA, play, ()).facts


def test_facts_are_compared_by_kind_and_value() -> None:
    """Of a home there is one, of brothers there may be several."""
    leeds, again, bergen = (
        _facts(ADA, f"I live in {one}.")[0] for one in ("Leeds", "leeds", "Bergen")
    )
    kit, tom = (_facts(ADA, f"My brother is called {one}.")[0] for one in ("Kit", "Tom"))
    assert compare(again, leeds) == "same"
    assert compare(bergen, leeds) == "contradictory"
    assert compare(tom, kit) == "unrelated"
    assert compare(kit, leeds) == "unrelated"


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        (
            (
                "Hi there! I'm so tired of everything.",
                "Dad fell off the ladder and broke his wrist on Tuesday.",
                "What should I cook?",
                "I feel awful, really awful.",
                "Nora got the job in Bergen.",
            ),
            (
                "Dad fell off the ladder and broke his wrist on Tuesday.",
                "Nora got the job in Bergen.",
            ),
        )
    ],
)
def test_a_day_is_summed_up_by_its_news(told: tuple[str, ...], kept: tuple[str, ...]) -> None:
    """Word by word and in order; complaints and questions come last or not at all."""
    assert tuple(weightiest_sentences(batch_of(*told).turns)) == kept
