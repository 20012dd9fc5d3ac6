"""A night as a short story: what its counts say in sentences, in both languages."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.forgetting.policy import ForgettingPolicy
from siliconfriend.memory.scope import Scope
from siliconfriend.models.usage import Usage
from siliconfriend.night.report import HeldBack, NightReport, PersonReport
from siliconfriend.texts import Language, text
from webui.night.story import Report, story, story_card

NOW = datetime(2026, 7, 5, 20, tzinfo=UTC)
FOUR_DAYS = ["2026-06-09", "2026-06-20", "2026-06-29", "2026-07-04"]


def a_report(*, dry_run: bool = False, **counts: Any) -> Report:
    """The report of one person's night."""
    person = PersonReport(Scope.of("Nora"), NOW)
    for name, value in counts.items():
        setattr(person, name, value)
    policy = ForgettingPolicy.named("companion")
    return NightReport(policy, (person,), NOW, 4.2, dry_run=dry_run).to_json()


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "I summed up four days and let two things go."),
        ("cn", "我把四天的事理了一遍，放下了两件事。"),
    ],
)
def test_a_night_is_told_in_a_sentence(language: Language, told: str) -> None:
    """Days that were summed up, and what went into the archive whatever its kind."""
    archived = Counter({"turn": 1, "event": 1})
    assert story(a_report(summarised=FOUR_DAYS, archived=archived), language) == told


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            "I removed one exchange that you did not want remembered, summed up one day, drew your "
            "portrait anew and let 1,300 things go. From what you told me I noted two things that "
            "happened and one fact. 13 memories have grown dim; a word from you brings them back.",
        ),
        (
            "cn",
            "我清掉了一段你不想留的话，把一天的事理了一遍，把你的样子重新画了画，放下了1,300件事。"
            "你讲的事里，我记下了两件事和一条关于你的信息。有13段记忆模糊了，你一提起，它们就会回来。",
        ),
    ],
)
def test_all_of_a_night_stands_in_its_order(language: Language, told: str) -> None:
    """What was done, then what was learned, then what dims; many are in digits."""
    counts = {"tidy": {"due": 1, "done": 1}, "portrait": {"due": 2, "done": 2}}
    report = a_report(
        stages=counts,
        summarised=["2026-07-04"],
        archived=Counter({"turn": 1300}),
        dimmed=Counter({"turn": 12, "topic": 1}),
        events=2,
        facts=1,
    )
    assert story(report, language) == told


def test_a_look_says_what_would_be_done() -> None:
    """A portrait that is due is drawn, and nothing is told as done."""
    stages = {"portrait": {"due": 1, "done": 0}}
    looked = a_report(dry_run=True, stages=stages, summarised=["2026-07-04"])
    assert story(looked, "en") == "I would sum up one day and draw your portrait anew."
    assert story(looked, "cn") == "我会把一天的事理一遍，把你的样子重新画一画。"
    assert story(a_report(dry_run=True), "en").startswith("There is nothing to do")


@pytest.mark.parametrize("language", ["en", "cn"])
def test_a_quiet_night_is_called_so(language: Language) -> None:
    """Nothing done and nothing left is one sentence, without a number."""
    told = story(a_report(stages={"summarise": {"due": 0, "done": 0}}), language)
    assert (
        told
        == {
            "en": "A quiet night: there was nothing to do.",
            "cn": "这一夜很安静，没有什么要做的。",
        }[language]
    )


def test_what_was_left_and_what_failed_is_said() -> None:
    """Each with what becomes of it; the error itself stands in the lines that are folded."""
    left = a_report(pending=["2026-07-03", "overall_history"], errors=["portrait: no answer"])
    told = story(left, "en")
    assert "One day is left for the next night." in told
    assert "Nothing that you told me is lost." in told
    assert "no answer" not in told
    only_a_text = story(a_report(pending=["overall_history"]), "en")
    assert "Something is left for the next night." in only_a_text


@pytest.mark.parametrize("language", ["en", "cn"])
def test_what_was_held_back_names_no_command(language: Language) -> None:
    """It names the box that lets them go; neither story nor folded lines name a command."""
    held = a_report(held_back=HeldBack(58, 62), usage=Usage())
    told = story(held, language)
    assert "58" in told
    assert "62" in told
    assert text("web", "night_large", language) in told
    card = story_card(held, ZoneInfo("UTC"), date(2026, 7, 6), language)
    assert "--" not in card
    assert "siliconfriend" not in card


def test_a_card_has_its_time_its_story_and_the_lines_folded() -> None:
    """At the person's own clock; the formula and the seconds are behind the fold, escaped."""
    report = a_report(summarised=["2026-07-04"])
    report["users"][0]["errors"].append("<b>model</b> gone")
    card = story_card(report, ZoneInfo("Asia/Shanghai"), date(2026, 7, 6), "en")
    before, _, folded = card.partition("<details>")
    assert "<h3>Today, 04:00</h3>" in before
    assert "R = e^" not in before
    assert "R = e^" in folded
    assert "&lt;b&gt;model&lt;/b&gt; gone" in folded


def test_an_old_report_without_learning_is_told() -> None:
    """A report saved before there were events, insights and held back memories has no such keys."""
    report = a_report(summarised=FOUR_DAYS)
    for name in ("events", "facts", "topics", "knowledge", "insights", "skipped", "held_back"):
        del report["users"][0][name]
    assert story(report, "en") == "I summed up four days."
