"""A wish to forget somebody lists what names them, and erases it after a yes alone."""

import tomllib
from datetime import timedelta
from pathlib import Path

import pytest

from siliconfriend.config import Settings
from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.dialogue.client_chat import ClientChat
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.standing import read_acts
from siliconfriend.dialogue.wish_acts import likely_act
from siliconfriend.dialogue.wishes import read_wish
from siliconfriend.language.message import read_message
from siliconfriend.memory.records import Turn
from siliconfriend.recall.embedders.cached import CachedEmbedder
from siliconfriend.recall.silenced import object_of
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel

TESTS = Path(__file__).parents[1]
TOLD = ("Robin broke my blue mug.", "The robins nest in the robinia.", "We had cake, Robin and I.")
WISH = "Forget what I told you about Robin."


@pytest.fixture
def friend(settings: Settings, clock: MovingClock) -> Companion:
    """A companion that was told three things days ago."""
    companion = Companion("Ada", runtime=Runtime(settings, clock))
    for said in TOLD:
        companion.reply(said)
    clock.move(days=2)
    return companion


def _words(friend: Companion) -> list[str]:
    return [turn.query for turn in friend.store.load(friend.scope).turns()]


@pytest.mark.parametrize("yes", ["Y", "好"])
def test_what_names_somebody_is_erased_after_a_yes(friend: Companion, yes: str, home: Path) -> None:
    """Both that name them are ticked; what only has the letters may be listed, and stays."""
    first, other, last = TOLD
    listed = friend.reply(WISH)
    ticked = [line for line in listed.text.splitlines() if "☑" in line]
    assert [said for said in TOLD if said in str(ticked)] == [first, last]
    assert set(TOLD) <= set(_words(friend))
    done = friend.reply(yes)
    assert _words(friend) == [other, yes]
    assert "Robin" not in done.text
    files = (path for path in home.rglob("*") if path.is_file())
    assert not [path for path in files if b"Robin" in path.read_bytes()]


def test_anything_else_leaves_it(friend: Companion) -> None:
    """Also a yes after something else, and one that comes hours later."""
    for between in ("no", "It rains."):
        friend.reply(WISH)
        friend.reply(between)
        friend.reply("yes")
        assert set(TOLD) <= set(_words(friend))


def test_a_late_yes_is_none(friend: Companion, clock: MovingClock) -> None:
    friend.reply(WISH)
    clock.moment += timedelta(hours=7)
    friend.reply("yes")
    assert set(TOLD) <= set(_words(friend))


def test_the_wish_itself_is_not_remembered(friend: Companion) -> None:
    """Its turn holds the name and the list; no notice says that it is left out."""
    friend.reply(WISH)
    turn = list(friend.store.load(friend.scope).turns())[-1]
    assert turn.unkept
    assert friend.notice == ""


def test_off_the_record_nothing_is_erased(friend: Companion) -> None:
    friend.reply(WISH, off_record=True)
    friend.reply("yes", off_record=True)
    assert _words(friend) == list(TOLD)


def test_a_model_hears_nothing_of_it(settings: Settings, clock: MovingClock) -> None:
    """Neither of the wish nor of the yes; afterwards it answers as before."""
    model = ScriptedChatModel()
    friend = Companion("Ada", runtime=Runtime(settings, clock, chat=model))
    model.enqueue("I see.", "Fine.")
    friend.reply(TOLD[0])
    assert TOLD[0] in friend.reply(WISH).text
    friend.reply("yes")
    assert len(model.calls) == 1
    friend.reply("How are you?")
    assert "Robin" not in str(model.calls[-1])


def test_it_works_in_a_client_programs_chat(settings: Settings, clock: MovingClock) -> None:
    """The yes belongs to the chat in which the wish was the last message."""
    friend = Companion("Ada", runtime=Runtime(settings, clock))
    told = friend.reply(TOLD[0])
    assert isinstance(told.turn, Turn)
    list(friend.stream(WISH, client=ClientChat("c1")))
    assert friend.last_reply is not None
    elsewhere = ClientChat("c2", history=(Exchange("Shall we go?", "Where?"),))
    list(friend.stream("yes", client=elsewhere))
    assert TOLD[0] in _words(friend)
    list(friend.stream(WISH, client=ClientChat("c1")))
    shown = ClientChat("c1", history=(Exchange(WISH, friend.last_reply.text),))
    list(friend.stream("yes", client=shown))
    assert TOLD[0] not in _words(friend)


SECRETS = (
    "My sister Hannah has moved to Hamburg.",
    "My bank PIN is 4417.",
    "小磊昨天跟我吵架了。",
    "安娜是我的同事。",
    "汉娜下个月来看我。",
    "Customer alice@acme.io subscribed in 2024.",
    "Customer alice.smith@acme.io subscribed in 2023.",
    "Write to alice at acme dot io tomorrow.",
    "I told Ben that I hate him.",
)


@pytest.mark.parametrize(
    ("wish", "ticked", "unticked"),
    [
        ("Forget my bank code.", (), (1,)),
        ("Forget that I told Ben I hate him.", (8,), ()),
        ("Forget that I've a sister in Hamburg.", (0,), ()),
        ("Forget everything about alice@acme.io.", (5, 7), ()),
        ("Don't remember what I said about Ben.", (8,), ()),
        ("别记小磊的事", (2,), ()),
        ("忘掉安娜", (3,), ()),
        ("请忘掉关于汉娜的一切。", (4,), (0,)),
        ("I regret telling you about Hannah, please erase it.", (0,), ()),
    ],
)
def test_a_wish_in_any_words_lists_what_it_names_and_what_it_may_mean(
    diary: Companion,
    clock: MovingClock,
    wish: str,
    ticked: tuple[int, ...],
    unticked: tuple[int, ...],
) -> None:
    """By its words ticked, by its meaning or in the other language unticked."""
    for said in SECRETS:
        diary.reply(said)
    clock.move(days=2)
    lines = diary.reply(wish).text.splitlines()
    assert [
        at for at, secret in enumerate(SECRETS) if secret in str([x for x in lines if "☑" in x])
    ] == [*ticked]
    listed = [
        at for at, secret in enumerate(SECRETS) if secret in str([x for x in lines if "☐" in x])
    ]
    assert set(unticked) <= set(listed)
    assert len(listed) <= 3  # little that is unrelated
    if not ticked:
        diary.reply("yes")
        assert set(SECRETS) <= set(_words(diary))
        return
    assert [
        at for at, secret in enumerate(SECRETS) if secret not in _words(_after(diary, "yes"))
    ] == [*ticked]


@pytest.mark.parametrize(
    ("wish", "named", "meant"),
    [
        (
            "Forget what I said about the accident.",
            "The accident was my fault.",
            "I drove into a cyclist on the ring road.",
        ),
        ("忘掉我喝酒的事", "我喝酒的事失控了。", "昨晚我又喝了两瓶红酒。"),
    ],
)
def test_other_words_for_what_a_wish_names_are_offered_beside_it(
    diary: Companion, wish: str, named: str, meant: str
) -> None:
    for said in (named, meant, *SECRETS):
        diary.reply(said)
    lines = diary.reply(wish).text.splitlines()
    assert named in str([line for line in lines if "☑" in line])
    assert meant in str([line for line in lines if "☐" in line])


def _after(friend: Companion, said: str) -> Companion:
    friend.reply(said)
    return friend


@pytest.mark.parametrize(
    "wish", ["forget that", "oops, forget it", "Delete my last message.", "忘了这句", "别记"]
)
def test_what_was_said_just_before_is_listed_and_erased(friend: Companion, wish: str) -> None:
    """The reply never promises to remember, and the wish is kept as no memory."""
    friend.reply("I kissed my boss.")
    assert "I kissed my boss." in friend.reply(wish).text
    friend.reply("yes")
    assert not {"I kissed my boss.", wish} & set(_words(friend))


@pytest.mark.parametrize("numbers", ["1 and 3", "1和3", "numbers 1, 3", "只删第1条和第3条"])
def test_numbers_choose_of_the_list(friend: Companion, numbers: str) -> None:
    friend.reply("Robin sings.")
    friend.reply(WISH)
    friend.reply(numbers)
    assert [said for said in TOLD if said in _words(friend)] == [TOLD[1], TOLD[2]]
    assert "Robin sings." not in _words(friend)


def test_a_wish_that_finds_nothing_says_how_to_do_it(friend: Companion) -> None:
    told = friend.reply("Forget what I told you about the volcano.")
    assert "/forget" in told.text
    assert told.turn is not None
    assert told.turn.unkept


@pytest.mark.parametrize(
    "said",
    [
        "I keep forgetting my keys.",
        "Forget about the cake, I'm so happy!",
        "我忘了带伞。",
        "别忘了我的生日！",
        "Don't forget that I have an exam.",
    ],
)
def test_what_only_sounds_like_a_wish_is_an_ordinary_message(diary: Companion, said: str) -> None:
    turn = diary.reply(said).turn
    assert turn is not None
    assert not turn.unkept


def test_learned_wishes_hold_on_messages_that_were_not_learned(embedder: CachedEmbedder) -> None:
    """Nine of ten wishes to forget are found, and three of four about what not to mention."""
    kinds = tomllib.loads((TESTS / "data/wishes.toml").read_text(encoding="utf-8"))["held"]
    held = [
        (said, act) for acts in kinds.values() for act, said_so in acts.items() for said in said_so
    ]
    found = [(act, likely_act(said, embedder)) for said, act in held]
    named = [act for act, known in found if known == "forget"]
    known = [known for act, known in found if act == "forget"]
    assert named.count("forget") / len(named) >= 0.9
    assert known.count("forget") / len(known) >= 0.9
    for wish in ("silence", "allow"):
        read = [read_acts(said, embedder)[0] for said, act in held if act == wish]
        assert read.count(wish) / len(read) >= 0.75


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ("forget my weight", "weight"),
        ("Please forget Otto.", "Otto"),
        ("Forget my diet, I'm having cake", None),
        ("forgetting", None),
    ],
)
def test_a_short_command_to_forget_needs_no_learned_judge(said: str, what: str | None) -> None:
    assert read_wish(said, "other") == what


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ("Stop reminding me about mum", "mum"),
        ("Please don't remind me of the exam.", "exam"),
        ("stop mentioning the war", "war"),
        ("别再提醒我妈妈的事了", "妈妈"),
        ("别提醒我吃药了", "吃药"),
    ],
)
def test_a_wish_for_no_reminder_is_none_for_one(said: str, what: str) -> None:
    assert not read_message(said).asks_for_reminder
    assert likely_act(said, None) == "silence"
    assert object_of(said) == what
