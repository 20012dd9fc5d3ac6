"""A night's report in plain words."""

from typing import Any

import pytest

from siliconfriend.errors import ModelUnavailable
from siliconfriend.memory.scope import Scope
from siliconfriend.models.base import FallbackModel
from siliconfriend.night.report import PersonReport, error_sentence, report_text
from siliconfriend.testing import ScriptedChatModel
from siliconfriend.texts import Language
from tests.night.test_ability import evening
from tests.night.world import World

DUE: dict[str, dict[str, int]] = {
    stage: {"due": 2, "done": 0}
    for stage in ("tidy", "summarise", "portrait", "extract", "reflect")
}


def _lines(person: dict[str, Any], *, dry_run: bool = False, unreadable: Any = ()) -> list[str]:
    """The report about one person without its title, policy and seconds."""
    report = {
        "now": "2026-06-05T03:00:00+00:00",
        "policy": "companion",
        "dry_run": dry_run,
        "users": [PersonReport(Scope.of("Ada")).to_json() | person],
        "unreadable": list(unreadable),
        "seconds": 0.5,
    }
    return report_text(report, "en").splitlines()[1:-2]


def test_a_night_says_what_each_stage_did() -> None:
    done = {stage: {"due": 2, "done": 2} for stage in ("tidy", "portrait")}
    learned = {"events": 1, "facts": 2, "insights": 5}
    usage = {"calls": 6, "input_tokens": 7, "output_tokens": 8}
    assert _lines({"stages": DUE | done, "llm": usage, **learned}) == [
        "Ada:",
        "  removed, since they were not to be remembered: 2",
        "  portrait renewed",
        "  found in what was told: events: 1, facts: 2",
        "  new thoughts about what was told: 5",
        "  6 requests to the model, 7 tokens in and 8 out",
    ]
    would = _lines({"stages": DUE, "summarised": ["2026-06-01"]}, dry_run=True)
    assert [line.startswith("  would ") for line in would] == [False] + [True] * 5


@pytest.mark.parametrize(
    ("user", "companion", "name"),
    [
        ("Ada", "default", "Ada:"),
        ("Ada", "Eliza", "Ada (with Eliza):"),
        (None, None, "A person who is no longer remembered:"),
    ],
)
def test_a_person_is_named_with_a_companion_of_a_name(
    user: str | None, companion: str | None, name: str
) -> None:
    """A saved report may be of somebody who was deleted since."""
    person = {"user": user, "companion": companion, "errors": ["night_held"]}
    assert _lines(person)[0] == name


def test_a_folder_that_cannot_be_read_is_named() -> None:
    quiet, folder = _lines({}, unreadable=["ada-0123"])
    assert quiet.startswith("There was nothing to do")
    assert folder.startswith("No night for the folder ada-0123")


def test_what_the_second_model_answered_is_counted_and_paid(two_days: World) -> None:
    """Each text names the model that wrote it."""
    gone = ModelUnavailable("model_unreachable", name="first", address="there")
    first = ScriptedChatModel(otherwise=lambda _messages: gone, name="first")
    second = ScriptedChatModel(otherwise=evening, name="second", confirms=False)
    report = two_days.night(FallbackModel(first, second))
    (person,) = report.to_json()["users"]
    assert person["status"] == "ok"
    assert person["llm"]["fallback_calls"] == person["llm"]["calls"] > 0
    assert len(first.calls) == 1
    assert f"the second model answered {person['llm']['calls']} of them" in report.to_text("en")
    summaries = [day.summary for day in two_days.memory().days.values()]
    assert {summary.provenance.made_by for summary in summaries if summary} == {"second"}
    assert {fact.provenance.made_by for fact in two_days.memory().facts()} == {"second"}


@pytest.mark.parametrize("language", ["en", "cn"])
def test_an_error_is_told_in_a_sentence(language: Language) -> None:
    known = error_sentence("2026-06-01: model_missing", language)
    assert known.startswith("2026-06-01")
    assert "SILICONFRIEND_MODEL" in known
    assert "dog_ate_it" in error_sentence("dog_ate_it", language)
