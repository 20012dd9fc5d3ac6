"""The named policies, and strength that adds up, with sums worked out by hand."""

import pytest

from siliconfriend.control.listing import formula
from siliconfriend.errors import ConfigurationError
from siliconfriend.forgetting.curve import retention
from siliconfriend.forgetting.policy import POLICIES, ForgettingPolicy
from siliconfriend.forgetting.trace import KINDS


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


def test_each_policy_has_its_formula_in_both_languages() -> None:
    """With the numbers in effect."""
    for policy in POLICIES.values():
        assert policy.name in formula(policy, "en")
        assert ("R = e^" in formula(policy, "cn")) == policy.has_curve
    assert "t in days" in formula(ForgettingPolicy.named("paper"), "en")
    shown = formula(ForgettingPolicy.named("accumulated"), "en")
    assert all(words in shown for words in ("+7 (7)", "+15", "20,000", "20%"))
    assert "43.3 days for a turn" in formula(ForgettingPolicy.named("companion"), "en")
