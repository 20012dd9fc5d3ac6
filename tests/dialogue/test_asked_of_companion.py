"""What is asked of the companion: something bright that it remembers, or advice."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.dialogue.intent import classify_intent
from siliconfriend.dialogue.offline import reply_offline
from siliconfriend.dialogue.offline_context import ReplyContext
from siliconfriend.dialogue.told_words import tells_something
from siliconfriend.memory.changes import PutTurn, apply_all
from siliconfriend.memory.records import PersonMemory
from siliconfriend.texts import LANGUAGES, Language, area
from tests.dialogue.people import SCOPES, empty, holds, recalled, remembered, turn

TODAY = date(2026, 3, 14)
ASKED = {
    "recollection": """
tell me something nice you remember
Tell me a nice memory
remind me of something good
cheer me up
Please cheer me up a bit
what's something happy I told you?
What good things have I told you?
Make me smile
Do you remember anything nice?
Any happy memories?
I need a happy memory
Can you tell me about a good time?
tell me something funny I said
What was the best thing I told you?
When was I last happy?
What made me happy lately?
Give me something cheerful
could you remind me of a happy day
brighten my day
I could use some cheering up
Share a lovely moment with me please
tell me one good thing
说点你记得的开心事吧
跟我说说以前的开心事
哄我开心
哄哄我吧
逗我笑一个
讲个让我高兴的事
来点开心的
给我讲讲高兴的事
我跟你说过什么开心的事？
有什么开心的事吗
回忆点美好的
说说我开心的时候
我什么时候最开心？
让我开心一下吧
能不能说点好听的
聊点开心的吧
提醒我一件幸福的事
说个好玩的事听听
你还记得什么开心的事吗
你记得有什么好事吗
想听你说说以前的美好回忆
再讲一件快乐的事
    """,
    "advice": """
What should I do?
Do you think I should leave him?
Should I call her back?
what would you do
So what do I do now?
How should I tell my mother?
Any advice?
I need your advice
Give me some advice please
Help me decide
Am I overreacting?
Was I wrong?
What do you think?
Should we move to Lyon or stay?
Is it my fault?
How do I get over him?
How can I stop worrying?
Tell me what to do
I'm so lost. What should I do?
Do you think he still loves me?
what now?
Is it too late to apologise?
我该怎么办
我该怎么办？
你觉得我要不要去
我要不要辞职
我该不该原谅他
怎么办呢
他不理我怎么办
你说我是不是太敏感了
给我点建议
帮我拿个主意
换成你会怎么做
你怎么看
我应该告诉她吗
要不要跟他说清楚呢
你觉得他还爱我吗
现在怎么办才好
我是不是做错了
有什么办法吗
如果是你会怎么办
我到底该怎么选
我该回老家还是留下来
你觉得呢
    """,
    "neither": """
I told Anna something nice
My nurse tried to cheer me up
She made me smile
I had a happy memory of the lake
I don't know what to do
My mum says I should eat more
I should have gone home
When should I take my pills?
What should I bring to Anna's party?
What do I do for work?
What do I have to do on Monday?
What did the doctor say I should do?
My brother gave me some advice
Have a nice day
Do you remember the good day in Rome?
Tell me about my good friend Anna
I think he is wrong
My boss asked what we should do
What did I tell you about Anna?
I cheered her up
What is my favourite song?
他哄我开心
妈妈说我应该多穿点
我不知道该怎么办
妈妈问我要不要回家过年
我应该早点说的
老师给我提了建议
今天很开心
朋友给我出主意
我跟你说点开心的
她让我开心
我跟他说好了
说好的周末见
我在想要不要辞职
同事讲了个好玩的事
我不知道该吃什么
我的药什么时候该吃？
我上次跟你说了什么？
你说过我该去哪里？
我觉得他不对
大家商量怎么办婚礼
聊聊小周吧
我们要去北京
他应该不来了
    """,
}
TELLS_NOTHING = """
I don't know what to do
I really don't know what to say
Honestly I have no idea
I can't decide
I wonder what to cook
Hmm, let me think
talk to me a bit
Please listen
comfort me
guess what
never mind
Let's talk
Stay with me a while
我不知道该怎么办
真不知道说什么好
不知道晚上吃什么
陪我聊聊天吧
跟我说说话
抱抱我
安慰我一下吧
让我想想
唉，不知道怎么办才好
"""
TELLS = """
I don't know what to do about my landlord's letter
I wonder whether Joost will come
I'm waiting for the bus
My boss never listens to me
I can't decide between Lyon and Ghent
She told me a secret yesterday
我不知道怎么跟妈妈说我辞职了
陪妈妈去看牙了
我想想还是买了那辆车
我抱了抱奶奶家的猫
他不知道我来过
小周陪我聊了一晚上
"""


def _lines(text: str) -> list[str]:
    return text.strip().splitlines()


@pytest.mark.parametrize(
    ("said", "kind"), [(said, kind) for kind, text in ASKED.items() for said in _lines(text)]
)
def test_what_is_asked_for_is_known(said: str, kind: str) -> None:
    """And what only speaks of a nice memory, of a request or of advice is not taken for it."""
    intent = classify_intent(said)
    assert intent == kind if kind != "neither" else intent not in ("recollection", "advice")


@pytest.mark.parametrize(
    "said", [it for key in ("recollection", "advice") for it in _lines(ASKED[key])]
)
def test_what_was_asked_was_not_told(said: str) -> None:
    """It is never given back as a memory, with or without a question mark; advice may tell why it is asked."""
    assert not tells_something(said) or said == "I'm so lost. What should I do?"


@pytest.mark.parametrize(
    ("said", "tells"),
    [(it, False) for it in _lines(TELLS_NOTHING)] + [(it, True) for it in _lines(TELLS)],
)
def test_a_musing_tells_nothing(said: str, tells: bool) -> None:
    """Nor does asking for company; what a musing is about was told."""
    assert tells_something(said) is tells


TALK: dict[Language, dict[str, str]] = {
    "en": {
        "glad": "I finished my first quilt, it turned out lovely.",
        "sore": "Tomas is visiting this weekend.",
        "hard": "Tomas and I broke up.",
        "plain": "I bought paint for the kitchen.",
        "trifle": "It's raining again.",
        "nice": "Tell me something nice you remember.",
        "advice": "What should I do?",
    },
    "cn": {
        "glad": "第一床被子终于缝完了，特别好看。",
        "sore": "小周这周末来看我。",
        "hard": "我跟小周分手了。",
        "plain": "我买了厨房的油漆。",
        "trifle": "又下雨了，烦。",
        "nice": "说点你记得的开心事吧。",
        "advice": "我该怎么办",
    },
}


def _told(language: Language, *days: tuple[str, str]) -> PersonMemory:
    """A memory in which these things were told, each on a day of March."""
    said = [
        turn(SCOPES[language], f"2026-03-{day}T12:00", TALK[language][key], "I see.", at)
        for at, (day, key) in enumerate(days)
    ]
    return apply_all(empty(language), [PutTurn(it) for it in said])


def _reply(memory: PersonMemory, said: str, earlier: tuple[Exchange, ...] = ()) -> str:
    context = ReplyContext(said, memory, (), TODAY, 0, "Robin", earlier=earlier)
    return "".join(reply_offline(context).pieces(memory.profile.language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_something_nice_is_something_that_gladdened(language: Language) -> None:
    """Not what has become sore since, nor a plain thing."""
    talk = TALK[language]
    memory = _told(language, ("01", "sore"), ("02", "glad"), ("03", "plain"), ("04", "hard"))
    reply = _reply(memory, talk["nice"])
    assert holds(reply, talk["glad"])
    assert not any(holds(reply, talk[key]) for key in ("sore", "hard", "plain"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_gladdens_after_something_hard_is_told(language: Language) -> None:
    """Whoever came back after a break-up is not sore because of it."""
    memory = _told(language, ("01", "hard"), ("04", "sore"))
    assert holds(_reply(memory, TALK[language]["nice"]), TALK[language]["sore"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_nothing_gladdened_it_says_so(language: Language) -> None:
    """And makes nothing up."""
    memory = _told(language, ("03", "plain"), ("04", "hard"))
    wordings = area("dialogue", language)["offline"]["nothing_bright"]
    assert _reply(memory, TALK[language]["nice"]) in wordings


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_has_no_advice_and_stays_beside_whoever_asks(language: Language) -> None:
    """With what it was told just before; what is asked out of the blue gets a plain sentence."""
    talk, wordings = TALK[language], area("dialogue", language)["offline"]
    assert _reply(_told(language, ("04", "hard")), talk["advice"]) in wordings["advice"]
    memory = _told(language, ("14", "hard"))
    just = next(iter(memory.turns()))
    reply = _reply(memory, talk["advice"], (Exchange(just.query, just.response, just.id),))
    assert holds(reply, talk["hard"])
    assert reply.endswith(tuple(wordings["advice_heavy"]))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("days", "key"),
    [
        ((("12", "hard"), ("12", "trifle")), "hard"),
        ((("10", "hard"), ("12", "trifle")), "hard"),
        ((("10", "glad"), ("12", "plain")), "plain"),
        ((("12", "trifle"),), None),
        ((("12", "plain"), ("12", "advice")), "plain"),
    ],
)
def test_a_greeting_comes_back_to_what_a_friend_would(
    language: Language, days: tuple[tuple[str, str], ...], key: str | None
) -> None:
    """Not to the rain, but to what weighed before; and never to what was asked."""
    talk = TALK[language]
    reply = _reply(_told(language, *days), {"en": "Hello!", "cn": "你好！"}[language])
    assert [it for it in talk if holds(reply, talk[it])] == ([key] if key else [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_taken_up_since_is_let_be(language: Language) -> None:
    """A greeting asks after an older matter once."""
    memory = _told(language, ("10", "hard"), ("12", "trifle"))
    hello = {"en": "Hello!", "cn": "你好！"}[language]
    greeted = turn(SCOPES[language], "2026-03-13T12:00", hello, _reply(memory, hello))
    assert not holds(_reply(PutTurn(greeted).apply(memory), hello), TALK[language]["hard"])


@pytest.mark.parametrize(
    ("said", "is_quoted"),
    [
        ("What painters are there, whose letters and pictures?", False),
        ("Which painter did you recommend?", True),
        ("有哪些画家的画可以看看？", False),
        ("你给我推荐了哪位画家？", True),
    ],
)
def test_its_own_words_are_quoted_only_where_they_are_asked_for(said: str, is_quoted: bool) -> None:
    """However many words they share; and never what it said without a model."""
    language: Language = "en" if said.isascii() else "cn"
    memory = remembered(language)
    ours = list(memory.turns())[1].response.strip(".。")
    context = ReplyContext(said, memory, recalled(memory, 1), TODAY, 0, "Robin")
    assert (ours in "".join(reply_offline(context).sentences)) is is_quoted
    offline = PutTurn(replace(list(memory.turns())[1], replied_by="offline")).apply(memory)
    context = replace(context, memory=offline, recalled=recalled(offline, 1))
    assert ours not in "".join(reply_offline(context).sentences)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_comfort_does_not_come_twice(language: Language) -> None:
    """Not even with other replies in between, while there is another."""
    memory, hard = _told(language, ("10", "plain")), TALK[language]["hard"]
    first = _reply(memory, hard)
    earlier = (Exchange(hard, first), Exchange("?", "Hm."))
    assert _reply(memory, hard, earlier) != first
