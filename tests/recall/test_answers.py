"""Answers: which of what was told answers a question about a matter of someone's life."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.recaller import Recaller
from siliconfriend.recall.results import RecallResult, with_answers
from tests.memory.people import NORA, NOW, a_profile
from tests.memory.stored import say
from tests.recall.known_people import a_fact, know
from tests.recall.people import a_recaller

BEGUN = NOW - timedelta(days=40)


def _ask(question: str, *told: str, scope: Scope = NORA, top: int = 10) -> RecallResult:
    """What is recalled for a question after things were told, one a day."""
    store = InMemoryStore()
    store.create(scope, a_profile(scope))
    return _recaller(store, told, scope).recall(scope, question, now=NOW, top=top)


def _recaller(store: InMemoryStore, told: tuple[str, ...], scope: Scope) -> Recaller:
    moment: datetime = BEGUN
    for words in told:
        say(store, words, scope, now=moment)
        moment += timedelta(days=1)
    return a_recaller(store, None)


def _answers(question: str, *told: str) -> list[str]:
    found = [it.memory for it in _ask(question, *told).answers]
    return [
        it.query if isinstance(it, Turn) else it.text for it in found if isinstance(it, Turn | Fact)
    ]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which instrument do I play?", "I play the oboe in a wind band."),
        ("Do I do a sport?", "I've taken up fencing."),
        ("Who is my landlord?", "The flat belongs to a Mr Osei."),
        ("What did my grandson do at school?", "My daughter's boy sang at school."),
        ("Do I have a grandson?", "My daughter's boy is five."),
        ("Which instrument does my roommate play?", "My flatmate Ines plays the harp."),
        ("我合租的人做什么工作？", "我室友在医院当护士。"),
        ("Which languages do I speak?", "I speak Welsh with my mother."),
        ("What must I not eat?", "I'm allergic to walnuts."),
        ("What does my brother do for a living?", "My brother Tom is a baker."),
        ("What is my cat called?", "We took in a stray kitten and named her Biscuit."),
        ("我的猫叫什么？", "我领了一只小橘猫，取名年糕。"),
        ("我的房东是谁？", "房子是楼下一位姓欧的先生的。"),
        ("我岳母做什么好吃？", "我爱人的妈妈做的酒酿真好吃。"),
        ("我岳母做什么好吃？", "我妻子的母亲做的酒酿真好吃。"),
        ("我会什么乐器？", "我在管乐团吹双簧管。"),
        ("我做什么运动？", "我最近开始学击剑。"),
        ("我外孙怎么样了？", "我女儿的儿子今天上小学了。"),
        ("我会说哪几种语言？", "我跟我妈说温州话。"),
        ("Which instrument do I play?", "我在管乐团吹双簧管。"),
        ("我会什么乐器？", "I play the oboe in a wind band."),
    ],
)
def test_a_question_finds_what_was_told_in_other_words(question: str, told: str) -> None:
    """By the matter it asks about, in either language, and of everyday talk nothing."""
    assert _answers(question, told, "It rained all day.", "今天下了一天雨。") == [told]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is my job?", "Ingrid is a midwife."),
        ("What is my sister called?", "My brother is called Tom."),
        ("Where do I live?", "My mother lives in Truro."),
        ("Which instrument does my flatmate play?", "I play the oboe in a wind band."),
        ("Where does my boss live?", "I live in York."),
        ("我室友是做什么工作的？", "我在船厂当焊工。"),
        ("How tall is Priya?", "Priya came to lunch."),
        ("What was my first cat called?", "My name is Ada."),
        ("Who is my favourite singer?", "My favourite dish is stew."),
        ("What did the dentist charge me?", "The new kettle cost forty pounds."),
        ("Where does my sister live?", "I live in York."),
        ("我姐姐叫什么名字？", "我弟弟叫小军。"),
        ("我最喜欢的歌手是谁？", "我最喜欢的菜是红烧肉。"),
        ("我的生日是哪天？", "小贺的生日是五月四号。"),
        ("我住在哪儿？", "我爷爷住在绍兴。"),
    ],
)
def test_what_was_told_of_another_matter_or_person_is_no_answer(question: str, told: str) -> None:
    """Nothing is claimed where nothing was told."""
    assert _answers(question, told) == []


@pytest.mark.parametrize(
    ("question", "told", "answer"),
    [
        ("Where do I live?", ("I live in Leeds.", "I moved from Leeds to York."), 1),
        ("Where do I live?", ("I moved from Leeds to York.", "I used to live in Leeds."), 0),
        ("What do I drink?", ("I love coffee.", "No more coffee for me, it's rooibos now."), 1),
        ("我住在哪里？", ("我住在成都。", "我从成都搬到重庆了。"), 1),
        ("我哪天办喜酒？", ("婚礼放在九月二十号。", "婚礼改到十月十八号了。"), 1),
        (
            "What is Kit's job?",
            ("My brother Kit works as a guide.", "Kit is training to be a medic."),
            1,
        ),
    ],
)
def test_what_was_put_right_wins(question: str, told: tuple[str, ...], answer: int) -> None:
    """Of what holds one at a time the last that was told is the answer, alone."""
    assert _answers(question, *told) == [told[answer]]


def test_a_question_for_all_or_for_earlier_gets_all() -> None:
    """Then the earlier home is an answer too."""
    told = ("I live in Leeds.", "I moved from Leeds to York.")
    assert set(_answers("Where did I live before?", *told)) == set(told)


def test_a_name_in_the_question_stands_in_the_answer() -> None:
    """Who asks about Priya's work is not told of somebody else's."""
    told = ("Priya works at a bank.", "Jowan works at a quarry.")
    assert _answers("Where does Priya work?", *told) == [told[0]]


def test_someone_is_known_by_name_and_by_what_they_are() -> None:
    """A brother who was called Kit once is meant by his name, and a partner leads to her parents."""
    told = ("My brother Kit came by.", "Kit lives in Hull.")
    assert _answers("Where does my brother live?", *told) == [told[1]]
    told = ("Priya and I are engaged!", "We saw Priya's parents in Leicester.")
    assert _answers("Where do my parents-in-law live?", *told) == [told[1]]


def test_a_question_tells_nothing() -> None:
    """What was asked before is no answer to what is asked now."""
    assert _answers("Which instrument do I play?", "Do I play the oboe?") == []


def test_a_fact_answers_where_its_turn_is_gone() -> None:
    """After a night the fact is there, though the turn may have faded."""
    store = InMemoryStore()
    (fact,) = know(store, [a_fact("Nora plays the oboe.", key_word="oboe")])
    found = a_recaller(store, None).recall(NORA, "Which instrument do I play?", now=NOW)
    assert [it.memory for it in found.answers] == [fact]


def test_answers_stand_before_all_else_within_the_number_asked_for() -> None:
    """They take the place of what ranks last."""
    told = (
        "The flat belongs to a Mr Osei.",
        *(f"My landlord story number {it}." for it in range(5)),
    )
    found = with_answers(_ask("Who is my landlord?", *told, top=3), 3)
    assert len(found.memories) == 3
    assert {it.memory.id for it in found.answers[:3]} == {it.memory.id for it in found.memories}


@pytest.mark.parametrize(
    ("question", "told", "is_answer"),
    [
        ("What sport did I do in February?", "I've taken up fencing.", True),
        ("What sport did I do in 2011?", "In 2011 I did nothing but rowing.", True),
        ("What sport did I do in March 2025?", "I've taken up fencing.", False),
    ],
)
def test_a_matter_and_a_time_are_answered_from_the_days(
    question: str, told: str, *, is_answer: bool
) -> None:
    """By what was told on them, or speaks of them; a sport of another time is no answer."""
    assert _answers(question, told) == [told] * is_answer


@pytest.mark.parametrize(
    ("question", "before", "since"),
    [
        ("Am I still learning a language?", "I'm learning Basque.", "I dropped the Basque."),
        ("Am I seeing anybody?", "My girlfriend is a vet.", "Ilse and I split up."),
        ("What do I do for a living?", "I work as a diver.", "I've handed in my notice."),
        ("我爸现在有什么爱好？", "我爸迷上了下棋。", "我爸改养鸽子了。"),
        ("我的店开在哪儿？", "我在老城租了个铺面。", "店搬到江边去了。"),
        ("我们哪天登记？", "我们打算三月领证。", "领证推迟到五月了。"),
    ],
)
def test_what_has_changed_stands_before_what_was(question: str, before: str, since: str) -> None:
    """Whoever asks how it is by now is told what was said last, where only one is given too."""
    assert _answers(question, before, since)[0] == since


@pytest.mark.parametrize(
    ("question", "told", "weighed"),
    [
        ("What do I do for a living?", "I work as a diver.", "I'm considering another job."),
        ("我做什么工作？", "我在船厂当焊工。", "我在考虑要不要换个工作。"),
    ],
)
def test_what_is_only_weighed_takes_nothing_back(question: str, told: str, weighed: str) -> None:
    """Whoever thinks of another job has the one they told of."""
    assert _answers(question, told, weighed)[0] == told


def test_all_there_is_needs_no_object() -> None:
    """Whoever asks what was lost names nothing; whoever asks what a thing cost does."""
    told = ("Somebody stole my tent.", "The new kettle cost forty pounds.")
    assert _answers("Which things of mine have been stolen?", *told) == [told[0]]
    assert _answers("How much did the ladder cost?", *told) == []
