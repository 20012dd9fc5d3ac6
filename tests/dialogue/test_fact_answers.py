"""Whole talks offline: what was told is the answer, with its day, before a night and after one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
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
