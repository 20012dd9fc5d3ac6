"""What is due: plans and reminders on their day, once each, and never what is done or given up."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutTurn, apply_all
from siliconfriend.memory.knowledge import Event, Provenance
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import memory_id
from siliconfriend.recall.due import (
    DueMatter,
    Planned,
    find_anniversaries,
    find_due,
    has_open_plan,
)
from siliconfriend.texts import LANGUAGES, Language
from tests.dialogue.people import SCOPES, empty, turn
from tests.memory.people import NORA, a_turn
from tests.recall.people import recalling
from tests.sentences import rows

EXAM = date(2026, 3, 14)
PLAN: dict[Language, str] = {
    "en": "On 14 March I sit my harp exam.",
    "cn": "三月十四号我考竖琴。",
}


def _told(language: Language, *told: tuple[str, str, str]) -> PersonMemory:
    """Turns as (day, words, reply), each the only one of its day."""
    scope = SCOPES[language]
    return apply_all(
        empty(language), [PutTurn(turn(scope, f"{day}T12:00", *words)) for day, *words in told]
    )


def _due(memory: PersonMemory, today: date, length: int = 1) -> tuple[DueMatter, ...]:
    first_turn = next(iter(memory.turns()))
    return find_due([Planned(first_turn, EXAM, EXAM + timedelta(days=length - 1))], memory, today)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("days", "when"),
    [(-3, None), (-2, "soon"), (0, "today"), (1, "past"), (5, "past"), (6, None)],
)
def test_a_plan_is_due_around_its_day(language: Language, days: int, when: str | None) -> None:
    """Two days before, on the day, and five days after it."""
    memory = _told(language, ("2026-02-01", PLAN[language], "I see."))
    due = _due(memory, EXAM + timedelta(days=days))
    assert [matter.when for matter in due] == ([when] if when else [])


@pytest.mark.parametrize(
    "words", ["Remind me on 14 March to pay the rent.", "三月十四号提醒我交房租。"]
)
def test_a_reminder_is_due_on_its_day_and_not_before(words: str) -> None:
    memory = _told("en", ("2026-03-12", words, "I will."))
    assert _due(memory, EXAM - timedelta(days=1)) == ()
    (matter,) = _due(memory, EXAM)
    assert (matter.when, matter.wording) == ("today", "due_reminder")
    reminded = _told("en", ("2026-03-12", words, "I will."), ("2026-03-14", "…", f"“{words}”"))
    assert _due(reminded, EXAM + timedelta(days=1)) == ()


def test_a_plan_is_not_asked_after_on_the_day_it_was_told() -> None:
    memory = _told("en", ("2026-03-12", PLAN["en"], "I see."))
    assert _due(memory, EXAM - timedelta(days=2)) == ()
    assert _due(memory, EXAM - timedelta(days=1))


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_asked_about_once(language: Language) -> None:
    """Before the day, on it and after it, once each; of days that go on, once and once after."""
    told = ("2026-02-01", PLAN[language], "I see.")
    asked = f"“{PLAN[language]}”?"
    for said_on, today, is_due in (
        ("2026-03-13", EXAM, True),
        ("2026-03-14", EXAM, False),
        ("2026-03-14", EXAM + timedelta(days=1), True),
        ("2026-03-15", EXAM + timedelta(days=2), False),
    ):
        memory = _told(language, told, (said_on, "…", asked))
        assert bool(_due(memory, today)) is is_due, said_on
    memory = _told(language, told, ("2026-03-16", "…", asked))
    assert not _due(memory, EXAM + timedelta(days=4), length=7)
    assert _due(memory, EXAM + timedelta(days=7), length=7)


@pytest.mark.parametrize(
    ("plan", "day", "words", "is_due"),
    rows("done"),
)
def test_what_was_told_as_done_is_not_asked_after(
    plan: str, day: str, words: str, is_due: bool
) -> None:
    memory = _told("en", ("2026-02-01", plan, "I see."), (day, words, "I see."))
    assert bool(_due(memory, EXAM)) is is_due


def test_of_what_a_note_was_made_of_the_turn_that_names_the_day_is_due() -> None:
    """If that one is not remembered any more, the one that says most of the note."""
    other, plan = "My neighbour keeps bees behind the mill.", PLAN["en"]
    told = (("2026-02-01", other, "I see."), ("2026-02-02", plan, "I see."))
    memory = _told("en", *told)
    bees, exam = memory.turns()
    at = exam.trace.created
    made = Provenance("openai:m", at, (bees.id, exam.id))
    id_ = memory_id(SCOPES["en"], "event", "2026-02-02", 0)
    note = Event(id_, "2026-02-02", 0, f"{other} {plan}", Trace(at), made)
    (due,) = find_due([Planned(note, EXAM, EXAM)], memory, EXAM)
    assert due.turn == exam
    without = _told("en", told[0])
    assert [it.turn for it in find_due([Planned(note, EXAM, EXAM)], without, EXAM)] == [bees]
    assert find_due([Planned(exam, EXAM, EXAM)], empty("en"), EXAM) == ()


def test_what_is_planned_was_told_before_its_day() -> None:
    """Not what was told of a day afterwards, nor a plan for a whole year; one for a month is."""
    said = [
        ("2026-01-10", "From 12 to 14 February I am in Oslo.", ""),
        ("2026-02-15", "On 13 February I fell on the ice.", ""),
        ("2026-01-09", "Next year I want to move.", ""),
        ("2026-01-08", "My brother gets out in October.", ""),
        ("2026-01-10", "What did you say?", "On 3 March you fly to Rome."),
    ]
    recaller = recalling(said)
    (due,) = recaller.planned(NORA, date(2026, 2, 13), date(2026, 2, 13))
    assert (due.first, due.last) == (date(2026, 2, 12), date(2026, 2, 14))
    assert recaller.planned(NORA, date(2027, 1, 1), date(2027, 1, 1)) == ()
    assert recaller.planned(NORA, date(2026, 3, 3), date(2026, 3, 3)) == ()
    (month,) = recaller.planned(NORA, date(2026, 10, 20), date(2026, 10, 20))
    assert (month.first, month.last) == (date(2026, 10, 1), date(2026, 10, 31))


@pytest.mark.parametrize(
    ("first", "later", "due"),
    rows("changed_plans"),
)
def test_a_plan_that_was_changed_is_not_due_on_its_old_day(
    first: str, later: str, due: int
) -> None:
    recaller, day = (
        recalling([("2026-01-10", first, ""), ("2026-02-10", later, "")]),
        date(2026, 6, 6),
    )
    planned = recaller.planned(NORA, day, day)
    assert len(planned) == due


@pytest.mark.parametrize(
    ("told_on", "words", "day"),
    rows("anniversaries"),
)
def test_a_day_of_a_life_comes_back(told_on: str, words: str, day: date | None) -> None:
    """By the day it was, whenever it was told; nothing is guessed, and nothing archived comes back."""
    memory = _told("en", (told_on, words, "I see."))
    found = find_anniversaries(memory, EXAM)
    assert [it.first for it in found] == ([day] if day else [])
    assert find_anniversaries(memory, date(2026, 3, 13)) == ()
    (told,) = memory.turns()
    away = replace(told, trace=told.trace.archived_at(datetime(2026, 3, 1, tzinfo=UTC)))
    assert find_anniversaries(apply_all(memory, [PutTurn(away)]), EXAM) == ()


@pytest.mark.parametrize(
    ("told", "today", "awaited"),
    rows("awaited"),
)
def test_an_open_plan_is_not_archived_before_a_week_after_its_day(
    told: str, today: date, awaited: bool
) -> None:
    said: Turn = a_turn(told, "I see.", day="2026-06-01")
    assert has_open_plan(said, ZoneInfo("UTC"), today) is awaited
