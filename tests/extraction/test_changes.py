"""What is told later ends, replaces or moves what was told before, and is taken back with it."""

from datetime import date
from typing import Any

import pytest

from siliconfriend.control.erasure.plan import plan_erasure
from siliconfriend.extraction.extractor import related_memories
from siliconfriend.extraction.model_extractor import ModelExtractor
from siliconfriend.memory.knowledge import Tie, Used
from siliconfriend.memory.records import Turn
from siliconfriend.prompts.loader import Prompts
from siliconfriend.recall.documents import searched_text
from siliconfriend.recall.due import Planned, find_due
from siliconfriend.recall.memory_lines import MemoryLines
from siliconfriend.testing import ScriptedChatModel
from tests.extraction.world import NOW, Reading, a_fact, an_answer, an_event


def a_change(number: int, how: str, turn: int = 1) -> dict[str, Any]:
    """A change as a model answers it."""
    return {"number": number, "how": how, "turn": turn}


@pytest.fixture
def cat() -> Reading:
    """Ada told of her cat, and that the vet comes on the 9th."""
    world = Reading()
    world.say("3 14:00", "My cat is called Biscuit. The vet comes on 9 June.")
    answer = an_answer(
        [an_event("The vet comes to Ada on 9 June.", time="2026-06-09")],
        [a_fact("Ada's cat is called Biscuit.", key_word="Biscuit")],
        [4],
    )
    assert world.believe(answer)
    return world


def _erase(world: Reading, *ids: str) -> None:
    world.put(*plan_erasure(world.memory(), world.scope, ids).changes)


def test_a_fact_ends_with_what_ended_it(cat: Reading) -> None:
    """It keeps its last day and is recalled no more; it holds again when that turn is erased."""
    buried = cat.say("6 20:00", "We buried Biscuit under the apple tree.")
    assert cat.believe(an_answer(changes=[a_change(1, "ends")]))
    (fact,) = cat.memory().facts()
    assert (fact.is_active, fact.superseded_by, fact.true_until) == (False, buried, "2026-06-06")
    assert searched_text(fact) == ""
    _erase(cat, buried)
    (fact,) = cat.memory().facts()
    assert (fact.is_active, fact.true_until) == (True, "")


def test_a_corrected_fact_and_the_new_one_have_their_days(cat: Reading) -> None:
    """The old one until then, the new one from then on."""
    cat.say("6 20:00", "I renamed my cat, she is called Kettle now.")
    renamed = a_fact("Ada's cat is called Kettle.", key_word="Kettle", corrects=1)
    assert cat.believe(an_answer(facts=[renamed]))
    old, new = cat.memory().facts()
    assert (old.true_until, new.true_from, old.superseded_by) == ("2026-06-06",) * 2 + (new.id,)
    assert str(MemoryLines(cat.memory(), "Kai").known([new], NOW)) == (
        "- Ada's cat is called Kettle. (told on 2026-06-06; until then: Ada's cat is called Biscuit.)"
    )


def test_an_event_that_was_moved_is_recalled_no_more(cat: Reading) -> None:
    """Neither in words nor by its day."""
    cat.say("6 20:00", "The vet comes on 12 June instead.")
    assert cat.believe(an_answer(changes=[a_change(2, "postpones")]))
    (event,) = cat.memory().events()
    assert event.superseded_by
    assert searched_text(event) == ""


def test_a_change_that_makes_a_fact_doubtful_marks_it(cat: Reading) -> None:
    """It still holds."""
    turn = cat.say("6 20:00", "Biscuit ran away, I fear.")
    assert cat.believe(an_answer(changes=[a_change(1, "doubts")]))
    (fact,) = cat.memory().facts()
    assert (fact.is_active, fact.doubted_by) == (True, turn)
    assert "(may have changed since 2026-06-06)" in MemoryLines(cat.memory(), "Kai").known(
        [fact], NOW
    )


def test_a_turn_is_tied_to_the_earlier_one_it_brought_to_mind(cat: Reading) -> None:
    """With what it changes; a plan that ended so is not due any more."""
    (first,) = cat.memory().turns()
    later = cat.say(
        "6 20:00", "The vet has been here already.", used=(Used(first.id, 1.0, is_likely=True),)
    )
    known = related_memories(cat.memory(), cat.batches()[0])
    number = known.index(first) + 1
    assert cat.believe(an_answer(changes=[a_change(number, "ends")]))
    turn = cat.memory().find(later)
    assert isinstance(turn, Turn)
    assert turn.ties == (Tie(first.id, "ends"),)
    day = date(2026, 6, 9)
    planned = [Planned(first, day, day)]
    without = Reading()
    without.say("3 14:00", first.query)
    assert find_due(planned, without.memory(), day)
    closed = cat.memory().find(first.id)
    assert isinstance(closed, Turn)
    assert closed.outdated_by == later
    assert find_due([Planned(closed, day, day)], cat.memory(), day) == ()
    lines = MemoryLines(cat.memory(), "Kai").by_day([closed], NOW)
    assert "(this has changed; on 2026-06-06: The vet has been here already.)" in lines
    _erase(cat, later)
    opened = cat.memory().find(first.id)
    assert isinstance(opened, Turn)
    assert opened.outdated_by == ""


def test_a_change_that_the_turn_does_not_tell_is_not_believed(cat: Reading) -> None:
    """The model is asked whether the turn says so."""
    cat.say("7 20:00", "My cat Biscuit is asleep.")
    (batch,) = cat.batches()
    known = related_memories(cat.memory(), batch)
    verdict = {"verdicts": [{"number": 1, "quote": "My cat Biscuit is asleep", "holds": False}]}
    chat = ScriptedChatModel([an_answer(changes=[a_change(1, "ends")]), verdict], confirms=False)
    reader = ModelExtractor(chat, Prompts("en"), answer_tokens=500)
    assert reader.extract(cat.subject, batch, known).changes == ()
    assert "This is over, done, cancelled or no longer so: Ada's cat is called Biscuit." in (
        chat.calls[1][0].content
    )
    assert "1. (2026-06-03) Ada's cat is called Biscuit." in chat.calls[0][0].content
