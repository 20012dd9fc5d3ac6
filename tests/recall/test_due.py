"""What is due: plans and reminders on their day, once each, and never what is done or given up."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import cast
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.forgetting.trace import Trace
from siliconfriend.language.sentences import split_sentences
from siliconfriend.memory.changes import PutDerived, PutTurn, apply_all
from siliconfriend.memory.knowledge import DUE, OFFLINE, Event, Provenance, Used
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import memory_id
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.due import DueMatter, Planned, find_anniversaries, find_due, has_open_plan
from siliconfriend.recall.times import spoken_times
from siliconfriend.texts import LANGUAGES, Language
from tests.dialogue.people import SCOPES, empty, turn
from tests.memory.people import NORA, a_turn
from tests.memory.stored import put
from tests.recall.people import recalling
from tests.sentences import rows

EXAM = date(2026, 3, 14)
PLAN: dict[Language, str] = {"en": "On 14 March I sit my harp exam.", "cn": "三月十四号我考竖琴。"}


def _told(language: Language, *told: tuple[str, str, str]) -> PersonMemory:
    """Turns as (day, words, reply), each the only one of its day."""
    scope = SCOPES[language]
    return apply_all(
        empty(language),
        [PutTurn(turn(scope, f"{day}T12:00", words, reply)) for day, words, reply in told],
    )


def _due(memory: PersonMemory, today: date, length: int = 1) -> tuple[DueMatter, ...]:
    told, *later = memory.turns()
    last = EXAM + timedelta(days=length - 1)
    return find_due([Planned(told, EXAM, last, tuple(later))], memory, today)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("days", "when"), [(-3, None), (-2, "soon"), (0, "today"), (1, "past"), (5, "past"), (6, None)]
)
def test_a_plan_is_due_around_its_day(language: Language, days: int, when: str | None) -> None:
    """Two days before, on the day, and five days after it, when they talked meanwhile."""
    told = ("2026-02-01", PLAN[language], "I see.")
    memory = _told(language, told, ("2026-03-15", "…", "Hm."))
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


def test_a_missed_reminder_comes_before_plans_that_are_near() -> None:
    """What the person asked for is said first."""
    reminder = ("2026-02-01", "Remind me on 14 March to pay the rent.", "I see.")
    visit = ("2026-02-02", "On 16 March my parents come.", "I see.")
    memory = _told("en", visit, reminder, ("2026-03-10", "…", "Hm."))
    asked, come = sorted(memory.turns(), key=lambda each: each.date)[:2]
    planned = [Planned(come, EXAM + timedelta(2), EXAM + timedelta(2)), Planned(asked, EXAM, EXAM)]
    due = find_due(planned, memory, EXAM + timedelta(days=1))
    assert [(matter.when, matter.turn.id) for matter in due] == [
        ("past", asked.id),
        ("soon", come.id),
    ]


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


@pytest.mark.parametrize(("plan", "day", "words", "is_due"), rows("done"))
def test_what_was_told_as_done_is_not_asked_after(
    plan: str, day: str, words: str, is_due: bool
) -> None:
    memory = _told("en", ("2026-02-01", plan, "I see."), (day, words, "I see."))
    assert bool(_due(memory, EXAM)) is is_due


def test_a_note_was_told_with_its_turn_and_not_before_it() -> None:
    """The words that moved a plan do not take back the note that was made of them."""
    moved = "They rang and moved the scan, now the fourteenth it is."
    recaller = recalling([("2026-03-01", "A good day.", ""), ("2026-03-01", moved, "")])
    store = cast("MemoryStore", recaller._store)
    turn = [*store.load(NORA).turns()][1]
    at = datetime(2026, 3, 14, 14, tzinfo=UTC)
    made = Provenance("openai:m", turn.trace.created, (turn.id,))
    id_, words = memory_id(NORA, "event", turn.date, 0), "The scan is on 14 March 2026."
    put(store, NORA, PutDerived(Event(id_, turn.date, 0, words, Trace(at), made, time=at)))
    (planned,) = recaller.planned(NORA, EXAM, EXAM)
    (due,) = find_due([planned], store.load(NORA), EXAM)
    assert due.turn == turn


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
    assert [matter.turn for matter in find_due([Planned(note, EXAM, EXAM)], without, EXAM)] == [
        bees
    ]
    assert find_due([Planned(exam, EXAM, EXAM)], empty("en"), EXAM) == ()


@pytest.mark.parametrize(("days", "is_due"), [(30, True), (70, False)])
def test_what_was_due_since_the_last_talk_is_asked_about_in_the_next(
    days: int, is_due: bool
) -> None:
    """For two months, if nobody talked meanwhile; once."""
    told = ("2026-02-01", PLAN["en"], "I see.")
    today = EXAM + timedelta(days=days)
    assert bool(_due(_told("en", told), today)) is is_due
    asked = ((today - timedelta(days=1)).isoformat(), "…", f"“{PLAN['en']}” How did it go?")
    assert not _due(_told("en", told, asked), today)


@pytest.mark.parametrize(
    ("answer", "is_due"),
    [
        ("Not yet.", True),
        ("还没呢", True),
        ("I forgot", True),
        ("Done!", False),
        ("Yes, I did", False),
        ("办好了", False),
        ("move it to Friday", False),
        ("What a day.", False),
    ],
)
def test_only_what_is_not_done_yet_is_asked_about_again(answer: str, is_due: bool) -> None:
    words = "Remind me on 14 March to pay the rent."
    asked = ("2026-03-14", "…", f"“{words}” Have you done it?")
    memory = _told("en", ("2026-03-02", words, "I will."), asked, ("2026-03-15", answer, "Hm."))
    assert bool(_due(memory, EXAM + timedelta(days=2))) is is_due


@pytest.mark.parametrize(
    ("answer", "is_put_off"),
    [
        ("move it to Friday", True),
        ("can you remind me about it on Friday?", True),
        ("I'll do it on Friday", True),
        ("周五再提醒我", True),
        ("我周五去办", True),
        ("Remind me on Friday to buy stamps", False),
        ("I have choir on Friday", False),
        ("周五提醒我买邮票", False),
    ],
)
def test_what_is_put_off_is_due_on_its_new_day(answer: str, is_put_off: bool) -> None:
    """The reminder itself, by an answer that names a day and no matter of its own."""
    scope = SCOPES["en"]
    words = "Remind me on 14 March to pay the rent."
    told = turn(scope, "2026-03-02T12:00", words, "I will.")
    used = (Used(told.id, 0.0, {DUE: 0.0}),)
    asked = turn(scope, "2026-03-14T12:00", "hello", f"“{words}” Have you done it?")
    asked = replace(asked, used=used, replied_by=OFFLINE)
    moved = turn(scope, "2026-03-14T12:01", answer, "All right.", position=1)
    memory = apply_all(empty("en"), [PutTurn(told), PutTurn(asked), PutTurn(moved)])
    friday = date(2026, 3, 20)
    planned = [Planned(told, EXAM, EXAM), Planned(moved, friday, friday)]
    (due,) = find_due(planned, memory, friday)
    assert (due.turn, due.first) == (told if is_put_off else moved, friday)


@pytest.mark.parametrize(
    ("words", "wording"),
    [
        ("My brother's birthday is on 14 March.", "due_yearly"),
        ("3月14号是我爸妈的结婚纪念日。", "due_yearly"),
        ("My birthday is on 14 March.", "due_birthday"),
    ],
)
def test_what_comes_back_every_year_has_a_wording_of_its_own(words: str, wording: str) -> None:
    """Somebody else's birthday is neither congratulated as the person's nor asked about as a plan."""
    (due,) = _due(_told("en", ("2026-02-01", words, "I see.")), EXAM)
    assert due.wording == wording


@pytest.mark.parametrize(
    ("words", "is_promise"),
    [
        ("set a reminder for 9am on 14 March: pills", False),
        ("Don't let me forget the rent on 14 March.", False),
        ("promise me you'll ask how it goes on 14 March", True),
        ("三月十四号叫我拿快递", False),
        ("三月十四号记得问我面试的事", True),
    ],
)
def test_many_words_ask_for_a_reminder(words: str, is_promise: bool) -> None:
    memory = _told("en", ("2026-03-01", words, "I will."))
    assert _due(memory, EXAM - timedelta(days=1)) == ()
    (matter,) = _due(memory, EXAM)
    assert matter.wording == ("due_promise" if is_promise else "due_reminder")


@pytest.mark.parametrize("words", ["Wake me at 7.", "Remind me to buy milk.", "记得叫我吃药"])
def test_a_reminder_without_a_day_is_of_the_next_one(words: str) -> None:
    told = a_turn(words, "I will.", day="2026-03-13")
    (span,) = spoken_times(told, ZoneInfo("UTC"))
    assert span.first == EXAM


@pytest.mark.parametrize(
    ("words", "is_own"),
    [
        ("My birthday is on 14 March.", True),
        ("My mother's birthday is on 14 March.", False),
        ("我生日是三月十四号。", True),
        ("我妈生日是三月十四号。", False),
    ],
)
def test_a_birthday_is_congratulated(words: str, is_own: bool) -> None:
    memory = _told("en", ("2026-03-01", words, "I see."))
    (matter,) = _due(memory, EXAM)
    assert (matter.wording == "due_birthday") is is_own


@pytest.mark.parametrize(
    "words",
    [
        "We take turns on Saturdays, from Saturday on.",
        "下个月开始周六要轮流值班。",
        "I see him every other Friday.",
    ],
)
def test_what_recurs_is_no_appointment(words: str) -> None:
    assert spoken_times(a_turn(words, "I see.", day="2026-03-12"), ZoneInfo("UTC")) == ()


def test_finding_what_is_due_reads_few_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not all that was told since the plan, only what shares words with it and the last days."""
    said = [("2026-02-01", PLAN["en"], "I see.")]
    said += [(f"2026-02-{day:02}", f"Walked {day} miles.", "Nice.") for day in range(2, 29)]
    recaller = recalling(said)
    memory = _told("en", *said)
    planned = recaller.planned(NORA, EXAM, EXAM)
    read = list[str]()

    def counted(words: str) -> list[str]:
        read.append(words)
        return split_sentences(words)

    monkeypatch.setattr("siliconfriend.recall.due.split_sentences", counted)
    assert find_due([replace(plan, memory=next(memory.turns())) for plan in planned], memory, EXAM)
    assert len(read) < 8


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


@pytest.mark.parametrize(("first", "later", "due"), rows("changed_plans"))
def test_a_plan_that_was_changed_is_not_due_on_its_old_day(
    first: str, later: str, due: int
) -> None:
    recaller, day = (
        recalling([("2026-01-10", first, ""), ("2026-02-10", later, "")]),
        date(2026, 6, 6),
    )
    planned = recaller.planned(NORA, day, day)
    assert len(planned) == due


@pytest.mark.parametrize(("told_on", "words", "day"), rows("anniversaries"))
def test_a_day_of_a_life_comes_back(told_on: str, words: str, day: date | None) -> None:
    """By the day it was, whenever it was told; nothing is guessed, and nothing archived comes back."""
    memory = _told("en", (told_on, words, "I see."))
    found = find_anniversaries(memory, EXAM)
    assert [matter.first for matter in found] == ([day] if day else [])
    assert find_anniversaries(memory, date(2026, 3, 13)) == ()
    (told,) = memory.turns()
    away = replace(told, trace=told.trace.archived_at(datetime(2026, 3, 1, tzinfo=UTC)))
    assert find_anniversaries(apply_all(memory, [PutTurn(away)]), EXAM) == ()


def test_what_happened_on_29_february_comes_back_on_the_28th_in_other_years() -> None:
    memory = _told("en", ("2025-08-02", "We got married on 29 February 2024.", "I see."))
    assert find_anniversaries(memory, date(2026, 2, 28))
    assert not find_anniversaries(memory, date(2028, 2, 28))
    assert find_anniversaries(memory, date(2028, 2, 29))


def test_what_a_model_was_given_as_due_is_given_once() -> None:
    """Once a stage, whatever it made of it; again after an answer that never came."""
    told = turn(SCOPES["en"], "2026-02-01T12:00", PLAN["en"], "I see.")
    used = (Used(told.id, 0.0, {DUE: 0.0}),)
    given = turn(SCOPES["en"], "2026-03-14T12:00", "hello", "Big day!")
    for response, is_due in (("Big day!", False), ("", True)):
        answered = replace(given, used=used, replied_by="openai:m", response=response)
        memory = apply_all(empty("en"), [PutTurn(told), PutTurn(answered)])
        assert bool(find_due([Planned(told, EXAM, EXAM)], memory, EXAM)) is is_due


@pytest.mark.parametrize(("told", "today", "awaited"), rows("awaited"))
def test_an_open_plan_is_not_archived_before_a_week_after_its_day(
    told: str, today: date, awaited: bool
) -> None:
    said: Turn = a_turn(told, "I see.", day="2026-06-01")
    assert has_open_plan(said, ZoneInfo("UTC"), today) is awaited


@pytest.mark.parametrize(
    ("language", "message", "quoted"),
    [
        (
            "en",
            "I slept well. On 14 March I sit my exam. Will you ask me how it went? And no word about cake!",
            "On 14 March I sit my exam. Will you ask me how it went?",
        ),
        (
            "cn",
            "睡得挺好。三月十四号我考竖琴。你到时候问问我结果。还有，别再提蛋糕的事了。",
            "三月十四号我考竖琴。你到时候问问我结果。",
        ),
    ],
)
def test_a_reminder_is_quoted_without_what_else_was_said(
    language: Language, message: str, quoted: str
) -> None:
    """Only the day and the request: the rest may be what the person does not want to hear."""
    (due,) = _due(_told(language, ("2026-03-10", message, "I see.")), EXAM)
    assert due.is_reminder
    assert due.words == quoted
