"""What is passed over because of how it fades: never a memory that is due or that went dim."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.forgetting.archiving import due_for_archive, may_change, retentions_at
from siliconfriend.forgetting.policy import COMPANION, HALF, MEMORYBANK, ForgettingPolicy
from siliconfriend.forgetting.trace import Candidate, Fading, Trace
from siliconfriend.memory.outline import outline_day
from siliconfriend.memory.records import Day, Turn
from siliconfriend.memory.scope import Scope, memory_id

BEGAN = datetime(2026, 3, 1, 9, tzinfo=UTC)
LATER = int(BEGAN.timestamp())


def a_turn(position: int, trace: Trace) -> Turn:
    """A turn of the first day with a trace."""
    identifier = memory_id(Scope.of("Ada"), "turn", "2026-03-01", position)
    return Turn(identifier, "2026-03-01", position, "Beans.", "Yes.", trace.created, trace)


def after(days: float) -> datetime:
    """A moment so many days later."""
    return BEGAN + timedelta(days=days)


traces = st.builds(
    Trace,
    created=st.floats(0, 0.5).map(after),
    importance=st.sampled_from([None, 0.3, 0.7, 1.0]),
    recalls=st.lists(st.floats(0, 90).map(after), max_size=2).map(lambda it: tuple(sorted(it))),
    pinned=st.booleans(),
    archived=st.sampled_from([None, after(80)]),
)


@pytest.mark.parametrize("policy", [COMPANION, MEMORYBANK], ids=lambda it: it.name)
@given(kept=st.lists(traces, max_size=4), last=st.floats(0, 900), passed=st.floats(-3, 40))
def test_a_day_that_is_passed_over_has_nothing_due(
    policy: ForgettingPolicy, kept: list[Trace], last: float, passed: float
) -> None:
    """Looked at one by one, none of its memories is due or went dim since the last pass."""
    day = Day("2026-03-01", tuple(a_turn(at, trace) for at, trace in enumerate(kept)))
    since, now = after(last), after(last + passed)
    if may_change(outline_day(day).fading, since, now, policy):
        return
    candidates = [Candidate(turn.id, "turn", turn.trace) for turn in day.turns]
    assert due_for_archive(candidates, now, policy) == []
    fading = [it for it in candidates if it.trace.archived is None and not it.trace.pinned]
    if fading:
        is_dim = retentions_at(fading, now, policy) < HALF
        assert not (is_dim & (retentions_at(fading, since, policy) >= HALF)).any()


def test_a_turn_is_looked_at_when_it_dims_and_from_when_it_is_due() -> None:
    """Half of it is gone after 30 days, nine tenths after 99.7; between nights nothing happens."""
    turns = [Fading("turn", None, 1.0, LATER, LATER + 3600)]

    def changes(first: float, last: float) -> bool:
        return may_change(turns, after(first), after(last), COMPANION)

    assert not changes(28, 29)
    assert changes(29, 30.02)
    assert changes(30.02, 31), "the last of them was said an hour later"
    assert not changes(31, 99)
    assert changes(99, 100)
    assert changes(120, 121), "what is due and was not put away is looked at each night"
    assert may_change(turns, None, after(50), COMPANION), "the first pass looks at what is dim"
    dear = [Fading("turn", 1.0, 2.0, LATER, LATER)]
    assert not may_change(dear, after(100), after(359), COMPANION)
    assert may_change(dear, after(359), after(361), COMPANION)
    assert not may_change(dear, after(361), after(700), COMPANION)


def test_moments_may_be_off_by_their_rounding() -> None:
    """By a second before it dims, and a second after it did, a turn is looked at all the same."""
    turns, second = [Fading("turn", None, 1.0, LATER, LATER)], timedelta(seconds=1)
    assert may_change(turns, after(29), after(30) - second, COMPANION)
    assert may_change(turns, after(30) + second, after(31), COMPANION)
    assert not may_change(turns, after(29), after(30) - 3 * second, COMPANION)
    assert not may_change(turns, after(30) + 3 * second, after(31), COMPANION)


def test_where_each_memory_has_a_threshold_of_its_own_all_are_looked_at() -> None:
    """Any of them may be due at once."""
    assert may_change([Fading("turn", None, 1.0, LATER, LATER)], after(0), after(0), MEMORYBANK)
    assert not may_change([], after(0), after(0), MEMORYBANK)
