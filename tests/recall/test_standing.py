"""How things stand by now: what was told last of just the one who is asked about."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.records import Turn
from siliconfriend.recall.standing import find_standing, standing_asked
from tests.memory.people import NORA, NOW, a_profile
from tests.memory.stored import say
from tests.recall.people import a_recaller

BEGUN = NOW - timedelta(days=40)


def _answers(question: str, *told: str) -> list[str]:
    """What answers a question after things were told, one a day."""
    store = InMemoryStore()
    store.create(NORA, a_profile(NORA))
    moment: datetime = BEGUN
    for words in told:
        say(store, words, NORA, now=moment)
        moment += timedelta(days=1)
    found = a_recaller(store, None).recall(NORA, question, now=NOW, top=10)
    return [it.memory.query for it in found.answers if isinstance(it.memory, Turn)]


@pytest.mark.parametrize(
    ("question", "told", "answer"),
    [
        (
            "where is my dog now?",
            (
                "My boyfriend Joost stayed in Utrecht with our dog Pixel",
                "Pixel is coming to live with me in Ghent",
            ),
            1,
        ),
        ("Where is Pixel?", ("Our dog Pixel is at the kennels in Aalst.", "I saw the sea."), 0),
        ("Where's the cat?", ("My cat is called Miso.", "I left Miso with my aunt in Hove."), 1),
        (
            "Where's my boat these days?",
            ("My boat Wren was moored in Fowey.", "I sold Wren to a man from Looe."),
            1,
        ),
        (
            "Where is my car?",
            ("I parked the car behind the station.", "My brother took the car home."),
            1,
        ),
        (
            "Where does my mother live now?",
            (
                "Mum lives in Truro.",
                "I live in Leeds.",
                "Mum moved into a home in Bath.",
                "Mum rang me.",
            ),
            2,
        ),
        (
            "Where is my brother?",
            ("My brother Kit is in Oslo.", "Kit moved to Bergen.", "Kit likes fish."),
            1,
        ),
        (
            "Where is my sister now?",
            ("My sister is in hospital.", "My sister went to the shop.", "My brother is in Rome."),
            0,
        ),
        (
            "Where is my father now?",
            ("Dad stays with my aunt in Ely.", "I told my father that I moved to York."),
            0,
        ),
        (
            "Who does my gran live with?",
            ("Gran lives alone in Hull.", "Gran moved in with Aunt Vi."),
            1,
        ),
        (
            "Who is looking after the cat?",
            (
                "Our neighbour Jo feeds Miso.",
                "We have a cat called Miso.",
                "My sister looks after Miso this week.",
                "Miso has fleas.",
            ),
            2,
        ),
        (
            "Who's taking care of my grandmother?",
            (
                "My grandmother broke her hip.",
                "A nurse looks after Gran in the mornings.",
                "My gran looks after my niece.",
            ),
            1,
        ),
        (
            "Who has my dog?",
            ("Our dog is called Rex.", "Rex stays with my uncle.", "I have a cold."),
            1,
        ),
        (
            "Who do I live with?",
            (
                "I live with my sister Nora.",
                "I moved to Ghent for a job.",
                "Pixel is coming to live with me.",
                "My sister lives with her boyfriend.",
            ),
            2,
        ),
        (
            "Who do I live with now?",
            ("I share a flat with Tess and Ruth.", "I moved into a studio and live alone."),
            1,
        ),
        ("Do I live alone?", ("I live with two students.", "I live on my own now."), 1),
        (
            "Do I have a boyfriend?",
            ("My boyfriend Joost is a vet.", "Joost and I broke up.", "Joost fetched his books."),
            1,
        ),
        ("Am I still married to my husband?", ("My husband is a cook.", "We got divorced."), 1),
        ("Do I still have my car?", ("My car is red.", "I sold the car."), 1),
        ("Do I have a cat?", ("My cat is called Miso.", "Miso died last night."), 1),
        ("Do I still have the house?", ("Our house has a big garden.", "We sold the house."), 1),
        ("Have I got a flatmate?", ("My flatmate plays the harp.", "My flatmate moved out."), 1),
        (
            "我的狗现在在哪儿？",
            ("我男朋友小周还在合肥，我们的狗豆包跟他一起", "豆包要来宁波跟我住了"),
            1,
        ),
        ("豆包在哪儿？", ("我家的狗叫豆包。", "豆包寄养在表姐家。", "今天下雨。"), 1),
        ("我的猫在哪里？", ("我家猫叫团子。", "我把团子送到我妈家了。", "我妈搬到苏州了。"), 1),
        ("我的车现在在哪？", ("我的车停在公司楼下。", "我把车卖了。"), 1),
        ("我的船在哪儿？", ("我的船叫小鸟，停在码头。", "小鸟卖给老陈了。"), 1),
        (
            "我爸现在在哪儿",
            ("我爸在老家种地。", "我在宁波上班。", "我爸搬到杭州跟我姐住了。", "我爸爱下棋。"),
            2,
        ),
        ("我妹妹现在住哪儿？", ("我妹妹住在成都。", "妹妹搬去昆明了。", "妹妹去超市了。"), 1),
        ("我男朋友在哪儿？", ("我男朋友小周还在合肥。", "小周调到上海了。"), 1),
        ("外婆现在跟谁住？", ("外婆一直在乡下住着。", "外婆跟小姨住了。"), 1),
        (
            "谁在照顾外婆",
            ("外婆摔了一跤。", "外婆由护工照顾。", "小姨在照顾外婆。", "外婆照顾我表弟。"),
            2,
        ),
        ("谁在帮我喂猫？", ("我家猫叫团子。", "邻居帮我喂团子。"), 1),
        ("我的狗现在谁在带？", ("我们的狗叫旺财。", "旺财现在是我弟在带。", "我在带新人。"), 1),
        (
            "我跟谁住？",
            (
                "我跟室友小陈合租。",
                "我搬到宁波了。",
                "豆包要来宁波跟我住了。",
                "我妹妹跟她男朋友住。",
            ),
            2,
        ),
        ("我现在和谁一起住？", ("我跟小林一起住。", "我搬家了，现在跟老周合租。"), 1),
        ("我是一个人住吗？", ("我和两个同学合租。", "我现在一个人住。"), 1),
        ("我有男朋友吗？", ("我男朋友小周还在合肥。", "我跟小周分手了", "小周来拿东西。"), 1),
        ("我还有车吗？", ("我的车是红色的。", "车卖了。"), 1),
        ("我养猫吗？", ("我家猫叫团子。", "团子昨晚走了。"), 1),
        ("我有老婆吗？", ("我老婆是医生。", "我们离婚了。"), 1),
        ("我有室友吗？", ("我室友弹吉他。", "室友搬走了。"), 1),
    ],
)
def test_what_was_told_last_of_the_one_asked_about_answers(
    question: str, told: tuple[str, ...], answer: int
) -> None:
    """By its word or by its name, and nothing else beside it."""
    assert _answers(question, *told) == [told[answer]]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who do I live with?", ("I share a flat with Tess and Ruth.", "Tess moved out.")),
        ("我跟谁住？", ("我跟小林和阿芳合租。", "小林搬走了。")),
    ],
)
def test_who_is_left_is_told_by_both(question: str, told: tuple[str, ...]) -> None:
    """Who moved out, that first, and with whom one lived before."""
    assert _answers(question, *told) == [told[1], told[0]]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Where is my wallet?", "My sister lost my wallet."),
        ("Where is my sister working?", "My sister lives in Leeds."),
        ("Where did my brother buy the boat?", "My brother moved to Cowes."),
        ("Do I have a cold?", "My cold is worse."),
        ("Do I have a plan for the weekend?", "My sister has a plan."),
        ("Who do I work with?", "I live with Tess."),
        ("我有空吗？", "我有个妹妹。"),
        ("我姐姐在哪儿上班？", "我姐姐住在成都。"),
        ("我的钱包在哪儿？", "我妹妹住在成都。"),
        ("我妈的坟在哪儿？", "我妈住在成都。"),
        ("我跟谁吵架了？", "我跟小林一起住。"),
    ],
)
def test_a_question_that_asks_for_something_else_is_no_such_question(
    question: str, told: str
) -> None:
    """Nor is it answered by how things stand."""
    asked = standing_asked(question)
    assert asked is None or find_standing(asked, [told], [("2026-01-01", 0)]) == []


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Where is my father?", "I told my father that I moved to York."),
        ("Where is my mother?", "My mother's oven died."),
        ("Where is my dog?", "I'm thinking of giving my dog away."),
        ("Who is looking after my gran?", "My gran looks after my niece."),
        ("Who do I live with?", "My sister lives with her boyfriend."),
        ("Who do I live with?", "Our new neighbours moved in upstairs."),
        ("我爸在哪儿？", "我跟我爸说我搬到宁波了。"),
        ("谁在照顾外婆？", "外婆照顾我表弟。"),
        ("我跟谁住？", "我跟老周为房租吵了一架。"),
        ("我跟谁住？", "我妹妹跟她男朋友住。"),
    ],
)
def test_what_was_told_of_another_says_nothing(question: str, told: str) -> None:
    """Whoever is named last before the words is the one of whom they tell."""
    asked = standing_asked(question)
    assert asked is not None
    assert find_standing(asked, [told], [("2026-01-01", 0)]) == []


@pytest.mark.parametrize(
    ("question", "told", "answer"),
    [
        ("What does my dog eat?", ("Our dog Pixel barks.", "Pixel eats nothing but chicken."), 1),
        ("What did my cat break?", ("My cat is called Miso.", "Miso breaks every blue vase."), 1),
        ("Who repaired my boat?", ("My boat is called Wren.", "Old Tam repaired Wren."), 1),
        ("我的狗咬坏了谁的鞋子？", ("我们的狗豆包很乖。", "豆包咬坏了王叔的鞋子。"), 1),
        ("我家猫打碎了什么？", ("我家猫叫团子。", "团子打碎了花瓶。"), 1),
        ("Where is my gran?", ("My gran is in hospital.", "Gran came home on Sunday."), 1),
        ("Do we still have the car?", ("Our car is a red Fiat called Gino.", "We sold Gino."), 1),
        ("我奶奶在哪儿？", ("我奶奶住院了。", "奶奶出院了。"), 1),
    ],
)
def test_what_was_told_by_name_answers_for_the_thing(
    question: str, told: tuple[str, ...], answer: int
) -> None:
    """A name stands for what it was given to whatever is asked of it."""
    assert _answers(question, *told)[0] == told[answer]
