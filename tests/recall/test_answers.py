"""Answers: which of what was told answers a question about a matter of someone's life."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from siliconfriend.memory.in_memory_store import InMemoryStore
from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.recall.matters import asks_several
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
        ("What does my husband do for work?", "husband Colin drives the school bus"),
        ("What's my sister's job?", "My sister drives a night tram."),
        ("我爸爸是做什么的？", "爸爸在外地修高铁，一个月回来一次"),
        ("我哥做什么工作？", "我哥在苏州开公交车。"),
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
        ("What's my sister's job?", "My sister drives a tram."),
        ("Where's my mother living?", "My mother lives in Truro."),
        ("What's my sister called?", "My sister Fay paints."),
        ("Who's my boss?", "My boss is called Osei."),
        ("When's my brother's birthday?", "My brother was born on 3 May."),
    ],
)
def test_a_contraction_is_nobody_whose_relative_is_asked_for(question: str, told: str) -> None:
    """In "What's my sister's job?" nobody is called What."""
    assert _answers(question, told, "It rained all day.") == [told]


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


@pytest.mark.parametrize(
    ("question", "told", "vague"),
    [
        (
            "What do I do for a living?",
            "I teach pottery at the college in Bath.",
            "I'm working for a company, but the job is not what I imagined.",
        ),
        (
            "Where do I work?",
            "I do three mornings a week at the bakery in Usk.",
            "I've been working at my current company for several years.",
        ),
        (
            "我是做什么工作的？",
            "我在剧团当灯光师。",
            "我目前在一家公司工作，工作内容和我想象中的不太一样。",
        ),
        (
            "我现在在哪儿上班？",
            "我不干急诊了，下月起去社区卫生站。",
            "我已经在当前公司工作了几年，感到很乏味。",
        ),
    ],
)
def test_what_says_which_work_it_is_goes_before_talk_of_work(
    question: str, told: str, vague: str
) -> None:
    """Everyday talk of a company is newer and names neither a trade nor an employer."""
    assert _answers(question, told, vague) == [told]
    assert _answers(question, vague) == [vague]


@pytest.mark.parametrize(
    ("question", "before", "now"),
    [
        (
            "What do I do for a living now?",
            "The theatre made me chief electrician.",
            "I handed in my notice and teach stagecraft now.",
        ),
        ("我现在做什么工作？", "我在医院当护士。", "我辞了护士，开了一家花店。"),
    ],
)
def test_the_newest_post_wins(question: str, before: str, now: str) -> None:
    """A resignation and what came after it is the work of now."""
    assert _answers(question, before, now) == [now]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Am I anybody's godparent?", "My godson Alfie started school."),
        ("Do I have any brothers or sisters?", "My sister Nora drives a tram."),
        ("How many brothers do I have?", "My brother Kit has a boat."),
        ("What have I been advised not to eat?", "The doctor says no more rhubarb."),
        ("我有兄弟姐妹吗？", "弟弟阿澈去漠河当了护林员。"),
        ("我是谁的干妈？", "我干女儿小禾上学了。"),
        ("我带过哪个徒弟？", "科里让我当带教老师，分来一个实习生叫小满。"),
    ],
)
def test_who_one_has_is_told_by_whatever_names_them(question: str, told: str) -> None:
    """A brother is a brother whatever is told of him, and an apprentice (徒弟) is none (弟)."""
    assert _answers(question, told, "It rained all day.", "今天下了一天雨。") == [told]


@pytest.mark.parametrize(
    ("question", "known", "told"),
    [
        ("What does my wife do for a living?", "Bethan's my wife.", "Bethan is a dentist."),
        ("What is my brother working as?", "my brother rhodri rang", "I hear Rhodri is a farmer."),
        ("Where does my mom work?", "mom was tired", "mom works at the laundry on 4th"),
        (
            "我对象是做什么工作的？",
            "跟许棠把话说开了，我们处对象了。",
            "许棠在隔壁中学教美术课。",
        ),
        ("我老婆在哪儿上班？", "我和陈一诺领证了。", "陈一诺在图书馆上班。"),
    ],
)
def test_who_somebody_is_leads_to_what_was_told_by_name(
    question: str, known: str, told: str
) -> None:
    """One sentence says who the partner is, another what she does."""
    assert _answers(question, known, told, "我在医院当护士。", "I am a baker.") == [told]


@pytest.mark.parametrize(
    ("question", "several"),
    [
        ("Where have I worked, one after the other?", True),
        ("What have I been put in charge of, at work and at the club?", True),
        ("Which two places have I lived in?", True),
        ("How often have I broken something?", True),
        ("What did we lose and where did it turn up?", True),
        ("Where do I work?", False),
        ("What is my dog called?", False),
        ("What have I told you?", False),
        ("我身体出过哪些毛病？", True),
        ("我前后住过哪两处？", True),
        ("这些年我养过什么？", True),
        ("我现在在哪儿上班？", False),
        ("我的狗叫什么？", False),
        ("那家店有各种茶吗？", False),
    ],
)
def test_a_question_for_several_things(question: str, *, several: bool) -> None:
    """All there is of something, or one thing after the other."""
    assert asks_several(question) is several


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What did my prom outfit cost?", ["My prom dress was nine dollars."]),
        ("How much did I pay for the canoe?", []),
        ("How big was the bill for the dog?", ["The vet took £480 for the dog."]),
    ],
)
def test_a_price_is_told_of_what_it_is_asked_for(question: str, told: list[str]) -> None:
    """Not of whatever else was paid for."""
    prices = ("My prom dress was nine dollars.", "The vet took £480 for the dog.")
    assert _answers(question, *prices, "I had to pay the council £14.") == told


@pytest.mark.parametrize(
    ("question", "told", "other"),
    [
        (
            "What does Priya's mother do for a living?",
            "Priya's mum is a dentist.",
            "My mother is a baker. Priya is a clerk.",
        ),
        (
            "秦老师的老伴是做什么工作的？",
            "秦老师的爱人是会计。",
            "秦老师退休前是老师，我爱人是护士。",
        ),
        ("小满的对象是做什么工作的？", "小满她老公是司机。", "我对象是护士，小满当了老师。"),
        ("老魏是做什么工作的？", "老魏是司机。", "我是理发师。"),
        ("我是做什么工作的？", "我是理发师。", "老魏是司机，小马当了厨师。"),
        ("小马是哪里人？", "我徒弟小马是临夏来的，手巧。", "我老家在兰州。"),
    ],
)
def test_what_was_told_of_somebody_else_is_not_taken_for_theirs(
    question: str, told: str, other: str
) -> None:
    """Neither of oneself nor of somebody's relative."""
    assert _answers(question, told, other) == [told]
    assert _answers(question, other) == []


@pytest.mark.parametrize(
    ("question", "before", "now"),
    [
        ("Do I still smoke?", "I gave up smoking.", "I'm on two cigarettes a day."),
        ("我现在还抽烟吗？", "戒烟第十二天了。", "我又抽上了，一天两根。"),
    ],
)
def test_a_habit_that_came_back_wins(question: str, before: str, now: str) -> None:
    """What was told last holds."""
    assert _answers(question, before, now) == [now]
