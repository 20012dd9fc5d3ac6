"""The recipes, on candidates few enough to work out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.recall.candidate_set import CandidateSet
from siliconfriend.recall.recipes import RECIPES, recipe_named
from tests.recall.people import turns

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
        "conversation": None,
        "conversation_mean": 0.0,
        "conversation_spread": 0.1,
        "lexical": zeros,
        "one_word": 1.0,
        "rarity": zeros,
        "date_match": values.get("told_match", zeros),
        "told_match": zeros,
        "day_of_span": np.array([1, 1, 1, 4]),
        "previous": np.array([-1, 0, 1, -1]),
        "following": np.array([1, 2, -1, -1]),
        "age_days": zeros,
        "idle_days": zeros,
        "use_rank": np.array([1.0, 2.0, 3.0, 4.0]),
        "retention": zeros,
        "importance": zeros,
        "is_named": np.zeros(4, dtype=np.bool_),
        "is_of_another": np.zeros(4, dtype=np.bool_),
        "length": np.ones(4),
        "is_turn": np.ones(4, dtype=np.bool_),
        "asks": np.zeros(4, dtype=np.bool_),
        "told": 4,
    }
    return CandidateSet(**{**plain, **values})  # type: ignore[arg-type]


def _parts(name: str, candidates: CandidateSet) -> dict[str, list[float]]:
    return {part: values.tolist() for part, values in recipe_named(name).score(candidates).items()}


def test_a_name_that_is_asked_about_counts_beside_its_word() -> None:
    """A fifth of a match to those that have it; to one that only asks for it again, half of that."""
    is_named = np.array([True, False, True, False])
    candidates = candidate_set(is_named=is_named, new_share=np.array([1.0, 1.0, 0.5, 1.0]))
    assert _parts("siliconfriend", candidates)["named"] == pytest.approx([0.2, 0.0, 0.1, 0.0])


def test_meaning_counts_from_the_mean_to_the_best() -> None:
    """Cosines of 0.8, 0.9, 0.85 and 0.7 around a mean of 0.8: 0, 1, a half and 0."""
    candidates = candidate_set(dense=np.array([0.8, 0.9, 0.85, 0.7]), similarity_mean=0.8)
    assert _parts("siliconfriend", candidates)["dense"] == pytest.approx([0, 1, 0.5, 0])


def test_of_two_that_match_alike_the_longer_tells_more() -> None:
    """0.175 of its match at twice the length, half of that less at half of it; a remark, nothing."""
    values = {"lexical": np.array([4.0, 4, 4, 0]), "length": np.array([2.0, 1, 0.5, 2])}
    parts = _parts("siliconfriend", candidate_set(**values))
    assert parts["telling"] == pytest.approx([0.175, 0, -0.0875, 0])
    remark = _parts("siliconfriend", candidate_set(**values, conversation=np.zeros(4)))
    assert remark["telling"] == pytest.approx([0, 0, 0, 0])


def test_a_match_lends_to_its_neighbours_and_its_day() -> None:
    """Half to the turn beside it, a quarter two away, 0.6 of the best to all of its day."""
    parts = _parts("siliconfriend", candidate_set(lexical=np.array([4.0, 0, 0, 0])))
    assert parts["neighbour"] == pytest.approx([0, 0.5, 0.25, 0])
    assert parts["talk"] == pytest.approx([0.6, 0.6, 0.6, 0])


def test_a_turn_between_two_matches_gets_from_both() -> None:
    """Half of the better one and an eighth of the other; the last one a quarter from two away."""
    parts = _parts("siliconfriend", candidate_set(lexical=np.array([4.0, 0, 2, 0])))
    assert parts["neighbour"] == pytest.approx([0.25 * 0.5, 0.5 + 0.125 * 0.5, 0.25, 0])


def test_a_named_day_leads_a_perfect_match() -> None:
    """It counts 2 alone, and 2/√4 as one of four days."""
    parts = _parts("siliconfriend", candidate_set(date_match=np.array([0, 0, 0, 1.0])))
    assert parts["date"] == pytest.approx([0, 0, 0, 2])
    parts = _parts("siliconfriend", candidate_set(date_match=np.array([0, 0, 0, 4**-0.5])))
    assert parts["date"][3] == pytest.approx(1)


def test_age_importance_and_retention_only_order_equals() -> None:
    """All three together cannot lift a memory over one that matches a quarter better."""
    candidates = candidate_set(
        lexical=np.array([1.0, 0, 0, 0.75]),
        age_days=np.array([900.0, 900, 900, 0]),
        importance=np.array([0.1, 0.1, 0.1, 1.0]),
        retention=np.array([0.0, 0, 0, 1.0]),
    )
    scores = sum(recipe_named("siliconfriend").score(candidates).values())
    assert np.argmax(scores) == 0


def test_reverie_weighs_rank_relevance_and_importance() -> None:
    """0.5 for the most recently used, 3 for the nearest, 2 for the most important."""
    candidates = candidate_set(
        dense=np.array([0.1, 0.2, 0.3, 0.5]), importance=np.array([0.1, 0.4, 0.7, 1.0])
    )
    parts = _parts("reverie", candidates)
    assert parts["recency"][0] == pytest.approx(0.5)
    assert parts["recency"][3] == 0
    assert parts["relevance"] == pytest.approx([0, 0.75, 1.5, 3])
    assert parts["importance"] == pytest.approx([0, 2 / 3, 4 / 3, 2])


def test_dynamic_fuses_words_meaning_and_age() -> None:
    """A memory of e − 1 days has half the share of time that a new one has."""
    parts = _parts("dynamic", candidate_set(age_days=np.array([0.0, math.e - 1, 0, 0])))
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
        dense=np.array([0.1, 0.2, 0.3, 0.5]),
        topic=np.array([3, 4, 0, -1]),
        topic_scores=scores,
    )
    parts = _parts("memoryos", candidates)
    assert parts["topic"] == [1, 0, 1, 0]
    assert parts["page"] == [0.1, 0.2, 0.3, 0.5]
    crowded = candidate_set(topic=np.array([0, 4, 5, 6]), topic_scores=np.full(7, 0.5))
    assert _parts("memoryos", crowded)["topic"] == [1, 1, 0, 0]


shares = st.lists(st.floats(0, 1), min_size=4, max_size=4).map(np.array)


@given(st.sampled_from(sorted(RECIPES)), shares, shares, st.permutations(range(4)))
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
        use_rank=candidates.use_rank[places],
    )
    scores = sum(recipe_named(name).score(candidates).values())
    moved = sum(recipe_named(name).score(shuffled).values())
    assert np.isfinite(scores).all()
    assert moved == pytest.approx(np.asarray(scores)[places])


def _moved(neighbour: int, back: np.ndarray) -> int:
    return -1 if neighbour < 0 else int(back[neighbour])
