"""Association: by key words from what is perceived, by weighing for a focal point; over a memory, too."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutDerived, PutSummary, PutTrace
from siliconfriend.memory.knowledge import Event, Provenance
from siliconfriend.memory.records import Day, PersonMemory
from siliconfriend.person.bank import MemoryBank
from siliconfriend.recall.memory_lines import MemoryLines
from siliconfriend.recall.results import RecallResult
from siliconfriend.seeds.association import (
    COMMON,
    Association,
    Concept,
    OwnWeights,
    concepts_of,
    reverie_parts,
)
from tests.embedding import WordEmbedder
from tests.memory.people import NORA, a_profile, a_summary, a_turn, an_insight
from tests.memory.stored import put
from tests.memory.temporary import TemporaryStore
from tests.recall.people import GARDEN, NOW, a_recaller, remember, turns

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)


def concept(
    identifier: str,
    description: str,
    *,
    kind: str = "event",
    used: float = 0,
    importance: float = 0.5,
    spo: tuple[str, str, str] = ("", "", ""),
    expires: float | None = None,
) -> Concept:
    """A memory of noon, last used ``used`` hours before it, that expires so many hours after."""
    return Concept(
        identifier,
        kind,
        description,
        NOON - timedelta(days=30),
        NOON - timedelta(hours=used),
        importance,
        *spo,
        expires=None if expires is None else NOON + timedelta(hours=expires),
    )


def association(*concepts: Concept, own: OwnWeights = COMMON) -> Association:
    return Association(concepts, now=NOON, embedder=WordEmbedder(), own=own)


def ids(concepts: Iterable[Concept]) -> list[str]:
    return [one.id for one in concepts]


def test_what_is_perceived_reminds_of_what_shares_its_words() -> None:
    """By its description: itself, the events and the thoughts that share a key word."""
    seen = concept("new", "Theo sings in the choir", spo=("Theo", "sings", "choir"))
    found = association(
        concept("e1", "Theo buys bread", spo=("Theo", "buys", "bread")),
        concept("e2", "Nadia paints", spo=("Nadia", "paints", "")),
        concept("t1", "Singing comforts them", kind="insight", spo=("choir", "comforts", "them")),
        concept("s1", "I love the choir", kind="turn", used=1),
    ).retrieve([seen])
    assert found.keys() == {"Theo sings in the choir"}
    one = found["Theo sings in the choir"]
    assert one["curr_event"] is seen
    assert ids(one["events"]) == ["e1", "s1"]
    assert ids(one["thoughts"]) == ["t1"]


def test_letter_case_and_width_never_hide_a_memory() -> None:
    """The defect of the description's code: stored words were folded, wanted ones were not."""
    stored = concept("e1", "met ＮＡＤＩＡ", spo=("Ｎadia", "met", ""))
    found = association(stored).retrieve([concept("new", "x", spo=("NADIA", "", ""))])
    assert ids(found["x"]["events"]) == ["e1"]
    assert ids(association(stored).sharing([" NADIA"], ["event"])) == ["e1"]


def test_more_shared_words_are_a_stronger_association() -> None:
    """Most shared first, then the most recently used; a stored thing does not recall itself."""
    known = association(
        concept("one", "old bread", spo=("theo", "", ""), used=1),
        concept("newer", "new bread", spo=("theo", "", ""), used=0),
        concept("two", "bread", spo=("theo", "bakes", ""), used=9),
        concept("self", "Theo bakes", spo=("Theo", "bakes", "")),
    )
    found = known.retrieve([concept("self", "Theo bakes", spo=("Theo", "bakes", ""))])
    assert ids(found["Theo bakes"]["events"]) == ["two", "newer", "one"]
    assert known.accessed == []


def test_strength_counts_memories_by_kind() -> None:
    """A key word is as strong as the memories that have it."""
    known = association(
        concept("e1", "a", spo=("Theo", "bakes", "bread")),
        concept("e2", "b", spo=("theo", "eats", "bread")),
        concept("t1", "c", kind="insight", spo=("Theo", "", "")),
    )
    assert known.strength("event") == {"theo": 2, "bakes": 1, "eats": 1, "bread": 2}
    assert known.strength("insight") == {"theo": 1}
    assert known.strength("turn") == {}


def test_the_most_recently_used_is_the_most_recent() -> None:
    """The other defect: sorted the earliest first, the forgotten would get 0.99^1."""
    known = association(
        concept("old", "tea", used=100),
        concept("new", "tea", used=1),
        concept("mid", "tea", used=9),
    )
    assert ids(known.new_retrieve(["tea"])["tea"]) == ["new", "mid", "old"]


def test_the_score_by_hand() -> None:
    """Each part over its range, weighted 0.5, 3 and 2."""
    recency = 0.99 ** np.array([1.0, 2.0, 3.0])
    parts = reverie_parts(recency, np.array([0.2, 0.6, 1.0]), np.array([0.5, 0.9, 0.1]))
    # Ranks 1, 2, 3: 0.99, 0.9801, 0.970299. The middle lies at 0.009801 / 0.019701.
    assert parts["recency"] == pytest.approx([0.5, 0.5 * 0.009801 / 0.019701, 0])
    assert parts["relevance"] == pytest.approx([0, 1.5, 3])
    assert parts["importance"] == pytest.approx([1, 2, 0])


def test_own_weights_multiply_the_common_ones() -> None:
    """A person who weighs importance twice and relevance not at all."""
    own = OwnWeights(recency=0, relevance=0, importance=2)
    parts = reverie_parts(np.ones(2), np.array([0.1, 0.9]), np.array([1.0, 0.5]), own)
    assert parts["importance"].tolist() == [4, 0]
    assert parts["relevance"].tolist() == [0, 0]
    known = association(
        concept("apt", "choir", importance=0.1), concept("big", "tea", importance=1.0), own=own
    )
    assert ids(known.new_retrieve(["choir"])["choir"]) == ["big", "apt"]


def test_a_focal_point_finds_what_it_means() -> None:
    """By relevance first, up to ``n``, and what is found is accessed now."""
    known = association(
        concept("choir", "the choir sings", used=50),
        concept("bread", "the baker bakes", used=1),
        concept("said", "choir tonight", kind="turn", used=60),
        concept("thought", "choir gives comfort", kind="insight", used=70),
        concept("day", "choir all day", kind="day"),
    )
    found = known.new_retrieve(["choir"], n_count=3)["choir"]
    # Cosines: said 1/sqrt 2, choir and thought 1/sqrt 3; of these the one used later wins.
    assert ids(found) == ["said", "choir", "thought"]
    assert {one.last_accessed for one in found} == {NOON}
    assert known.accessed == ["said", "choir", "thought"]


def test_what_expired_is_not_recalled() -> None:
    """Neither by a key word nor by a focal point; at its last moment it still is."""
    known = association(
        concept("gone", "choir", expires=-1),
        concept("last", "choir", expires=0),
        concept("kept", "choir", expires=5),
    )
    assert sorted(ids(known.new_retrieve(["choir"])["choir"])) == ["kept", "last"]
    new = concept("new", "choir")
    assert sorted(ids(known.retrieve([new])["choir"]["events"])) == ["kept", "last"]


def test_nothing_is_found_among_nothing() -> None:
    """No memories, no focal points, none wanted; without an embedder a plain error."""
    assert association().new_retrieve(["choir"]) == {"choir": []}
    assert association(concept("a", "tea")).new_retrieve(["tea"], n_count=0) == {"tea": []}
    assert association(concept("a", "tea")).new_retrieve([]) == {}
    assert association().retrieve([]) == {}
    with pytest.raises(ValueError, match="embedder"):
        Association([concept("a", "tea")], now=NOON).new_retrieve(["tea"])


def test_a_stored_event_is_known_by_its_triple() -> None:
    """Subject, predicate and object are the model's."""
    turn = a_turn("I carried a piano.", "Alone?")
    event = Event(
        id="event-1",
        date=turn.date,
        position=0,
        text="It took all day.",
        trace=Trace(NOON),
        provenance=Provenance("a model", NOON, (turn.id,)),
        triple=("Ada", "carried", "a piano"),
    )
    day = Day(turn.date, turns=(turn,), events=(event,))
    _, made = concepts_of(PersonMemory(a_profile(), {day.date: day}))
    assert (made.subject, made.predicate, made.object) == event.triple
    assert made.key_words == {"ada", "carried", "a piano"}


SAID = turns(GARDEN)
THOUGHT = an_insight("Nora trusts her aunt with beans.", evidence=[SAID[0].id, SAID[1].id])


@pytest.fixture
def store() -> TemporaryStore:
    """The garden talk, a summary of its first day and a thought about it."""
    store = TemporaryStore()
    remember(store, SAID)
    summary = a_summary("Nora planted beans.")
    put(store, NORA, PutDerived(THOUGHT), PutSummary(summary.date, summary))
    return store


def _recalled(store: TemporaryStore, query: str, recipe: str = "siliconfriend") -> RecallResult:
    return a_recaller(store, WordEmbedder()).recall(NORA, query, now=NOW, recipe=recipe)


def test_an_insight_is_marked_as_the_companions_own(store: TemporaryStore) -> None:
    """After what its day brought, so that nobody takes it for something that was said."""
    memory = store.load(NORA)
    lines = MemoryLines(memory, "Friend").by_day([THOUGHT, SAID[0]], NOW).splitlines()
    assert lines[0].startswith("[Sun 1 Mar 2026")
    assert lines[-1] == "(Friend's own thought) Nora trusts her aunt with beans."


def test_what_has_expired_is_not_recalled(store: TemporaryStore) -> None:
    """Until the moment it is, from then on by no recipe, whatever its kind."""
    for memory in (THOUGHT, SAID[0]):
        until = replace(memory.trace, expires=NOW)
        change = PutTrace(memory.id, until)
        put(store, NORA, change)
    recaller = a_recaller(store, WordEmbedder())
    for recipe in ("siliconfriend", "reverie", "reverie_words"):
        for now, expected in ((NOW - timedelta(seconds=1), True), (NOW, False)):
            found = recaller.recall(NORA, "beans", now=now, recipe=recipe).memories
            ids = {one.memory.id for one in found}
            assert ({THOUGHT.id, SAID[0].id} <= ids) is expected
            assert SAID[1].id in ids


def test_reverie_finds_by_key_words_in_the_same_memories(store: TemporaryStore) -> None:
    """The thought shares two of them, two turns one; letter case plays no part."""
    found = _recalled(store, "AUNT and BEANS", "reverie_words").memories
    assert [(one.memory.id, one.parts["shared"]) for one in found[:4]] == [
        (THOUGHT.id, 2),
        (SAID[1].id, 2),
        (f"day-2026-03-01-0-{NORA.digest}", 1),
        (SAID[0].id, 1),
    ]


def test_association_works_over_a_persons_memory(store: TemporaryStore) -> None:
    """What is perceived reminds of turns and insights by the words they share."""
    memory = MemoryBank(store=store).person("Nora").memory()
    association = Association(concepts_of(memory), now=NOW, embedder=WordEmbedder())
    kettle = Concept("seen", "turn", "a blue KETTLE on beans", NOW, NOW, 0.5)
    found = association.retrieve([kettle])["a blue KETTLE on beans"]
    assert [event.id for event in found["events"]] == [SAID[4].id, SAID[0].id, SAID[1].id]
    assert ids(found["thoughts"]) == [THOUGHT.id]
    best = association.new_retrieve(["her sister in Porto"], n_count=2)["her sister in Porto"]
    assert best[0].id == SAID[2].id
    assert association.accessed == [one.id for one in best]


def test_association_leaves_out_what_is_put_away_or_only_retells(store: TemporaryStore) -> None:
    """Archived turns, day summaries, and turns that only ask."""
    archived = SAID[0].trace.archived_at(NOW)
    put(store, NORA, PutTrace(SAID[0].id, archived))
    kept = [one.id for one in concepts_of(store.load(NORA))]
    assert kept == [SAID[1].id, THOUGHT.id, *(one.id for one in SAID[2:])]
