"""Small talk is met as a friend meets it, and never with a memory that nobody asked for."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from itertools import pairwise

import pytest

from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.dialogue.handful import choose_handful, choose_portrait
from siliconfriend.dialogue.offline import reply_offline
from siliconfriend.dialogue.offline_context import OfflineReply, ReplyContext
from siliconfriend.memory.changes import PutDerived, PutTrace, PutTurn, apply_all
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import PersonMemory
from siliconfriend.texts import LANGUAGES, Language, area
from tests.dialogue.people import SCOPES, empty, holds, remembered, turn

TODAY = date(2026, 3, 14)
HELLO: dict[Language, str] = {"en": "Hello!", "cn": "你好！"}


def _reply(
    said: str, memory: PersonMemory, hour: int | None = 9, today: date = TODAY, number: int = 0
) -> OfflineReply:
    return reply_offline(ReplyContext(said, memory, (), today, number, "Robin", hour=hour))


def _is_one_of(sentence: str, key: str, language: Language, **values: object) -> bool:
    person = SCOPES[language].person
    wordings = area("dialogue", language)["offline"][key]
    return sentence in [it.format(person=person, **values) for it in wordings]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("hour", "part"),
    [
        (5, "morning"),
        (11, "morning"),
        (12, "afternoon"),
        (18, "evening"),
        (22, "night"),
        (3, "night"),
    ],
)
def test_a_greeting_is_answered_by_the_hour(language: Language, hour: int, part: str) -> None:
    """By the person's clock."""
    hello = _reply(HELLO[language], remembered(language), hour).sentences[0]
    assert _is_one_of(hello, f"hello_{part}", language)


@pytest.mark.parametrize(
    ("said", "language"), [("Good evening", "en"), ("Good evening!", "cn"), ("晚上好", "cn")]
)
def test_who_names_the_hour_is_answered_by_it(said: str, language: Language) -> None:
    """Whatever the clock says: somebody may travel."""
    hello = _reply(said, remembered(language), hour=9).sentences[0]
    assert _is_one_of(hello, "hello_evening", language)


@pytest.mark.parametrize(
    ("today", "key", "count"),
    [
        (date(2026, 3, 13), "since_today", {}),
        (date(2026, 3, 14), "since_yesterday", {}),
        (date(2026, 3, 16), "since_days", {"en": "three", "cn": "三"}),
        (date(2026, 4, 3), "since_weeks", {"en": "three", "cn": "三"}),
        (date(2026, 6, 14), "since_months", {"en": "three", "cn": "三"}),
        (date(2027, 4, 14), "since_years", {}),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_says_how_long_it_has_been(
    language: Language, today: date, key: str, count: dict[Language, str]
) -> None:
    """The last talk was on 13 March 2026."""
    said = _reply(HELLO[language], remembered(language), today=today).sentences[1]
    assert _is_one_of(said, key, language, count=count.get(language))


@pytest.mark.parametrize(
    ("said", "language", "key"),
    [
        ("How are you?", "en", "how_are_you"),
        ("最近好吗？", "cn", "how_are_you"),
        ("Thanks!", "en", "thanks"),
        ("谢谢你", "cn", "thanks"),
        ("Good night!", "en", "good_night"),
        ("晚安", "cn", "good_night"),
        ("See you tomorrow", "en", "farewell"),
        ("回头见", "cn", "farewell"),
    ],
)
def test_small_words_are_met_by_small_words(said: str, language: Language, key: str) -> None:
    """And nothing is quoted for them."""
    for number in range(4):
        reply = _reply(said, remembered(language), number=number)
        assert _is_one_of(reply.sentences[0], key, language)
        assert (len(reply.sentences), reply.used) == (1, ())


@pytest.mark.parametrize(
    ("said", "language"), [("Hello, how are you?", "en"), ("你好，最近好吗？", "cn")]
)
def test_a_greeting_that_asks_is_answered_too(said: str, language: Language) -> None:
    """Both the greeting and the question."""
    sentences = _reply(said, remembered(language)).sentences
    assert _is_one_of(sentences[0], "hello_morning", language)
    assert any(_is_one_of(it, "how_are_you", language) for it in sentences)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("said", ["Hello!", "How are you?", "Thanks!", "Good night!", "Bye!"])
def test_nothing_is_said_twice_in_a_row(language: Language, said: str) -> None:
    """Whoever greets twelve times hears another sentence each time."""
    context = ReplyContext(said, remembered(language), (), TODAY, 0, "Robin", hour=9)
    replies: list[str] = []
    for number in range(12):
        earlier = tuple(Exchange(said, it) for it in replies[-1:])
        reply = reply_offline(replace(context, number=number, earlier=earlier))
        replies.append(reply.sentences[0])
    assert all(before != after for before, after in pairwise(replies))


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("What have I told you?", "en"),
        ("What did I tell you so far?", "en"),
        ("What do you remember?", "en"),
        ("你都记得我什么？", "cn"),
        ("我都跟你说过什么？", "cn"),
        ("我告诉过你什么？", "cn"),
    ],
)
def test_all_that_was_told_is_a_handful(said: str, language: Language) -> None:
    """With its days, in the order it was told; what was only asked is none of it."""
    memory = remembered(language)
    reply = _reply(said, memory)
    lemon, painter, boat = memory.turns()
    text = "".join(reply.pieces(language))
    assert _is_one_of(reply.sentences[0], "told_all", language)
    assert [it.id for it in reply.used] == [lemon.id, boat.id]
    assert all(holds(text, it.query) for it in (lemon, boat))
    assert not holds(text, painter.query)
    assert _is_one_of(_reply(said, empty(language)).sentences[0], "nothing_told", language)


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("What have I told you about Anna?", "en"),
        ("我跟你说过安安什么事？", "cn"),
        ("今年五月我跟你说了什么？", "cn"),
    ],
)
def test_what_was_told_of_something_is_a_question(said: str, language: Language) -> None:
    """It wants an answer and no handful."""
    sentence = _reply(said, remembered(language)).sentences[0]
    assert _is_one_of(sentence, "nothing", language)


def test_of_one_day_there_is_a_handful_too() -> None:
    """Who began today has told more than one thing."""
    told = ["I'm a nurse in Cork.", "We saw a seal.", "My mum is in hospital."]
    turns = [
        turn(SCOPES["en"], f"2026-03-13T1{at}:00", it, "I see.", at) for at, it in enumerate(told)
    ]
    memory = apply_all(empty("en"), [PutTurn(it) for it in turns])
    assert [it.query for it in choose_handful(memory)] == told


def test_the_dearest_stand_in_a_handful_whenever_they_were_told() -> None:
    """What was pinned and what tells of a life, before the everyday of the last days."""
    scope, memory = SCOPES["en"], empty("en")
    told = [
        "My daughter Ines was born in the night.",
        "I mended the gate in the yard.",
        *[f"I ate lentil soup number {number} at noon." for number in range(8)],
    ]
    turns = [
        turn(scope, f"2026-02-{day + 1:02}T12:00", it, "I see.") for day, it in enumerate(told)
    ]
    memory = apply_all(memory, [PutTurn(it) for it in turns])
    memory = apply_all(memory, [PutTrace(turns[1].id, replace(turns[1].trace, pinned=True))])
    chosen = [it.query for it in choose_handful(memory)]
    assert chosen[:2] == told[:2]
    assert chosen[-2:] == told[-2:]
    assert len(chosen) == 5


def test_in_a_picture_stands_first_what_facts_were_learned_from() -> None:
    """A trade before a sleigh ride; what was learned is told as it was said."""
    scope = SCOPES["en"]
    told = ["I mend barrels for a living.", *[f"I went sledging in gully {it}." for it in range(6)]]
    turns = [
        turn(scope, f"2026-02-{day + 1:02}T12:00", it, "I see.") for day, it in enumerate(told)
    ]
    learned = Fact(
        memory_id(scope, "fact", "2026-02-01", 0),
        "2026-02-01",
        0,
        "Ada mends barrels for a living.",
        turns[0].trace,
        Provenance("offline", turns[0].trace.created, (turns[0].id,)),
        entity="Ada",
        entity_type="object",
        aspect="attribute",
    )
    without = apply_all(empty("en"), [PutTurn(it) for it in turns])
    memory = apply_all(without, [PutDerived(learned)])
    assert told[0] not in [it.query for it in choose_handful(memory)]
    first, *others = choose_portrait(memory)
    assert first.query == told[0]
    assert len(others) == 4


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Can you remember what I say?"), ("cn", "你能记住我说的话吗？")],
)
def test_who_asks_whether_it_remembers_is_told_how(language: Language, said: str) -> None:
    """It is no question about a memory; off the record it says that nothing is kept."""
    (told,) = _reply(said, remembered(language)).sentences
    assert _is_one_of(told, "keeping", language)
    context = ReplyContext(said, remembered(language), (), TODAY, 0, "Robin", hour=9)
    (unkept,) = reply_offline(replace(context, off_record=True)).sentences
    assert _is_one_of(unkept, "keeping_unkept", language)


@pytest.mark.parametrize(
    ("said", "language"),
    [("I'm back, long time no see.", "en"), ("我回来了，好久不见。", "cn")],
)
def test_who_comes_back_is_greeted(said: str, language: Language) -> None:
    """And not told that this was kept."""
    hello = _reply(said, remembered(language)).sentences[0]
    assert _is_one_of(hello, "hello_morning", language)
