"""The clean-up by numbers: what grows, and what leaves when."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siliconfriend.forgetting.archiving import due_for_archive
from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.forgetting.trace import Candidate, Trace
from siliconfriend.seeds.accumulated import Accumulation, growth

SAID = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
RULES = Accumulation()


@pytest.mark.parametrize(
    ("days", "gain"), [(0, 1), (1, 1), (1.01, 3), (7, 7), (8, 30), (31, 100), (400, 100)]
)
def test_a_longer_gap_makes_a_larger_step(days: float, gain: float) -> None:
    """1, 3, 7, 30, 100 by the gap; beyond half a year the last of them still holds."""
    assert growth(days) == gain


def test_a_memory_begins_at_one_and_a_recall_adds_fifteen() -> None:
    """A recall counts the same whatever the gap; an imported strength is where it begins."""
    assert RULES.strength(Trace(SAID)) == 1
    recalled = Trace(SAID, recalls=(SAID + DAY / 2, SAID + 60 * DAY))
    assert RULES.strength(recalled) == 1 + 15 + 15
    assert RULES.strength(Trace(SAID, first_strength=40.0)) == 40


def test_telling_again_grows_by_the_gap_since_the_last_touch() -> None:
    """Told at 0, 2 and 12 days, recalled on day 10: +3, +15, then +3 after two days, not +30."""
    told = (SAID, SAID + 2 * DAY, SAID + 12 * DAY)
    assert RULES.strength(Trace(SAID), told) == 1 + 3 + 30
    recalled = Trace(SAID, recalls=(SAID + 10 * DAY,))
    assert RULES.strength(recalled, told) == 1 + 3 + 15 + 3


def test_a_memory_that_was_made_after_it_was_told_begins_when_it_was_told() -> None:
    """A fact that the night took out of three days of talk counts their gaps."""
    made_at_night = Trace(SAID + 10 * DAY)
    told = (SAID + 5 * DAY, SAID, SAID + 6 * DAY)
    assert RULES.touches(made_at_night, told)[0].moment == SAID
    assert RULES.strength(made_at_night, told) == 1 + 7 + 1


def test_what_is_restored_begins_again_as_something_recalled() -> None:
    """Its old strength is gone; a fresh 1 and the 15 of bringing it back."""
    back = (
        Trace(SAID, recalls=(SAID + DAY,)).archived_at(SAID + 2 * DAY).restored_at(SAID + 9 * DAY)
    )
    assert RULES.strength(back) == 16
    later = SAID + 11 * DAY
    assert RULES.strength(back, (SAID, later)) == 16 + 3


NOW = SAID + 3 * DAY
SMALL = Accumulation(every_sum=100, minimum=3)


def _turn(number: int, strength: float, **trace: object) -> Candidate:
    begun = Trace(SAID + timedelta(minutes=number), first_strength=strength)
    return Candidate(f"turn-{number:04}", "turn", replace(begun, **trace))  # type: ignore[arg-type]  # fields by name


def _ten(strength: float = 10.0) -> list[Candidate]:
    """Ten turns with a sum of ten times the strength; the last ones are the weakest."""
    return [_turn(number, strength + (4.5 - number) / 8) for number in range(10)]


def _numbers(due: list[Candidate]) -> list[int]:
    return [int(one.id[-4:]) for one in due]


def _after(candidates: list[Candidate], now: datetime, rules: Accumulation) -> list[Candidate]:
    gone = {one.id for one in rules.due(candidates, now, 0)}
    return [
        replace(candidate, trace=candidate.trace.archived_at(now))
        if candidate.id in gone
        else candidate
        for candidate in candidates
    ]


def _alive(candidates: list[Candidate]) -> list[int]:
    return _numbers([candidate for candidate in candidates if candidate.trace.archived is None])


def test_at_the_sum_a_fifth_leaves_the_weakest_first() -> None:
    """Ten memories that add up to 100: the two weakest; below the sum none."""
    assert _numbers(SMALL.due(_ten(), NOW, 0)) == [9, 8]
    assert SMALL.due(_ten(9.9), NOW, 0) == []
    at_once = [replace(one, trace=Trace(SAID, first_strength=10.0)) for one in _ten()]
    assert len(SMALL.due(at_once, NOW, 0)) == 2


def test_what_is_told_again_grows_and_outlives_the_others() -> None:
    """The weakest of ten that add up to 99, told again after two days: 102, and others go."""
    ten = _ten(9.9)
    ten[9] = replace(ten[9], mentions=(ten[9].trace.created, SAID + 2 * DAY + DAY / 2))
    assert _numbers(SMALL.due(ten, NOW, 0)) == [8, 7]


def test_it_does_not_matter_how_often_the_pass_ran() -> None:
    """Two multiples passed since the last pass take what two passes would have taken."""
    twenty = [_turn(number, 10.0) for number in range(20)]
    assert len(SMALL.due(twenty, NOW, 0)) == 2 + 3  # a fifth of 10, then of 18


def test_among_equals_turns_go_first_and_of_these_the_longest_untouched() -> None:
    """What was made of the talk outlives its words."""
    summary = Candidate("day-0", "day", Trace(SAID - DAY, first_strength=10.0))
    turns = [_turn(number, 10.0) for number in range(9)]
    assert _numbers(SMALL.due([summary, *turns], NOW, 0)) == [0, 1]


def test_what_was_not_there_yet_has_nothing_to_do_with_it() -> None:
    """A summary that the night just made is weak and new; the weakest of the old ones go."""
    summary = Candidate("day-0", "day", Trace(NOW))
    assert _numbers(SMALL.due([*_ten(), summary], NOW, 0)) == [9, 8]
    fact = Candidate("fact-0", "fact", Trace(NOW), mentions=(SAID, SAID + DAY / 2))
    assert _numbers(SMALL.due([*_ten(), fact], NOW, 0)) == [9, 8]
    once = [*_after(_ten(9.9), NOW, SMALL), fact]
    assert SMALL.due(once, NOW - DAY, 0) == []  # 99 and, from the night on, 101
    assert len(SMALL.due(once, NOW, 0)) == 2


def test_what_must_stay_stays_and_nothing_goes_in_its_stead_twice() -> None:
    """Pinned, of a day without a summary, restored just now: others are the weakest then."""
    ten = _ten()
    ten[9] = _turn(9, 1.0, pinned=True)
    ten[8] = replace(ten[8], summarised=False)
    ten.append(_turn(10, 20.0))
    assert _numbers(SMALL.due(ten, NOW, 0)) == [7, 6]


def test_what_the_person_put_away_brought_back_or_erased_counts_as_left() -> None:
    """Nothing else goes in the place of a memory that was restored or erased."""
    once = _after(_ten(), NOW, SMALL)
    back = [
        replace(one, trace=one.trace.restored_at(NOW)) if one.trace.archived else one
        for one in once
    ]
    assert SMALL.due(back, NOW + 5 * DAY, 0) == []
    more = [_turn(number, 10.0) for number in range(10, 20)]
    assert _numbers(SMALL.due([*back, *more], NOW, 0)) == [7, 6, 5]
    by_hand = [_turn(0, 11.0, archived=NOW), *_ten()[1:]]
    assert _numbers(SMALL.due(by_hand, NOW, 0)) == [9]
    policy = ForgettingPolicy(name="odd", fate="weakest", clean_up=SMALL)
    assert _numbers(due_for_archive(_ten(), NOW, policy)) == [9, 8]
    assert due_for_archive(_ten(), NOW, policy, erased=2) == []


def test_who_stays_away_is_trimmed_month_by_month_to_the_minimum() -> None:
    """After 90 days a fifth, after 120 another of what is left, in the end the minimum."""
    ten = _ten(1.0)
    assert SMALL.due(ten, SAID + 89 * DAY, 0) == []
    first = SAID + 91 * DAY
    assert _numbers(SMALL.due(ten, first, 0)) == [9, 8]
    once = _after(ten, first, SMALL)
    assert SMALL.due(once, first + DAY, 0) == []
    assert _numbers(SMALL.due(once, SAID + 121 * DAY, 0)) == [7]  # 6.4 are kept: 7
    assert len(SMALL.due(ten, SAID + 3000 * DAY, 0)) == 7
    assert replace(SMALL, minimum=10).due(ten, SAID + 3000 * DAY, 0) == []


@given(
    st.lists(
        st.tuples(st.integers(0, 200), st.floats(1, 60), st.integers(0, 3), st.booleans()),
        max_size=60,
    ),
    st.integers(0, 400),
)
def test_a_second_pass_changes_nothing(lives: list[tuple[int, float, int, bool]], day: int) -> None:
    """Whatever the lives, the moment and the numbers; and what is pinned is still there."""
    rules = Accumulation(every_sum=50, minimum=2)
    policy = ForgettingPolicy(name="odd", fate="weakest", clean_up=rules)
    now = SAID + day * DAY
    everything = [
        Candidate(
            f"turn-{number:04}",
            "turn",
            Trace(
                SAID + begun * DAY,
                first_strength=strength,
                recalls=tuple(SAID + (begun + one + 1) * DAY for one in range(recalls)),
                pinned=pinned,
            ),
        )
        for number, (begun, strength, recalls, pinned) in enumerate(lives)
    ]
    after = _after(everything, now, rules)
    assert due_for_archive(after, now, policy) == []
    assert all(one.trace.archived is None for one in after if one.trace.pinned)
