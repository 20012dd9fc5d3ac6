"""The recipe ``dynamic``: key words by weight, the time gap and meaning, and the last reply always."""

from __future__ import annotations

import math
from datetime import timedelta

import pytest

from siliconfriend.language.tokenizer import token_pairs
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.cue import Utterance, build_cue
from siliconfriend.recall.expansion import (
    EXPANDED_WEIGHT,
    ExpandedQuery,
    QueryTerm,
    query_terms,
    search_weights,
)
from siliconfriend.recall.recipes import TIME_GAP
from siliconfriend.testing import WordEmbedder
from tests.memory.people import NORA, a_profile
from tests.recall.people import NOW, a_recaller, found, remember, turns


def _asked(
    message: str, *terms: QueryTerm, expanded: tuple[tuple[str, int], ...] = ()
) -> dict[str, float]:
    cue = build_cue(message, PersonMemory(a_profile()), now=NOW)
    return dict(search_weights(ExpandedQuery(terms, expanded), cue))


def test_key_words_count_by_tfidf_and_expanded_ones_by_level() -> None:
    """A mean of 1 for what was said; a level of nine for the share of EXPANDED_WEIGHT."""
    terms = QueryTerm("cats", "cat", 0.75), QueryTerm("milk", "milk", 0.25)
    weights = _asked("cats milk", *terms, expanded=(("kitten", 9), ("cats", 9), ("snow", 3)))
    assert weights == pytest.approx(
        {"cat": 1.5, "milk": 0.5, "kitten": EXPANDED_WEIGHT, "snow": EXPANDED_WEIGHT / 3}
    )


def test_the_words_of_a_day_are_not_searched() -> None:
    """The day answers for them."""
    said = "What did I do on May 4th with the violin?"
    weights = _asked(said, QueryTerm("may", "may", 0.5), QueryTerm("violin", "violin", 0.5))
    assert list(weights) == ["violin"]


def test_the_message_leads_and_the_reply_follows() -> None:
    """Three times against once; the idf of a word that stands in no document is ln(1 + N)."""
    terms = query_terms(
        token_pairs("violin"),
        token_pairs("porridge porridge"),
        documents=1,
        frequency=lambda _: 0,
    )
    assert [(it.word, it.weight) for it in terms] == [
        ("violin", pytest.approx(3 / 5)),
        ("porridge", pytest.approx(2 / 5)),
    ]


@pytest.fixture
def store() -> MemoryStore:
    """Somebody who said a few things."""
    store, lesson = InMemoryStore(), ("2026-03-01", "My violin lesson went well.", "")
    more = [("2026-03-02", "The ferry was late.", ""), ("2026-03-05", "I bought a kettle.", "")]
    remember(store, turns([lesson, *more]))
    return store


def test_the_last_reply_always_joins_the_question(store: MemoryStore) -> None:
    """Also a question that says enough by itself, by words and by meaning."""
    recaller = a_recaller(store, None)
    asked = "Was the harbour crowded with tourists?"
    talk = [Utterance("How was your violin lesson?", is_reply=True)]
    plain = recaller.recall(NORA, asked, now=NOW, recipe="dynamic")
    joined = recaller.recall(NORA, asked, now=NOW, recipe="dynamic", talk=talk)
    assert found(plain)[0] == "I bought a kettle."
    assert found(joined)[0] == "My violin lesson went well."


def test_the_parts_are_key_words_meaning_and_the_time_gap(store: MemoryStore) -> None:
    """Of one that is the best in both: 1, 1, and 1/(1 + ln(1 + days)) of what time may count."""
    embedder = WordEmbedder(["violin", "ferry", "kettle"])
    best = a_recaller(store, embedder).recall(NORA, "ferry", now=NOW, recipe="dynamic").memories[0]
    days = (NOW - best.memory.trace.created) / timedelta(days=1)
    assert best.parts == pytest.approx(
        {"keywords": 1.0, "meaning": 1.0, "time": TIME_GAP / (1 + math.log1p(days))}
    )
    assert best.score == pytest.approx(sum(best.parts.values()))
