"""Wishes about how to talk are carried out, confirmed in a line, and hold until withdrawn."""

from datetime import timedelta

import pytest

from siliconfriend.config import Settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.standing import find_zone
from siliconfriend.memory.records import Profile
from siliconfriend.recall.embedders.cached import CachedEmbedder
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel


@pytest.fixture
def model() -> ScriptedChatModel:
    """A model whose every answer is the same."""
    return ScriptedChatModel(otherwise=lambda _: "Hm.")


@pytest.fixture
def friend(
    settings: Settings, clock: MovingClock, embedder: CachedEmbedder, model: ScriptedChatModel
) -> Companion:
    """A companion of Ada's with a model."""
    runtime = Runtime(settings, clock, embedder=embedder, chat=model)
    companion = Companion("Ada", runtime=runtime)
    companion.reply("My ex Dave lives in Hull.")
    companion.reply("We planted tulips by the gate.")
    clock.move(days=1)
    return companion


def _profile(friend: Companion) -> Profile:
    return friend.store.load(friend.scope).profile


@pytest.mark.parametrize(
    ("said", "called"),
    [
        ("call me Bob", "Bob"),
        ("Please call me Lily from now on.", "Lily"),
        ("Don't call me Robert, call me Rob.", "Rob"),
        ("叫我芳芳", "芳芳"),
        ("以后叫我阿明吧。", "阿明"),
        ("你叫我老陈就行。", "老陈"),
    ],
)
def test_the_person_is_called_as_they_wish(friend: Companion, said: str, called: str) -> None:
    told = friend.reply(said)
    assert called in told.text
    assert told.replied_by == "offline"
    assert _profile(friend).called == called


@pytest.mark.parametrize(
    ("said", "language"),
    [("speak Chinese from now on", "cn"), ("以后跟我说英文。", "en"), ("说英文", "en")],
)
def test_the_companion_speaks_as_they_wish(friend: Companion, said: str, language: str) -> None:
    told = friend.reply(said).text
    assert _profile(friend).language == language
    assert ("中文" in told) == (language == "cn")


@pytest.mark.parametrize(
    ("said", "zone"),
    [
        ("use Tokyo time", "Asia/Tokyo"),
        ("My time zone is New York.", "America/New_York"),
        ("用东京时间", "Asia/Tokyo"),
        ("set my time zone to Europe/Berlin", "Europe/Berlin"),
    ],
)
def test_a_time_zone_is_found_by_its_city(said: str, zone: str) -> None:
    assert find_zone(said) == zone


def test_a_birthday_is_kept_and_stays_a_memory(friend: Companion) -> None:
    told = friend.reply("my birthday is 12 November")
    assert "12" in told.text
    assert told.turn is not None
    assert not told.turn.is_left_alone
    assert _profile(friend).meta_information["birthday"] == "12 November"


def test_a_birthday_is_congratulated_on_the_day(
    friend: Companion, clock: MovingClock, model: ScriptedChatModel
) -> None:
    told = friend.reply("My birthday is on 20 March.")
    assert told.turn is not None
    friend.reply("How are you?")
    assert "birthday: congratulate" not in str(model.calls[-1])
    clock.moment = clock.moment.replace(month=3, day=20)
    friend.reply("Good morning, what a day!")
    assert "birthday: congratulate" in str(model.calls[-1])


def test_without_a_model_the_first_words_of_the_day_congratulate(
    diary: Companion, clock: MovingClock
) -> None:
    diary.reply("My birthday is on 20 March.")
    clock.moment = clock.moment.replace(month=3, day=20)
    assert "Happy birthday, Ada!" in diary.reply("Hello!").text
    assert "Happy birthday" not in diary.reply("We planted tulips.").text


@pytest.mark.parametrize("said", ["Always give dates as 2026-11-22.", "回答短些"])
def test_a_standing_wish_stays_in_the_system_message_until_it_is_withdrawn(
    friend: Companion, model: ScriptedChatModel, said: str
) -> None:
    """Erasing its turn, or putting it away, withdraws it; nothing else is made of it."""
    told = friend.reply(said)
    assert said in told.text
    assert told.turn is not None
    assert told.turn.is_left_alone
    friend.reply("When did I plant tulips?")
    assert said in model.calls[-1][0].content
    friend._runtime.eraser.erase(friend.scope, [told.turn.id])
    friend.reply("And what else?")
    assert said not in str(model.calls[-1])


@pytest.mark.parametrize(
    "said",
    [
        "Never mention my ex Dave again.",
        "Please don't bring up my ex, Dave, unless I do.",
        "以后别提Dave了。",
    ],
)
def test_what_is_not_to_be_mentioned_is_kept_and_not_brought_up(
    friend: Companion, clock: MovingClock, model: ScriptedChatModel, said: str
) -> None:
    """It comes back where the person speaks of it; the answer says that nothing is erased."""
    told = friend.reply(said).text
    assert "Dave" in told
    assert "mention ex" not in told
    clock.move(days=1)
    friend.reply("Who lives in Hull?")
    assert "Dave lives" not in str(model.calls[-1])
    friend.reply("Where does Dave live?")
    assert "Dave lives" in str(model.calls[-1])


@pytest.mark.parametrize(
    ("said", "wish", "allowed", "kept"),
    [
        (
            "Busy day. And please don't bring up Alec's driving licence, I can't bear it just now.",
            "don't bring up Alec's driving licence",
            "You can talk about the driving licence again, he handed it in himself.",
            "he handed it in himself",
        ),
        (
            "Let's not talk about the house sale any more, all right?",
            "not talk about the house sale",
            "It's fine to speak of the house sale again, it's done.",
            "it's done",
        ),
        (
            "以后别再跟我提小梅了，就是我前妻。",
            "别再跟我提小梅",
            "小梅的事可以提了，我们说开了。",
            "我们说开了",
        ),
        ("Please keep your answers short.", "answers short", "Your answers can be long again.", ""),
        ("never mention my ex again", "my ex", "you can mention my ex again", ""),
        ("never mention my ex again", "my ex", "you can mention him again", ""),
        ("以后别提我前男友", "前男友", "可以提他了", ""),
    ],
)
def test_a_wish_among_other_words_holds_until_it_is_withdrawn(
    friend: Companion,
    clock: MovingClock,
    model: ScriptedChatModel,
    said: str,
    wish: str,
    allowed: str,
    kept: str,
) -> None:
    """What else a message tells stays a memory, also of the one that withdraws the wish."""
    assert wish in friend.reply(said).text
    clock.move(days=1)
    friend.reply("I am home again.")
    assert wish in model.calls[-1][0].content
    assert wish in friend.reply(allowed).text
    clock.move(days=1)
    friend.reply("What a day.")
    rules, _, told = model.calls[-1][0].content.partition("<memories>")
    assert "nearby.\n\n" in rules
    assert rules.partition("nearby.")[2].strip() == ""
    assert kept in told


@pytest.mark.parametrize(
    ("said", "due"),
    [
        ("Ask me tomorrow how the vet was. And never mention my ex Dave again.", "how the vet was"),
        ("明天问问我兽医怎么说。还有，以后别再提Dave了。", "明天问问我兽医怎么说"),
    ],
)
def test_what_a_message_with_a_wish_asks_for_is_due_all_the_same(
    friend: Companion, clock: MovingClock, model: ScriptedChatModel, said: str, due: str
) -> None:
    """The words of the wish stand in the system message alone."""
    friend.reply(said)
    clock.move(days=1)
    friend.reply("Good evening.")
    asked = model.calls[-1][-1].content
    assert due in asked.partition("<due>")[2]
    assert "Dave" not in asked


def test_a_wish_about_something_of_somebody_leaves_the_rest_of_them(
    friend: Companion, model: ScriptedChatModel
) -> None:
    friend.reply("Dave's exam is on the top floor.")
    friend.reply("Please don't mention Dave's exam.")
    friend.reply("Tell me about the top floor in Hull.")
    told = model.calls[-1][0].content + model.calls[-1][-1].content
    assert "Dave lives in Hull" in told
    assert "Dave's exam is on" not in model.calls[-1][0].content


@pytest.mark.parametrize("said", ["You can see the sea again.", "小梅的事可以提了。"])
def test_what_allows_nothing_that_was_wished_away_is_an_ordinary_message(
    friend: Companion, said: str
) -> None:
    turn = friend.reply(said).turn
    assert turn is not None
    assert turn.asked is None
    assert turn.replied_by != "offline"


@pytest.mark.parametrize(
    "asked", ["What do you know about me?", "你对我了解多少？", "昨天怎么样？"]
)
def test_no_list_of_the_diary_brings_it_up(
    diary: Companion, clock: MovingClock, asked: str
) -> None:
    """Lists of days and of all that was told are drawn from the whole memory, not from recall."""
    diary.reply("My ex Dave shouted at me on the phone last night.")
    diary.reply("We planted tulips by the gate.")
    diary.reply("Never mention my ex Dave again.")
    clock.move(days=1)
    told = diary.reply(asked).text
    assert "tulips" in told
    assert "Dave" not in told


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("What's your name?", "SiliconFriend"),
        ("What is my name?", "Ada"),
        ("What day is it today?", "2026"),
        ("今天星期几？", "2026"),
        ("When did we last talk?", "yesterday"),
        ("我们上次聊天是什么时候？", "yesterday"),
    ],
)
def test_the_diary_knows_its_name_the_day_and_the_last_talk(
    diary: Companion, clock: MovingClock, asked: str, answer: str
) -> None:
    diary.reply("We planted tulips by the gate.")
    clock.move(days=1)
    diary.reply("The dentist is on Friday.")
    told = diary.reply(asked).text
    assert answer in told
    assert "dentist" not in told


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Do you still remember our dog?", "“Our dog Biscuit is fourteen.”"),
        ("你还记得团团吗", "“我的猫叫团团。”"),
    ],
)
def test_whether_the_diary_remembers_something_is_answered_with_it(
    diary: Companion, clock: MovingClock, asked: str, told: str
) -> None:
    """A quotation ends as its own language does, whatever the person speaks now."""
    diary.reply("Our dog Biscuit is fourteen.")
    diary.reply("我的猫叫团团")
    clock.move(days=1)
    assert told in diary.reply(asked).text


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("How many days until my birthday?", "in 3 days"),
        ("Am I still with Sam?", "Sam and I are back together!"),
    ],
)
def test_the_diary_knows_the_next_birthday_and_the_last_of_somebody(
    diary: Companion, clock: MovingClock, asked: str, answer: str
) -> None:
    """A birthday is of every year; short words about somebody are told like long ones."""
    birthday = clock.moment + timedelta(days=3)
    diary.reply("I broke up with Sam last week.")
    diary.reply("Sam and I are back together!")
    diary.reply(f"My birthday is on {birthday.day} {birthday:%B}.")
    told = diary.reply(asked).text
    assert answer in told
    assert "today, " not in told


@pytest.mark.parametrize(
    "said",
    [
        "My sister calls me every evening.",
        "Call me tomorrow.",
        "后天叫我拿快递。",
        "I flew to Tokyo.",
    ],
)
def test_ordinary_messages_change_nothing(friend: Companion, said: str) -> None:
    before = _profile(friend)
    turn = friend.reply(said).turn
    assert turn is not None
    assert turn.asked is None
    assert _profile(friend) == before
