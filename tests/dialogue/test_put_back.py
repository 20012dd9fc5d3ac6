"""The answer that a person chooses stands, and nothing that was made of the other one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from siliconfriend.dialogue.put_back import put_back
from siliconfriend.errors import UsageError
from siliconfriend.memory.changes import Erase, PutDerived, PutTurn
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.records import Turn
from siliconfriend.memory.used import Used
from tests.memory.people import NORA, a_profile, a_turn, an_insight

FIRST = replace(
    a_turn("Which beans?", "Runner beans, as ever."),
    replied_by="scripted",
    used=(Used("turn-2026-01-01-0-00000000", 1.0),),
    index_text="Which beans?",
)
SECOND = replace(FIRST, response="Broad beans.", used=(), index_text=None, replied_by="other")


@pytest.fixture
def store() -> InMemoryStore:
    """A talk in which the second answer stands."""
    store = InMemoryStore()
    store.create(NORA, a_profile())
    with store.edit(NORA) as edit:
        edit.add(PutTurn(SECOND), PutTurn(a_turn("It rained.", position=1)))
    return store


def stands(store: InMemoryStore) -> Turn:
    """The turn as it is kept."""
    turn = store.load(NORA).find(FIRST.id)
    assert isinstance(turn, Turn)
    return turn


def test_the_earlier_answer_stands_with_the_memories_it_was_given(store: InMemoryStore) -> None:
    """And the later one can be put back in the same way: nothing of either is lost."""
    assert put_back(store, NORA, FIRST, erased=frozenset()) == (SECOND, FIRST)
    assert stands(store) == FIRST
    assert put_back(store, NORA, SECOND, erased=frozenset()) == (FIRST, SECOND)
    assert stands(store) == SECOND


def test_what_became_of_the_turn_since_stays(store: InMemoryStore) -> None:
    """A mark, a pin and its fading are the turn's own, whatever its words."""
    trace = replace(SECOND.trace, pinned=True)
    with store.edit(NORA) as edit:
        edit.add(PutTurn(replace(SECOND, trace=trace, unkept=True)))
    put_back(store, NORA, FIRST, erased=frozenset())
    assert stands(store) == replace(FIRST, trace=trace, unkept=True)


def test_what_was_made_of_the_other_answer_goes(store: InMemoryStore) -> None:
    """It is made again from what stands, and a turn that was read is read again."""
    thought = an_insight("Nora asks about broad beans.", evidence=[FIRST.id])
    other = an_insight("It rains.", evidence=[a_turn(position=1).id], position=1)
    with store.edit(NORA) as edit:
        edit.add(PutTurn(replace(SECOND, context="extracted")), PutDerived(thought))
        edit.add(PutDerived(other))
    put_back(store, NORA, FIRST, erased=frozenset())
    assert list(store.load(NORA).insights()) == [other]
    assert stands(store).context == "pending"


def test_what_may_quote_something_erased_is_not_put_back(store: InMemoryStore) -> None:
    """Nor is a turn that was taken back; what stands is left as it is."""
    with store.edit(NORA) as edit:
        edit.add(Erase((a_turn(position=1).id,)))
    with pytest.raises(UsageError, match="erased"):
        put_back(store, NORA, FIRST, erased=frozenset())
    assert stands(store) == SECOND
    with store.edit(NORA) as edit:
        edit.add(Erase((FIRST.id,)))
    with pytest.raises(UsageError):
        put_back(store, NORA, FIRST, erased=store.load(NORA).erased)
