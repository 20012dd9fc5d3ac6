"""What the person does to single memories: pin, forget, restore, correct, erase."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, get_args

import pytest

from siliconfriend.control.edit import Action, act, edit_memory, undo
from siliconfriend.control.search import memories_with_words
from siliconfriend.errors import UsageError
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutContext, PutDerived, PutTrace
from siliconfriend.memory.knowledge import Event, Fact, Insight, Provenance, Topic, TopicSegment
from siliconfriend.memory.records import Derived
from siliconfriend.memory.scope import memory_id
from siliconfriend.recall.documents import documents_of
from tests.control.world import NORA, World
from tests.memory.stored import put
from tests.night.world import working_model

DAY = "2026-03-02"


def _now(world: World) -> datetime:
    return world.clock.now(world.settings.zone)


def _put(world: World, kind: type[Derived], text: str, from_ids: Sequence[str], **more: Any) -> str:
    """A record of a kind that rests on these; its id."""
    memory = world.memory()
    name = kind.__name__.lower()
    position = memory.next_position(DAY, name)
    identifier = memory_id(world.scope, name, DAY, position)
    record = kind(
        id=identifier,
        date=DAY,
        position=position,
        text=text,
        trace=Trace(_now(world)),
        provenance=Provenance("openai:x", _now(world), tuple(from_ids)),
        **more,
    )
    read = PutContext(tuple(one for one in from_ids if one.startswith("turn")), "extracted")
    put(world.store, world.scope, PutDerived(record), read)
    return identifier


def _fact(world: World, text: str, from_ids: Sequence[str], **more: Any) -> str:
    about: dict[str, Any] = {"entity": "Nora", "entity_type": "object", "aspect": "attribute"}
    return _put(world, Fact, text, from_ids, **(about | more))


def _found(world: World, identifier: str) -> Any:
    return world.memory().find(identifier)


def test_a_corrected_fact_is_the_persons_own_and_loses_what_was_wrong(world: World) -> None:
    said = world.say("My sister lives in Lisbon.")
    fact = _fact(world, "Nora's sister lives in Lisbon.", [said], key_word="Lisbon")
    edit_memory(world.store, NORA, fact, _now(world), text="Nora's sister lives in Porto.")
    after = _found(world, fact)
    assert (after.text, after.entity) == ("Nora's sister lives in Porto.", "Nora")
    assert "lisbon" not in after.key_word.lower()
    assert after.key_word
    assert (after.provenance.made_by, after.provenance.made_at) == ("person", _now(world))
    assert after.provenance.from_ids == (said,)
    assert world.turn(said).context == "extracted"


def test_a_corrected_event_loses_place_words_and_insight_of_the_old(world: World) -> None:
    said = world.say("I met Anna in Lisbon.")
    event = _put(
        world,
        Event,
        "Nora met Anna in Lisbon.",
        [said],
        place="Lisbon",
        key_words=("Anna", "Lisbon"),
        insight="Lisbon does her good.",
    )
    edit_memory(world.store, NORA, event, _now(world), text="Nora met Anna in Porto.")
    after = _found(world, event)
    assert (after.place, after.key_words, after.insight) == ("", ("Anna",), "")
    assert event not in {one.id for one in memories_with_words(world.memory(), "Lisbon")}


def test_every_kind_is_pinned_put_away_and_brought_back(world: World) -> None:
    said = world.say("I rowed to the island with Zanzi.")
    made = [
        _fact(world, "Nora rows.", [said], key_word="Zanzi"),
        _put(world, Event, "A day on the water.", [said], scene="with Zanzi"),
        _put(world, Insight, "She rests by moving.", [said], question="Who is Zanzi?"),
        _put(world, Topic, "Rowing.", [said], talks=(TopicSegment((said,), "Zanzi and boats"),)),
    ]
    ids = [record.id for record in memories_with_words(world.memory(), "zanzi")]
    assert ids == [said, made[2], made[1], made[0], made[3]]
    act(world.store, NORA, "pin", ids, _now(world))
    act(world.store, NORA, "forget", ids, _now(world))
    for identifier in ids:
        trace = _found(world, identifier).trace
        assert (trace.pinned, trace.forgotten) == (True, _now(world))
    act(world.store, NORA, "restore", ids, _now(world))
    act(world.store, NORA, "unpin", ids, _now(world))
    traces = [_found(world, one).trace for one in ids]
    assert not any(trace.forgotten or trace.pinned for trace in traces)


def test_an_erased_turn_takes_its_facts_events_and_knowledge_along(world: World) -> None:
    told = world.say("My birthday is the 4th of May.")
    said = world.say("No, it is Zanzifrax day, the 5th of May.")
    beside = world.say("I like tulips.")
    wrong = _fact(world, "Nora's birthday is the 4th of May.", [told])
    fact = _fact(world, "Nora's birthday is Zanzifrax day.", [told, said], topic="topic-x")
    event = _put(world, Event, "Nora told of Zanzifrax and tulips.", [said, beside])
    history = replace(_found(world, wrong), superseded_by=fact)
    put(world.store, NORA, PutDerived(history))
    done = world.erase(said)
    assert {*done.derived} >= {fact, event}
    assert done.left == 0
    assert (_found(world, fact), _found(world, event)) == (None, None)
    assert _found(world, wrong).superseded_by == ""
    assert (world.turn(told).context, world.turn(beside).context) == ("pending", "pending")


def test_a_topic_goes_on_with_the_pages_it_keeps(world: World) -> None:
    page = world.say("I sail on the lake every Sunday.")
    said = world.say("My boat is called Zanzifrax.")
    later = world.say("The lake was frozen.", on="2026-03-03")
    topic = _put(
        world,
        Topic,
        "Sailing with Zanzifrax.",
        [page, said, later],
        key_words=("Zanzifrax", "lake"),
        talks=(TopicSegment((page, said), "Zanzifrax on the lake"), TopicSegment((later,), "Ice")),
        length=3,
        analysed=(said, later),
    )
    done = world.erase(said)
    assert topic in done.derived
    assert done.left == 0
    after = _found(world, topic)
    assert after.pages == after.provenance.from_ids == (page, later)
    assert [talk.overview for talk in after.talks] == ["I sail on the lake every Sunday.", "Ice"]
    assert (after.length, after.analysed) == (2, (later,))
    assert after.text == "I sail on the lake every Sunday. The lake was frozen."
    assert "lake" in after.key_words
    assert memories_with_words(world.memory(), "Zanzifrax") == []
    world.erase(page, later)
    assert _found(world, topic) is None


def test_a_fact_erased_by_itself_is_not_found_anew(world: World) -> None:
    said = world.say("I row.")
    fact = _fact(world, "Nora rows for the Zanzifrax club.", [said])
    done = world.erase(fact)
    assert (done.erased, done.derived, done.left) == ((fact,), (), 0)
    assert world.turn(said).context == "extracted"
    assert fact in world.memory().erased
    assert world.memory().next_position(DAY, "fact") == 1


def test_forget_archives_and_restore_brings_back_with_fresh_strength(world: World) -> None:
    """No word is lost by forgetting; what comes back starts from strength 1 now."""
    said = world.say("I planted beans.")
    now = _now(world)
    world.recaller.reinforce(NORA, [said], now=now)
    act(world.store, NORA, "forget", [said], now)
    assert (world.turn(said).trace.forgotten, world.turn(said).query) == (now, "I planted beans.")
    world.clock.move(days=1)
    act(world.store, NORA, "restore", [said], _now(world))
    trace = world.turn(said).trace
    assert (trace.forgotten, trace.strength, trace.last_recall) == (None, 1.0, _now(world))


@pytest.mark.parametrize("first", get_args(Action))
@pytest.mark.parametrize("action", get_args(Action))
def test_undo_brings_back_what_was_before_and_keeps_recalls(
    world: World, first: Action, action: Action
) -> None:
    said, now = world.say("I row for the Zanzifrax club."), _now(world)
    act(world.store, NORA, first, [said], now)
    turn = _found(world, said)
    before = act(world.store, NORA, action, [said], now)
    put(world.store, NORA, PutTrace(said, replace(_found(world, said).trace, recalls=(now,))))
    undo(world.store, NORA, before, world.clock.moment)
    assert _found(world, said) == replace(turn, trace=replace(turn.trace, recalls=(now,)))


def test_an_edited_turn_is_found_by_its_new_words_and_its_day_is_made_again(world: World) -> None:
    said = world.say("My sister Anna lives in Lisbon.")
    world.say("It rained.", on="2026-03-03")
    world.night(working_model())
    memory = world.memory()
    assert memory.overall_history is not None
    removed = edit_memory(world.store, NORA, said, _now(world), query="My cousin lives in Porto.")
    assert memory_id(NORA, "day", "2026-03-02", 0) in removed
    assert {"personality-2026-03-02", "overall_history", "overall_personality"} <= {*removed}
    assert memory_id(NORA, "day", "2026-03-03", 0) not in removed
    assert world.turn(said).edited
    world.night(working_model())
    memory = world.memory()
    day = memory.days["2026-03-02"]
    assert day.summary is not None
    texts = (day.summary, day.personality, memory.overall_history, memory.overall_personality)
    assert all("Lisbon" not in made.text for made in texts if made is not None)
    assert [document.text for document in documents_of(day) if document.id == said] == [
        "My cousin lives in Porto.\nI see."
    ]


def test_words_that_a_kind_does_not_have_are_refused(world: World) -> None:
    said = world.say("I planted beans.")
    with pytest.raises(UsageError, match="a turn has a query"):
        edit_memory(world.store, NORA, said, _now(world), text="Beans.")
    assert world.turn(said).query == "I planted beans."
