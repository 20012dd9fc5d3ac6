"""The night and topics: what was left over joins, hot topics teach, the least used rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from siliconfriend.errors import ModelUnavailable
from siliconfriend.extraction.topics.knowledge import knowledge_entries
from siliconfriend.memory.changes import PutContext, PutDerived
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.knowledge import Fact, Topic
from siliconfriend.memory.records import Turn
from siliconfriend.models.base import Message
from siliconfriend.testing import ScriptedChatModel, WordEmbedder
from tests.control.world import erase_in
from tests.extraction.topics.people import a_fact, a_topic
from tests.memory.stored import put
from tests.night.world import ADA, JUNE_5, World, obedient, working_model

PIANO = (
    "I found a piano teacher.",
    "My piano teacher lives by the harbour.",
    "The piano teacher laughs at my scales.",
    "Tomorrow I meet the piano teacher again.",
)


def _read(world: World, *said: str, on: str = "2026-06-01") -> list[str]:
    """Turns of a day that left the talk and were read; their ids."""
    ids = [world.say(it, on=on) for it in said]
    put(world.store, ADA, PutContext(tuple(ids), "extracted"))
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


def test_what_was_read_without_a_theme_joins(world: World) -> None:
    """One scene is one topic, in the person's own words, made offline and without a call."""
    ids = _read(world, *PIANO[:2])
    person = _night(world)
    (topic,) = _topics(world)
    assert topic.pages == tuple(ids)
    assert topic.text == " ".join(PIANO[:2])
    assert topic.key_words[:2] == ("piano", "teacher")
    assert topic.provenance.made_by == "offline"
    assert topic.last_visit == JUNE_5
    assert person["stages"]["topics"] == {"due": 2, "done": 2}
    assert (person["topics"], person["knowledge"], person["status"]) == (1, 0, "ok")


def test_what_goes_on_in_the_talk_waits(world: World) -> None:
    """A live turn and one that waits to be read join nothing yet."""
    live = world.say("I am still here.", on="2026-06-01")
    waiting = world.say("And I wait.", on="2026-06-01")
    put(world.store, ADA, PutContext((waiting,), "pending"))
    assert _night(world)["stages"]["topics"] == {"due": 0, "done": 0}
    assert _topics(world) == []
    assert isinstance(world.memory().find(live), Turn)


def test_a_day_s_long_talk_is_one_talk_under_one_overview(world: World) -> None:
    """Twelve turns are read ten and two at a time; the two go on from the ten."""
    ids = _read(world, *[f"The piano teacher said {at} things." for at in range(12)])
    _night(world)
    (topic,) = _topics(world)
    (talk,) = topic.talks
    assert talk.pages == tuple(ids)
    told = [f"The piano teacher said {at} things." for at in (0, 1, 10, 11)]
    assert talk.overview == " ".join(told)


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


def test_the_settings_decide_heat_and_capacities(world: World) -> None:
    """Heat 2 is hot at a threshold of 2; of two entries and two topics one stays outside."""
    world.settings = replace(world.settings, topic_heat=2.0, topic_capacity=1, knowledge_capacity=1)
    ids = _read(world, PIANO[0])
    others = _read(world, "The beans grew up the wall.", on="2026-06-03")
    _put(world, _fact("Learns the piano.", ids), _fact("Grows beans.", others, position=1))
    person = _night(world)
    assert person["archived"] == {"fact": 1, "topic": 1}
    assert [it.trace.archived is None for it in _topics(world)] == [False, True]
    assert sum(it.trace.archived is None for it in world.memory().facts()) == 1
    assert all(it.topic for it in world.memory().facts())


def test_after_a_page_was_erased_its_topic_is_made_of_the_rest(world: World) -> None:
    """Nothing of its words is left in text, key words or overviews; the other page stays known."""
    secret, other = _read(world, "The zebra hides in Zanzibar.", "The zebra likes tea.")
    _night(world)
    assert "Zanzibar" in _topics(world)[0].text
    erase_in(world.store, ADA, secret)
    _night(world)
    (topic,) = _topics(world)
    assert topic.pages == (other,)
    words = [topic.text, *topic.key_words, *(talk.overview for talk in topic.talks)]
    assert not any("zanzibar" in it.lower() for it in words)
    assert "The zebra likes tea." in words


class _Away(WordEmbedder):
    """An embedder whose service cannot be had."""

    def passages(self, texts: Any) -> Any:
        raise ModelUnavailable("model_unreachable", name=self.name, address="nowhere")


def test_an_embedder_that_is_away_leaves_the_joining_for_later(world: World) -> None:
    """It is reported; what needs no vector is done all the same."""
    _read(world, *PIANO)
    report = world.night(ScriptedChatModel(), embedder=_Away(), stages=["topics"])
    (person,) = report.people
    assert person.status == "failed"
    assert person.errors[0].startswith("the topics")
    assert person.stages["topics"] == {"due": 4, "done": 0}
    assert _topics(world) == []


class _Meanwhile(WordEmbedder):
    """An embedder during whose work somebody else opens a topic, once."""

    def __init__(self, world: World, topic: Topic) -> None:
        super().__init__()
        self._world, self._topic = world, topic

    def passages(self, texts: Any) -> Any:
        if self._world.memory().find(self._topic.id) is None:
            _put(self._world, self._topic)
        return super().passages(texts)


def test_a_topic_that_was_opened_meanwhile_puts_the_joining_off(world: World) -> None:
    """Its vector is not known, and none is made while others wait; the next night joins."""
    _read(world, *PIANO)
    topic = replace(a_topic("tea", ()), id=memory_id(ADA, "topic", "2026-03-01", 0))
    embedder = _Meanwhile(world, topic)

    def night() -> dict[str, int]:
        report = world.night(ScriptedChatModel(), embedder=embedder, stages=["topics"])
        assert report.people[0].errors == []
        return report.people[0].stages["topics"]

    assert night() == {"due": 4, "done": 0}
    assert night() == {"due": 5, "done": 5}
    assert len(_topics(world)) == 2


def test_vectors_decide_where_there_is_an_embedder(world: World) -> None:
    """Each day's talk is compared by meaning with what was there."""
    _read(world, *PIANO)
    _read(world, *PIANO, on="2026-06-03")
    world.night(ScriptedChatModel(), embedder=WordEmbedder(), stages=["topics"])
    (topic,) = _topics(world)
    assert len(topic.talks) == 2


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


def test_a_topic_that_was_never_hot_is_not_in_the_portrait(world: World) -> None:
    """Nor is one that was put away."""
    _read(world, PIANO[0])
    _night(world)
    chat = working_model()
    world.night(chat, stages=["summarise", "portrait"])
    (prompt,) = _analyses(chat)
    assert "come back to" not in prompt


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


def _reading(*, summary: str, promise: str = "") -> dict[str, Any]:
    """What a model takes out of a batch of four turns: one fact, one promise, one theme."""
    fact = {
        "entity": "Ada",
        "entity_type": "object",
        "aspect": "attribute",
        "key_word": "piano",
        "description": "Ada learns the piano.",
        "said_by": "person",
        "turns": [1],
        "corrects": None,
        "repeats": None,
    }
    own = {
        **fact,
        "entity": "SiliconFriend",
        "entity_type": "subject",
        "aspect": "promise",
        "description": promise,
        "said_by": "companion",
        "turns": [2],
    }
    theme = {
        "summary": summary,
        "key_words": ["piano", "teacher"],
        "turns": [1, 2, 3, 4],
        "continues": False,
    }
    return {
        "events": [],
        "facts": [fact, own] if promise else [],
        "themes": [theme],
        "importance": [5, 5, 5, 5],
    }


def test_a_topic_that_returns_becomes_knowledge_without_a_call(world: World) -> None:
    """Two days of one matter: one topic, two talks; the companion's promise is its own entry."""
    for day in ("2026-06-01", "2026-06-03"):
        for said in PIANO:
            world.say(said, "I will send you a list of piano songs.", on=day)
    chat = ScriptedChatModel(
        [
            _reading(
                summary="Ada found a piano teacher.",
                promise="SiliconFriend promised Ada a list of piano songs.",
            ),
            _reading(summary="Ada meets her piano teacher again."),
        ]
    )
    person = world.night(chat, stages=["extract", "topics"]).to_json()["users"][0]
    assert (person["status"], person["llm"]["calls"]) == ("ok", 2)
    (topic,) = _topics(world)
    assert [len(talk.pages) for talk in topic.talks] == [4, 4]
    assert topic.text == "Ada found a piano teacher."
    assert topic.talks[1].overview == "Ada meets her piano teacher again."
    memory = world.memory()
    assert [it.text for it in knowledge_entries(memory, "user")] == ["Ada learns the piano."]
    assert [it.text for it in knowledge_entries(memory, "assistant")] == [
        "SiliconFriend promised Ada a list of piano songs."
    ]
    assert person["knowledge"] == 2
