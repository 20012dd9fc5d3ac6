"""The night and topics: hot topics teach, the least used rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutContext, PutDerived
from siliconfriend.memory.knowledge import Fact, Topic
from siliconfriend.memory.scope import memory_id
from siliconfriend.models.base import Message
from siliconfriend.testing import ScriptedChatModel
from tests.control.world import erase_in
from tests.extraction.topic_people import a_fact, a_topic
from tests.memory.stored import put
from tests.night.world import ADA, JUNE_5, World, obedient, working_model

PIANO = (
    "I found a piano teacher.",
    "My piano teacher lives by the harbour.",
    "The piano teacher laughs at my scales.",
    "Tomorrow I meet the piano teacher again.",
)


def _read(world: World, *said: str, on: str = "2026-06-01") -> list[str]:
    """Turns of a day that left the talk and were read as one topic; their ids."""
    ids = [world.say(it, on=on) for it in said]
    topic = a_topic(" ".join(said), ids, day=on, last_visit=JUNE_5)
    topic = replace(topic, id=memory_id(ADA, "topic", on, 0), trace=Trace(JUNE_5))
    put(world.store, ADA, PutContext(tuple(ids), "extracted"), PutDerived(topic))
    return ids


def _put(world: World, *records: Topic | Fact) -> None:
    put(world.store, ADA, *(PutDerived(it) for it in records))


def _topics(world: World) -> list[Topic]:
    return list(world.memory().topics())


def _fact(text: str, on: list[str], **values: Any) -> Fact:
    fact = a_fact(text, on, day="2026-06-01", **values)
    return replace(fact, id=memory_id(ADA, "fact", "2026-06-01", fact.position))


def _night(world: World, **options: Any) -> dict[str, Any]:
    (person,) = world.night(ScriptedChatModel(), stages=["topics"], **options).to_json()["users"]
    return dict(person)


def test_a_hot_topic_becomes_knowledge_once(world: World) -> None:
    """Four pages today are heat 5; a second night finds nothing to do."""
    ids = _read(world, *PIANO)
    _put(world, _fact("Learns the piano.", ids[:1]), _fact("Has a dog.", [], position=1))
    person = _night(world)
    (topic,) = _topics(world)
    assert [it.topic for it in world.memory().facts()] == [topic.id, ""]
    assert (topic.visits, topic.length, topic.analysed) == (0, 0, tuple(ids))
    assert (person["topics"], person["knowledge"]) == (1, 1)
    before = world.memory()
    assert _night(world)["stages"]["topics"] == {"due": 0, "done": 0}
    assert world.memory() == before


def _analyses(chat: ScriptedChatModel) -> list[str]:
    return [call[-1].content for call in chat.calls if "<analyses>" in call[-1].content]


def test_a_topic_that_was_hot_feeds_the_portrait(world: World) -> None:
    """The next portrait reads its summary, in the same one call, and rests on it."""
    ids = _read(world, *PIANO)
    _night(world)
    (topic,) = _topics(world)
    chat = working_model()
    world.night(chat, stages=["summarise", "portrait"])
    (prompt,) = _analyses(chat)
    assert f"They have often come back to: {topic.text}" in prompt
    portrait = world.memory().overall_personality
    assert portrait is not None
    assert portrait.provenance.from_ids == ("personality-2026-06-01", topic.id)
    erase_in(world.store, ADA, *ids[:1])
    assert world.memory().overall_personality is None


def test_a_topic_that_grows_hot_does_not_have_the_portrait_made_again(world: World) -> None:
    """It is read the next time that there is a new day; until then no call is made."""
    _read(world, *PIANO)
    world.night(working_model(), stages=["summarise", "portrait", "topics"])
    assert _topics(world)[0].analysed
    world.night(ScriptedChatModel(), stages=["summarise", "portrait", "topics"])
    world.say("I bought a kettle.", on="2026-06-04")
    chat = working_model()
    world.night(chat, stages=["summarise", "portrait"])
    (prompt,) = _analyses(chat)
    assert "They have often come back to: " in prompt


def test_a_portrait_of_a_topic_that_changed_meanwhile_is_not_kept(world: World) -> None:
    """Its words may be those of today that were erased while the model wrote."""
    world.say("I bought a kettle.", on="2026-06-01")
    ids = _read(world, *PIANO, on="2026-06-05")
    world.night(working_model(), stages=["summarise", "topics"])

    def erased_meanwhile(messages: Sequence[Message]) -> Any:
        if "<analyses>" in messages[-1].content:
            erase_in(world.store, ADA, *ids)
        return obedient(messages)

    world.night(ScriptedChatModel(otherwise=erased_meanwhile), stages=["portrait"])
    assert world.memory().overall_personality is None
