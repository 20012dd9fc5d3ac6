"""A wish to forget somebody lists what names them, and erases it after a yes alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from siliconfriend.config import Settings
from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.dialogue.client_chat import ClientChat
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.wishes import wish_to_forget
from siliconfriend.memory.records import Turn
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel
from siliconfriend.texts import LANGUAGES, Language

TOLD: dict[Language, tuple[str, ...]] = {
    "en": (
        "Robin broke my blue mug.",
        "My cat sleeps in the robinia.",
        "We had cake, Robin and I.",
    ),
    "cn": ("小北今天又迟到了。", "我的猫在树上睡觉。", "我和小北吃了蛋糕。"),
}
WISH: dict[Language, str] = {
    "en": "Forget what I told you about Robin.",
    "cn": "把小北的事都忘了吧",
}
NAME: dict[Language, str] = {"en": "Robin", "cn": "小北"}


@pytest.mark.parametrize(
    ("message", "what"),
    [
        ("Forget what I told you about Robin", "Robin"),
        ("Please forget everything about my ex-husband.", "my ex-husband"),
        ("OK. I want you to forget about Robin", "Robin"),
        ("忘了我跟你说过安娜的事吧。", "安娜"),
        ("把小北的事都忘了吧", "小北"),
        ("忘掉关于小北的一切吧", "小北"),
        ("把小北忘了吧", "小北"),
        ("I can't forget what I told you about Robin", ""),
        ("Don't forget what I said about Robin.", ""),
        ("Forget it.", ""),
        ("I told her to forget about Robin", ""),
        ("我把钥匙忘了", ""),
        ("别忘了小北的事", ""),
        ("我忘了小北的生日", ""),
    ],
)
def test_wishes_are_known(message: str, what: str) -> None:
    """By their form; whom they name is as it was written."""
    assert wish_to_forget(message) == what


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> Language:
    """Each language in turn."""
    chosen: Language = request.param
    return chosen


@pytest.fixture
def friend(language: Language, settings: Settings, clock: MovingClock) -> Companion:
    """A companion that was told three things days ago."""
    spoken = replace(settings, language=language)
    companion = Companion("Ada", runtime=Runtime(spoken, clock), language=language)
    for said in TOLD[language]:
        companion.reply(said)
    clock.move(days=2)
    return companion


def _words(friend: Companion) -> list[str]:
    return [turn.query for turn in friend.store.load(friend.scope).turns()]


@pytest.mark.parametrize("yes", ["Y", "好"])
def test_what_names_somebody_is_erased_after_a_yes(
    friend: Companion, language: Language, yes: str, home: Path
) -> None:
    """Both that name them are listed, and nothing that only has the letters."""
    first, other, last = TOLD[language]
    listed = friend.reply(WISH[language])
    assert first in listed.text
    assert last in listed.text
    assert other not in listed.text
    assert set(TOLD[language]) <= set(_words(friend))
    done = friend.reply(yes)
    assert _words(friend) == [other, yes]
    assert NAME[language] not in done.text
    files = (it for it in home.rglob("*") if it.is_file())
    assert not [it for it in files if NAME[language].encode() in it.read_bytes()]


def test_anything_else_leaves_it(friend: Companion, language: Language) -> None:
    """Also a yes after something else, and one that comes hours later."""
    no, remark = {"en": ("no", "It rains."), "cn": ("不", "下雨了。")}[language]
    for between in (no, remark):
        friend.reply(WISH[language])
        friend.reply(between)
        friend.reply("yes")
        assert set(TOLD[language]) <= set(_words(friend))


def test_a_late_yes_is_none(friend: Companion, language: Language, clock: MovingClock) -> None:
    friend.reply(WISH[language])
    clock.moment += timedelta(hours=7)
    friend.reply("yes")
    assert set(TOLD[language]) <= set(_words(friend))


def test_the_wish_itself_is_not_remembered(friend: Companion, language: Language) -> None:
    """Its turn holds the name and the list; no notice says that it is left out."""
    friend.reply(WISH[language])
    turn = list(friend.store.load(friend.scope).turns())[-1]
    assert turn.unkept
    assert friend.notice == ""


def test_off_the_record_nothing_is_erased(friend: Companion, language: Language) -> None:
    friend.reply(WISH[language], off_record=True)
    friend.reply("yes", off_record=True)
    assert _words(friend) == list(TOLD[language])


def test_a_model_hears_nothing_of_it(settings: Settings, clock: MovingClock) -> None:
    """Neither of the wish nor of the yes; afterwards it answers as before."""
    model = ScriptedChatModel()
    friend = Companion("Ada", runtime=Runtime(settings, clock, chat=model))
    model.enqueue("I see.", "Fine.")
    friend.reply(TOLD["en"][0])
    assert TOLD["en"][0] in friend.reply(WISH["en"]).text
    friend.reply("yes")
    assert len(model.calls) == 1
    friend.reply("How are you?")
    assert "Robin" not in str(model.calls[-1])


def test_it_works_in_a_client_programs_chat(settings: Settings, clock: MovingClock) -> None:
    """The yes belongs to the chat in which the wish was the last message."""
    friend = Companion("Ada", runtime=Runtime(settings, clock))
    told = friend.reply(TOLD["en"][0])
    assert isinstance(told.turn, Turn)
    list(friend.stream(WISH["en"], client=ClientChat("c1")))
    assert friend.last_reply is not None
    elsewhere = ClientChat("c2", history=(Exchange("Shall we go?", "Where?"),))
    list(friend.stream("yes", client=elsewhere))
    assert TOLD["en"][0] in _words(friend)
    list(friend.stream(WISH["en"], client=ClientChat("c1")))
    shown = ClientChat("c1", history=(Exchange(WISH["en"], friend.last_reply.text),))
    list(friend.stream("yes", client=shown))
    assert TOLD["en"][0] not in _words(friend)
