"""An event takes no place beside the turns it was made from."""

from __future__ import annotations

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.knowledge import Event
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import Turn
from siliconfriend.recall.results import deduplicate_events
from tests.memory.people import DATES, NORA, NOW, a_turn

TURNS = [a_turn(f"Words {at}.", position=at) for at in range(4)]


def _event(position: int, sources: list[Turn], made_by: str = "scripted") -> Event:
    return Event(
        id=memory_id(NORA, "event", DATES[0], position),
        date=DATES[0],
        position=position,
        text="Something happened.",
        trace=Trace(NOW),
        provenance=Provenance(made_by, NOW, tuple(turn.id for turn in sources)),
    )


def test_an_event_whose_turns_are_all_found_leaves_its_place_to_another() -> None:
    """Wherever it ranks; one that tells more than what was found stays."""
    whole, more = _event(0, TURNS[:2]), _event(1, [TURNS[0], TURNS[3]])
    ranked = [whole, TURNS[0], more, TURNS[1], TURNS[2]]
    assert deduplicate_events(ranked, 4) == [TURNS[0], more, TURNS[1], TURNS[2]]
    assert deduplicate_events(ranked, 2) == [whole, TURNS[0]]


def test_an_offline_event_goes_with_any_of_its_turns() -> None:
    """It holds their words and nothing else; alone it stays."""
    offline = _event(0, TURNS[:2], made_by="offline")
    assert deduplicate_events([offline, TURNS[2], TURNS[1]], 3) == [TURNS[2], TURNS[1]]
    assert deduplicate_events([offline, TURNS[2]], 3) == [offline, TURNS[2]]


def test_what_moves_up_can_send_another_away() -> None:
    """The place that an event leaves is filled by a turn that another event was made from."""
    first, second = _event(0, [TURNS[0]]), _event(1, [TURNS[1]])
    ranked = [second, first, TURNS[0], TURNS[1], TURNS[2]]
    assert deduplicate_events(ranked, 3) == [TURNS[0], TURNS[1], TURNS[2]]
