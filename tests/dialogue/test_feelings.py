"""What weighed most, the happiest day, what made somebody angriest: answered by what was told, by its feeling."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest

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
