"""The recipes, on candidates few enough to work out by hand; and the words that ``dynamic`` searches by."""

import math
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.language.tokenizer import token_pairs
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.candidate_set import CandidateSet
from siliconfriend.recall.cue import Utterance, build_cue
from siliconfriend.recall.recipes import Parts, recipe_named
from siliconfriend.seeds.expansion import (
    EXPANDED_WEIGHT,
    ExpandedQuery,
    QueryTerm,
    query_terms,
    search_weights,
)
from siliconfriend.seeds.recipes import RECIPES, TIME_GAP
from tests.embedding import WordEmbedder
from tests.memory.people import NORA, a_profile
from tests.memory.temporary import TemporaryStore
from tests.recall.people import NOW, a_recaller, found, remember, turns

SAID = turns(
    [
        ("2026-03-01", "first", ""),
        ("2026-03-01", "second", ""),
        ("2026-03-01", "third", ""),
        ("2026-03-04", "alone", ""),
    ]
)


def candidate_set(**values: object) -> CandidateSet:
    """Three turns of one day and one of another; nothing matches unless it is said."""
    zeros = np.zeros(4)
    plain: dict[str, object] = {
        "memories": SAID,
        "day": np.array([1, 1, 1, 4]),
        "dense": zeros,
        "similarity": values.get("dense", zeros),
        "similarity_mean": 0.0,
        "similarity_spread": 0.1,
        "lexical": zeros,
        "one_word": 1.0,
        "rarity": zeros,
        "is_dated": np.zeros(4, dtype=np.bool_),
        "dated_share": 0.0,
        "day_of_span": np.array([1, 1, 1, 4]),
        "now": NOW,
        "is_turn": np.ones(4, dtype=np.bool_),
        "previous": np.array([-1, 0, 1, -1]),
        "following": np.array([1, 2, -1, -1]),
        "is_chinese": np.zeros(4, dtype=np.bool_),
        "asks": np.zeros(4),
        "number_of_turns": 4,
        "vectors": np.empty((4, 0), dtype=np.float32),
        "sampled_vectors": np.empty((4, 0), dtype=np.float32),
        "sampled_is_chinese": np.zeros(4, dtype=np.bool_),
    }
    return CandidateSet(**{**plain, **values})  # type: ignore[arg-type]


def _parts(name: str, candidates: CandidateSet) -> dict[str, list[float]]:
    return {part: values.tolist() for part, values in _score(name, candidates).items()}


def _score(name: str, candidates: CandidateSet) -> Parts:
    score = recipe_named(name).score
    assert score is not None
    return score(candidates)


def test_dynamic_fuses_words_meaning_and_age() -> None:
    """A memory of e − 1 days has half the share of time that a new one has."""
    said = [NOW, NOW - timedelta(days=math.e - 1), NOW, NOW]
    memories = [
        replace(turn, trace=replace(turn.trace, created=moment))
        for turn, moment in zip(SAID, said, strict=True)
    ]
    parts = _parts("dynamic", candidate_set(memories=memories))
    assert parts["time"][0] == pytest.approx(2 * parts["time"][1])


def test_memoryos_takes_pages_of_the_best_topics() -> None:
    """The day that matches best is a topic of its own; its pages carry the topic's mark."""
    parts = _parts("memoryos", candidate_set(dense=np.array([0.1, 0.2, 0.3, 0.5])))
    assert parts["topic"] == [1, 1, 1, 1]
    assert parts["page"] == pytest.approx([0.1, 0.2, 0.3, 0.5])


def test_memoryos_takes_pages_of_the_nearest_stored_topics() -> None:
    """Of seven topics the five best, and of these the ones from 0.1 on; who is in none is not."""
    scores = np.array([0.9, 0.8, 0.7, 0.6, 0.05, 0.04, 0.03])
    candidates = candidate_set(
        dense=np.array([0.1, 0.2, 0.3, 0.5]), topic=np.array([3, 4, 0, -1]), topic_scores=scores
    )
    parts = _parts("memoryos", candidates)
    assert parts["topic"] == [1, 0, 1, 0]
    assert parts["page"] == [0.1, 0.2, 0.3, 0.5]
    crowded = candidate_set(topic=np.array([0, 4, 5, 6]), topic_scores=np.full(7, 0.5))
    assert _parts("memoryos", crowded)["topic"] == [1, 1, 0, 0]


shares = st.lists(st.floats(0, 1), min_size=4, max_size=4).map(np.array)


@given(
    st.sampled_from([name for name, one in RECIPES.items() if one.score]),
    shares,
    shares,
    st.permutations(range(4)),
)
def test_scores_do_not_depend_on_the_order_of_candidates(
    name: str, dense: np.ndarray, lexical: np.ndarray, order: list[int]
) -> None:
    """Whoever comes first in the candidates gains nothing by it, and every score is a number."""
    places = np.array(order)
    back = np.argsort(places)
    candidates = candidate_set(dense=dense, similarity_mean=float(dense.mean()), lexical=lexical)
    shuffled = candidate_set(
        memories=[SAID[at] for at in order],
        day=candidates.day[places],
        dense=dense[places],
        similarity_mean=float(dense.mean()),
        lexical=lexical[places],
        previous=np.array([_moved(candidates.previous[at], back) for at in order]),
        following=np.array([_moved(candidates.following[at], back) for at in order]),
    )
    scores = sum(_score(name, candidates).values())
    moved = sum(_score(name, shuffled).values())
    assert np.isfinite(scores).all()
    assert moved == pytest.approx(np.asarray(scores)[places])


def _moved(neighbour: int, back: np.ndarray) -> int:
    return -1 if neighbour < 0 else int(back[neighbour])


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
        token_pairs("violin"), token_pairs("porridge porridge"), documents=1, frequency=lambda _: 0
    )
    assert {term.word: term.weight for term in terms} == pytest.approx(
        {"violin": 3 / 5, "porridge": 2 / 5}
    )


@pytest.fixture
def store() -> MemoryStore:
    """Somebody who said a few things."""
    store, lesson = TemporaryStore(), ("2026-03-01", "My violin lesson went well.", "")
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
