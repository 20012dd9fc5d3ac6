"""A correction puts right what it corrects: what was wrong is not told again as true."""

import pytest

from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.memory.records import Turn
from siliconfriend.recall.embedders.cached import CachedEmbedder
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel


@pytest.fixture
def friend(diary: Companion, clock: MovingClock) -> Companion:
    """A companion that was told something wrong, days ago."""
    for told in ("We planted tulips by the gate.", "My sister is called Ann.", "我姐姐叫安妮。"):
        diary.reply(told)
    clock.move(days=3)
    return diary


def _turn(friend: Companion, said: str) -> Turn:
    return next(turn for turn in friend.store.load(friend.scope).turns() if turn.query == said)


@pytest.mark.parametrize(
    ("asked", "corrects", "wrong", "right"),
    [
        ("What is my sister called?", "no, that's wrong, it's Anna", "Ann.”", "Anna"),
        ("", "correction: my sister is called Anna", "Ann.”", "Anna"),
        ("我姐姐叫什么名字？", "不对，是安娜", "叫安妮。”", "安娜"),
        ("我姐姐叫什么名字？", "不对，她叫安娜，女字旁的娜", "叫安妮。”", "安娜"),
        ("", "更正：我姐姐叫安娜。", "叫安妮。”", "安娜"),
    ],
)
def test_what_was_corrected_is_told_as_corrected(
    friend: Companion, clock: MovingClock, asked: str, corrects: str, wrong: str, right: str
) -> None:
    if asked:
        friend.reply(asked)
    told = friend.reply(corrects).text
    assert wrong in told  # it names the sentence that no longer holds
    clock.move(days=1)
    answer = friend.reply(
        asked or ("What is my sister called?", "我姐姐叫什么名字？")["我" in corrects]
    )
    assert right in answer.text
    assert wrong not in answer.text
    assert wrong not in friend.reply("What do you know about me?").text


def test_a_model_is_shown_that_it_no_longer_holds(
    friend: Companion, settings: Settings, clock: MovingClock, embedder: CachedEmbedder
) -> None:
    friend.reply("correction: my sister is called Anna")
    model = ScriptedChatModel(otherwise=lambda _: "Hm.")
    other = Companion("Ada", runtime=Runtime(settings, clock, embedder=embedder, chat=model))
    other.reply("What is my sister called?")
    prompt = "\n".join(message.content for message in model.calls[-1])
    assert "Anna" in prompt
    assert _turn(friend, "My sister is called Ann.").outdated_by
    assert "has changed" in prompt


def test_an_erased_correction_corrects_nothing(friend: Companion) -> None:
    turn = friend.reply("correction: my sister is called Anna").turn
    assert turn is not None
    friend._runtime.eraser.erase(friend.scope, [turn.id])
    assert not _turn(friend, "My sister is called Ann.").outdated_by


@pytest.mark.parametrize(
    "said", ["No, I haven't eaten yet.", "不，我还没吃。", "I was wrong about him."]
)
def test_a_no_is_no_correction(friend: Companion, said: str) -> None:
    friend.reply(said)
    turns = friend.store.load(friend.scope).turns()
    assert not any(turn.outdated_by for turn in turns)


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ("The dentist is on Thursday 3 December.", "No, the dentist is on Friday 4 December."),
        ("牙医约在12月3号星期四。", "不对，牙医是12月4号星期五"),
        ("我妈的手术定在12月5号。", "说错了，是12月12号"),
    ],
)
def test_a_message_corrects_the_one_before_it(friend: Companion, told: str, says: str) -> None:
    """It need not say that it does: it denies, and is about the same."""
    friend.reply(told)
    assert told.rstrip(".。") in friend.reply(says).text
    assert _turn(friend, told).outdated_by == _turn(friend, says).id


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ("The dentist is on Thursday.", "No, I'm fine."),
        ("The dentist is on Thursday.", "No, thanks."),
        ("Leo forgot my birthday.", "I was wrong about him, he's lovely"),
        ("The dentist is on Thursday.", "My train leaves at six."),
        ("牙医约在星期四。", "不，我没事"),
        ("Nan's birthday is 9 June.", "From 6 to 10 June I'm in Porto for a fair."),
    ],
)
def test_a_denial_of_nothing_told_corrects_nothing(friend: Companion, told: str, says: str) -> None:
    friend.reply(told)
    friend.reply(says)
    assert not _turn(friend, told).outdated_by


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ("I run a bakery with my brother Callum.", "I shouted at Callum. Was I wrong?"),
        ("Mrs Probert reads eight murder mysteries a week.", "Mrs Probert signed it, twice!"),
        ("Correction: my dog is a whippet.", "correction: the accountant is called Bea"),
        ("我和弟弟苏林开了家面包店。", "我吼了苏林。我是不是做错了？"),
        ("更正：我的狗是惠比特犬。", "更正：会计叫阿蓓"),
        ("朵朵幼儿园叫什么，我跟你说过的，帮我想想。", "演出改到22号了，幼儿园临时说的。"),
        ("Hello", "no, on Saturday"),
    ],
)
def test_a_name_alone_makes_no_correction(
    friend: Companion, clock: MovingClock, told: str, says: str
) -> None:
    """Neither news of somebody nor a question about them puts right what was told of them."""
    friend.reply(told)
    friend.reply(says)
    assert not _turn(friend, told).outdated_by


@pytest.mark.parametrize("says", ["correction: the accountant is called Bea", "更正：会计叫阿蓓"])
def test_a_correction_of_nothing_known_says_so(friend: Companion, says: str) -> None:
    """It is kept, and the reply tells that nothing was found that it corrects."""
    assert "do not find which of your words" in friend.reply(says).text


@pytest.mark.parametrize(
    ("told", "says"),
    [
        (
            "My teacher is called Mr Okafor, lessons are on Tuesdays.",
            "No, his name is Mr Okonkwo, not Okafor",
        ),
        ("我开始学大提琴了，老师姓欧阳", "不对，老师姓司徒，不姓欧阳"),
        ("女儿晓晓考长笛五级。", "更正：晓晓学的是双簧管，不是长笛"),
    ],
)
def test_a_correction_finds_what_it_names_days_later(
    friend: Companion, clock: MovingClock, told: str, says: str
) -> None:
    """Though the last reply was about something else."""
    friend.reply(told)
    clock.move(days=2)
    friend.reply("欧阳老师是谁")
    friend.reply("What is my sister called?")
    friend.reply(says)
    assert _turn(friend, told).outdated_by == _turn(friend, says).id
    assert not _turn(friend, "My sister is called Ann.").outdated_by


@pytest.mark.parametrize(
    ("told", "says", "asks"),
    [
        (
            "I started the cello. My teacher is called Mr Okafor, lessons are on Tuesdays",
            "No, his name is Mr Okonkwo, not Okafor",
            ["What instrument am I learning?", "What do you know about me?", "who is Okafor"],
        ),
        (
            "我开始学大提琴了，老师姓欧阳，每周二上课",
            "不对，老师姓司徒，不姓欧阳",
            ["我在学什么乐器？", "你了解我什么？", "我的大提琴课在哪天？"],
        ),
    ],
)
def test_what_a_correction_leaves_is_still_quoted(
    friend: Companion, clock: MovingClock, told: str, says: str, asks: list[str]
) -> None:
    """A correction of one part stands behind the statement, whose other parts stay known."""
    friend.reply(told)
    friend.reply(says)
    clock.move(days=2)
    for question in asks:
        assert f"{told} … {says}" in friend.reply(question).text


@pytest.mark.parametrize(
    "question",
    [
        "who is Ann",
        "我姐姐安妮是谁",
        "should I call her now or later?",
        "礼物我现在买还是以后买？",
        "is it Ann or Anna",
        "how long have I known you",
    ],
)
def test_a_question_changes_nothing(friend: Companion, question: str) -> None:
    """With or without a mark it is neither a correction nor a wish about how to talk."""
    before = friend.store.load(friend.scope)
    friend.reply(question)
    after = friend.store.load(friend.scope)
    assert _turn(friend, question).asked is None
    assert after.profile == before.profile
    assert not any(turn.outdated_by for turn in after.turns())


@pytest.mark.parametrize(
    ("told", "asked", "then"),
    [
        ("小凯又把饭烧糊了", "小凯怎么了？", "说说你知道的小凯"),
        ("Kwame burned the rice again.", "What did Kwame do?", "Kwame is fun."),
    ],
)
def test_a_name_said_again_corrects_nothing(
    diary: Companion, told: str, asked: str, then: str
) -> None:
    """Where it is not clear that a message is a correction, it must name another value."""
    for words in (told, asked, then):
        diary.reply(words)
    assert not any(turn.outdated_by for turn in diary.store.load(diary.scope).turns())


@pytest.mark.parametrize(
    ("first", "second", "asked"),
    [
        (
            "Remind me on Friday to order the tablets.",
            "Remind me on the 10th to ring Pat.",
            "What did I ask you to remind me of?",
        ),
        ("周五提醒我复印准考证。", "12月10号提醒我给奶奶打电话。", "我让你提醒我什么？"),
    ],
)
def test_a_reminder_corrects_no_other_and_both_are_listed(
    diary: Companion, first: str, second: str, asked: str
) -> None:
    """Asking for reminders lists these and no other plans."""
    visit = "My cousin visits on Saturday." if second.isascii() else "周六表弟要来。"
    for said in (visit, first, second):
        diary.reply(said)
    assert not any(turn.outdated_by for turn in diary.store.load(diary.scope).turns())
    listed = diary.reply(asked).text
    assert first.rstrip(".。") in listed
    assert second.rstrip(".。") in listed
    assert visit.rstrip(".。") not in listed
