"""An event takes no place beside the turns it was made from."""

from __future__ import annotations

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.knowledge import Event
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import DaySummary, Turn
from siliconfriend.recall.results import deduplicate_derived, is_retelling
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


def _summary(sources: list[Turn], made_by: str) -> DaySummary:
    provenance = Provenance(made_by, NOW, tuple(turn.id for turn in sources))
    return DaySummary(
        memory_id(NORA, "day", DATES[0], 0), DATES[0], "A day.", Trace(NOW), provenance
    )


def test_an_event_whose_turns_are_all_found_leaves_its_place_to_another() -> None:
    """Wherever it ranks; one that tells more than what was found stays."""
    whole, more = _event(0, TURNS[:2]), _event(1, [TURNS[0], TURNS[3]])
    ranked = [whole, TURNS[0], more, TURNS[1], TURNS[2]]
    assert deduplicate_derived(ranked, 4) == [TURNS[0], more, TURNS[1], TURNS[2]]
    assert deduplicate_derived(ranked, 2) == [whole, TURNS[0]]


def test_an_offline_event_goes_with_any_of_its_turns() -> None:
    """It holds their words and nothing else; alone it stays."""
    offline = _event(0, TURNS[:2], made_by="offline")
    assert deduplicate_derived([offline, TURNS[2], TURNS[1]], 3) == [TURNS[2], TURNS[1]]
    assert deduplicate_derived([offline, TURNS[2]], 3) == [offline, TURNS[2]]


def test_a_summary_leaves_its_place_as_an_event_does() -> None:
    """A model's stays until all of its day is found; an offline one only quotes."""
    told = _summary(TURNS[:2], "scripted")
    assert deduplicate_derived([told, TURNS[0], TURNS[2]], 3) == [told, TURNS[0], TURNS[2]]
    assert deduplicate_derived([told, TURNS[0], TURNS[1]], 3) == [TURNS[0], TURNS[1]]
    quoted = _summary(TURNS[:2], "offline")
    assert deduplicate_derived([quoted, TURNS[0], TURNS[2]], 2) == [TURNS[0], TURNS[2]]
    assert deduplicate_derived([quoted, TURNS[2]], 2) == [quoted, TURNS[2]]


def test_what_was_made_offline_of_turns_is_these_again() -> None:
    """A model's words are others; what has a turn that is not there still needs telling."""
    alone, both = _summary(TURNS[:1], "offline"), _summary(TURNS[:2], "offline")
    event, told = _event(0, TURNS[:1], "offline"), _summary(TURNS[:1], "scripted")
    assert is_retelling([TURNS[0], alone, both, event, told]).tolist() == [0, 1, 0, 1, 0]
    assert is_retelling([*TURNS[:2], both]).tolist() == [0, 0, 1]
    assert is_retelling([TURNS[1], alone, event]).tolist() == [0, 0, 0]


def test_what_moves_up_can_send_another_away() -> None:
    """The place that an event leaves is filled by a turn that another event was made from."""
    first, second = _event(0, [TURNS[0]]), _event(1, [TURNS[1]])
    ranked = [second, first, TURNS[0], TURNS[1], TURNS[2]]
    assert deduplicate_derived(ranked, 3) == [TURNS[0], TURNS[1], TURNS[2]]
