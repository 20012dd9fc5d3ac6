"""The night's reflection: when it is time, what is asked, what is kept and what becomes of it."""

from __future__ import annotations

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
QUESTIONS = "1. What does Nora mean to Ada?\n2. What does the piano mean?\n3. Who carries it?"


class Thinker:
    """Answers a reflection's prompts by their kind, any other as a working model does."""

    def __init__(self, insights: Sequence[str], ratings: int = 2) -> None:
        self.insights = list(insights)
        self.ratings = ratings
        self.asked: list[str] = []

    def __call__(self, messages: Sequence[Message]) -> Any:
        """The answer to a prompt."""
        prompt = messages[0].content
        if "<insights>" in prompt:
            return prompt.split("<insights>")[1].split("</insights>")[0]
        if "<statements>" in prompt and ("The question:" in prompt or "问题：" in prompt):
            self.asked.append(prompt)
            return self.insights[min(len(self.asked), len(self.insights)) - 1]
        if "<statements>" in prompt:
            self.asked = []
            return QUESTIONS
        if count := re.search(r"for each turn from 1 to (\d+)", prompt):
            return {**NOTHING_READ, "importance": [self.ratings] * int(count[1])}
        found = obedient(messages)
        if isinstance(found, dict) and "ratings" in found:
            return {"ratings": [self.ratings] * len(found["ratings"])}
        return str(self.ratings) if found == "5" else found


def a_model(*insights: str, ratings: int = 2) -> ScriptedChatModel:
    """A model whose answers to the three questions are ``insights``; it rates everything alike."""
    return ScriptedChatModel(otherwise=Thinker(insights or ["1. Nora helps. [1, 2]"], ratings))


@pytest.fixture
def fortnight(world: World) -> World:
    """Ada said fifteen things on the 1st of June."""
    for words in SAID:
        world.say(words, on="2026-06-01")
    return world


def _insights(world: World) -> list[Insight]:
    return list(world.memory().insights())


def test_fifteen_memories_of_two_tenths_are_reflected_on(fortnight: World) -> None:
    """15 × 0.2 is 3.0, the threshold; the thought rests on the turns it cites, by their ids."""
    person = fortnight.person_night(
        a_model("1. Nora helps. [1, 2]", "1. It is heavy. [3]", "1. Nora. [4]")
    )
    assert (person["status"], person["judged"], person["insights"]) == ("ok", 15, 3)
    assert person["stages"]["reflect"] == {"due": 1, "done": 1}
    first = _insights(fortnight)[0]
    assert (first.id, first.text) == (f"insight-2026-06-01-0-{ADA.digest}", "Nora helps.")
    assert first.question == "What does Nora mean to Ada?"
    assert (first.depth, first.trace.importance, first.trace.created) == (1, 0.2, JUNE_5)
    assert first.provenance.made_by == "scripted"
    assert len(first.provenance.from_ids) == 2
    assert all(fortnight.memory().find(it) for it in first.provenance.from_ids)


def test_it_is_not_run_again_until_something_new_came(fortnight: World) -> None:
    """The next night asks nothing; after a new memory it reflects on the last fifteen of now."""
    fortnight.night(a_model())
    before = fortnight.memory()
    again = ScriptedChatModel()
    assert fortnight.person_night(again)["stages"]["reflect"] == {"due": 0, "done": 0}
    assert (fortnight.memory(), again.calls) == (before, [])
    fortnight.say("Nora and I sold the blue piano.", on="2026-06-02")
    person = fortnight.person_night(a_model("1. It was time. [1, 2]", "1. It was time. [3]"))
    assert (person["judged"], person["insights"]) == (1, 1)
    assert [(it.date, it.position) for it in _insights(fortnight)] == [
        ("2026-06-01", 0),
        ("2026-06-02", 0),
    ]


def test_what_is_cited_and_does_not_exist_drops_the_insight(fortnight: World) -> None:
    """So does citing nothing; the others stay. That it was reflected on is remembered."""
    person = fortnight.person_night(
        a_model("1. Made up. [1, 99]\n2. Rests on nothing.\n3. Nora is strong. [2]")
    )
    assert [it.text for it in _insights(fortnight)] == ["Nora is strong."]
    assert (person["status"], person["insights"]) == ("ok", 1)


def test_a_thought_about_a_thought_is_deeper(fortnight: World) -> None:
    """Insights feed later questions and are cited as any memory is."""
    fortnight.night(a_model("1. Nora means the piano to Ada. [1]"))
    fortnight.say("What Nora and the piano mean to Ada.", on="2026-06-02")

    def cites_the_thought(messages: Sequence[Message]) -> Any:
        prompt = messages[0].content
        if "<statements>" not in prompt or "The question:" not in prompt:
            return Thinker([""])(messages)
        lines = prompt.split("<statements>")[1].splitlines()
        number = next((it.split(".")[0] for it in lines if "Nora means" in it), "1")
        return f"1. That thought matters. [{number}]"

    fortnight.night(ScriptedChatModel(otherwise=cites_the_thought), stages=["reflect"])
    first, second = _insights(fortnight)
    assert second.provenance.from_ids == (first.id,)
    assert (first.depth, second.depth) == (1, 2)


def test_an_insight_outlives_its_evidence_and_goes_with_it(fortnight: World) -> None:
    """Archiving what it rests on leaves it; erasing that takes it, and it is thought anew."""
    fortnight.night(a_model())
    (insight,) = _insights(fortnight)
    for turn in list(fortnight.memory().turns()):
        put(fortnight.store, ADA, PutTrace(turn.id, turn.trace.archived_at(JUNE_5)))
    assert _insights(fortnight) == [insight]
    evidence = insight.provenance.from_ids[0]
    gone = dependents_of(fortnight.memory(), [evidence])
    assert insight.id in {it.id for it in gone}
    put(fortnight.store, ADA, Erase((evidence,)), *(it.removal for it in gone))
    assert _insights(fortnight) == []
    for turn in list(fortnight.memory().turns()):
        put(fortnight.store, ADA, PutTrace(turn.id, replace(turn.trace, archived=None)))
    fortnight.say("Nora and the piano, once more.", on="2026-06-01")
    person = fortnight.person_night(a_model("1. Nora stays. [1]"), stages=["extract", "reflect"])
    assert person["insights"] == 1
    assert [it.position for it in _insights(fortnight)] == [1]


def test_evidence_erased_while_the_model_thinks_takes_the_thought_along(fortnight: World) -> None:
    """Nothing that was asked before brings the words back; the reflection is due again."""
    victim = next(fortnight.memory().turns())
    model = Thinker(["1. Nora helps with step one. [1]"])

    def erasing(messages: Sequence[Message]) -> Any:
        if "<insights>" in messages[0].content:
            put(fortnight.store, ADA, Erase((victim.id,)))
        return model(messages)

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
    assert "insights need a model, and the settings say offline" in report.to_text("en")
    assert all(turn.trace.importance is not None for turn in fortnight.memory().turns())
