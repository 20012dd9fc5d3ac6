"""A fact that the person put right: nothing that was said before brings the old words back."""

from __future__ import annotations

import pytest

from siliconfriend.control.edit import edit_memory
from siliconfriend.extraction.extractor import Extracted
from siliconfriend.extraction.queue import Batch
from siliconfriend.extraction.store_facts import store_extracted
from siliconfriend.memory.changes import PutContext, PutTurn
from siliconfriend.memory.creation import new_turn
from siliconfriend.memory.drafts import FactDraft
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import Turn
from tests.extraction.talks import ADA, at, nobody_yet
from tests.memory.stored import put

WRONG = "Ada lives in Oslo."
RIGHT = "Ada lives in Bergen."


class _Talk:
    """What Ada says, each turn read at once."""

    def __init__(self) -> None:
        self.store = InMemoryStore()
        self.store.create(ADA, nobody_yet().profile)

    def say(self, day: int, fact: str) -> str:
        """A turn at noon of a day of June that tells a fact, read in the night after it."""
        with self.store.edit(ADA) as edit:
            turn = new_turn(ADA, edit.memory, fact, now=at(str(day)))
            edit.add(PutTurn(turn))
        self.read(turn.id, fact, day)
        return turn.id

    def read(self, turn: str, fact: str, day: int) -> None:
        """What a model finds in a turn."""
        found = self.store.load(ADA).find(turn)
        assert isinstance(found, Turn)
        home = fact.rstrip(".").split()[-1]
        draft = FactDraft(fact, (turn,), "Ada", "object", kind="home", value=home)
        read = Extracted(events=(), facts=(draft,), topics=())
        batch = Batch((found,), None)
        moment = at(f"{day} 23:00")
        assert store_extracted(
            self.store, ADA, batch, read, embed=None, now=moment, made_by="openai:x"
        )

    def facts(self) -> dict[str, str]:
        """All facts, with what took their place."""
        return {it.text: it.superseded_by for it in self.store.load(ADA).facts()}

    def put_right(self, day: int) -> Fact:
        """The first fact, corrected by hand in the evening of a day."""
        first = next(iter(self.store.load(ADA).facts()))
        edit_memory(self.store, ADA, first.id, at(f"{day} 20:00"), text=RIGHT)
        return first


@pytest.fixture
def talk() -> _Talk:
    """Nothing was said yet."""
    return _Talk()


def test_what_was_said_before_and_is_read_later_is_history(talk: _Talk) -> None:
    """Told on the 1st, put right on the 3rd; a turn of the 2nd that nobody had read comes then."""
    talk.say(1, WRONG)
    fact = talk.put_right(3)
    talk.say(2, WRONG)
    assert talk.facts() == {RIGHT: "", WRONG: fact.id}


def test_the_very_turn_read_again_brings_nothing_back(talk: _Talk) -> None:
    """Whatever the reading finds in it, the person has said how it is."""
    turn = talk.say(1, WRONG)
    talk.put_right(3)
    put(talk.store, ADA, PutContext((turn,), "pending"))
    talk.read(turn, WRONG, 4)
    assert talk.facts() == {RIGHT: ""}


def test_what_the_person_says_after_it_counts(talk: _Talk) -> None:
    """Hands put right what was; a later word may put it right once more."""
    talk.say(1, WRONG)
    fact = talk.put_right(3)
    talk.say(5, "Ada lives in Turku.")
    facts = talk.facts()
    assert facts["Ada lives in Turku."] == ""
    assert facts[RIGHT] not in ("", fact.id)
