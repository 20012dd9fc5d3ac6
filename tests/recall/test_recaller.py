"""Recall over a memory: what is found, what is not, what looking leaves alone, what a reply strengthens."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from siliconfriend.errors import UnknownPerson, UsageError
from siliconfriend.memory.changes import PutDerived, PutTrace, PutTurn, apply_all
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.knowledge import TopicSegment
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.recall import recaller
from siliconfriend.recall.cue import Utterance
from siliconfriend.recall.embedders.bundled import BundledEmbedder
from siliconfriend.recall.recaller import IndexPool
from siliconfriend.recall.recipes import recipe_names
from tests.embedding import WordEmbedder
from tests.memory.people import NORA, a_profile, a_turn
from tests.memory.stored import put
from tests.memory.temporary import TemporaryStore
from tests.recall.people import (
    GARDEN,
    NOW,
    a_fact,
    a_recaller,
    found,
    know,
    remember,
    turns,
    with_trace,
)
from tests.seeds.topic_people import a_topic


@pytest.fixture
def store() -> TemporaryStore:
    """Nora's garden talk."""
    store = TemporaryStore()
    remember(store, turns(GARDEN))
    return store


@pytest.mark.parametrize("embedder", [None, "words"])
@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Where did I plant the beans?", "I planted beans by the red wall."),
        ("Where did my sister move?", "My sister Ines moved to Porto."),
        ("the blue kettle", "I bought a blue kettle."),
    ],
)
def test_what_was_said_is_found_first(
    store: TemporaryStore, embedder: str | None, question: str, said: str
) -> None:
    """By words alone and with an embedder."""
    recaller = a_recaller(store, WordEmbedder() if embedder else None)
    assert found(recaller.recall(NORA, question, now=NOW))[0] == said


def test_what_was_said_a_moment_ago_is_found_at_once(store: TemporaryStore) -> None:
    """A turn is in the very next recall; one that changed is found by its new words only."""
    recaller = a_recaller(store, WordEmbedder())
    recaller.recall(NORA, "beans", now=NOW)
    turn = a_turn("A heron stood in the pond.", "", day="2026-03-14")
    put(store, NORA, PutTurn(turn))
    assert found(recaller.recall(NORA, "the heron in the pond", now=NOW))[0] == turn.query
    put(store, NORA, PutTurn(replace(turn, query="A goose by the gate.")))
    assert found(recaller.recall(NORA, "the goose by the gate", now=NOW))[0].startswith("A goose")
    assert "A heron stood in the pond." not in found(recaller.recall(NORA, "heron", now=NOW))


def test_what_another_process_wrote_is_found(home: Path) -> None:
    """Two stores over the same files, as two processes have them."""
    here, there = FileStore(home), FileStore(home)
    remember(here, turns(GARDEN))
    recaller = a_recaller(here, None)
    recaller.recall(NORA, "beans", now=NOW)
    put(there, NORA, PutTurn(a_turn("A heron came.", "", day="2026-03-06")))
    assert found(recaller.recall(NORA, "heron", now=NOW))[0] == "A heron came."


def test_looking_changes_nothing(store: TemporaryStore) -> None:
    """The memory before and after a recall is the same."""
    before = store.load(NORA)
    a_recaller(store, WordEmbedder()).recall(NORA, "beans", now=NOW)
    assert store.load(NORA) is before


def test_what_is_in_the_prompt_already_is_left_out(store: TemporaryStore) -> None:
    """An excluded memory does not come back through recall."""
    wall = turns(GARDEN)[0]
    recollection = a_recaller(store, None).recall(NORA, "beans", now=NOW, exclude=[wall.id])
    assert wall.query not in found(recollection)


def test_nothing_relevant_is_an_answer(store: TemporaryStore) -> None:
    """A question nobody's words touch recalls nothing."""
    recollection = a_recaller(store, None).recall(NORA, "quantum chromodynamics", now=NOW)
    assert recollection.memories == ()


def test_a_remark_brings_back_what_the_conversation_is_about(store: TemporaryStore) -> None:
    """Alone it touches nothing; a question asked in the same conversation is not misled by it."""
    recaller = a_recaller(store, None)
    talk = [Utterance("I must see the dentist.")]
    remark = "Not again."
    assert recaller.recall(NORA, remark, now=NOW).memories == ()
    touched = recaller.recall(NORA, remark, now=NOW, talk=talk)
    assert found(touched)[0] == GARDEN[3][1]
    asked = recaller.recall(NORA, "Which kettle did I buy?", now=NOW, talk=talk)
    assert found(asked)[0] == GARDEN[4][1]
    assert asked.memories == recaller.recall(NORA, "Which kettle did I buy?", now=NOW).memories


def test_an_archived_memory_comes_back_by_its_day_or_a_name_only() -> None:
    """It is no ordinary candidate, and it is marked as archived."""
    store = TemporaryStore()
    said = turns(GARDEN)
    said[2] = with_trace(said[2], archived=NOW)
    remember(store, said)
    recaller = a_recaller(store, None)
    assert said[2].query not in found(recaller.recall(NORA, "my sister moved", now=NOW))
    by_name = recaller.recall(NORA, "How is Ines?", now=NOW)
    assert found(by_name)[0] == said[2].query
    assert by_name.memories[0].state == "archived"
    by_day = recaller.recall(NORA, "What did I say on 2 March?", now=NOW)
    assert found(by_day)[0] == said[2].query


def test_to_call_the_companion_by_its_name_looks_for_nothing() -> None:
    """What was put away comes back by a name that is spoken of, not by the one spoken to."""
    store = TemporaryStore()
    said = turns([("2026-03-01", "I met Pebble at the harbour.", "How was it?"), *GARDEN[:1]])
    archived = with_trace(said[0], archived=NOW - timedelta(days=1))
    remember(store, [archived, *said[1:]])
    recaller = a_recaller(store, None)
    query = "Pebble, do the beans climb?"
    assert said[0].query in found(recaller.recall(NORA, query, now=NOW))
    recollection = recaller.recall(NORA, query, now=NOW, companion_name="Pebble")
    assert found(recollection) == [GARDEN[0][1]]


def test_only_what_entered_the_prompt_is_strengthened_and_once_a_day(store: TemporaryStore) -> None:
    """By its own score, one recall a day of the person."""
    recaller = a_recaller(store, None)
    recollection = recaller.recall(NORA, "Where did I plant the beans?", now=NOW)
    own = {one.memory.id for one in recollection.memories if one.is_likely}
    assert own
    assert own <= {one.memory.id for one in recollection.memories}
    for hours in (0, 1, 2):
        recaller.reinforce(NORA, recollection, now=NOW + timedelta(hours=hours))
    strengths = {turn.id: turn.trace.strength for turn in store.load(NORA).turns()}
    assert strengths == {turn: 2.0 if turn in own else 1.0 for turn in strengths}
    recaller.reinforce(NORA, recollection, now=NOW + timedelta(days=1))
    assert {store.load(NORA).find(turn).trace.strength for turn in own} == {3.0}  # type: ignore[union-attr]


def test_two_people_never_see_each_other(store: TemporaryStore) -> None:
    """Nor do two companions of one person."""
    omar, work = Scope.of("Omar"), Scope.of("Nora", "work")
    remember(store, turns([("2026-03-01", "My secret word is zebrafinch.", "")], omar), omar)
    remember(store, turns([("2026-03-01", "The invoice is late.", "")], work), work)
    recaller = a_recaller(store, WordEmbedder())
    for scope in (NORA, work):
        seen = recaller.recall(scope, "secret word zebrafinch", now=NOW)
        assert not any("zebrafinch" in words for words in found(seen))
    assert found(recaller.recall(work, "invoice beans", now=NOW)) == ["The invoice is late."]
    assert recaller.recall(omar, "zebrafinch", now=NOW).memories[0].memory.date == "2026-03-01"


def test_a_large_memory_finds_as_a_small_one() -> None:
    """Beyond the pool the candidates are chosen first; the best is the same."""
    store = TemporaryStore()
    filler = [("2026-02-01", f"Small talk number x{number} went on.", "") for number in range(900)]
    remember(store, turns([*filler, *GARDEN]))
    recaller = a_recaller(store, WordEmbedder(dimension=4096))
    for recipe in recipe_names():
        best = found(recaller.recall(NORA, "the blue kettle", now=NOW, recipe=recipe))
        assert "I bought a blue kettle." in best[:3], recipe


def test_what_cannot_be_asked_says_so(store: TemporaryStore) -> None:
    """An unknown recipe and an unknown person."""
    recaller = a_recaller(store, None)
    with pytest.raises(UsageError, match=r"there are siliconfriend, .*rrf, .*memorybank"):
        recaller.recall(NORA, "beans", now=NOW, recipe="magic")
    with pytest.raises(UnknownPerson):
        recaller.recall(Scope.of("Nobody"), "beans", now=NOW)


def test_nothing_asked_brings_nothing_back(store: TemporaryStore) -> None:
    """Blanks are near to something for a real embedder; nobody asked for that."""
    know(store, [a_fact("Nora keeps beans.")])
    recaller = a_recaller(store, BundledEmbedder())
    for query in ("", " \n\t", "\u3000"):
        recollection = recaller.recall(NORA, query, now=NOW)
        assert (recollection.memories, recollection.facts) == ((), ())


LATER = NOW + timedelta(hours=5)


def test_a_topic_is_visited_once_however_many_of_its_pages_entered(store: TemporaryStore) -> None:
    """Both pages about beans are one visit; what is put away and what did not enter stay."""
    ids = [turn.id for turn in store.load(NORA).turns()]
    talks = (TopicSegment(tuple(ids[:2])),)
    topics = [
        a_topic("beans", ids[:2], position=0, talks=talks, last_visit=NOW),
        a_topic("kettle", ids[4:], position=1, last_visit=NOW),
        a_topic("sister", ids[2:3], position=2, last_visit=NOW),
    ]
    topics[2] = replace(topics[2], trace=topics[2].trace.archived_at(NOW))
    put(store, NORA, *map(PutDerived, topics))
    a_recaller(store, None).reinforce(NORA, ids[:3], now=LATER)
    beans, *others = store.load(NORA).topics()
    assert (beans.visits, beans.uses, beans.last_visit) == (1, 1, LATER)
    assert beans.trace.recalls == (LATER,)
    assert others == topics[1:]


@pytest.mark.parametrize(
    ("said", "importance", "strength"),
    [
        ("A lovely morning again.", 0.1, 1.0),
        ("A lovely morning again.", 0.7, 2.0),
        ("It was a lovely morning, and Ines swam.", 0.1, 2.0),
    ],
    ids=["small talk", "what matters", "tells more"],
)
def test_small_talk_said_again_is_not_reinforced(
    said: str, importance: float, strength: float
) -> None:
    """Or each day's greeting would outlive what was told once."""
    store = TemporaryStore()
    (turn,) = turns([("2026-03-01", said, "Well!")])
    remember(store, [turn])
    put(store, NORA, PutTrace(turn.id, replace(turn.trace, importance=importance)))
    recaller = a_recaller(store, None)
    found = recaller.recall(NORA, "What a lovely morning again!", now=LATER)
    found = replace(found, memories=tuple(replace(one, is_likely=True) for one in found.memories))
    recaller.reinforce(NORA, found, now=LATER)
    (after,) = store.load(NORA).turns()
    assert after.trace.strength == strength


ADA, BO, CY = map(Scope.of, ("Ada", "Bo", "Cy"))


def use(pool: IndexPool, scope: Scope, count: int) -> None:
    """Use a person's index of so many turns."""
    told = [PutTurn(a_turn("bean", "", position=at, scope=scope)) for at in range(count)]
    pool.get(scope).sync(apply_all(PersonMemory(a_profile(scope)), told))


@pytest.fixture
def pool() -> IndexPool:
    """A pool over nothing that is kept."""
    return IndexPool(WordEmbedder(["bean"]), TemporaryStore())


def test_who_was_used_longest_ago_goes_first(
    pool: IndexPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With room for two people."""
    monkeypatch.setattr(recaller, "MOST_OPEN", 2)
    for scope in (ADA, BO, ADA, CY):
        use(pool, scope, 1)
    assert [len(pool.get(scope).rows) for scope in (ADA, CY, BO)] == [1, 1, 0]


def test_a_large_index_makes_room_for_itself(
    pool: IndexPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row takes some 3 kB: with room for five, whoever had three goes; one alone stays however large."""
    monkeypatch.setattr(recaller, "MOST_BYTES", 16_000)
    for scope, count, other in ((ADA, 3, BO), (BO, 9, ADA)):
        use(pool, scope, count)
        assert len(pool.get(scope).rows) == count
        assert len(pool.get(other).rows) == 0
