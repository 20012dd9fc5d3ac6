"""From every kind of memory one comes to the lines in which it was said."""

from __future__ import annotations

from dataclasses import replace

from siliconfriend.memory.changes import Erase, PutDerived, PutSummary, PutTurn, apply_all
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import PersonMemory
from tests.memory.people import DATES, NOW, a_profile, a_summary, a_turn, an_insight
from webui.talk.said_where import said_in

BEANS = a_turn("I planted beans.", day=DATES[0])
RAIN = a_turn("It rained on them.", day=DATES[1])
NOON = a_turn("They are up!", day=DATES[0], position=1)
THOUGHT = an_insight("Nora gardens.", evidence=[RAIN.id, BEANS.id], day=DATES[1])
DEEPER = replace(an_insight("Nora is patient.", evidence=[THOUGHT.id], day=DATES[2]), depth=2)
SUMMARY = a_summary("Nora planted beans.", day=DATES[0])
TALK = apply_all(
    PersonMemory(a_profile()),
    [PutTurn(it) for it in (BEANS, RAIN, NOON)]
    + [PutDerived(THOUGHT), PutDerived(DEEPER), PutSummary(DATES[0], SUMMARY)],
)


def test_a_line_was_said_where_it_stands() -> None:
    """It is its own source."""
    assert said_in(TALK, RAIN) == [RAIN]


def test_a_thought_leads_to_its_lines_oldest_first_also_through_another_thought() -> None:
    """However many steps there are between."""
    assert said_in(TALK, THOUGHT) == [BEANS, RAIN]
    assert said_in(TALK, DEEPER) == [BEANS, RAIN]


def test_a_summary_leads_to_what_it_names_or_to_its_day() -> None:
    """An imported one names nothing."""
    assert said_in(TALK, SUMMARY) == [BEANS, NOON]
    named = replace(SUMMARY, provenance=Provenance("offline", NOW, (NOON.id,)))
    assert said_in(TALK, named) == [NOON]


def test_lines_that_are_gone_are_no_places() -> None:
    """A memory outlives the fading of what it rests on; thoughts in a ring end as well."""
    without = apply_all(TALK, [Erase((BEANS.id, RAIN.id))])
    assert said_in(without, THOUGHT) == []
    ring = replace(THOUGHT, provenance=Provenance("offline", NOW, (THOUGHT.id,)))
    assert said_in(apply_all(TALK, [PutDerived(ring)]), ring) == []
