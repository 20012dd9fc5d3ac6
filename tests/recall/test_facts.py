"""What is known, found for a question: by which words, in which order, what stays out."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutDerived, PutTrace
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.knowledge import Fact
from siliconfriend.recall.embedders.bundled import BundledEmbedder
from tests.embedding import WordEmbedder
from tests.memory.people import NORA
from tests.memory.stored import put
from tests.recall.people import NOW, a_fact, a_recaller, ask, know


def _ask(folder: Path, facts: list[Fact], query: str, **options: Any) -> list[str]:
    store = FileStore(folder)
    know(store, facts)
    return ask(a_recaller(store, None), query, **options)


def test_a_birthday_told_only_in_the_description_of_a_relation_is_found(tmp_path: Path) -> None:
    """Searching relations by their key words alone never answers when it is."""
    facts = [
        a_fact(
            "Ines, Nora's sister, has her birthday on the 4th of May.",
            key_word="sister",
            aspect="relation",
        ),
        a_fact("Nora drinks her tea without milk.", key_word="tea"),
    ]
    assert _ask(tmp_path, facts, "When is the birthday?") == [facts[0].text]


def test_relations_come_first_then_the_person_then_what_is_named_then_the_rest(
    tmp_path: Path,
) -> None:
    """The order of the third version, whatever was told last."""
    rest = a_fact("Tea has caffeine.", entity="tea", entity_type="general", last="2026-03-09")
    named = a_fact("Bruno sells tea.", entity="Bruno", entity_type="specific", last="2026-03-08")
    person = a_fact("Nora loves tea.", last="2026-03-07")
    relation = a_fact("Nora and Ines met over tea.", aspect="relation", last="2026-03-06")
    facts = [rest, named, person, relation]
    assert _ask(tmp_path, facts, "Tea?") == [fact.text for fact in reversed(facts)]


def test_within_a_group_the_newest_come_first(tmp_path: Path) -> None:
    """By the day they were last told, not by how well they match."""
    old = a_fact("Nora drinks green tea.", key_word="tea", last="2026-03-02")
    new = a_fact("Nora has stopped drinking tea in the evening.", last="2026-03-09")
    assert _ask(tmp_path, [old, new], "tea") == [new.text, old.text]


def test_the_names_of_the_two_are_not_searched(tmp_path: Path) -> None:
    """Nearly every fact has them; a question with nothing else finds nothing."""
    facts = [
        a_fact("Nora swims in the lake."),
        a_fact("Momo hums.", entity="nobody", entity_type="general"),
    ]
    assert _ask(tmp_path, facts, "Nora, Momo!", companion_name="Momo") == []


def test_what_no_longer_holds_stays_out(tmp_path: Path) -> None:
    """Facts that were put right, put away or have expired are not known any more."""
    day_before = NOW - timedelta(days=1)
    right = a_fact("Nora's birthday is the 5th of May.", key_word="birthday")
    wrong = a_fact("Nora's birthday is the 4th of May.", key_word="birthday", superseded_by="x")
    store = FileStore(tmp_path)
    away, over = know(store, [replace(right, text="Birthday cake."), replace(right, text="Party.")])
    put(
        store,
        NORA,
        PutTrace(away.id, Trace(NOW, archived=NOW)),
        PutTrace(over.id, Trace(NOW, expires=day_before)),
    )
    later = [replace(fact, date="2026-03-02", last="2026-03-02") for fact in (right, wrong)]
    know(store, later)
    assert ask(a_recaller(store, None), "birthday") == [right.text]


def test_a_fact_that_is_put_right_is_found_by_its_new_words_only(tmp_path: Path) -> None:
    """An index that was asked before follows, also where only the key word changed."""
    store = FileStore(tmp_path)
    recaller = a_recaller(store, None)
    (before,) = know(store, [a_fact("It is blue.", key_word="kettle")])
    assert ask(recaller, "kettle") == [before.text]
    put(store, NORA, PutDerived(replace(before, key_word="teapot")))
    assert ask(recaller, "kettle") == []
    assert ask(recaller, "teapot") == [before.text]


def test_a_weak_match_never_takes_the_place_of_a_strong_one(tmp_path: Path) -> None:
    """Whoever it is about: the person's many do not push out the promise that was asked for."""
    promise = a_fact(
        "It promised a poem about the harbour.",
        entity="Sil",
        entity_type="subject",
        aspect="promise",
    )
    weak = [a_fact(f"She saw a harbour in town {at}.") for at in range(5)]
    found = _ask(tmp_path, [promise, *weak], "the poem about the harbour", top_facts=2)
    assert promise.text in found


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("木木对花生过敏。", "Which food is dangerous for me?"),
        ("Nora is afraid of heights.", "Would a flat on the top floor scare me?"),
        ("木木怕高。", "我害怕什么？"),
    ],
)
def test_other_words_and_the_other_language_find_it_too(
    tmp_path: Path, told: str, asked: str
) -> None:
    """By meaning, with the embedder that comes along, among a dozen others."""
    store = FileStore(tmp_path)
    others = (
        *("Nora plays the violin on Sundays.", "木木的猫叫团子。", "Nora bought a red bicycle."),
        *("木木住在杭州。", "Nora's sister lives in Porto.", "木木睡前看侦探小说。"),
        *("Nora hates parties.", "木木在学法语。", "Nora's cat sleeps on the radiator."),
        *("木木的爸爸会修钟表。", "Nora ran a half marathon.", "木木喜欢喝绿茶。"),
    )
    know(store, map(a_fact, (*others, told)))
    recaller = a_recaller(store, BundledEmbedder())
    found = ask(recaller, asked)
    assert told in found
    assert len(found) < len(others)


def test_a_question_in_other_words_gets_the_nearest(tmp_path: Path) -> None:
    """Other words for the same; where nothing matches at all there is none."""
    store = FileStore(tmp_path)
    texts = ("a b c d", "a b e f", "g h i j", "k l m n", "o p q r")
    facts = [a_fact(f"Nora {words}.", key_word=words[-1]) for words in texts]
    know(store, facts)
    recaller = a_recaller(store, WordEmbedder())
    asked = "What is it with a whole lot of other words b?"
    found = recaller.recall(NORA, asked, now=NOW, top_facts=2)
    assert {one.memory.text for one in found.facts} == {facts[0].text, facts[1].text}
    assert ask(recaller, "Something else entirely.") == []


def test_a_chinese_verb_right_behind_a_name_is_found(tmp_path: Path) -> None:
    """The segmenter joins 王莉住 to one word; a fact's own name is set apart before."""
    fact = a_fact("王莉住在杭州。", entity="王莉", key_word="杭州")
    assert _ask(tmp_path, [fact], "我住在哪里？") == [fact.text]
