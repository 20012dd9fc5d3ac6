"""Several people's nights at once: what they share, and what stays each one's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from siliconfriend.errors import (
    ConfigurationError,
    ModelError,
    ModelUnavailable,
    UnusableAnswer,
)
from siliconfriend.night.calls import MAX_WAIT
from tests.night.many_people import SlowModel, export, names, night, settle

pytestmark = pytest.mark.slow

EMPTY = UnusableAnswer("model_empty", name="slow")


@pytest.fixture(scope="module")
def cost(tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many calls a night over one person takes."""
    home = tmp_path_factory.mktemp("alone")
    settle(home, 1)
    model = SlowModel()
    assert night(home, model).exit_code == 0
    assert model.calls >= 6, "two texts a day, and two about all days"
    return model.calls


def _limit(retry_after: float | None = None) -> ModelUnavailable:
    return ModelUnavailable(
        "model_busy", name="slow", address="here", status=429, retry_after=retry_after, asks=""
    )


def test_people_at_once_end_as_one_after_another_do(tmp_path: Path, cost: int) -> None:
    """The same memory, the reports in the same order, and never more at once than told."""
    for place, at_once in (("one", 1), ("many", 4)):
        settle(tmp_path / place, 4)
        model = SlowModel(0.002)
        report = night(tmp_path / place, model, concurrency=at_once)
        assert [it["user"] for it in report.to_json()["users"]] == names(4)
        assert [it.usage.calls for it in report.people] == [cost] * 4
        assert model.calls == 4 * cost
        assert model.most <= at_once
        assert (model.most > 1) == (at_once > 1)
    assert export(tmp_path / "one") == export(tmp_path / "many")


@pytest.mark.parametrize("budget", [0, 10])
def test_the_budget_is_never_passed_by_people_at_once(
    tmp_path: Path, cost: int, budget: int
) -> None:
    """Exactly so many calls, the rest pending without a failure and done by the next night."""
    home = tmp_path / "home"
    settle(home, 3)
    model = SlowModel(0.002)
    report = night(home, model, concurrency=3, max_calls=budget)
    assert model.calls == budget == sum(it.usage.calls for it in report.people)
    assert report.exit_code == 0
    assert any(it.status == "pending" for it in report.people)
    rest = SlowModel()
    assert night(home, rest, concurrency=3).exit_code == 0
    assert rest.calls == 3 * cost - budget


Failing = Callable[[str, int], Exception | None]


@pytest.mark.parametrize(
    ("fails", "failed"),
    [
        (
            lambda asked, _number: (
                EMPTY if "Person 02" in asked and "2026-06-01" in asked else None
            ),
            {2},
        ),
        (lambda asked, _number: EMPTY if len(asked) % 2 else None, None),
    ],
    ids=["one day", "half the calls"],
)
def test_where_the_model_fails_the_others_are_done(
    tmp_path: Path, fails: Failing, failed: set[int] | None
) -> None:
    """What failed is pending and named, nothing of it is kept, and the next night makes it."""
    whole, home = tmp_path / "whole", tmp_path / "home"
    settle(whole, 4)
    night(whole, SlowModel())
    settle(home, 4)
    report = night(home, SlowModel(0.001, fails), concurrency=4)
    assert report.exit_code == 6
    if failed is not None:
        expected = ["failed" if at in failed else "ok" for at in range(4)]
        assert [it.status for it in report.people] == expected
    for person in report.people:
        assert bool(person.errors) == bool(person.pending)
    assert night(home, SlowModel(), concurrency=4).exit_code == 0
    assert export(home) == export(whole)


def test_a_rate_limit_is_waited_out_as_long_as_the_server_says(
    tmp_path: Path, cost: int, waits: list[float]
) -> None:
    """Seven seconds, then the same question again: nobody's night failed."""
    home = tmp_path / "home"
    settle(home, 1)
    model = SlowModel(0, lambda _asked, number: _limit(7) if number == 2 else None)
    report = night(home, model)
    assert report.exit_code == 0
    assert waits == [7]
    assert report.people[0].usage.calls == cost + 1


def test_without_a_word_of_the_server_each_wait_is_twice_the_last(
    tmp_path: Path, waits: list[float]
) -> None:
    """1, 2, 4, 8, 16 seconds for a question; after three questions the night gives up."""
    home = tmp_path / "home"
    settle(home, 2)
    model = SlowModel(0, lambda _asked, _number: _limit())
    report = night(home, model)
    assert waits == [1, 2, 4, 8, 16] * 3
    assert model.calls == 18
    assert [it.status for it in report.people] == ["failed", "failed"]


def test_a_wait_that_is_too_long_ends_the_asking(tmp_path: Path, waits: list[float]) -> None:
    """The rest is left for the next night, and nobody waits an hour."""
    home = tmp_path / "home"
    settle(home, 2)
    model = SlowModel(0, lambda _asked, _number: _limit(MAX_WAIT + 1))
    report = night(home, model)
    assert (model.calls, waits) == (1, [])
    assert [it.status for it in report.people] == ["failed", "failed"]


def test_a_prompt_that_cannot_be_used_ends_the_night(tmp_path: Path) -> None:
    """It is the same for everyone: one error, and not a failure a person."""
    home = tmp_path / "home"
    settle(home, 4)
    failure: ModelError | ConfigurationError = ConfigurationError("prompt_missing", name="en/x.md")
    with pytest.raises(ConfigurationError):
        night(home, SlowModel(0.001, lambda _asked, _number: failure), concurrency=3)
