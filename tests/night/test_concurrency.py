"""Several people's nights at once: what they share, and what stays each one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from siliconfriend.errors import (
    ConfigurationError,
    ModelError,
    ModelUnavailable,
    UnusableAnswer,
)
from siliconfriend.night.calls import MAX_WAIT
from tests.night.workers import SlowModel, alone, export, night, settle

pytestmark = pytest.mark.slow

EMPTY = UnusableAnswer("model_empty", name="slow")


def _limit(retry_after: float | None = None) -> ModelUnavailable:
    return ModelUnavailable(
        "model_busy", name="slow", address="here", status=429, retry_after=retry_after
    )


def test_where_the_model_fails_the_others_are_done(tmp_path: Path) -> None:
    """What failed is pending and named, nothing of it is kept, and the next night makes it."""
    expected, _ = alone(tmp_path / "whole", 4)
    home = tmp_path / "home"
    settle(home, 4)

    def fails(asked: str, _number: int) -> Exception | None:
        return EMPTY if "Person 02" in asked and "2026-06-01" in asked else None

    report = night(home, SlowModel(0.001, fails), concurrency=4)
    assert report.exit_code == 6
    assert [it.status for it in report.people] == ["ok", "ok", "failed", "ok"]
    assert [bool(it.pending) for it in report.people] == [False, False, True, False]
    assert night(home, SlowModel(), concurrency=4).exit_code == 0
    assert export(home) == expected


def test_a_rate_limit_is_waited_out_as_long_as_the_server_says(
    tmp_path: Path, waits: list[float]
) -> None:
    """Seven seconds, then the same question again: nobody's night failed."""
    home = tmp_path / "home"
    settle(home, 1)
    model = SlowModel(0, lambda _asked, number: _limit(7) if number == 2 else None)
    report = night(home, model)
    assert report.exit_code == 0
    assert waits == [7]
    assert (report.people[0].usage.calls, report.people[0].pending) == (model.calls, [])


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
