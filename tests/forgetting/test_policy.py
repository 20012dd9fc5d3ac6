"""The named policies, and strength that adds up, with sums worked out by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from siliconfriend.control.listing import explanation, formula
from siliconfriend.errors import ConfigurationError
from siliconfriend.forgetting.curve import retention
from siliconfriend.forgetting.policy import POLICIES, Accumulation, ForgettingPolicy, growth
from siliconfriend.forgetting.trace import KINDS, Trace


@pytest.mark.parametrize(("name", "unit"), [("paper", 1.0), ("memorybank", 5.0)])
def test_the_measured_policies_have_one_unit(name: str, unit: float) -> None:
    """Days to the letter, or five of them, whatever the kind and importance."""
    policy = ForgettingPolicy.named(name)
    assert {policy.unit_days(kind, 1.0) for kind in KINDS} == {unit}


@pytest.mark.parametrize(
    ("kind", "importance", "half_life"),
    [
        ("turn", None, 30),
        ("turn", 0.69, 30),
        ("turn", 0.7, 180),
        ("day", None, 365),
        ("fact", None, 730),
    ],
)
def test_companion_half_lives_hold(kind: str, importance: float | None, half_life: float) -> None:
    """After its half-life, half of a memory is kept."""
    unit = ForgettingPolicy.named("companion").unit_days(kind, importance)
    assert retention(half_life, 1, unit) == pytest.approx(0.5)


def test_an_unknown_policy_names_the_known_ones() -> None:
    """The sentence says what there is."""
    with pytest.raises(
        ConfigurationError, match=r"never.*accumulated, companion, memorybank, paper"
    ):
        ForgettingPolicy.named("never")


def test_each_policy_explains_itself_in_both_languages() -> None:
    """The formula in effect and a plain sentence exist for every policy."""
    for policy in POLICIES.values():
        assert policy.name in formula(policy, "en")
        assert ("R = e^" in formula(policy, "cn")) == policy.has_curve
        assert explanation(policy, "en") != explanation(policy, "cn")
    assert "t in days" in formula(ForgettingPolicy.named("paper"), "en")
    shown = formula(ForgettingPolicy.named("accumulated"), "en")
    assert all(it in shown for it in ("+7 (7)", "+15", "20,000", "20%"))
    assert "43.3 days for a turn" in formula(ForgettingPolicy.named("companion"), "en")


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
