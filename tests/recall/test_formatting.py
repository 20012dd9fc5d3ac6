"""Facts, events and the companion's own story in a prompt: in their groups, each once."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutDerived, PutTurn, apply_all
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.knowledge import Aspect, EntityType, Event, Fact
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import Memory, PersonMemory
from siliconfriend.models.tokens import estimate_tokens
from siliconfriend.recall.composing import Composed, compose
from siliconfriend.recall.documents import searched_text
from siliconfriend.recall.results import Recalled, RecallResult
from siliconfriend.texts import Language
from tests.memory.people import NORA, a_profile, a_turn

NOW = datetime(2026, 3, 20, 9, tzinfo=UTC)
DAY = "2026-03-02"


def _fact(
    text: str,
    position: int,
    entity: str = "Nora",
    entity_type: EntityType = "object",
    aspect: Aspect = "attribute",
) -> Fact:
    return Fact(
        id=memory_id(NORA, "fact", DAY, position),
        date=DAY,
        position=position,
        text=text,
        trace=Trace(NOW),
        provenance=Provenance("scripted", NOW, (memory_id(NORA, "turn", DAY, 0),)),
        entity=entity,
        entity_type=entity_type,
        aspect=aspect,
        first=DAY,
        last=DAY,
    )


def _event(text: str, position: int, sources: tuple[str, ...], place: str = "") -> Event:
    return Event(
        id=memory_id(NORA, "event", DAY, position),
        date=DAY,
        position=position,
        text=text,
        trace=Trace(NOW),
        provenance=Provenance("scripted", NOW, sources),
        time=datetime(2026, 3, 2, 15, 30, tzinfo=UTC),
        place=place,
    )


def _recalled(*memories: Memory) -> tuple[Recalled, ...]:
    return tuple(Recalled(it, 1.0, {}, "vivid", 1.0, 1.0) for it in memories)


def _compose(
    memory: PersonMemory,
    memories: tuple[Recalled, ...] = (),
    facts: tuple[Recalled, ...] = (),
    *,
    budget: int = 2000,
    language: Language = "en",
    live: tuple[str, ...] = (),
    lore: RecallResult | None = None,
    overview_events: int = 20,
) -> Composed:
    return compose(
        RecallResult("", "siliconfriend", NOW, memories, facts),
        memory,
        language=language,
        now=NOW,
        zone=ZoneInfo("UTC"),
        companion_name="Friend",
        budget_tokens=budget,
        live=live,
        lore=lore,
        overview_events=overview_events,
    )


FACTS = (
    _fact("Kai's birthday is 4 May.", 0, "Kai", "specific"),
    _fact("Friend once recommended the night train.", 1, "Friend", "subject", "promise"),
    _fact("Friend calls Nora captain.", 2, "Friend", "subject", "relation"),
    _fact("Nora and Kai share a boat.", 3, "Nora", "object", "relation"),
    _fact("Kai paints the boat each spring.", 4, "Kai", "specific", "relation"),
    _fact("Nora likes bitter tea.", 5),
)


def test_facts_stand_in_their_groups_in_their_order() -> None:
    """The person's attributes and relations, the companion's, then each entity; promises apart."""
    sections = _compose(PersonMemory(a_profile()), facts=_recalled(*FACTS)).sections
    assert sections["known"] == (
        "About Nora:\n"
        "- Nora likes bitter tea.\n"
        "Nora and others:\n"
        "- 2026-03-02: Nora and Kai share a boat.\n"
        "Friend:\n"
        "- 2026-03-02: Friend calls Nora captain.\n"
        "Kai:\n"
        "- Kai's birthday is 4 May.\n"
        "- 2026-03-02: Kai paints the boat each spring."
    )
    assert sections["promises"] == "- 2026-03-02: Friend once recommended the night train."
    chinese = _compose(PersonMemory(a_profile()), facts=_recalled(*FACTS), language="cn").sections
    assert chinese["known"].startswith("关于Nora：\n- Nora likes bitter tea.\nNora与其他人和事：\n")


def test_where_the_budget_cuts_the_companions_facts_go_first() -> None:
    """The person's stay to the last, whatever was ranked best."""
    kept = {
        len(composed.used): {it.id for it in composed.used}
        for budget in range(0, 500, 5)
        for composed in [
            _compose(PersonMemory(a_profile()), facts=_recalled(*FACTS), budget=budget)
        ]
    }
    for ids in kept.values():
        if ids & {FACTS[1].id, FACTS[2].id}:
            assert {FACTS[3].id, FACTS[5].id} <= ids
    assert {1, 2, 6} <= kept.keys()


def test_an_event_is_told_with_its_time_and_place() -> None:
    """Eighteen days later only the part of the day is left of the time."""
    event = _event("Nora and Kai launched the boat.", 0, ("turn-x",), place="the quay")
    line = "2026-03-02 in the afternoon the quay: Nora and Kai launched the boat."
    assert _compose(PersonMemory(a_profile()), _recalled(event)).sections["events"] == line


@pytest.mark.parametrize(
    ("language", "scene", "insight", "line"),
    [
        (
            "en",
            "rain, a full café",
            "Nora likes company",
            "2026-03-02 in the afternoon the quay (rain, a full café): Nora met Kai."
            " (which shows, it seems: Nora likes company)",
        ),
        (
            "cn",
            "下着雨",
            "Nora喜欢热闹",
            "2026-03-02 下午 the quay（下着雨）：Nora met Kai.（由此看来：Nora喜欢热闹）",
        ),
    ],
)
def test_an_event_is_told_with_its_scene_and_what_it_shows(
    language: Language, scene: str, insight: str, line: str
) -> None:
    """Both reach the prompt, and the words of both find the event."""
    event = _event("Nora met Kai.", 0, ("turn-x",), place="the quay")
    event = replace(event, scene=scene, insight=insight)
    composed = _compose(PersonMemory(a_profile()), _recalled(event), language=language)
    assert composed.sections["events"] == line
    assert scene in searched_text(event)
    assert insight in searched_text(event)


def test_the_overview_holds_the_last_events_in_order() -> None:
    """Those that the setting allows, the oldest leaving; they count as used, last."""
    events = [_event(f"Thing {at} happened.", at, (f"turn-{at}",)) for at in range(4)]
    memory = apply_all(PersonMemory(a_profile()), map(PutDerived, events))
    composed = _compose(memory, overview_events=3)
    told = composed.sections["overview"].splitlines()
    assert [line.split(": ")[1] for line in told] == [f"Thing {at} happened." for at in (1, 2, 3)]
    assert [it.id for it in composed.used] == [it.id for it in events[1:]]
    assert "overview" not in _compose(memory, overview_events=0).sections


def test_nothing_is_told_twice() -> None:
    """No event beside its turns, in the talk or recalled, nor in the overview and by itself."""
    turns = [a_turn(f"Words {at}.", day=DAY, position=at) for at in range(2)]
    from_live = _event("From the talk.", 0, (turns[0].id,))
    from_recalled = _event("From what is recalled.", 1, (turns[1].id,))
    both = _event("Of both days.", 2, (turns[0].id, "turn-elsewhere"))
    events = (from_live, from_recalled, both)
    memory = apply_all(PersonMemory(a_profile()), [*map(PutTurn, turns), *map(PutDerived, events)])
    composed = _compose(memory, _recalled(both, turns[1]), live=(turns[0].id,))
    everything = "\n".join(composed.sections.values())
    assert everything.count("Of both days.") == 1
    assert "Of both days." in composed.sections["events"]
    assert "From" not in everything
    assert "overview" not in composed.sections
    assert composed.dropped == ()


def test_the_companions_own_story_is_told_without_days() -> None:
    """It belongs to no calendar and is not among what was used of the person's memory."""
    story = RecallResult(
        "",
        "",
        NOW,
        _recalled(_event("A lamp was lit.", 7, (), place="The lighthouse")),
        _recalled(_fact("Likes fog.", 8, "Friend", "subject")),
    )
    composed = _compose(PersonMemory(a_profile()), lore=story)
    assert composed.sections["own_story"] == "Friend: Likes fog.\nThe lighthouse: A lamp was lit."
    assert composed.used == ()


def test_all_of_it_keeps_within_the_budget() -> None:
    """Whatever the budget is, the sections together take no more."""
    turns = [a_turn(f"Some words about boats {at}.", day=DAY, position=at) for at in range(6)]
    events = [_event(f"Thing {at} happened on the water.", at, ("turn-x",)) for at in range(6)]
    memory = apply_all(PersonMemory(a_profile()), [*map(PutTurn, turns), *map(PutDerived, events)])
    for budget in range(0, 400, 20):
        composed = _compose(memory, _recalled(*turns), _recalled(*FACTS), budget=budget)
        assert sum(map(estimate_tokens, composed.sections.values())) <= budget


def test_an_event_says_when_it_was_and_when_it_was_told() -> None:
    """Told on 2 March: its own moment, the day in its words, several days, or none but that day."""
    wedding = datetime(2026, 6, 20, 15, 0, tzinfo=UTC)
    events = (
        replace(_event("Nora marries.", 0, ()), time=wedding),
        replace(_event("Nora flies.", 1, ()), time=datetime(2026, 6, 21, 12, tzinfo=UTC)),
        _event("On 14 April Nora will move.", 2, (), "Porto"),
        _event("Nora sails on 3 May and on 7 May.", 3, ()),
        _event("Nora lost a shoe.", 4, ()),
    )
    memory = PersonMemory(a_profile())
    english = _compose(memory, _recalled(*events)).sections["events"]
    assert english == (
        "told 2026-03-02: Nora sails on 3 May (2026-05-03) and on 7 May (2026-05-07).\n"
        "2026-03-02 in the afternoon: Nora lost a shoe.\n"
        "2026-04-14 Porto, told 2026-03-02: On 14 April (2026-04-14) Nora will move.\n"
        "2026-06-20 15:00, told 2026-03-02: Nora marries.\n"
        "2026-06-21, told 2026-03-02: Nora flies."
    )
    chinese = _compose(memory, _recalled(*events[:2]), language="cn").sections["events"]
    assert chinese == (
        "2026-06-20 15:00（2026-03-02说的）：Nora marries.\n"
        "2026-06-21（2026-03-02说的）：Nora flies."
    )
