"""Small memories offline: how things stand by now is said alone, and what was never told as such."""

from __future__ import annotations

from dataclasses import replace

import pytest

from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.reply import Reply
from siliconfriend.evaluation.grading import is_refusal
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock
from siliconfriend.texts import Language
from tests.dialogue.people import holds

LIVES: dict[Language, tuple[str, ...]] = {
    "en": (
        "I just moved to Ghent for a job at the harbour, I do customs paperwork",
        "My boyfriend Joost stayed in Utrecht with our dog Pixel",
        "work was awful, my boss Annelies shouted at me",
        "I signed up for a pottery class",
        "I keep burning my rice",
        "Joost and I broke up",
        "Pixel is coming to live with me in Ghent",
        "my mug broke",
    ),
    "cn": (
        "我上个月刚从合肥搬到宁波，在港口做报关",
        "我男朋友小周还在合肥，我们的狗豆包跟他一起",
        "今天被主管林姐当着大家的面骂了一顿",
        "我报了个陶艺课",
        "我煮饭老是糊",
        "我跟小周分手了",
        "豆包要来宁波跟我住了",
        "我的杯子摔碎了",
    ),
}
UNTOLD: dict[Language, tuple[str, ...]] = {
    "en": (
        "Did I ever tell you I have a sister?",
        "Do I have a cat?",
        "Have I told you about my grandmother?",
        "Where is my car?",
        "How is my dad?",
        "What is my cat called?",
        "Who is looking after my aunt?",
    ),
    "cn": (
        "我跟你说过我有个妹妹吗？",
        "我养猫吗？",
        "我有没有跟你提过我外婆？",
        "我的车在哪儿？",
        "我爸身体怎么样？",
        "我的猫叫什么？",
        "谁在照顾我姑姑？",
    ),
}


def _ask(
    question: str, told: tuple[str, ...], language: Language, settings: Settings, clock: MovingClock
) -> Reply:
    """The reply to a question after things were told, one a day, without an embedder."""
    runtime = Runtime(replace(settings, language=language, embedding="none"), clock)
    companion = Companion("Ada", runtime=runtime)
    for words in told:
        companion.reply(words)
        clock.move(days=1)
    return companion.reply(question, off_record=True)


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("en", "where is my dog now?", 6),
        ("en", "Where is Pixel?", 6),
        ("en", "Do I have a boyfriend?", 5),
        ("en", "Am I in a relationship?", 5),
        ("en", "what's my job?", 0),
        ("en", "Who do I live with?", 6),
        ("en", "Where does Joost live?", 1),
        ("cn", "我的狗现在在哪儿？", 6),
        ("cn", "豆包在哪里？", 6),
        ("cn", "我有男朋友吗？", 5),
        ("cn", "我是单身吗？", 5),
        ("cn", "我是做什么工作的？", 0),
        ("cn", "我跟谁住？", 6),
        ("cn", "小周住哪儿？", 1),
    ],
)
def test_how_things_stand_is_said_surely_and_alone(
    language: Language, question: str, answer: int, settings: Settings, clock: MovingClock
) -> None:
    """The one thing that was told last of it, without any doubt."""
    told = LIVES[language]
    said = _ask(question, told, language, settings, clock)
    assert [holds(said.text, words) for words in told] == [at == answer for at in range(len(told))]
    assert not is_refusal(said.text)


@pytest.mark.parametrize(
    ("language", "question"), [(lang, it) for lang in ("en", "cn") for it in UNTOLD[lang]]
)
def test_of_whom_nothing_was_told_is_said_so(
    language: Language, question: str, settings: Settings, clock: MovingClock
) -> None:
    """By name, with nothing quoted; 林姐 at work is no sister."""
    said = _ask(question, LIVES[language], language, settings, clock)
    assert is_refusal(said.text)
    assert not said.used


@pytest.mark.parametrize(
    ("language", "question", "words"),
    [
        ("en", "Did I ever tell you I have a sister?", "told me of a sister."),
        ("en", "Where is my car?", "told me of your car."),
        ("cn", "我跟你说过我有个妹妹吗？", "妹妹"),
        ("cn", "我的车在哪儿？", "你的车"),
        ("cn", "我爸身体怎么样？", "你爸"),
    ],
)
def test_who_was_never_told_of_is_named(
    language: Language, question: str, words: str, settings: Settings, clock: MovingClock
) -> None:
    """As the person asked, said to them."""
    assert words in _ask(question, LIVES[language], language, settings, clock).text


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "What is my favourite film?"),
        ("en", "Have I ever been to Japan?"),
        ("en", "What did the dentist say?"),
        ("cn", "我最喜欢的电影是什么？"),
        ("cn", "我去过日本吗？"),
        ("cn", "牙医跟我说了什么？"),
    ],
)
def test_of_few_memories_none_is_quoted_that_shares_nothing(
    language: Language, question: str, settings: Settings, clock: MovingClock
) -> None:
    """Something always lies nearest."""
    said = _ask(question, LIVES[language], language, settings, clock)
    assert is_refusal(said.text)
    assert not said.used


@pytest.mark.parametrize(
    ("language", "told", "question", "answer"),
    [
        ("en", ("I do the books for a garage.", "I do yoga at the gym."), "What's my job?", 0),
        (
            "en",
            ("I'm with the post office.", "I'm with the kids today."),
            "What do I do for a living?",
            0,
        ),
        (
            "en",
            ("I look after the horses at a riding school.", "I look after my niece at weekends."),
            "What is my job?",
            0,
        ),
        (
            "en",
            ("I work nights at the bakery.", "My brother does payroll at the council."),
            "What do I do for a living?",
            0,
        ),
        (
            "en",
            ("I look after toddlers at a nursery.", "I quit my job at the nursery."),
            "What's my job?",
            1,
        ),
        ("cn", ("我负责码头的货运单据", "聚餐我负责烤肉"), "我是做什么工作的？", 0),
        ("cn", ("我给一家快递公司打工", "我在健身房做瑜伽"), "我做什么工作？", 0),
        ("cn", ("我是做外贸的", "蛋糕是做给妈妈的"), "我是干什么的？", 0),
        ("cn", ("我在医院管档案", "我妹妹在银行做柜员"), "我是做什么工作的？", 0),
        ("cn", ("我教小孩弹钢琴", "我妈教小孩画画"), "我是做什么工作的？", 0),
        ("cn", ("我在超市上班", "我辞职了"), "我是做什么工作的？", 1),
    ],
)
def test_a_job_is_known_by_what_one_does(
    language: Language,
    told: tuple[str, str],
    question: str,
    answer: int,
    settings: Settings,
    clock: MovingClock,
) -> None:
    """Not a hobby, not what others do; and an end of it that was told later wins."""
    said = _ask(question, told, language, settings, clock).text
    assert not is_refusal(said)
    assert [holds(said, words) for words in told] == [at == answer for at in range(2)]
