"""The step ``extract``: everything told is read once, nothing is lost, and it is counted."""

import re
from collections.abc import Sequence
from typing import Any

import pytest

from siliconfriend.control.edit import edit_memory
from siliconfriend.errors import ModelUnavailable
from siliconfriend.memory.records import Turn
from siliconfriend.models.base import Message
from siliconfriend.testing import ScriptedChatModel
from tests.extraction.world import a_fact as told_fact
from tests.extraction.world import an_answer, an_event
from tests.night.world import ADA, NOTHING_READ, World, obedient


def whole(messages: Sequence[Message]) -> Any:
    """A model that finds an event, a fact, a theme and a rating for each turn of a batch."""
    asked = messages[-1].content
    if "<talk>" not in asked:
        return obedient(messages)
    count = len(re.findall(r"^\[[1-9]\d*\]", asked, re.MULTILINE))
    event = an_event("Ada has an exam in marine biology.") if "marine" in asked else an_event()
    fact = told_fact("Ada owns a piano.", key_word="piano")
    return an_answer([event], [fact], [3] * count)


def a_reader(*answers: Any) -> ScriptedChatModel:
    """A model that answers batches with these, then as it should, and all else as it should."""
    left = list(answers)

    def answer(messages: Sequence[Message]) -> Any:
        if "<talk>" in messages[-1].content and left:
            return left.pop(0)
        return whole(messages)

    return ScriptedChatModel(otherwise=answer)


def _told(world: World) -> tuple[list[str], list[str]]:
    memory = world.memory()
    facts = [fact.text for fact in memory.facts() if not fact.superseded_by]
    return [event.text for event in memory.events()], facts


@pytest.fixture
def moved(world: World) -> World:
    """Ada told where she lives on the 1st, put it right on the 3rd and has a friend."""
    world.say("I live in Oslo and love coriander.", on="2026-06-01")
    world.say("My friend is called Jack.", on="2026-06-01")
    world.say("Actually, I live in Bergen.", on="2026-06-03")
    return world


def test_a_second_night_reads_nothing(moved: World) -> None:
    moved.night(stages=["extract"])
    before = moved.memory()
    person = moved.person_night(stages=["extract"])
    assert moved.memory() == before
    assert person["stages"]["extract"] == {"due": 0, "done": 0}
    assert (person["events"], person["facts"]) == (0, 0)
    moved.night(a_reader(), stages=["extract"])
    before, chat = moved.memory(), ScriptedChatModel()
    assert moved.person_night(chat, stages=["extract"])["stages"]["extract"]["due"] == 0
    assert (moved.memory(), chat.calls) == (before, [])


@pytest.fixture
def piano(world: World) -> World:
    """Ada told of her piano and her tea before there was a model."""
    world.say("I own a piano. My tea is called Rex. I love strong tea.", on="2026-06-01")
    world.night(stages=["extract"])
    assert _told(world) == ([], ["Ada's tea is called Rex."])
    return world


def test_what_a_rule_read_a_model_reads_again(piano: World) -> None:
    person = piano.person_night(a_reader(), stages=["extract"])
    assert person["stages"]["extract"] == {"due": 1, "done": 1}
    assert _told(piano) == (
        ["Ada carried a piano."],
        ["Ada's tea is called Rex.", "Ada owns a piano."],
    )
    assert {turn.context for turn in piano.memory().turns()} == {"extracted"}


@pytest.mark.parametrize(
    ("answers", "state"), [([NOTHING_READ], "extracted"), (["no JSON", "no JSON"], "noted")]
)
def test_a_model_that_finds_nothing_or_fails_takes_nothing_away(
    piano: World, answers: list[Any], state: str
) -> None:
    piano.night(a_reader(*answers), stages=["extract"])
    assert _told(piano) == ([], ["Ada's tea is called Rex."])
    assert {turn.context for turn in piano.memory().turns()} == {state}


def test_what_the_person_laid_a_hand_on_stays(piano: World) -> None:
    (fact,) = piano.memory().facts()
    edit_memory(
        piano.store, ADA, fact.id, piano.clock.now(piano.settings.zone), text="Ada loves green tea."
    )
    piano.night(a_reader(), stages=["extract"])
    assert _told(piano) == (["Ada carried a piano."], ["Ada loves green tea.", "Ada owns a piano."])


def test_a_broken_answer_loses_no_turn(two_days: World) -> None:
    broken = ModelUnavailable("model_broke_off", name="scripted", address="here")
    person = two_days.person_night(a_reader(broken), stages=["extract"])
    assert (person["status"], person["pending"]) == ("failed", ["reading"])
    assert person["errors"] == ["reading: model_broke_off"]
    assert person["stages"]["extract"] == {"due": 2, "done": 1}
    states = [turn.context for turn in two_days.memory().turns()]
    assert states == ["live", "extracted", "extracted"]
    assert [event.date for event in two_days.memory().events()] == ["2026-06-03"]
    again = two_days.person_night(a_reader(), stages=["extract"])
    assert (again["status"], again["stages"]["extract"]) == ("ok", {"due": 1, "done": 1})
    assert {turn.context for turn in two_days.memory().turns()} == {"extracted"}


def test_a_model_reads_the_earlier_turns_that_a_batch_brings_to_mind(world: World) -> None:
    earlier = world.say("My cat is called Biscuit.", on="2026-06-01")
    world.say("I planted beans.", on="2026-06-02")
    world.night(a_reader(*[NOTHING_READ] * 2), stages=["extract"])
    later = world.say("We buried my cat Biscuit.", on="2026-06-03")
    asked: list[str] = []

    def answer(messages: Sequence[Message]) -> Any:
        if "<talk>" not in messages[-1].content:
            return obedient(messages)
        asked.append(messages[-1].content)
        return an_answer(changes=[{"number": 1, "how": "ends", "turn": 1}])

    world.night(ScriptedChatModel(otherwise=answer), stages=["extract"])
    assert "1. (2026-06-01) Ada said: My cat is called Biscuit." in asked[0]
    told = world.memory().find(earlier)
    assert isinstance(told, Turn)
    assert told.outdated_by == later
