"""Whole talks offline: what was told is the answer, with its day, before a night and after one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.weaving import in_second_person
from siliconfriend.evaluation.grading import is_refusal
from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.night.run import run_night
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock
from siliconfriend.texts import Language
from tests.dialogue.people import holds

TOLD: dict[Language, tuple[str, ...]] = {
    "en": (
        "I play the oboe in a wind band.",
        "I live in Leeds.",
        "My daughter's boy started school today.",
        "I moved from Leeds to York.",
    ),
    "cn": (
        "我在管乐团吹双簧管。",
        "我住在成都。",
        "我女儿的儿子上小学了。",
        "我从成都搬到重庆了。",
    ),
}
DAYS: dict[Language, tuple[str, ...]] = {
    "en": ("14 March", "15 March", "16 March", "17 March"),
    "cn": ("3月14日", "3月15日", "3月16日", "3月17日"),
}
ASKED: dict[Language, tuple[tuple[str, int], ...]] = {
    "en": (
        ("Which instrument do I play?", 0),
        ("Am I in a band?", 0),
        ("Do I have a grandson?", 2),
        ("Where do I live?", 3),
    ),
    "cn": (
        ("我会什么乐器？", 0),
        ("我是不是在乐团里？", 0),
        ("我外孙怎么样了？", 2),
        ("我住在哪里？", 3),
    ),
}
UNTOLD: dict[Language, tuple[str, ...]] = {
    "en": ("When is my birthday?", "What is my sister called?", "What is my job?"),
    "cn": ("我的生日是哪天？", "我姐姐叫什么名字？", "我的车是什么牌子？"),
}


def _after_telling(
    language: Language, settings: Settings, clock: MovingClock, *, night: bool
) -> Companion:
    """The companion a fortnight after all was told, one thing a day."""
    settings = replace(settings, language=language, embedding="none")
    companion = Companion("Ada", runtime=Runtime(settings, clock))
    for words in TOLD[language]:
        companion.reply(words)
        clock.move(days=1)
    clock.move(days=10)
    if night:
        run_night(Runtime(settings, clock))
    return Companion("Ada", runtime=Runtime(settings, clock))


@pytest.mark.parametrize("night", [False, True])
@pytest.mark.parametrize("language", ["en", "cn"])
def test_what_was_told_is_the_answer_with_its_day(
    language: Language, settings: Settings, clock: MovingClock, *, night: bool
) -> None:
    """In the person's own words, and what was put right wins."""
    companion = _after_telling(language, settings, clock, night=night)
    for question, told in ASKED[language]:
        said = companion.reply(question, off_record=True).text
        assert holds(said, TOLD[language][told])
        assert DAYS[language][told] in said
        assert sum(holds(said, words) for words in TOLD[language]) == 1


@pytest.mark.parametrize("language", ["en", "cn"])
def test_nothing_is_claimed_where_nothing_was_told(
    language: Language, settings: Settings, clock: MovingClock
) -> None:
    """The reply says so and quotes nothing."""
    companion = _after_telling(language, settings, clock, night=False)
    for question in UNTOLD[language]:
        said = companion.reply(question, off_record=True).text
        assert not any(words in said for words in TOLD[language])


def test_what_was_told_in_the_other_language_answers(
    settings: Settings, clock: MovingClock
) -> None:
    """It is quoted as it was told."""
    companion = _after_telling("cn", settings, clock, night=False)
    said = companion.reply("Which instrument do I play?", off_record=True).text
    assert holds(said, TOLD["cn"][0])


@pytest.mark.parametrize(
    ("language", "told", "asked", "name"),
    [
        ("en", "My boat is called Wren.", "What is my boat called?", "Wren"),
        ("en", "My old car is called Hector.", "What is the name of my old car?", "Hector"),
        ("cn", "我的船叫小鸟。", "我的船叫什么名字？", "小鸟"),
    ],
)
def test_the_name_of_a_thing_is_found_by_the_thing(
    settings: Settings, clock: MovingClock, language: Language, told: str, asked: str, name: str
) -> None:
    """Names of boats and cars are no matter of a life, so what ranking found may answer."""
    runtime = Runtime(replace(settings, language=language, embedding="none"), clock)
    companion = Companion("Ada", runtime=runtime)
    companion.reply(told)
    assert name in companion.reply(asked).text


def test_what_one_memory_holds_whole_is_not_refused(settings: Settings, clock: MovingClock) -> None:
    """A matter that was told of in other words than the known ones is found by the question's own."""
    companion = Companion("Ada", runtime=Runtime(settings, clock))
    companion.reply("I have a dog.")
    assert "thunder" not in companion.reply("What is my dog afraid of?").text
    companion.reply("My dog is called Rex and he is afraid of thunder.")
    assert "thunder" in companion.reply("What is my dog afraid of?").text


@pytest.mark.parametrize(
    ("language", "told", "question", "answer"),
    [
        (
            "en",
            (
                "I live in a flat above a bakery in Leeds.",
                "My sister lives in a flat in York.",
                "I sold the flat in Leeds and moved to a cottage in Whitby.",
            ),
            ("Where do I live?", "Where is my home?"),
            2,
        ),
        (
            "cn",
            (
                "我住在绍兴河边的一套房子里。",
                "我姐姐住在宁波的一套房子里。",
                "我把绍兴的房子卖了，搬到杭州的小院里住。",
            ),
            ("我住在哪儿？", "我现在住哪里？"),
            2,
        ),
        ("en", ("My dog is called zq2f8a.", "The bus was late."), ("What is my dog called?",), 0),
        ("cn", ("我的狗叫zq2f8a。", "公交车来晚了。"), ("我的狗叫什么？", "我养了什么？"), 0),
        ("en", ("With my son Finn I live in Cork.", "The bus was late."), ("Where do I live?",), 0),
        ("cn", ("我是护士，跟儿子小满住在苏州。", "公交车来晚了。"), ("我住在哪儿？",), 0),
    ],
    ids=["two homes", "两处住处", "an odd name", "怪名字", "with somebody", "跟谁一起"],
)
def test_a_home_that_was_left_and_an_odd_name(
    language: Language,
    told: tuple[str, ...],
    question: tuple[str, ...],
    answer: int,
    settings: Settings,
    clock: MovingClock,
) -> None:
    """The newer of two homes that share a word is the answer, alone; a name may look like nothing."""
    companion = Companion(
        "Ada",
        runtime=Runtime(
            replace(settings, language=language, embedding="none"), clock, store=InMemoryStore()
        ),
    )
    for words in told:
        companion.reply(words)
        clock.move(days=1)
    for asked in question:
        said = companion.reply(asked, off_record=True).text
        assert [holds(said, words) for words in told] == [at == answer for at in range(len(told))]


def _told_daily(
    told: tuple[str, ...], language: Language, settings: Settings, clock: MovingClock
) -> Companion:
    """A companion without an embedder that was told something each day."""
    runtime = Runtime(replace(settings, language=language, embedding="none"), clock)
    companion = Companion("Ada", runtime=runtime)
    for words in told:
        companion.reply(words)
        clock.move(days=1)
    return companion


THEO: dict[Language, tuple[str, ...]] = {
    "en": (
        "Theo sneezed eleven times at breakfast.",
        "It rained on the market.",
        "My old friend Theo lives above the fire station.",
        "I painted the shed with Theo.",
    ),
    "cn": (
        "早饭时林姨打了十一个喷嚏。",
        "集市上下了雨。",
        "林姨是我们楼下的邻居，会做豆腐。",
        "我跟林姨一起刷了棚子。",
    ),
}


@pytest.mark.parametrize(
    ("language", "question", "told"),
    [
        ("en", "Who is Theo?", (2, 0, 3)),
        ("en", "What do you know about Theo?", (0, 2, 3)),
        ("en", "Tell me about Theo.", (0, 2, 3)),
        ("cn", "林姨是谁？", (2, 0, 3)),
        ("cn", "关于林姨你知道什么？", (0, 2, 3)),
        ("cn", "说说林姨。", (0, 2, 3)),
    ],
)
def test_a_question_that_names_somebody_and_nothing_else_is_answered_surely(
    language: Language,
    question: str,
    told: tuple[int, ...],
    settings: Settings,
    clock: MovingClock,
) -> None:
    """By who they are, that first, or by what was told of them in order of days; with no doubt."""
    companion = _told_daily(THEO[language], language, settings, clock)
    said = companion.reply(question, off_record=True).text
    assert not is_refusal(said)
    places = {at: in_second_person(said).find(_core(THEO[language][at])) for at in told}
    assert min(places.values()) >= 0
    first = min(places, key=lambda at: places[at])
    assert first == told[0]
    assert not holds(said, THEO[language][1])


def _core(words: str) -> str:
    """What of a sentence stands in a reply however it is woven into it."""
    return in_second_person(words).strip(" .。")[4:]


@pytest.mark.parametrize(
    ("language", "question"),
    [("en", "Who is Napoleon?"), ("cn", "拿破仑是谁？")],
)
def test_of_whom_nothing_was_told_nothing_is_quoted(
    language: Language, question: str, settings: Settings, clock: MovingClock
) -> None:
    """A name that stands nowhere is not answered by whatever lies nearest."""
    companion = _told_daily(THEO[language], language, settings, clock)
    said = companion.reply(question, off_record=True)
    assert is_refusal(said.text)
    assert not said.used


@pytest.mark.parametrize(
    ("language", "told", "question"),
    [
        ("en", "We saw two otters below Harrow Light.", "What did I see at Harrow Light?"),
        ("cn", "在石埠的老码头看到一条倒扣的木船。", "我在石埠的老码头看到了什么？"),
    ],
)
def test_what_holds_all_that_a_question_names_is_its_answer(
    language: Language, told: str, question: str, settings: Settings, clock: MovingClock
) -> None:
    """No doubt is said where each word of the question stands in it, however dim it has grown."""
    companion = _told_daily((told, *THEO[language]), language, settings, clock)
    said = companion.reply(question, off_record=True).text
    assert not is_refusal(said)
    assert holds(said, told)


@pytest.mark.parametrize(
    ("language", "told", "question"),
    [
        ("en", "We adopted a tabby cat called Bench.", "Which brand of cat food does Bench like?"),
        ("cn", "我们领养了一只三条腿的狸花猫，取名叫板凳。", "板凳喜欢吃什么牌子的猫粮？"),
        ("en", "My mother-in-law sewed six quilts.", "How old is my mother-in-law this year?"),
        ("cn", "婆婆已经缝了六床小被子。", "婆婆今年多大岁数了？"),
        ("cn", "滑冰班的教练请全班吃锅包肉。", "滑冰教练姓什么？"),
    ],
)
def test_what_was_told_of_somebody_answers_nothing_else_about_them(
    language: Language, told: str, question: str, settings: Settings, clock: MovingClock
) -> None:
    """Much is known of them and not just that: the reply says that it is not sure."""
    companion = _told_daily((told, *THEO[language]), language, settings, clock)
    assert is_refusal(companion.reply(question, off_record=True).text)


@pytest.mark.parametrize(
    ("language", "told", "question"),
    [
        (
            "en",
            ("On 4 April we fly to Toronto.", "On 2 April I see the surgeon.", "I sold the kayak."),
            "Which dates must I keep until the end of April?",
        ),
        (
            "cn",
            ("四月四号我们要飞多伦多。", "四月二号要去看外科大夫。", "我把皮划艇卖了。"),
            "四月底之前我有哪些安排？",
        ),
    ],
)
def test_what_is_planned_is_said_surely_and_in_its_order(
    language: Language,
    told: tuple[str, ...],
    question: str,
    settings: Settings,
    clock: MovingClock,
) -> None:
    """The surgeon first, then the flight, and nothing that is no plan."""
    companion = _told_daily(told, language, settings, clock)
    said = companion.reply(question, off_record=True).text
    assert not is_refusal(said)
    plain = in_second_person(said)
    assert 0 <= plain.find(_core(told[1])) < plain.find(_core(told[0]))
    assert not holds(said, told[2])
