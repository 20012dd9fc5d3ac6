"""What was read enters whole or not at all; what it corrects, or the person put right, is history."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from siliconfriend.control.dependents import dependents_of, follow_up_changes
from siliconfriend.control.edit import edit_memory
from siliconfriend.extraction.offline_extractor import OfflineExtractor
from siliconfriend.memory.changes import Change, Erase, PutContext, PutTurn
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import Turn
from tests.extraction.world import NOW, Reading, a_fact, an_answer, an_event, at


def _erase(world: Reading, *ids: str) -> None:
    """Erase turns as a person does."""
    memory = world.memory()
    gone = dependents_of(memory, ids)
    world.put(Erase(ids), *(one.removal for one in gone), *follow_up_changes(memory, gone))


def test_records_know_where_they_come_from() -> None:
    """Ids, days and evidence of an event and a fact; the turns are read."""
    world = Reading()
    first = world.say("3 14:00", "I carried the piano with Nora.")
    second = world.say("3 14:05", "I live in Oslo.")
    answer = an_answer(
        [an_event(turns=[1])],
        [a_fact("Ada lives in Oslo.", key_word="birthday", turns=[2])],
        [7, 2],
    )
    assert world.believe(answer)
    (event,), (fact,) = world.events(), world.facts()
    digest = world.scope.digest
    assert (event.id, event.date) == (f"event-2026-06-03-0-{digest}", "2026-06-03")
    assert (event.provenance.made_by, event.provenance.from_ids) == ("scripted", (first,))
    assert (event.trace.created, event.trace.importance) == (NOW, 0.7)
    assert fact.id == f"fact-2026-06-03-0-{digest}"
    assert (fact.first, fact.last, fact.provenance.from_ids) == ("2026-06-03",) * 2 + ((second,),)
    assert [turn.trace.importance for turn in world.memory().turns()] == [0.7, 0.2]
    assert [turn.context for turn in world.memory().turns()] == ["extracted"] * 2
    assert world.batches() == []


MEANWHILE: dict[str, Callable[[Turn], Change]] = {
    "reworded": lambda turn: PutTurn(replace(turn, query="I live in Bergen.")),
    "answered": lambda turn: PutTurn(replace(turn, response="How nice.")),
    "erased": lambda turn: Erase((turn.id,)),
    "read elsewhere": lambda turn: PutContext((turn.id,), "extracted"),
    "unkept": lambda turn: PutTurn(replace(turn, unkept=True)),
    "put away": lambda turn: PutTurn(replace(turn, trace=turn.trace.archived_at(NOW))),
}


@pytest.mark.parametrize("happens", MEANWHILE)
def test_what_happens_to_a_turn_meanwhile_drops_the_reading(happens: str) -> None:
    """Nothing of the batch is stored, and the turns that are left wait as they did."""
    world = Reading()
    world.say("3 14:00", "I live in Oslo.")
    world.say("3 14:01", "My cat is called Jazz.")
    (batch,) = world.batches()
    found = OfflineExtractor().extract(world.subject, batch, ())
    world.put(MEANWHILE[happens](batch.turns[0]))
    before = world.memory()
    assert not world.take(batch, found)
    after = world.memory()
    assert replace(after, sequence=0) == replace(before, sequence=0)
    assert not [*world.facts(), *world.events()]
    assert after.days["2026-06-03"].turns[-1].context == "live"


def test_a_correction_replaces_and_wins() -> None:
    """The older stays as history that names the newer; said again it is the newest."""
    world, right, told = Reading(), "I just moved to Bergen.", "Ada lives in Bergen."
    world.say("3 14:00", "I live in Oslo.")
    world.read()
    world.say("5 14:00", right)
    world.read()
    assert world.known() == [told]
    old, new = world.memory().facts()
    assert old.superseded_by == new.id
    world.say("6 14:00", right)
    world.read()
    assert world.known() == [told]
    assert world.facts()[0].last == "2026-06-06"


def test_a_day_read_late_corrects_nothing_newer() -> None:
    """What was told before is history from the beginning."""
    world = Reading()
    world.say("5 14:00", "I live in Bergen.")
    world.read()
    world.say("3 14:00", "I live in Oslo.")
    world.read()
    assert world.known() == ["Ada lives in Bergen."]


def test_the_same_told_again_is_more_evidence() -> None:
    """One fact with both turns, first and last told."""
    world = Reading()
    first = world.say("3 14:00", "My cat is called Jazz.")
    world.read()
    second = world.say("5 14:00", "My cat is called Jazz!")
    world.read()
    (fact,) = world.facts()
    assert fact.provenance.from_ids == (first, second)
    assert (fact.first, fact.last) == ("2026-06-03", "2026-06-05")


def test_an_erased_correction_lets_the_older_hold_again() -> None:
    """And is not read back from anywhere."""
    world = Reading()
    world.say("3 14:00", "I live in Oslo.")
    world.read()
    wrong = world.say("5 14:00", "I live in Bergen.")
    world.read()
    _erase(world, wrong)
    assert world.known() == ["Ada lives in Oslo."]
    world.read()
    assert world.known() == ["Ada lives in Oslo."]


def test_what_is_read_again_is_not_there_twice() -> None:
    """Events and facts of an earlier reading stand; a fact corrected since stays history."""
    world = Reading()
    first = world.say("3 14:00", "I live in Oslo and the old piano is heavy.")
    world.say("3 15:00", "Actually, I live in Bergen.")
    world.read()
    events, facts = world.events(), list(world.memory().facts())
    assert [fact.text for fact in facts if not fact.superseded_by] == ["Ada lives in Bergen."]
    world.again(first)
    world.read()
    assert world.events() == events
    assert world.known() == ["Ada lives in Bergen."]
    assert list(world.memory().facts()) == facts


WRONG = "Ada lives in Oslo."
RIGHT = "Ada lives in Bergen."


def _told(day: int, home: str = "Oslo", world: Reading | None = None) -> Reading:
    """Tell at noon of a day of June where one lives, and have it read."""
    world = world or Reading()
    world.say(f"{day} 12:00", f"I live in {home}.")
    world.read()
    return world


def _put_right(world: Reading) -> Fact:
    """Correct the first fact by hand in the evening of the 3rd."""
    first = next(iter(world.memory().facts()))
    edit_memory(world.store, world.scope, first.id, at("3 20:00"), text=RIGHT)
    return first


def _superseded(world: Reading) -> dict[str, str]:
    """All facts, with what took their place."""
    return {fact.text: fact.superseded_by for fact in world.memory().facts()}


def test_what_was_said_before_and_is_read_later_is_history() -> None:
    """Told on the 1st, put right on the 3rd; a turn of the 2nd that nobody had read comes then."""
    world = _told(1)
    fact = _put_right(world)
    _told(2, world=world)
    assert _superseded(world) == {RIGHT: "", WRONG: fact.id}


def test_the_very_turn_read_again_brings_nothing_back() -> None:
    """Whatever the reading finds in it, the person has said how it is."""
    world = _told(1)
    _put_right(world)
    world.again(*(turn.id for turn in world.memory().turns()))
    world.read()
    assert _superseded(world) == {RIGHT: ""}


def test_what_the_person_says_after_it_counts() -> None:
    """Hands put right what was; a later word may put it right once more."""
    world = _told(1)
    fact = _put_right(world)
    facts = _superseded(_told(5, "Turku", world))
    assert facts["Ada lives in Turku."] == ""
    assert facts[RIGHT] not in ("", fact.id)
