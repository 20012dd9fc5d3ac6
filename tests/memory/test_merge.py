"""Bringing a file in again: what is there stays, what was taken away stays away; and insights go along."""

from dataclasses import replace
from typing import Any

import pytest

from siliconfriend.memory.changes import (
    Erase,
    PutDerived,
    PutField,
    PutPersonality,
    PutSummary,
    PutTurn,
)
from siliconfriend.memory.import_export import export_native
from siliconfriend.memory.knowledge import Provenance
from siliconfriend.memory.memorybank_format import export_memorybank
from siliconfriend.memory.store import MemoryStore
from tests.memory.banks import bring, places, someone, talk
from tests.memory.people import NORA, NOW, a_profile, a_summary, a_turn, an_insight
from tests.memory.stored import put, say
from tests.memory.temporary import TemporaryStore


@pytest.fixture
def store() -> MemoryStore:
    """A store that knows nobody yet."""
    return TemporaryStore()


def test_importing_again_adds_nothing(store: MemoryStore) -> None:
    bank = {
        "Nora": someone(
            {"2023-04-28": talk("hi", "hi", "a"), "2023-05-01": []},
            summary={"2023-04-28": {"content": "Greetings."}},
            overall_history="Somebody polite.",
            meta_information={"hobbies": "beans"},
            unknown=1,
        )
    }
    (first,) = bring(store, bank).people
    memory = store.load(NORA)
    (second,) = bring(store, bank).people
    assert (first.turns, first.skipped) == (3, 0)
    assert (second.turns, second.skipped, second.dates) == (0, 3, ())
    assert store.load(NORA) == memory
    assert places(store, "2023-04-28") == [(0, "hi"), (1, "hi"), (2, "a")]


def test_turns_said_here_make_room(store: MemoryStore) -> None:
    store.create(NORA, a_profile())
    for query in ("hello", "b"):
        say(store, query)
    bank = {"Nora": someone({"2026-03-14": [["a", ""], ["b", ""], ["b", ""], ["c", ""]]})}
    for expected in (3, 0):
        assert bring(store, bank).turns == expected
        assert places(store, "2026-03-14") == [(0, "hello"), (1, "b"), (2, "a"), (3, "b"), (4, "c")]


def test_a_match_in_place_is_not_given_away(store: MemoryStore) -> None:
    store.create(NORA, a_profile())
    put(store, NORA, *(PutTurn(a_turn(one, "", position=place)) for place, one in enumerate("ba")))
    bank = {"Nora": someone({"2026-03-01": [["a", ""], ["a", ""]]})}
    for expected in (1, 0):
        assert bring(store, bank).turns == expected
        assert places(store, "2026-03-01") == [(0, "b"), (1, "a"), (2, "a")]


def test_what_was_erased_does_not_come_back(store: MemoryStore) -> None:
    bank = {
        "Nora": someone(
            {"2023-04-28": talk("a", "secret"), "2023-04-29": talk("b")},
            summary={"2023-04-28": {"content": "A secret."}, "2023-04-29": {"content": "B."}},
            personality={"2023-04-28": "Secretive."},
            overall_history="Has a secret.",
            overall_personality="Secretive.",
        )
    }
    bring(store, bank)
    secret = f"turn-2023-04-28-1-{NORA.digest}"
    gone = [Erase((secret,)), PutSummary("2023-04-28", None), PutPersonality("2023-04-28", None)]
    put(store, NORA, *gone)
    (report,) = bring(store, bank).people
    assert (report.turns, report.skipped, report.kept_erased) == (0, 2, 1)
    memory = store.load(NORA)
    assert places(store, "2023-04-28") == [(0, "a")]
    assert memory.days["2023-04-28"].summary is None
    assert memory.days["2023-04-28"].personality is None
    assert memory.days["2023-04-29"].summary is not None
    assert memory.overall_history is not None, "only an erasing takes it away"


@pytest.mark.parametrize("place", [0, 1])
def test_a_reply_that_an_erasing_took_stays_away(store: MemoryStore, place: int) -> None:
    store.create(NORA, a_profile())
    put(store, NORA, PutTurn(a_turn("Any news?", "", position=place)))
    (report,) = bring(
        store, {"Nora": someone({"2026-03-01": [["Any news?", "Zanzifrax!"]]})}
    ).people
    assert (report.turns, report.skipped) == (0, 1)
    assert [turn.response for turn in store.load(NORA).turns()] == [""]


def test_a_turn_that_took_another_place_stays_corrected(store: MemoryStore) -> None:
    store.create(NORA, a_profile())
    put(store, NORA, PutTurn(a_turn("Hello.", "", position=0)))
    bank = {"Nora": someone({"2026-03-01": [["a", ""]]})}
    bring(store, bank)
    (moved,) = [turn for turn in store.load(NORA).turns() if turn.position == 1]
    assert moved.brought_from == 0
    put(store, NORA, PutTurn(replace(moved, query="b", edited=True)))
    assert bring(store, bank).turns == 0
    assert places(store, "2026-03-01") == [(0, "Hello."), (1, "b")]


def test_what_was_corrected_stays_corrected(store: MemoryStore) -> None:
    bank = {
        "Nora": someone(
            {"2023-04-28": talk("I am 30")}, summary={"2023-04-28": {"content": "Is 30."}}
        )
    }
    bring(store, bank)
    (turn,) = store.load(NORA).turns()
    corrected = replace(turn, query="I am 31", edited=True)
    put(store, NORA, PutTurn(corrected), PutSummary(turn.date, None))
    assert bring(store, bank).turns == 0
    memory = store.load(NORA)
    assert list(memory.turns()) == [corrected]
    assert memory.days[turn.date].summary is None


def test_texts_that_exist_stay(store: MemoryStore) -> None:
    store.create(NORA, a_profile())
    own = a_summary("Ours.", day="2023-04-28")
    put(store, NORA, PutSummary("2023-04-28", own))
    bring(store, {"Nora": someone({}, summary={"2023-04-28": "Theirs."})})
    assert store.load(NORA).days["2023-04-28"].summary == own


TURN = a_turn()
INSIGHT = an_insight("Nora is happiest in her garden.", evidence=[TURN.id])


def _with_two_thoughts() -> dict[str, Any]:
    """Nora's export, with a thought that rests on another."""
    deeper = an_insight("Gardens heal.", position=1, evidence=[INSIGHT.id])
    source = TemporaryStore()
    source.create(NORA, a_profile())
    return export_native(put(source, NORA, PutTurn(TURN), PutDerived(INSIGHT), PutDerived(deeper)))


def test_our_own_export_keeps_insights_and_memorybanks_leaves_them_out(store: MemoryStore) -> None:
    """MemoryBank has no place for a thought of the companion's own."""
    store.create(NORA, a_profile())
    reflection = Provenance("scripted", NOW, (TURN.id,), "abc")
    memory = put(
        store, NORA, PutTurn(TURN), PutDerived(INSIGHT), PutField("last_reflection", reflection)
    )
    assert "happiest" not in str(export_memorybank(memory))
    other, bank = TemporaryStore(), export_native(memory)
    for _ in range(2):
        bring(other, bank)
    brought = other.load(NORA)
    assert list(brought.insights()) == [INSIGHT]
    assert brought.last_reflection == reflection


def test_an_insight_on_words_that_were_corrected_here_is_not_brought_in(store: MemoryStore) -> None:
    """Nor is one that rests on such an insight: the correction is stronger than the file."""
    bank = _with_two_thoughts()
    store.create(NORA, a_profile())
    put(store, NORA, PutTurn(replace(TURN, query="I planted peas.", edited=True)))
    bring(store, bank)
    assert list(store.load(NORA).insights()) == []


def test_another_thought_of_the_same_place_gets_the_next_one(store: MemoryStore) -> None:
    bank = _with_two_thoughts()
    store.create(NORA, a_profile())
    own = an_insight("Nora likes beans.", evidence=[TURN.id])
    put(store, NORA, PutTurn(TURN), PutDerived(own))
    bring(store, bank)
    thoughts = list(store.load(NORA).insights())
    assert [(thought.position, thought.text) for thought in thoughts] == [
        (0, "Nora likes beans."),
        (1, "Nora is happiest in her garden."),
        (2, "Gardens heal."),
    ]
    assert thoughts[2].provenance.from_ids == (thoughts[1].id,)
