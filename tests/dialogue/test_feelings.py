"""What weighed most, the happiest day, what made somebody angriest: answered by what was told, by its feeling."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest

from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.dialogue.feelings import asked_feeling
from siliconfriend.dialogue.offline import reply_offline
from siliconfriend.dialogue.offline_context import ReplyContext
from siliconfriend.memory.changes import PutTurn, apply_all
from siliconfriend.memory.records import PersonMemory
from siliconfriend.recall.dates import find_dates
from siliconfriend.texts import LANGUAGES, Language, area
from tests.dialogue.people import SCOPES, empty, holds, turn

TODAY = date(2026, 11, 20)
ASKED = {
    "hard": """
what was the saddest thing I told you
What was the hardest thing I've told you about?
What weighed on me most this year?
what has hurt me most?
What was the worst day of my summer?
Which month was the hardest?
When was my worst time?
What was the most painful thing that happened to me?
when did I feel worst?
Do you remember my darkest days?
Tell me the saddest thing you remember
what was the toughest part of the year?
What made me saddest in spring?
What was hardest for me in 2025?
What was my lowest point?
What upset me most last week?
Did anything bad happen in September?
What was the low point of my year?
tell me the hardest thing I went through
What sad things have I told you about?
Out of everything I told you, what was the hardest?
what broke my heart the most?
Can you tell me what the worst day of this year was?
what was really hard for me this year?
which week was the worst of the summer?
What was the worst news I got this year?
我跟你讲过最难过的事是什么
我最难熬的那阵子是什么时候
今年什么事让我最伤心？
我什么时候最难受？
去年最艰难的一段日子是哪段
哪件事最让我心碎
我跟你说过的事里，最沉重的是哪件？
这一年里我最痛苦的是什么
上个月最糟的一天是哪天？
说说我最难过的一天
我最崩溃的时候是几月？
有什么事最让我难受
哪天我过得最苦？
你还记得我最低谷的时期吗
今年我碰到最糟的事是什么？
说说我经历过最难的事
我今年的低谷是什么时候？
九月份有没有发生什么不好的事？
哪个月我过得最差？
你还记得我哭得最凶的那次吗
谁伤我最深
今年我最大的遗憾是什么？
对我来说今年最难的是什么
上半年我最糟心的事是啥
你记得的事里，哪件最让我难受？
    """,
    "bright": """
what was the best day of my summer?
What was my happiest moment?
the happiest day of the year
What made me happiest this year?
when was I happiest?
What were the highlights of my year?
Which day was the best of my spring?
Tell me my happiest memory
What was the nicest thing that happened to me in May?
What was the best part of my winter?
what was the funniest thing I told you?
Do you remember the best day of 2025?
Did anything good happen to me this year?
What nice things happened to me in May?
give me the highlights of 2026
which month was the best?
what has been the best week so far?
what did I enjoy most last month?
今年最开心的一天
我跟你讲过最高兴的事是什么？
我今年最幸福的时刻是哪个？
夏天我什么时候最开心？
什么事让我最快乐？
上个月最好的一天是哪天？
我这一年最美好的回忆是什么
哪天我最高兴？
去年最快乐的事是啥
这个秋天我最开心的事是什么？
说说我最幸福的一天吧
今年最棒的一件事呢？
今年我有什么好事吗？
哪个月我过得最好？
我跟你说过最好的消息是什么？
今年有没有什么开心的事？
这些年里我最幸福的时候是什么时候？
有哪些事让我特别开心
我今年最开心的三件事是什么？
给我讲讲我今年最幸福的一刻
    """,
    "proud": """
what was my proudest moment?
What was I proudest of this year?
What made me most proud?
when was I most proud?
今年我最骄傲的事是什么？
什么事让我最自豪
我最有成就感的一刻是什么时候？
我最得意的是哪件事？
    """,
    "angry": """
what made me angriest?
Who made me angriest this year?
What was I most angry about?
when was I most furious?
what annoyed me most last month?
今年最让我生气的是什么？
谁让我最生气
我最恼火的一次是哪次？
什么事最气人？
    """,
    "afraid": """
what was I most afraid of this year
What scared me most?
what am I most worried about?
What was the scariest moment I told you about?
What did I fear most in spring?
when was I most afraid?
我今年最怕的是什么
我最担心什么？
什么事让我最害怕？
哪一天我最紧张？
我跟你说过的事里最焦虑的是哪件
    """,
    "lonely": """
when was I loneliest?
when did I feel most alone?
我什么时候最孤独
今年最寂寞的一天是哪天？
    """,
    "grateful": """
what was I most grateful for?
what touched me most this year?
什么事最让我感动
    """,
}
OF_SOMETHING_ELSE = """
what was my best recipe?
What was the worst film I saw?
who is my best friend?
What is the best time to call you?
what was the scariest book I read this year?
Which of my students was the best?
What's the hardest part of my job?
What was the best thing about Rome?
what is the worst restaurant in town?
When is the best time for tulips?
What did my boss say was the worst?
What was the best song at the wedding?
what is my happiest childhood photo?
my best day was in June
The best day of my life.
It was the saddest thing I ever saw
That was the worst day ever!
I am most afraid of dogs
What hurt her most?
what was Anna's happiest day?
What made my mother saddest?
Who was the angriest customer?
how was my day?
Is there anything good on television?
Did anything bad happen to Anna?
Did she tell you anything nice?
What nice things did my aunt bake?
what was the best day with Oskar?
Give me the best recipe for plum jam
what was the hardest exam I took?
What was the hardest thing about the marathon?
What's my best time over ten kilometres?
what was the best present Tom gave me?
How do I make the best of this year?
The worst month of my life was May
我最怕的动物是什么？
我最拿手的菜是什么
我看过最烂的电影是哪部？
我最好的朋友是谁？
我最喜欢的歌是什么？
最难的题是哪道
我妈妈最担心的是什么？
今天是我最开心的一天
我最怕蛇了
昨天是我最难过的一天。
她最生气的是什么？
什么时候去赏花最好
小周最高兴的一天是哪天？
哪家面馆最好吃？
我最难吃的一顿饭是在哪儿吃的
谁跑得最快
我最伤心的时候你陪着我
附近有什么好吃的吗？
今年有什么好看的电影吗？
小周今年有什么好事吗？
我开得最好的一趟车是哪趟？
股票跌到最低谷了
我跑得最快的一次是多少分钟
这本书最难的部分是哪儿
最便宜的票多少钱
哪家医院最好
"""


def _lines(text: str) -> list[str]:
    return text.strip().splitlines()


def _feeling(said: str) -> str:
    """The key of the feeling that is asked for, empty for none."""
    now = datetime.combine(TODAY, time(12), tzinfo=UTC)
    feeling = asked_feeling(said, find_dates(said, now=now, zone=ZoneInfo("UTC")))
    return feeling.key if feeling else ""


@pytest.mark.parametrize(
    ("said", "key"), [(said, key) for key, text in ASKED.items() for said in _lines(text)]
)
def test_what_was_most_of_something_is_a_question_for_a_feeling(said: str, key: str) -> None:
    """Of all that was told, or of some days; with a question mark or without."""
    assert _feeling(said) == key


@pytest.mark.parametrize("said", _lines(OF_SOMETHING_ELSE))
def test_the_best_of_things_is_a_question_for_the_thing(said: str) -> None:
    """And what is told, or asked of somebody else, asks for no feeling of one's own."""
    assert not _feeling(said)


LIFE: dict[Language, dict[str, tuple[str, str]]] = {
    "en": {
        "death": ("02-03", "My uncle Bram died in the night."),
        "proud": ("03-08", "I ran up the tower in nine minutes and was so proud of myself."),
        "prize": ("04-01", "I won a prize for my pear jam!"),
        "plain": ("05-05", "I bought paint for the shed."),
        "wedding": ("06-20", "Lotte and I got married on the pier!"),
        "job": ("07-11", "I was let go from the bakery after nine years."),
        "afraid": ("08-02", "I'm terrified of the operation on my eye."),
        "angry": ("09-14", "I was furious with the landlord, he kept my deposit."),
        "rain": ("10-30", "It's raining again."),
    },
    "cn": {
        "death": ("02-03", "我舅舅夜里去世了。"),
        "proud": ("03-08", "我九分钟爬上了塔顶，特别自豪。"),
        "prize": ("04-01", "我做的梨酱得了一等奖！"),
        "plain": ("05-05", "我买了刷棚子的油漆。"),
        "wedding": ("06-20", "我和小棠在码头上结婚了！"),
        "job": ("07-11", "被领导当众骂了一顿。"),
        "afraid": ("08-02", "眼睛要动手术，我很害怕。"),
        "angry": ("09-14", "房东扣了我的押金，把我气坏了。"),
        "rain": ("10-30", "又下雨了。"),
    },
}


def _memory(language: Language, *left_out: str) -> PersonMemory:
    """A memory of a year in which these things were told, but for some."""
    told = {key: it for key, it in LIFE[language].items() if key not in left_out}
    turns = [
        turn(SCOPES[language], f"2026-{day}T12:00", words, "I see.") for day, words in told.values()
    ]
    return apply_all(empty(language), [PutTurn(it) for it in turns])


def _told(memory: PersonMemory, question: str) -> list[str]:
    """The keys of what the reply to a question tells, in their order."""
    life = LIFE[memory.profile.language]
    reply = "".join(reply_offline(_context(memory, question)).pieces(memory.profile.language))
    return [key for key, (_, words) in life.items() if holds(reply, words)]


def _context(memory: PersonMemory, question: str) -> ReplyContext:
    return ReplyContext(question, memory, (), TODAY, 0, "Robin")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What was the saddest thing I told you?", ["death"]),
        ("What weighed on me most this summer?", ["job", "afraid"]),
        ("What was my happiest day this year?", ["wedding", "prize"]),
        ("What was the best thing that happened to me in April?", ["prize"]),
        ("What was I proudest of?", ["proud"]),
        ("What was I most afraid of this year?", ["afraid"]),
        ("Who made me angriest?", ["angry"]),
        ("what was the worst week in September", ["angry"]),
        ("我跟你讲过最难过的事是什么", ["death"]),
        ("今年夏天我最难熬的是哪一天？", ["job", "afraid"]),
        ("今年最开心的一天", ["proud", "wedding"]),
        ("四月份我最高兴的事是什么？", ["prize"]),
        ("我最骄傲的是什么？", ["proud"]),
        ("我今年最怕的是什么", ["afraid"]),
        ("谁让我最生气", ["angry"]),
        ("九月最糟的一件事是什么？", ["angry"]),
    ],
)
def test_it_is_answered_by_what_tells_most_of_it(question: str, told: list[str]) -> None:
    """A death before a lost job; of a mood what says it; within the days that are named."""
    memory = _memory("en" if question.isascii() else "cn")
    assert set(_told(memory, question)) == set(told)


@pytest.mark.parametrize(
    ("question", "left_out", "told"),
    [
        ("What was I proudest of in April?", "proud", "prize"),
        ("What was I most afraid of in July?", "afraid", "job"),
        ("四月份我最自豪的是什么？", "proud", "prize"),
        ("七月份我最害怕的是什么？", "afraid", "job"),
    ],
)
def test_where_nobody_said_a_mood_what_weighs_is_told_as_a_guess(
    question: str, left_out: str, told: str
) -> None:
    """A prize may be what somebody is proud of."""
    language: Language = "en" if question.isascii() else "cn"
    memory = _memory(language, left_out)
    assert _told(memory, question) == [told]
    reply = reply_offline(_context(memory, question)).sentences
    assert reply[0] in area("dialogue", language)["offline"]["unsure"]


@pytest.mark.parametrize(
    ("question", "left_out"),
    [("What made me angriest in August?", "angry"), ("八月什么事让我最生气？", "angry")],
)
def test_no_mood_is_taken_for_another(question: str, left_out: str) -> None:
    """Who said that they were afraid was not angry."""
    language: Language = "en" if question.isascii() else "cn"
    reply = reply_offline(_context(_memory(language, left_out), question)).sentences
    assert reply[0] in area("dialogue", language)["offline"]["nothing_felt"]


@pytest.mark.parametrize(
    "question",
    [
        "What was the saddest thing in May?",
        "What was the best day of October?",
        "When was I loneliest in March?",
        "五月份我最难过的事是什么？",
        "十月最开心的一天是哪天？",
        "三月份我什么时候最孤独？",
    ],
)
def test_where_nothing_of_the_kind_was_told_it_says_so(question: str) -> None:
    """And brings up nothing else."""
    language: Language = "en" if question.isascii() else "cn"
    reply = reply_offline(_context(_memory(language), question)).sentences
    assert reply[0] in area("dialogue", language)["offline"]["nothing_felt"]
    assert len(reply) == 1


@pytest.mark.parametrize(
    ("question", "key"), [("When was I angriest?", "angry"), ("我什么时候最生气？", "angry")]
)
def test_what_was_forgotten_is_told_to_whoever_asks_for_just_that(question: str, key: str) -> None:
    """As something dim; and nothing else in its place."""
    language: Language = "en" if question.isascii() else "cn"
    memory = _memory(language)
    told = next(it for it in memory.turns() if it.query == LIFE[language][key][1])
    faded = replace(told.trace, archived=datetime(2026, 11, 1, tzinfo=UTC))
    memory = PutTurn(replace(told, trace=faded)).apply(memory)
    assert _told(memory, question) == [key]
    reply = reply_offline(_context(memory, question)).sentences
    assert reply[0] in area("dialogue", language)["offline"]["sure_dim"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_asked_again_it_is_the_same(language: Language) -> None:
    """What was saddest is no other thing because it was said a moment ago."""
    question = {"en": "What was my happiest day?", "cn": "我最开心的一天是哪天？"}[language]
    context = _context(_memory(language), question)
    reply = reply_offline(context)
    said = Exchange(question, "".join(reply.sentences))
    assert reply_offline(replace(context, earlier=(said,))).used == reply.used
