"""The night's reflection: when it is time, what is asked, what is kept and what becomes of it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from siliconfriend.control.dependents import dependents_of
from siliconfriend.memory.changes import Erase, PutTrace
from siliconfriend.memory.knowledge import Insight
from siliconfriend.models.base import Message
from siliconfriend.testing import ScriptedChatModel
from tests.memory.stored import put
from tests.night.world import ADA, JUNE_5, NOTHING_READ, World, obedient

SAID = [f"I carried the blue piano with Nora, step {number}." for number in range(1, 16)]


def an_insight(text: str, *turns: int, importance: int = 2) -> dict[str, Any]:
    """An insight as a model answers it."""
    return {"text": text, "turns": list(turns), "importance": importance}


class Thinker:
    """Answers a reflection with its insights, and any other prompt as a working model does."""

    def __init__(self, insights: Sequence[dict[str, Any]], ratings: int = 4) -> None:
        self.insights, self.ratings = list(insights), ratings

    def __call__(self, messages: Sequence[Message]) -> Any:
        """The answer to a prompt."""
        prompt = messages[0].content
        if '"insights"' in prompt:
            return {"insights": self.insights}
        if count := re.search(r"for each turn from 1 to (\d+)", prompt):
            return {**NOTHING_READ, "importance": [self.ratings] * int(count[1])}
        return obedient(messages)


def a_model(*insights: dict[str, Any], ratings: int = 4, **named: Any) -> ScriptedChatModel:
    """A model that reflects so; it rates everything alike."""
    thinker = Thinker(insights or [an_insight("Nora helps.", 1, 2)], ratings)
    return ScriptedChatModel(otherwise=thinker, **named)


@pytest.fixture
def fortnight(world: World) -> World:
    """Ada said fifteen things on the 1st of June."""
    for words in SAID:
        world.say(words, on="2026-06-01")
    return world


def _insights(world: World) -> list[Insight]:
    return list(world.memory().insights())


def test_fifteen_memories_of_four_tenths_are_reflected_on(fortnight: World) -> None:
    """15 × 0.4 is 6.0, the threshold; the thought rests on the turns it cites, by their ids."""
    chat = a_model(an_insight("Nora helps.", 1, 2), an_insight("It is heavy.", 3))
    person = fortnight.person_night(chat)
    assert (person["status"], person["judged"], person["insights"]) == ("ok", 15, 2)
    assert person["stages"]["reflect"] == {"due": 1, "done": 1}
    first = _insights(fortnight)[0]
    assert (first.id, first.text) == (f"insight-2026-06-01-0-{ADA.digest}", "Nora helps.")
    assert (first.trace.importance, first.trace.created) == (0.2, JUNE_5)
    assert first.provenance.made_by == "scripted"
    assert len(first.provenance.from_ids) == 2
    assert all(fortnight.memory().find(one) for one in first.provenance.from_ids)
    (asked,) = [call[0].content for call in chat.calls if '"insights"' in call[0].content]
    assert "[1] 2026-06-01 (Monday)\nAda: I carried the blue piano with Nora, step 1." in asked


def test_reflection_waits_for_enough_new_turns(fortnight: World) -> None:
    fortnight.night(a_model())
    before = fortnight.memory()
    again = ScriptedChatModel()
    assert fortnight.person_night(again)["stages"]["reflect"] == {"due": 0, "done": 0}
    assert (fortnight.memory(), again.calls) == (before, [])
    fortnight.say("Nora and I sold the blue piano.", on="2026-06-02")
    few = fortnight.person_night(a_model(an_insight("It was time.", 1)))
    assert few["stages"]["reflect"] == {"due": 0, "done": 0}
    for step in range(6):
        fortnight.say(f"Nora and I bought a red piano, step {step}.", on="2026-06-03")
    person = fortnight.person_night(a_model(an_insight("It was time.", 1), ratings=10))
    assert person["insights"] == 1
    assert [(one.date, one.position) for one in _insights(fortnight)] == [
        ("2026-06-01", 0),
        ("2026-06-03", 0),
    ]


def test_a_thought_is_no_evidence_for_another(fortnight: World) -> None:
    fortnight.night(a_model(an_insight("Nora means the piano to Ada.", 1)))
    for step in range(6):
        fortnight.say(f"What Nora and the piano mean, step {step}.", on="2026-06-02")
    chat = a_model(ratings=10)
    fortnight.night(chat)
    asked = [call[0].content for call in chat.calls if '"insights"' in call[0].content]
    assert len(asked) == 1
    assert "Nora means" not in asked[0]


def test_a_model_that_judges_is_asked_whether_the_turns_bear_it_out(fortnight: World) -> None:
    insights = [
        an_insight("Nora owns the blue piano since her wedding.", 1),
        an_insight("Nora and Ada carried the piano together.", 2),
        an_insight("Nora likes heavy things.", 3),
    ]
    verdicts = [
        {"number": 1, "quote": "", "holds": False},
        {"number": 2, "quote": "I carried the blue piano with Nora", "holds": True},
        {"number": 3, "quote": "I like heavy things", "holds": True},
    ]
    thinker = Thinker(insights)

    def answer(messages: Sequence[Message]) -> Any:
        is_about_insights = f"1. [1] {insights[0]['text']}" in messages[0].content
        return {"verdicts": verdicts} if is_about_insights else thinker(messages)

    fortnight.night(ScriptedChatModel(otherwise=answer, confirms=False))
    assert [one.text for one in _insights(fortnight)] == [insights[1]["text"]]


def test_an_insight_outlives_its_evidence_and_goes_with_it(fortnight: World) -> None:
    fortnight.night(a_model())
    (insight,) = _insights(fortnight)
    for turn in list(fortnight.memory().turns()):
        put(fortnight.store, ADA, PutTrace(turn.id, turn.trace.archived_at(JUNE_5)))
    assert _insights(fortnight) == [insight]
    evidence = insight.provenance.from_ids[0]
    gone = dependents_of(fortnight.memory(), [evidence])
    assert insight.id in {one.id for one in gone}
    put(fortnight.store, ADA, Erase((evidence,)), *(each.removal for each in gone))
    assert _insights(fortnight) == []
    for turn in list(fortnight.memory().turns()):
        put(fortnight.store, ADA, PutTrace(turn.id, replace(turn.trace, archived=None)))
    for step in range(6):
        fortnight.say(f"Nora and the piano, once more, step {step}.", on="2026-06-01")
    chat = a_model(an_insight("Nora stays.", 1), ratings=10)
    person = fortnight.person_night(chat, stages=["extract", "reflect"])
    assert person["insights"] == 1
    assert [other.position for other in _insights(fortnight)] == [1]


def test_evidence_erased_while_the_model_thinks_takes_the_thought_along(fortnight: World) -> None:
    victim = next(fortnight.memory().turns())
    model = Thinker([an_insight("Nora helps.", 1)])

    def erasing(messages: Sequence[Message]) -> Any:
        if '"insights"' in messages[0].content:
            put(fortnight.store, ADA, Erase((victim.id,)))
        return model(messages)

    fortnight.settings = replace(fortnight.settings, reflect_threshold=1.5)
    person = fortnight.person_night(ScriptedChatModel(otherwise=erasing), stages=["reflect"])
    assert (person["insights"], person["pending"]) == (0, ["reflection"])
    assert fortnight.memory().last_reflection is None


def test_offline_there_is_none_and_the_report_says_why(fortnight: World) -> None:
    """The rule judges importance all the same; two cues a turn make 0.2 each and more."""
    report = fortnight.night(None, dry_run=True)
    assert report.to_json()["users"][0]["stages"]["reflect"]["done"] == 0
    for number in range(15):
        fortnight.say(f"I am so happy, today I promised Nora to help, {number}.", on="2026-06-02")
    report = fortnight.night(None)
    (person,) = report.to_json()["users"]
    assert (person["skipped"], person["insights"], person["judged"]) == (["reflect"], 0, 30)
    assert "insights need a model" in report.to_text("en")
    assert all(turn.trace.importance is not None for turn in fortnight.memory().turns())
