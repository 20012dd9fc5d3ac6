"""What enters a prompt: grouped by day, marked, within the budget."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import Overall, PersonMemory
from siliconfriend.models.tokens import estimate_tokens
from siliconfriend.recall.composing import Composed, compose
from siliconfriend.recall.results import Recalled, RecallResult
from siliconfriend.texts import Language
from tests.memory.people import a_profile, a_summary
from tests.recall.people import GARDEN, NOW, turns

SAID = turns(GARDEN)
OVERALL = Overall("She gardens.", Provenance("offline", NOW))


def _recalled(*states: tuple[int, str]) -> RecallResult:
    """Turns of the garden talk by number, best first, with their states."""
    found = tuple(
        Recalled(SAID[number], 1.0 - at / 10, {"dense": 1.0 - at / 10}, state, 1.0, 0.4)
        for at, (number, state) in enumerate(states)
    )
    return RecallResult("beans", "siliconfriend", NOW, found)


def _compose(
    recollection: RecallResult,
    budget: int = 1000,
    language: Language = "en",
    memory: PersonMemory | None = None,
) -> Composed:
    return compose(
        recollection,
        memory or PersonMemory(a_profile()),
        language=language,
        now=NOW,
        zone=ZoneInfo("UTC"),
        companion_name="Friend",
        budget_tokens=budget,
    )


def test_memories_stand_under_their_days_in_order() -> None:
    """Whatever their rank, and each with who said what."""
    composed = _compose(_recalled((2, "vivid"), (1, "vivid"), (0, "faded")))
    assert composed.sections["memories"] == (
        "[2026-03-01]\n"
        "(dim)\n"
        "Nora: I planted beans by the red wall.\n"
        "Friend: Which beans are they?\n"
        "Nora: Runner beans, from my aunt.\n"
        "Friend: They will climb well.\n"
        "\n"
        "[2026-03-02]\n"
        "Nora: My sister Ines moved to Porto.\n"
        "Friend: That is far away."
    )
    assert composed.dates == "2026-03-01, 2026-03-02"


def test_relative_days_are_told_with_the_days_they_meant() -> None:
    """What was said on the first of March about "last night" is about the last of February."""
    (said,) = turns([("2026-03-01", "I dreamt of it last night.", "Yesterday I knew nothing.")])
    recalled = Recalled(said, 1.0, {}, "vivid", 1.0, 0.9)
    composed = _compose(RecallResult("dream", "siliconfriend", NOW, (recalled,)))
    assert composed.sections["memories"] == (
        "[2026-03-01]\n"
        "Nora: I dreamt of it last night (2026-02-28).\n"
        "Friend: Yesterday (2026-02-28) I knew nothing."
    )


def test_the_same_in_chinese() -> None:
    """Headings and marks are in the person's language."""
    composed = _compose(_recalled((0, "archived")), language="cn")
    assert composed.sections["memories"] == (
        "【2026-03-01】\n"
        "（已模糊）\n"
        "Nora：I planted beans by the red wall.\n"
        "Friend：Which beans are they?"
    )


def test_a_time_is_told_as_coarsely_as_it_is_old() -> None:
    """Nine days old: the part of the day; a turn without a time has none."""
    turn = replace(SAID[3], time=datetime(2026, 3, 5, 20, 17, tzinfo=UTC))
    recollection = RecallResult("", "", NOW, (Recalled(turn, 1, {}, "vivid", 1, 1.0),))
    assert "(2026-03-05 in the evening)" in _compose(recollection).sections["memories"]


def test_a_summary_is_named_as_one() -> None:
    """And comes before the turns of its day."""
    summary = Recalled(a_summary("Beans and an aunt."), 0.5, {}, "vivid", 1, 1.0)
    recollection = _recalled((0, "vivid"))
    both = replace(recollection, memories=(*recollection.memories, summary))
    lines = _compose(both).sections["memories"].splitlines()
    assert lines[1:3] == ["(summary of the day)", "Beans and an aunt."]


def test_the_best_get_in_and_the_rest_is_reported() -> None:
    """A budget for about one memory keeps the best, not the first by date."""
    composed = _compose(_recalled((4, "vivid"), (0, "vivid")), budget=28)
    assert [used.id for used in composed.used] == [SAID[4].id]
    assert composed.dropped == (SAID[0].id,)
    assert composed.used[0].parts == {"dense": 1.0}


@pytest.mark.parametrize("budget", [0, 5, 20, 40, 80, 200])
def test_the_budget_is_never_passed(budget: int) -> None:
    """Whatever it is, all sections together stay within it."""
    memory = PersonMemory(
        a_profile(),
        overall_history=replace(OVERALL, text="She gardens. " * 40),
        overall_personality=OVERALL,
    )
    recollection = _recalled(*((number, "faded") for number in range(5)))
    sections = _compose(recollection, budget, memory=memory).sections
    assert sum(map(estimate_tokens, sections.values())) <= budget + len(sections)


def test_the_portraits_are_sections_of_their_own() -> None:
    """Cut at a sentence where they are too long, left out where there are none."""
    memory = PersonMemory(
        a_profile(), overall_history=replace(OVERALL, text="She gardens. She sings." + " La." * 90)
    )
    sections = _compose(_recalled((0, "vivid")), 60, memory=memory).sections
    assert sections["overall_history"].startswith("She gardens. She sings.")
    assert sections["overall_history"].endswith(".")
    assert "overall_personality" not in sections
    assert _compose(_recalled()).sections == {}
