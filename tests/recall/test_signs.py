"""The signs of a memory: numbers that mean the same for every person and message."""

from __future__ import annotations

import numpy as np
import pytest

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutDerived
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.knowledge import Event
from siliconfriend.memory.provenance import OFFLINE, Provenance
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.embedders.bundled import BundledEmbedder
from siliconfriend.recall.embedders.cached import CachedEmbedder
from siliconfriend.recall.results import RecallResult
from siliconfriend.recall.signs import KNOWN, Usual
from tests.memory.people import NORA
from tests.memory.stored import put
from tests.recall.people import NOW, a_recaller, remember, turns

SAID = (
    "I planted a lemon tree on the balcony.",
    "The train was late again today.",
    "The bus was late again today.",
    "The tram was late again today.",
    "My sister plays the oboe.",
)


@pytest.fixture(scope="module")
def bundled() -> Embedder:
    """The embedder, which embeds each text once."""
    return CachedEmbedder(BundledEmbedder(), max_passages=100, max_queries=100)


def _found(message: str, embedder: Embedder | None, *, near: int = 9) -> RecallResult:
    store = InMemoryStore()
    days = (f"2026-03-0{1 + at}" for at in range(len(SAID)))
    remember(store, turns((day, said, "") for day, said in zip(days, SAID, strict=True)))
    return a_recaller(store, embedder).recall(NORA, message, now=NOW, near=near)


def test_of_few_memories_what_is_known_of_the_embedder_counts() -> None:
    """As much as twenty memories: of twenty more its half."""
    usual = Usual(mean=0.8, spread=0.02, is_centred=True)
    cosines = np.array([0.9, 0.8])
    assert usual.standing(cosines, 0.9, 0.0, 0).tolist() == pytest.approx([5.0, 0.0])
    half = usual.standing(cosines, 0.9, 0.04, KNOWN)
    assert half.tolist() == pytest.approx([0.05 / 0.03, -0.05 / 0.03])
    assert usual.standing(np.zeros(2), 0.0, 0.0, 5).tolist() == [0.0, 0.0]
    assert usual.of_talk().mean == 0.0


def test_what_was_told_on_a_day_that_is_named_is_judged_though_it_shares_nothing(
    bundled: Embedder,
) -> None:
    """Beside the ranking, from which the day alone would not bring up all that was told then."""
    store = InMemoryStore()
    told = [f"We talked about the weather, number {at}." for at in range(30)]
    told += ["Blue paint on my sleeve."]
    remember(store, turns([("2026-03-01", words, "") for words in told]))
    recaller = a_recaller(store, bundled)
    recalled = recaller.recall(NORA, "What weather did we talk about on 1 March?", now=NOW, near=1)
    judged = {it.memory.query for it in (*recalled.memories, *recalled.near)}
    assert told[-1] in judged


def test_what_is_meant_stands_out_and_what_was_said_often_is_in_a_crowd(
    bundled: Embedder,
) -> None:
    """Of everything that was told, found or not, each with its signs."""
    found = _found("Where is my citrus plant?", bundled)
    every = (*found.memories, *found.near)
    signs = {it.memory.query: it.signs for it in every}
    assert set(signs) == set(SAID)
    standing = {words: it.standing for words, it in signs.items() if it}
    assert max(standing, key=lambda words: standing[words]) == SAID[0]
    crowd = {words: it.crowd for words, it in signs.items() if it}
    assert min(crowd[it] for it in SAID[1:4]) > max(crowd[SAID[0]], crowd[SAID[4]])


def test_shared_words_count_in_words_that_stand_nowhere_else() -> None:
    """One word that stands in one memory alone is about one; one that stands in three is less."""
    every = _found("What is late, the oboe?", None)
    words = {it.memory.query: it.signs.words for it in (*every.memories, *every.near) if it.signs}
    assert words[SAID[4]] > words[SAID[1]] > 0.0
    assert SAID[0] not in words


def test_nothing_more_is_looked_at_unless_it_is_asked_for() -> None:
    """Whoever only ranks does not pay for it."""
    assert _found("What is late?", None, near=0).near == ()


def test_what_a_night_made_of_a_turn_takes_nothing_from_it(bundled: Embedder) -> None:
    """Its words stand twice then, and are as rare; the copy beside it is no crowd."""
    store = InMemoryStore()
    days = (f"2026-03-0{1 + at}" for at in range(len(SAID)))
    said = turns((day, words, "") for day, words in zip(days, SAID, strict=True))
    remember(store, said)
    recaller = a_recaller(store, bundled)

    def signs() -> tuple[float, float]:
        every = recaller.recall(NORA, "Who plays music?", now=NOW, near=9)
        (it,) = (it for it in (*every.memories, *every.near) if it.memory.id == said[4].id)
        assert it.signs is not None
        return it.signs.rareness, it.signs.crowd

    rareness, crowd = signs()
    events = (
        Event(
            memory_id(NORA, "event", it.date, 0),
            it.date,
            0,
            it.query,
            Trace(NOW),
            Provenance("a test", NOW, (it.id,)),
        )
        for it in said
    )
    put(store, NORA, *map(PutDerived, events))
    after = signs()
    assert after[0] == pytest.approx(rareness)
    assert after[1] == pytest.approx(crowd, abs=0.4)
    assert max(crowd, after[1]) < 0


def test_a_night_takes_nothing_off_the_rareness_of_what_it_tells_again() -> None:
    """Told once is told once, also where an event says it again; and no event makes pairs of words."""
    store = InMemoryStore()
    told = turns((f"2026-03-0{1 + at}", said, "") for at, said in enumerate(SAID))
    remember(store, told)
    recaller = a_recaller(store, None)
    by_day = recaller.recall(NORA, "Who plays the oboe?", now=NOW, near=9)
    event = Event(
        memory_id(NORA, "event", told[4].date, 0),
        told[4].date,
        0,
        SAID[4],
        Trace(NOW),
        Provenance(OFFLINE, NOW, (told[4].id,)),
    )
    put(store, NORA, PutDerived(event))
    after = recaller.recall(NORA, "Who plays the oboe?", now=NOW, near=9)
    rare = [
        {it.memory.id: it.signs.rareness for it in (*found.memories, *found.near) if it.signs}
        for found in (by_day, after)
    ]
    assert rare[0][told[4].id] == pytest.approx(rare[1][told[4].id])
    assert recaller.learn_associations(NORA) == 0, (
        "told once in one breath belongs together by chance"
    )
