"""Insights among what is recalled, and association over a person's own memory."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from siliconfriend.memory.changes import PutDerived, PutSummary, PutTrace
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.person.bank import MemoryBank
from siliconfriend.recall.association import Association, Concept, concepts_of
from siliconfriend.recall.memory_lines import MemoryLines
from siliconfriend.recall.results import RecallResult
from siliconfriend.testing import WordEmbedder
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


def test_an_insight_is_marked_as_the_companions_own(store: InMemoryStore) -> None:
    """After what its day brought, so that nobody takes it for something that was said."""
    memory = store.load(NORA)
    lines = MemoryLines(memory, "Friend").by_day([THOUGHT, SAID[0]], NOW).splitlines()
    assert lines[0].startswith("[2026-03-01")
    assert lines[-1] == "(Friend's own thought) Nora trusts her aunt with beans."


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
