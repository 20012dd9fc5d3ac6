"""What was told later about a matter stands behind what it changes, in prompts and offline."""

import pytest

from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.drafting import used_of
from siliconfriend.dialogue.recording import IncomingMessage
from siliconfriend.dialogue.reply import ReplyStyle
from siliconfriend.dialogue.retrieval import Retrieved
from siliconfriend.memory.records import PersonMemory
from siliconfriend.recall.results import Recalled, RecallResult
from siliconfriend.testing import MovingClock
from tests.memory.people import a_profile, a_turn
from tests.recall.people import NOW


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Leeds.", "The moving van left, Bristol smells of rain."),
        ("我住在成都。", "搬家车走了，杭州下着雨。"),
    ],
)
def test_an_old_value_does_not_stand_alone(old: str, new: str) -> None:
    """Also where the later turn is not recalled itself, and once where it is."""
    turns = [a_turn(words, "", day=f"2026-03-0{day}") for day, words in enumerate((old, new), 1)]
    other = a_turn("The kettle is blue.", "", day="2026-03-03")
    earlier, later, third = (Recalled(told, 1.0, {}, "vivid", 1.0, 1.0) for told in (*turns, other))
    message = IncomingMessage("Leeds?", NOW, PersonMemory(a_profile()), ReplyStyle())
    for memories in ((earlier, third), (earlier, third, later)):
        chains = {turns[0].id: (turns[1],)}
        found = Retrieved(RecallResult("Leeds?", "", NOW, memories, chains=chains))
        ids = [used.id for used in used_of(found, message)]
        assert ids == [turns[0].id, turns[1].id, other.id]


@pytest.mark.parametrize(
    ("old", "new", "asked"),
    [
        (
            "I'm Piet, I work at Hollin Dairy in Skipton making cheese",
            "I no longer work there, I moved to Thorpe Creamery today",
            "Who did I work for before Thorpe Creamery?",
        ),
        (
            "我在和林乳品厂做奶酪，做了六年",
            "我不在那儿干了，今天换到索普乳品厂了",
            "去索普乳品厂之前我在哪里干活？",
        ),
    ],
)
def test_a_question_about_the_state_before_a_change_gets_both(
    diary: Companion, clock: MovingClock, old: str, new: str, asked: str
) -> None:
    for told in (old, "My sister plays the harp", "我的蜜蜂很好"):
        diary.reply(told)
    clock.move(days=10)
    diary.reply(new)
    clock.move(days=10)
    text = diary.reply(asked).text
    assert old in text
    assert new in text


@pytest.mark.parametrize(
    ("unrelated", "told", "asked"),
    [
        (
            "I feel a bit lost since dad died, the speech makes it harder.",
            "Had an espresso today, so much for quitting.",
            "Why did I quit coffee?",
        ),
        (
            "我对芝麻过敏，去年夏天野餐时才发现的。",
            "今天喝了杯浓缩，戒咖啡又泡汤了。",
            "我为什么戒咖啡？",
        ),
    ],
)
def test_an_unrelated_earlier_memory_is_not_quoted_as_the_state_before(
    diary: Companion, clock: MovingClock, unrelated: str, told: str, asked: str
) -> None:
    """In a small memory the nearest earlier turn may be of another matter."""
    for words in (
        unrelated,
        "My sister plays the harp",
        "我的蜜蜂很好",
        "The rent goes up",
        "我们搬家了",
    ):
        diary.reply(words)
    clock.move(days=2)
    diary.reply(told)
    text = diary.reply(asked).text
    assert told in text
    assert unrelated not in text


@pytest.mark.parametrize(
    ("before", "asked"), [("who is Ben", "Who is Ben?"), ("李明是谁", "李明到底是谁？")]
)
def test_a_question_asked_before_is_no_answer(
    diary: Companion, clock: MovingClock, before: str, asked: str
) -> None:
    diary.reply(before)
    assert diary.reply(asked).certainty == "nothing"


@pytest.mark.parametrize(
    ("told", "asked", "then"),
    [
        (
            "They're making me team lead from February, 52k.",
            "What will I earn as team lead?",
            "and from when?",
        ),
        ("周六请欧拉和小本吃饭，我做鹰嘴豆。", "我给欧拉做什么菜？", "他们什么时候来？"),
    ],
)
def test_a_short_question_is_searched_with_the_one_before_it(
    diary: Companion, clock: MovingClock, told: str, asked: str, then: str
) -> None:
    for words in ("My sister plays the harp", told, "我的蜜蜂很好", "The rent goes up"):
        diary.reply(words)
    clock.move(days=2)
    assert told.strip("。.") in diary.reply(asked).text
    assert told.strip("。.") in diary.reply(then).text


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("I had soup for lunch.", "When is my exam?"),
        ("I adopted a cat called Miso.", "When is my exam?"),
        ("我养了一只叫年糕的猫。", "我妹妹住在哪里？"),
        ("我养了一只叫年糕的猫。", "我什么时候考试？"),
    ],
)
def test_a_question_about_something_else_is_not_answered_with_the_last_words(
    diary: Companion, told: str, asked: str
) -> None:
    diary.reply(told)
    assert diary.reply(asked).certainty != "sure"
    diary.reply(told)
    diary.reply("Where does Miso sleep?")
    assert diary.reply(asked).certainty != "sure"
