"""What is open: plans whose day has come, things lost, answers waited for; asked about once."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta

import pytest

from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.dialogue.offline import reply_offline
from siliconfriend.dialogue.offline_context import ReplyContext
from siliconfriend.dialogue.open_matters import find_due, find_unsettled, unsettled_in
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutTurn, apply_all
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.knowledge import Event
from siliconfriend.memory.provenance import OFFLINE, Provenance
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.recall.planned import Planned
from siliconfriend.recall.results import Recalled
from siliconfriend.texts import LANGUAGES, Language, area
from tests.dialogue.people import SCOPES, empty, holds, turn

EXAM = date(2026, 3, 14)
PLAN: dict[Language, str] = {
    "en": "On 14 March I sit my harp exam.",
    "cn": "三月十四号我考竖琴。",
}
LOST: dict[Language, str] = {
    "en": "I've lost my silver thimble in the garden.",
    "cn": "我的银顶针在院子里弄丢了。",
}
FOUND: dict[Language, str] = {"en": "The thimble turned up!", "cn": "顶针找到了！"}
WAITING: dict[Language, str] = {
    "en": "I am waiting to hear from the orchestra.",
    "cn": "我在等乐团的消息。",
}


def _told(language: Language, *told: tuple[str, str, str]) -> PersonMemory:
    """Turns as (day, words, reply), each the only one of its day."""
    scope = SCOPES[language]
    turns = [turn(scope, f"{day}T12:00", words, reply) for day, words, reply in told]
    return apply_all(empty(language), [PutTurn(it) for it in turns])


def _turns(memory: PersonMemory) -> list[Turn]:
    return list(memory.turns())


def _planned(memory: PersonMemory, first: date = EXAM, last: date = EXAM) -> Planned:
    return Planned(_turns(memory)[0], first, last)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("days", "when"),
    [(-3, None), (-2, "soon"), (-1, "soon"), (0, "today"), (1, "past"), (5, "past"), (6, None)],
)
def test_a_plan_is_due_around_its_day(language: Language, days: int, when: str | None) -> None:
    """Two days before, on the day, and five days after it."""
    memory = _told(language, ("2026-02-01", PLAN[language], "I see."))
    due = find_due([_planned(memory)], memory, EXAM + timedelta(days=days))
    assert [it.when for it in due] == ([when] if when else [])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("today", "when"),
    [
        (date(2026, 9, 28), None),
        (date(2026, 9, 29), "soon"),
        (date(2026, 10, 1), "during"),
        (date(2026, 10, 31), "during"),
        (date(2026, 11, 1), "past"),
        (date(2026, 11, 6), None),
    ],
)
def test_a_plan_for_days_is_due_while_they_last(
    language: Language, today: date, when: str | None
) -> None:
    """No day of October is the one on which somebody comes back "in October"."""
    told = {"en": "My brother is back in October.", "cn": "我弟弟十月份回来。"}[language]
    memory = _told(language, ("2026-02-01", told, "I see."))
    due = find_due([_planned(memory, date(2026, 10, 1), date(2026, 10, 31))], memory, today)
    assert [it.when for it in due] == ([when] if when else [])
    context = ReplyContext(HELLO[language], memory, (), today, 0, "Robin", due=due)
    reply = "".join(reply_offline(context).pieces(language))
    asked = area("dialogue", language)["woven"]["due_during"]
    endings = {it.split("{words}")[1] for it in asked}
    assert reply.endswith(tuple(endings)) is (when == "during"), reply


@pytest.mark.parametrize("language", LANGUAGES)
def test_days_that_go_on_are_asked_about_once(language: Language) -> None:
    """On the third of a journey, and not again on the fifth; after it once more."""
    told = ("2026-02-01", PLAN[language], "I see.")
    asked = ("2026-03-16", "…", f"“{PLAN[language]}”?")
    memory = _told(language, told, asked)
    days = [_planned(memory, EXAM, EXAM + timedelta(days=6))]
    assert not find_due(days, memory, EXAM + timedelta(days=4))
    assert find_due(days, memory, EXAM + timedelta(days=7))


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_asked_about_once(language: Language) -> None:
    """Before the day, on it and after it, once each."""
    told = ("2026-02-01", PLAN[language], "I see.")
    asked = f"“{PLAN[language]}”?"
    for said_on, today, is_due in (
        ("2026-03-13", EXAM, True),
        ("2026-03-14", EXAM, False),
        ("2026-03-14", EXAM + timedelta(days=1), True),
        ("2026-03-15", EXAM + timedelta(days=2), False),
    ):
        memory = _told(language, told, (said_on, "…", asked))
        assert bool(find_due([_planned(memory)], memory, today)) is is_due, said_on


@pytest.mark.parametrize(
    ("language", "said_on", "words"),
    [
        ("en", "2026-03-14", "The harp exam went well."),
        ("cn", "2026-03-14", "竖琴考完了，挺顺的。"),
    ],
)
def test_what_was_told_of_is_not_asked_about(language: Language, said_on: str, words: str) -> None:
    """It was listened to; an earlier word about it settles nothing."""
    plan = ("2026-02-01", PLAN[language], "I see.")
    memory = _told(language, plan, (said_on, words, "I see."))
    assert find_due([_planned(memory)], memory, EXAM + timedelta(days=1)) == ()
    other = {"en": "I practised the harp.", "cn": "今天练了竖琴。"}[language]
    memory = _told(language, plan, ("2026-03-01", other, "I see."))
    assert find_due([_planned(memory)], memory, EXAM + timedelta(days=1))


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_what_a_note_was_made_of_the_turn_that_names_the_day_is_due(language: Language) -> None:
    """Not the longest; if that one is not remembered any more none is, unless a model dated it."""
    other = {"en": "My neighbour keeps bees behind the old mill.", "cn": "邻居在老磨坊后面养蜂。"}
    told = (("2026-02-01", other[language], "I see."), ("2026-02-02", PLAN[language], "I see."))
    memory = _told(language, *told)
    bees, exam = _turns(memory)
    words = f"{other[language]} {PLAN[language]}"
    told_at = exam.trace.created
    made = {it: Provenance(it, told_at, (bees.id, exam.id)) for it in (OFFLINE, "openai:m")}
    note = Event(
        memory_id(SCOPES[language], "event", "2026-02-02", 0),
        "2026-02-02",
        0,
        words,
        Trace(told_at),
        made[OFFLINE],
    )
    (due,) = find_due([Planned(note, EXAM, EXAM)], memory, EXAM)
    assert due.turn == exam
    without = _told(language, told[0])
    assert find_due([Planned(note, EXAM, EXAM)], without, EXAM) == ()
    by_model = replace(note, provenance=made["openai:m"])
    assert [it.turn for it in find_due([Planned(by_model, EXAM, EXAM)], without, EXAM)] == [bees]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_not_remembered_is_not_due(language: Language) -> None:
    """Such as a message that asked not to be kept."""
    memory = _told(language, ("2026-02-01", PLAN[language], "I see."))
    assert find_due([_planned(memory)], empty(language), EXAM) == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_lost_or_waited_for_is_open_until_it_is_told(language: Language) -> None:
    """Found again by its own words; another thing found settles nothing."""
    lost = ("2026-02-01", LOST[language], "I see.")
    memory = _told(language, lost)
    assert find_unsettled(_turns(memory)[0], memory) == "lost"
    memory = _told(language, lost, ("2026-02-02", FOUND[language], "I see."))
    assert find_unsettled(_turns(memory)[0], memory) is None
    other = {"en": "I found a good bakery.", "cn": "找到一家好面包房。"}[language]
    memory = _told(language, lost, ("2026-02-02", other, "I see."))
    assert find_unsettled(_turns(memory)[0], memory) == "lost"
    memory = _told(language, ("2026-02-01", WAITING[language], "I see."))
    assert find_unsettled(_turns(memory)[0], memory) == "waiting"


def _reply(said: str, memory: PersonMemory, today: date, found: bool = False, **more: int) -> str:
    first = _turns(memory)[0]
    recalled = (Recalled(first, 1.0, {}, "vivid", 1.0, 0.9),) if found else ()
    due = () if found else find_due([_planned(memory)], memory, today)
    context = ReplyContext(said, memory, recalled, today, 0, "Robin", due=due)
    pieces = reply_offline(replace(context, **more)).pieces(memory.profile.language)
    return "".join(pieces)


HELLO: dict[Language, str] = {"en": "Good morning!", "cn": "早上好！"}
REMARK: dict[Language, str] = {"en": "It rained all night.", "cn": "昨晚下了一夜雨。"}
SAD: dict[Language, str] = {"en": "My uncle died.", "cn": "舅舅去世了。"}


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("I am waiting for the letter from the school.", "waiting"),
        ("By the way, recommend me a book, for while I wait for the tide.", None),
        ("我在等医院的结果。", "waiting"),
        ("对了，给我推荐本书吧，夜里等着下轨道的时候看，别太费脑子。", None),
        ("家里的钥匙找不到了。", "lost"),
        ("我找不到好看的书，给我推荐一本吧。", None),
    ],
    ids=["letter", "while", "结果", "等着的时候", "钥匙", "好看的书"],
)
def test_waiting_as_a_time_and_seeking_a_book_leave_nothing_open(
    words: str, kind: str | None
) -> None:
    """News is awaited and a thing of one's own is lost; the rest is a wish or a while."""
    assert unsettled_in(words) == kind


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_day_may_begin_with_what_is_due(language: Language) -> None:
    """A greeting and a first remark do; not a later one, and nothing that is hard to say."""
    memory = _told(language, ("2026-02-01", PLAN[language], "I see."))
    for said in (HELLO[language], REMARK[language]):
        assert holds(_reply(said, memory, EXAM), PLAN[language])
    assert not holds(_reply(REMARK[language], memory, EXAM, number=3), PLAN[language])
    assert not holds(_reply(SAD[language], memory, EXAM), PLAN[language])
    grave_words = f"{PLAN[language]} {SAD[language]}"
    grave = _told(language, ("2026-02-01", grave_words, "I see."))
    reply = _reply(HELLO[language], grave, EXAM)
    endings = {it.split("{words}")[1] for it in area("dialogue", language)["woven"]["due_grave"]}
    assert holds(reply, SAD[language])
    assert reply.endswith(tuple(endings))


@pytest.mark.parametrize(
    ("said", "is_answer", "language"),
    [
        ("It went well, he is grumbling already.", True, "en"),
        ("Not bad, really.", True, "en"),
        ("I passed!", True, "en"),
        ("The harp is out of tune now.", True, "en"),  # its matter, by name
        ("Our gutter is full of leaves.", False, "en"),
        ("I made soup for the neighbours.", False, "en"),
        ("挺顺利的，就是手抖。", True, "cn"),
        ("过了！", True, "cn"),
        ("竖琴的弦断了一根。", True, "cn"),
        ("楼下又在装修。", False, "cn"),
        ("我给邻居炖了汤。", False, "cn"),
    ],
)
def test_what_was_asked_about_may_be_answered_without_its_name(
    said: str, is_answer: bool, language: Language
) -> None:
    """Asked how it went, nobody says once more what."""
    memory, today = _told(language, ("2026-02-01", PLAN[language], "I see.")), date(2026, 3, 15)
    asked = _reply(HELLO[language], memory, today)
    earlier = (Exchange(HELLO[language], asked, "turn-x"),)
    context = ReplyContext(said, memory, (), today, 1, "Robin", earlier=earlier)
    reply = "".join(reply_offline(context).pieces(language))
    assert (reply in area("dialogue", language)["offline"]["kept_asked"]) is is_answer, reply


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_due_on_another_day_hides_nothing_of_today(language: Language) -> None:
    """The last reply asked about something too, days ago."""
    asked = area("dialogue", language)["offline"]["due_today"][0]
    asked = asked.format(day="", words="...")
    told = (("2026-02-01", PLAN[language], "I see."), ("2026-03-01", REMARK[language], asked))
    assert holds(_reply(HELLO[language], _told(language, *told), EXAM), PLAN[language])


@pytest.mark.parametrize(
    ("told", "wordings", "language"),
    [
        ("My birthday is on 14 March.", "due_birthday", "en"),
        ("我的生日是三月十四号。", "due_birthday", "cn"),
        ("My neighbour's birthday is on 14 March.", "due_feast", "en"),
        ("邻居三月十四号过生日。", "due_feast", "cn"),
    ],
)
def test_a_birthday_that_has_come_is_nobodys_worry(
    told: str, wordings: str, language: Language
) -> None:
    reply = _reply(HELLO[language], _told(language, ("2026-02-01", told, "I see.")), EXAM)
    endings = {it.split("{words}")[1] for it in area("dialogue", language)["woven"][wordings]}
    assert holds(reply, told)
    assert reply.endswith(tuple(endings))
    assert ("appy birthday" in reply or "生日快乐" in reply) == (wordings == "due_birthday")


@pytest.mark.parametrize("language", LANGUAGES)
def test_near_what_is_lost_it_asks(language: Language) -> None:
    """Who comes near it is asked whether it turned up, and not where they just said so."""
    memory = _told(language, ("2026-02-01", LOST[language], "I see."))
    near = {"en": "I was in the garden.", "cn": "我去院子里走了走。"}[language]
    offline = area("dialogue", language)["offline"]
    assert _reply(near, memory, EXAM, found=True).endswith(tuple(offline["ask_lost"]))
    reply = _reply(FOUND[language], memory, EXAM, found=True)
    assert not reply.endswith(tuple(offline["ask_lost"]))
    assert any(it in reply for it in offline["found_again"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_plan_is_kept_for_its_day(language: Language) -> None:
    """The day is named, or the days, so that a misunderstanding shows at once."""
    memory = _told(language, ("2026-02-01", REMARK[language], "I see."))
    reply = _reply(PLAN[language], memory, date(2026, 3, 1), found=False)
    assert {"en": "14 March", "cn": "3月14日"}[language] in reply
    month = {"en": "Kit moves out in October.", "cn": "小齐十月份搬走。"}[language]
    reply = _reply(month, memory, date(2026, 3, 1), found=False)
    assert {"en": "October", "cn": "10月"}[language] in reply
    assert not re.search(r"1 October|10月1日", reply)
