"""The companion without a model quotes what was said, with its day, and invents nothing."""

from __future__ import annotations

import re
import string
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from siliconfriend.dialogue.offline import reply_offline
from siliconfriend.dialogue.offline_context import ReplyContext
from siliconfriend.dialogue.quoting import Quoter
from siliconfriend.dialogue.told_words import said_words
from siliconfriend.dialogue.wording import Wordings
from siliconfriend.evaluation.grading import is_refusal
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutOverallHistory, PutTurn, apply_all
from siliconfriend.memory.provenance import Provenance
from siliconfriend.memory.records import (
    DaySummary,
    Overall,
    PersonMemory,
)
from siliconfriend.recall.results import Recalled
from siliconfriend.texts import LANGUAGES, Language, area
from tests.dialogue.people import SCOPES, empty, holds, judged, recalled, remembered, turn

TODAY = date(2026, 3, 14)
LEMON, PAINTER, BOAT = 0, 1, 2


def _reply(
    said: str,
    memory: PersonMemory,
    found: tuple[Recalled, ...] = (),
    **changed: Any,
) -> str:
    context = ReplyContext(said, memory, found, TODAY, 0, "Robin")
    return "".join(reply_offline(replace(context, **changed)).pieces(memory.profile.language))


def test_a_question_is_answered_in_the_persons_words() -> None:
    """The day and the words of the memory, as they were said."""
    memory = remembered("en")
    said = _reply("What did Anna buy in Lisbon?", memory, recalled(memory, BOAT))
    assert "yesterday" in said.lower()
    assert holds(said, "My sister Anna bought a boat in Lisbon.")
    said = _reply("What did I plant?", memory, recalled(memory, LEMON))
    assert "30 November 2025" in said
    assert holds(said, "I planted a lemon tree on my balcony.")
    assert "How lovely" not in said


def test_a_question_is_answered_in_chinese() -> None:
    """The same in Chinese."""
    memory = remembered("cn")
    said = _reply("安安在里斯本买了什么？", memory, recalled(memory, BOAT))
    assert "昨天" in said
    assert holds(said, "我妹妹安安在里斯本买了一条船。")
    said = _reply("我在阳台上种了什么？", memory, recalled(memory, LEMON))
    assert "2025年11月30日" in said


@pytest.mark.parametrize(
    ("language", "question", "ours"),
    [
        ("en", "What painter did you recommend?", "“Look at Vermeer's letters.”"),
        ("cn", "你给我推荐了哪位画家？", "“可以看看维米尔的画。”"),
    ],
)
def test_what_the_companion_said_is_quoted_as_its_own(
    language: Language, question: str, ours: str
) -> None:
    """Both sides are quoted, each attributed to who said it."""
    memory = remembered(language)
    said = _reply(question, memory, recalled(memory, PAINTER))
    before, _, _ = said.partition(ours)
    assert ours in said
    assert ("answer" in before) if language == "en" else ("回答" in before)
    assert next(it for it in list(memory.turns())[PAINTER : PAINTER + 1]).query in before


@pytest.mark.parametrize(
    ("said", "language", "asks"),
    [
        ("who's got the boat", "en", True),
        ("whose boat is in lisbon", "en", True),
        ("what a day", "en", False),
        ("船是谁买的", "cn", True),
        ("妹妹买了什么", "cn", True),
        ("今天看了场电影，叫啥忘了", "cn", False),
        ("怎么又下雨了", "cn", False),
    ],
)
def test_a_question_needs_no_mark(said: str, language: Language, asks: bool) -> None:
    """People type to a friend without one; a question word inside a story asks nothing."""
    nothing = area("dialogue", language)["offline"]["nothing"]
    assert (_reply(said, remembered(language)) in nothing) is asks


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_recalled_is_said_so(language: Language) -> None:
    """Where nothing comes to mind, nothing is quoted."""
    question = {"en": "Where did I go to school?", "cn": "我在哪里上的小学？"}[language]
    memory = remembered(language)
    said = _reply(question, memory)
    assert not any(holds(said, it.query) for it in memory.turns())
    wordings = area("dialogue", language)["offline"]["nothing"]
    assert said in wordings


def test_a_far_memory_is_called_the_nearest() -> None:
    """A memory that shares no word with the question is not passed off as its answer."""
    memory = remembered("en")
    said = _reply("Where did I go to school?", memory, recalled(memory, BOAT))
    assert "nearest" in said


def test_a_day_that_was_asked_for_is_no_guess() -> None:
    """What is found by the day the question names needs no word in common with it."""
    memory = remembered("en")
    (found,) = recalled(memory, BOAT)
    said = _reply("What happened on 13 March?", memory, (replace(found, parts={"date": 1.0}),))
    assert "nearest" not in said
    assert "boat" in said


def test_of_nearly_equals_the_one_that_answers_is_quoted() -> None:
    """A memory that is likelier to be meant goes before one that only ranks higher."""
    memory = remembered("en")
    found = recalled(memory, LEMON, BOAT)
    said = _reply("What did Anna buy?", memory, found, judged=judged(found, 0.1, 0.7))
    assert "boat" in said
    assert "lemon" not in said


def test_a_neighbour_is_not_quoted() -> None:
    """What came only beside another memory is unlikely to be meant, and stands for no answer."""
    memory = remembered("en")
    found = recalled(memory, BOAT)
    said = _reply("Where did I go to school?", memory, found, judged=judged(found, 0.4))
    assert "boat" not in said


@pytest.mark.parametrize(("likelihood", "key"), [(0.9, "sure"), (0.6, "nearest"), (0.4, "nothing")])
def test_an_answer_is_as_sure_as_it_is_likely(likelihood: float, key: str) -> None:
    """From sure on it is quoted plainly, below it as what comes nearest, and at last not at all."""
    memory = remembered("en")
    found = recalled(memory, BOAT)
    said = _reply("Who has a yacht?", memory, found, judged=judged(found, likelihood))
    openings = {
        name: tuple(it.partition("{")[0] for it in area("dialogue", "en")["offline"][name])
        for name in ("nearest", "nothing")
    }
    begun = next((name for name, them in openings.items() if said.startswith(them)), "sure")
    assert begun == key
    assert ("boat in Lisbon" in said) == (key != "nothing")


def test_a_dim_memory_is_marked() -> None:
    """A faded memory is quoted with the reserve it deserves."""
    memory = remembered("en")
    wordings = area("dialogue", "en")["offline"]["sure_dim"]
    boat = recalled(memory, BOAT, state="faded")
    said = _reply("What did Anna buy?", memory, boat, judged=judged(boat, 0.9))
    assert said.startswith(tuple(wordings))
    both = recalled(memory, LEMON, BOAT, state="faded")
    said = _reply("Do you remember the tree and the boat?", memory, both)
    assert len(re.findall("dim|way back", said)) == 1


@pytest.mark.parametrize(
    ("said", "language"),
    [("I do not know what to eat.", "en"), ("不知道晚上吃什么。", "cn")],
)
def test_what_is_only_wondered_is_no_question(said: str, language: Language) -> None:
    """It is heard, and not answered with what was never asked for."""
    assert _reply(said, remembered(language)) in area("dialogue", language)["offline"]["kept"]


def test_news_is_kept_and_met_by_what_goes_with_it() -> None:
    """A statement is acknowledged, or answered by what it strongly brings to mind."""
    memory = remembered("en")
    boat = recalled(memory, BOAT)
    said = _reply("I bought paint for the kitchen.", memory, boat, judged=judged(boat, 0.4))
    assert said in area("dialogue", "en")["offline"]["kept"]
    said = _reply("Anna sold the boat again.", memory, boat, judged=judged(boat, 0.6))
    assert holds(said, "My sister Anna bought a boat in Lisbon.")
    assert "yesterday" in said.lower()


@pytest.mark.parametrize(
    ("said", "language", "wordings"),
    [
        ("I feel terrible today, my cat Miso died.", "en", "kept_heavy"),
        ("I was so worried, and then so happy.", "en", "kept_heavy"),
        ("I am so happy, Ruth is coming home!", "en", "kept_bright"),
        ("I am not worried at all.", "en", "kept"),
        ("今天很难过，我的猫走了。", "cn", "kept_heavy"),
        ("我今天特别开心！", "cn", "kept_bright"),
    ],
)
def test_words_of_mood_are_met_first(said: str, language: Language, wordings: str) -> None:
    """Who says that it is hard hears that it was heard; who is glad, too."""
    for number in range(3):
        reply = _reply(said, remembered(language), number=number)
        assert reply in area("dialogue", language)["offline"][wordings]


@pytest.mark.parametrize("new", [True, False])
@pytest.mark.parametrize(
    "said",
    [
        "Hello!",
        "I bought paint.",
        "I feel sad, and my cat died.",
        "我今天特别开心！",
        "Where is my key?",
        "Bye!",
    ],
)
def test_off_the_record_nothing_is_claimed_to_be_kept(said: str, new: bool) -> None:
    """Whatever is said, no wording promises to keep it, and news is told that it is not kept."""
    for language, promise in (
        ("en", r"(?<!nothing is )\bkept?\b(?! none)"),
        ("cn", "记下|记住|记得|都留着"),
    ):
        memory = empty(language) if new else remembered(language)
        for number in range(6):
            reply = _reply(said, memory, off_record=True, number=number)
            quoted_away = re.sub("“[^”]*”", "", reply)
            assert not re.search(promise, quoted_away.replace("Nothing of this was kept", ""))
    wordings = area("dialogue", "en")["offline"]["unkept"]
    assert _reply("I bought paint.", remembered("en"), off_record=True) in wordings


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("Do not remember this: I lost the key to the boat in Lisbon.", "en"),
        ("别记这个：我把里斯本那条船的钥匙丢了。", "cn"),
    ],
)
def test_who_asks_not_to_be_remembered_is_reminded_of_nothing(
    said: str, language: Language
) -> None:
    """They are told that nothing of it is kept, whatever it would bring to mind."""
    memory = remembered(language)
    found = recalled(memory, BOAT)
    context = {"off_record": True, "judged": judged(found, 0.99)}
    assert holds(_reply(said, memory, found, **context), found[0].memory.query)
    wordings = area("dialogue", language)["offline"]["unkept"]
    assert _reply(said, memory, found, unkept=True, **context) in wordings


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("It's my birthday today!", "en"),
        ("I turned 40 today.", "en"),
        ("今天是我生日！", "cn"),
        ("我今天满三十岁啦", "cn"),
    ],
)
def test_a_birthday_is_wished_happy(said: str, language: Language) -> None:
    wish = {"en": "appy birthday", "cn": "生日快乐"}[language]
    assert wish in _reply(said, remembered(language))
    assert wish in _reply(said, remembered(language), off_record=True)
    assert wish not in _reply("I bought a birthday cake today.", remembered(language))


@pytest.mark.parametrize(
    ("said", "language"),
    [("My cat died last night.", "en"), ("我的猫昨晚死了，我很难过。", "cn")],
)
def test_a_newcomer_who_tells_something_hard_is_heard_first(said: str, language: Language) -> None:
    """And hears all the same with whom they talk."""
    reply = _reply(said, empty(language))
    assert "AI" in reply
    assert any(it in reply for it in ("hard", "sorry", "不容易", "不好受"))


@pytest.mark.parametrize(
    ("told", "last", "language"),
    [
        ("The agency invited us to adopt a child.", "I watched television.", "en"),
        ("领养机构说我们可以收养孩子了。", "我看了会儿电视。", "cn"),
    ],
)
def test_a_greeting_takes_up_what_mattered_of_the_last_day(
    told: str, last: str, language: Language
) -> None:
    """And not what happened to be said last."""
    said = [
        turn(SCOPES[language], "2026-03-13T18:00", words, "I see.", position)
        for position, words in enumerate((told, last))
    ]
    memory = apply_all(empty(language), [PutTurn(it) for it in said])
    reply = _reply("Hello!", memory)
    assert holds(reply, told)
    assert not holds(reply, last)


def test_a_greeting_goes_on_where_they_stopped() -> None:
    """Somebody who comes back hears of the last thing they told; a newcomer is welcomed."""
    memory = remembered("en")
    said = _reply("Hello Robin!", memory, recalled(memory, LEMON))
    assert "Ada" in said
    assert holds(said, "My sister Anna bought a boat in Lisbon.")
    assert "lemon" not in said
    context = ReplyContext("Hello Robin!", memory, (), TODAY, 0, "Robin")
    assert [it.id for it in reply_offline(context).used] == [list(memory.turns())[BOAT].id]
    welcome = _reply("Hello!", empty("en"))
    assert "Robin" in welcome
    assert "AI" in welcome


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("question", ["Are you a real person?", "你是真人吗？"])
def test_it_says_that_it_is_an_ai(language: Language, question: str) -> None:
    """Asked in either language, it never denies it."""
    assert "AI" in _reply(question, remembered(language))


def test_a_request_it_cannot_meet_is_not_met_with_words() -> None:
    """Without a model it cannot recommend or write, and says so."""
    wordings = area("dialogue", "en")["offline"]["cannot"]
    assert _reply("Please write a poem.", remembered("en")) in wordings


def test_the_picture_of_a_person_is_what_a_model_wrote_at_night() -> None:
    """What do you know about me: the overall texts, where there are any."""
    memory = remembered("en")
    made = Provenance("openai:m", datetime(2026, 3, 14, tzinfo=UTC), ("turn-x", "turn-y"))
    memory = PutOverallHistory(Overall("Ada has a lemon tree.", made)).apply(memory)
    said = _reply("What do you know about me?", memory, recalled(memory, BOAT))
    assert said.endswith("\nAda has a lemon tree.")
    context = ReplyContext("What do you know about me?", memory, (), TODAY, 0, "Robin")
    assert [it.id for it in reply_offline(context).used] == ["turn-x", "turn-y"]


def test_what_a_night_counted_without_a_model_is_no_way_to_speak() -> None:
    """Then the picture is in the person's own words: what tells who they are, and what is dearest."""
    memory = remembered("en")
    made = Provenance("offline", datetime(2026, 3, 14, tzinfo=UTC), ("turn-x",))
    memory = PutOverallHistory(Overall("Reply strategy: be attentive.", made)).apply(memory)
    said = _reply("What do you know about me?", memory, recalled(memory, BOAT))
    assert any(said.startswith(it) for it in area("dialogue", "en")["offline"]["portrait"])
    assert "you planted a lemon tree on your balcony" in said
    assert "Reply strategy" not in said


def test_before_the_first_night_the_picture_is_what_was_told_last() -> None:
    """Where no portrait was made yet, the latest things the person told stand for it."""
    said = _reply("What do you know about me?", remembered("en"))
    assert "boat" in said
    assert "lemon tree" in said
    assert "painter" not in said


def test_a_note_is_quoted_where_no_turn_is() -> None:
    """A day's summary is called a note of that day."""
    memory = remembered("en")
    created = datetime(2026, 3, 2, tzinfo=UTC)
    note = DaySummary(
        "day-2026-03-02-0-00000000",
        "2026-03-02",
        "Talk about painters.",
        Trace(created),
        Provenance("offline", created),
    )
    found = (Recalled(note, 1.0, {}, "vivid", 1.0, 0.9),)
    said = _reply("When did we talk about painters?", memory, found)
    assert "2 March: Talk about painters." in said


def test_a_close_second_is_quoted_too() -> None:
    """Two memories that have as much to do with the question are both quoted, no third."""
    memory = remembered("en")
    context = ReplyContext(
        "Do you remember the tree and the boat?",
        memory,
        recalled(memory, LEMON, BOAT, PAINTER),
        TODAY,
        0,
        "Robin",
    )
    used = [it.id for it in reply_offline(context).used]
    assert used == [list(memory.turns())[at].id for at in (LEMON, BOAT)]


def test_what_was_only_asked_is_no_answer() -> None:
    """An offline turn that only asked holds nothing; one that also tells something does."""
    person, moment = SCOPES["en"], "2026-03-14T08:00"
    asked = turn(person, moment, "Where is my boat?", "I do not remember that.")
    told = replace(asked, query="Guess what? My boat lies in Porto.")
    for words, is_quoted in ((asked, False), (told, True)):
        memory = PutTurn(replace(words, replied_by="offline")).apply(remembered("en"))
        said = _reply("Where is my boat?", memory, recalled(memory, 3))
        assert ("Porto" in said) is is_quoted


def test_the_same_words_are_quoted_once() -> None:
    """What was said twice on different days is one answer."""
    memory = remembered("en")
    again = turn(SCOPES["en"], "2026-03-14T08:00", "I planted a lemon tree on my balcony.", "Yes!")
    memory = PutTurn(again).apply(memory)
    said = _reply("What did I plant on my balcony?", memory, recalled(memory, 3, LEMON))
    assert said.count("lemon tree") == 1


def test_wordings_vary_and_repeat() -> None:
    """The same talk gets the same reply; the next turn may be worded otherwise."""
    memory = remembered("en")
    replies = [_reply("I am tired today.", memory, number=number) for number in range(6)]
    assert replies[:3] == replies[3:]
    assert len(set(replies)) == 3


def _variables(wordings: list[str]) -> set[str]:
    fields = (string.Formatter().parse(wording) for wording in wordings)
    return {name.lower() for found in fields for _, name, _, _ in found if name}


@pytest.mark.parametrize("key", [k for k in area("dialogue", "en")["offline"] if k != "dim"])
def test_wordings_have_the_same_variables(key: str) -> None:
    """Each set of wordings names the same things in both languages."""
    english, chinese = (area("dialogue", language)["offline"][key] for language in LANGUAGES)
    assert _variables(english) == _variables(chinese)


@pytest.mark.parametrize(
    ("language", "told", "later", "other", "question"),
    [
        (
            "en",
            "I bought a telescope and watch the stars on the roof.",
            "I sold the telescope to a neighbour.",
            "I sold my bicycle to a cousin.",
            "Do I still watch the stars?",
        ),
        (
            "cn",
            "买了台望远镜，天天上房顶看星星。",
            "望远镜让我卖了。",
            "自行车让我卖了。",
            "我还看星星吗？",
        ),
    ],
)
def test_what_was_taken_back_later_stands_beside_the_answer(
    language: Language, told: str, later: str, other: str, question: str
) -> None:
    """However unlikely it is by itself; what is as unlikely and changes nothing of it does not."""
    scope = SCOPES[language]
    said = [(f"2026-03-0{day}T12:00", words) for day, words in enumerate((told, later, other), 1)]
    turns = [PutTurn(turn(scope, moment, words, "I see.")) for moment, words in said]
    memory = apply_all(empty(language), turns)
    found = recalled(memory, 0, 1, 2)
    likely = judged(found, 0.9, 0.01, 0.01)
    sequels = {found[0].memory.id: found[1:2]}
    reply = _reply(question, memory, found, judged=likely, sequels=sequels)
    assert [holds(reply, words) for words in (told, later, other)] == [True, True, False]


@pytest.mark.parametrize(
    ("language", "asked", "is_told"),
    [
        ("en", "What did Anna say about the parrot?", False),
        ("en", "What did Anna do with the boat?", True),
        ("cn", "安安怎么说那只鹦鹉的？", False),
        ("cn", "安安的船怎么样了？", True),
    ],
)
def test_of_whom_nothing_of_the_matter_was_told_nothing_is_sure(
    language: Language, asked: str, is_told: bool
) -> None:
    """However likely it is that she is meant: much was told of Anna, and no parrot."""
    memory = remembered(language)
    found = recalled(memory, BOAT)
    said = _reply(asked, memory, found, judged=judged(found, 0.99))
    assert is_refusal(said) != is_told


@pytest.mark.parametrize(
    ("language", "asked", "is_told"),
    [
        ("en", "How many miles did I run on 13 March?", False),
        ("en", "Who had a boat on 13 March?", True),
        ("cn", "3月13日我跑了几公里？", False),
        ("cn", "3月13日是谁的船？", True),
    ],
)
def test_of_what_else_was_told_on_a_day_nothing_is_sure(
    language: Language, asked: str, is_told: bool
) -> None:
    """However likely the day is: a boat was spoken of on it, and no running."""
    memory = remembered(language)
    found = tuple(replace(it, parts={"date": 1.0}) for it in recalled(memory, BOAT))
    said = _reply(asked, memory, found, judged=judged(found, 0.99))
    assert is_refusal(said) != is_told


@pytest.mark.parametrize(
    ("language", "asked"), [("en", "Can Anna swim?"), ("cn", "安安会游泳吗？")]
)
def test_beside_what_was_told_of_somebody_nothing_else_is_quoted(
    language: Language, asked: str
) -> None:
    """However near it lies: a lemon tree tells nothing of Anna."""
    memory = remembered(language)
    boat, lemon = recalled(memory, BOAT, LEMON)
    said = _reply(asked, memory, (boat, lemon), judged=judged((boat, lemon), 0.9, 0.8))
    assert holds(said, said_words(boat.memory))
    assert not holds(said, said_words(lemon.memory))


def test_what_asks_only_for_a_time_is_answered_from_it() -> None:
    """What was told at another time is left out, however likely it is."""
    memory = remembered("en")
    (lemon, boat) = recalled(memory, LEMON, BOAT)
    found = (lemon, replace(boat, parts={"date": 1.0}))
    said = _reply("What happened on 13 March?", memory, found, judged=judged(found, 0.9, 0.4))
    assert "boat" in said
    assert "lemon" not in said


def test_what_is_alike_is_told_whole() -> None:
    """Of four plans that are as likely to be meant none is left out; what is far less likely is."""
    days = ("2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05")
    plans = ("I sail to Oslo.", "I paint the gate.", "I meet Lou.", "I sing in Bath.", "I rest.")
    puts = [
        PutTurn(turn(SCOPES["en"], f"{day}T12:00", words, "I see."))
        for day, words in zip(days, plans, strict=True)
    ]
    memory = apply_all(empty("en"), puts)
    found = recalled(memory, 0, 1, 2, 3, 4)
    likely = judged(found, 0.9, 0.8, 0.7, 0.5, 0.3)
    said = _reply("What is on?", memory, found, judged=likely)
    assert [holds(said, words) for words in plans] == [True, True, True, True, False]


@pytest.mark.parametrize(
    ("language", "said", "quoted"),
    [
        ("en", '"Who sings?" asked the parrot.', "“‘Who sings?’ asked the parrot.”"),
        ("cn", "“谁在唱歌？”鹦鹉问。", "“‘谁在唱歌？’鹦鹉问。”"),
    ],
)
def test_a_quotation_in_a_quotation_has_single_marks(
    language: Language, said: str, quoted: str
) -> None:
    """In both languages; the words are the same."""
    memory = remembered(language)
    parrot = turn(SCOPES[language], "2026-03-14T08:00", said, "")
    memory = PutTurn(parrot).apply(memory)
    asked = {"en": "What did the parrot ask?", "cn": "鹦鹉问了什么？"}[language]
    assert quoted in _reply(asked, memory, recalled(memory, 3))


@pytest.mark.parametrize(
    ("question", "told", "answered", "language"),
    [
        (
            "What did I see at Stonehythe harbour?",
            "We went to the old pier. There is a boat with Grandpa's name on it.",
            "So you met his name again at Stonehythe harbour.",
            "en",
        ),
        (
            "我在石埠码头看到了什么？",
            "今天去看了那条旧渡船，船帮上刻着外公的名字。",
            "在石埠码头又遇上了外公的名字。",
            "cn",
        ),
    ],
)
def test_an_answer_is_quoted_that_names_what_the_person_left_unsaid(
    question: str, told: str, answered: str, language: Language
) -> None:
    """Only a model's, and only where it holds more of the question than what was told."""
    said = turn(SCOPES[language], "2026-03-02T20:00", told, answered)
    context = ReplyContext(question, empty(language), (), TODAY, 0, "Robin")
    quoter = Quoter(question, Wordings(context))
    assert quoter.answer_is_ours(said)
    assert not quoter.answer_is_ours(replace(said, replied_by="offline"))
    said_by_both = replace(said, query=f"{told} {answered}")
    assert not quoter.answer_is_ours(said_by_both)
