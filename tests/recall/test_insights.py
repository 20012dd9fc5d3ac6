"""Insights among what is recalled, and association over a person's own memory."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.api import MemoryBank
from siliconfriend.config import Settings
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.changes import PutDerived, PutSummary, PutTrace
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.recall.association import Association, Concept, OwnWeights, concepts_of
from siliconfriend.recall.composing import compose
from siliconfriend.recall.recaller import Recaller
from siliconfriend.recall.results import RecallResult
from siliconfriend.testing import WordEmbedder
from siliconfriend.texts import Language
from tests.memory.people import NORA, a_summary, an_insight
from tests.memory.stored import put
from tests.recall.people import GARDEN, NOW, a_recaller, remember, turns

SAID = turns(GARDEN)
THOUGHT = an_insight("Nora trusts her aunt with beans.", evidence=[SAID[0].id, SAID[1].id])


@pytest.fixture
def store() -> InMemoryStore:
    """The garden talk, a summary of its first day and a thought about it."""
    store = InMemoryStore()
    remember(store, SAID)
    summary = a_summary("Nora planted beans.")
    put(store, NORA, PutDerived(THOUGHT), PutSummary(summary.date, summary))
    return store


def _recalled(store: InMemoryStore, query: str, recipe: str = "siliconfriend") -> RecallResult:
    return a_recaller(store, WordEmbedder()).recall(NORA, query, now=NOW, recipe=recipe)


def test_an_insight_is_found_by_its_words(store: InMemoryStore) -> None:
    """As any memory is, and strengthened as any is."""
    recollection = _recalled(store, "trusts her aunt")
    assert recollection.memories[0].memory.id == THOUGHT.id
    a_recaller(store, None).reinforce(NORA, [THOUGHT.id], now=NOW)
    found = store.load(NORA).find(THOUGHT.id)
    assert found is not None
    assert found.trace.recalls == (NOW,)


@pytest.mark.parametrize(
    ("language", "label"),
    [
        ("en", "(Friend's own thought, not said by anyone)"),
        ("cn", "（Friend自己的体会，并非谁说过的话）"),
    ],
)
def test_an_insight_is_marked_as_the_companions_own(
    store: InMemoryStore, language: Language, label: str
) -> None:
    """After what its day brought, so that nobody takes it for something that was said."""
    composed = compose(
        _recalled(store, "aunt beans"),
        store.load(NORA),
        language=language,
        now=NOW,
        zone=ZoneInfo("UTC"),
        companion_name="Friend",
        budget_tokens=1000,
    )
    first_day = composed.sections["memories"].split("\n\n")[0].splitlines()
    assert first_day[-2:] == [label, "Nora trusts her aunt with beans."]
    assert THOUGHT.id in {used.id for used in composed.used}


def test_what_has_expired_is_not_recalled(store: InMemoryStore) -> None:
    """Until the moment it is, from then on by no recipe, whatever its kind."""
    for memory in (THOUGHT, SAID[0]):
        until = replace(memory.trace, expires=NOW)
        change = PutTrace(memory.id, until)
        put(store, NORA, change)
    recaller = a_recaller(store, WordEmbedder())
    for recipe in ("siliconfriend", "reverie", "reverie_words"):
        for now, expected in ((NOW - timedelta(seconds=1), True), (NOW, False)):
            found = recaller.recall(NORA, "beans", now=now, recipe=recipe).memories
            ids = {it.memory.id for it in found}
            assert ({THOUGHT.id, SAID[0].id} <= ids) is expected
            assert SAID[1].id in ids


def test_reverie_finds_by_key_words_in_the_same_memories(store: InMemoryStore) -> None:
    """The thought shares two of them, two turns one; letter case plays no part."""
    found = _recalled(store, "AUNT and BEANS", "reverie_words").memories
    assert [(it.memory.id, it.parts["shared"]) for it in found[:4]] == [
        (THOUGHT.id, 2),
        (SAID[1].id, 2),
        (f"day-2026-03-01-0-{NORA.digest}", 1),
        (SAID[0].id, 1),
    ]


def test_association_works_over_a_persons_memory(store: InMemoryStore) -> None:
    """What is perceived reminds of turns and insights by the words they share."""
    memory = MemoryBank(store=store).person("Nora").memory()
    association = Association(concepts_of(memory), now=NOW, embedder=WordEmbedder())
    kettle = Concept("seen", "turn", "a blue KETTLE on beans", NOW, NOW, 0.5)
    found = association.retrieve([kettle])["a blue KETTLE on beans"]
    assert [it.id for it in found["events"]] == [SAID[4].id, SAID[0].id, SAID[1].id]
    assert [(it.id, it.depth) for it in found["thoughts"]] == [(THOUGHT.id, 1)]
    best = association.new_retrieve(["her sister in Porto"], n_count=2)["her sister in Porto"]
    assert best[0].id == SAID[2].id
    assert association.accessed == [it.id for it in best]


def test_association_leaves_out_what_is_put_away_or_only_retells(store: InMemoryStore) -> None:
    """Archived turns, day summaries, and turns that only ask."""
    archived = SAID[0].trace.archived_at(NOW)
    put(store, NORA, PutTrace(SAID[0].id, archived))
    kept = [it.id for it in concepts_of(store.load(NORA))]
    assert kept == [SAID[1].id, THOUGHT.id, *(it.id for it in SAID[2:])]


def test_memories_used_at_the_same_moment_share_their_rank(store: InMemoryStore) -> None:
    """The two turns of a day nobody knows the time of are equally recent: 0.99 to the same rank."""
    found = _recalled(store, "beans planted aunt", "reverie").memories
    recency = {it.memory.id: it.parts["recency"] for it in found}
    assert recency[SAID[0].id] == recency[SAID[1].id]
    assert recency[THOUGHT.id] == 0.5


def test_the_persons_own_weights_multiply_the_common_ones(settings: Settings) -> None:
    """0.5, 3 and 2 times 2, 0 and 3: what nobody weighs plays no part."""
    named = replace(settings, reverie_recency=2.0, reverie_relevance=0.0, reverie_importance=3.0)
    store = InMemoryStore()
    remember(store, SAID)
    judged = replace(SAID[0].trace, importance=1.0)
    put(store, NORA, PutTrace(SAID[0].id, judged))
    policy = ForgettingPolicy.named("companion")
    recaller = Recaller(store, WordEmbedder(), policy=policy, own=OwnWeights.of(named))
    found = recaller.recall(NORA, "beans", now=NOW, recipe="reverie").memories
    parts = {it.memory.id: dict(it.parts) for it in found}
    assert parts[SAID[0].id] == {"recency": 0.0, "relevance": 0.0, "importance": 6.0}
    assert parts[SAID[4].id] == {"recency": 1.0, "relevance": 0.0, "importance": 0.0}
