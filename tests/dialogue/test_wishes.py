"""A wish to forget somebody lists what names them, and erases it after a yes alone."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from siliconfriend.config import Settings
from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.dialogue.client_chat import ClientChat
from siliconfriend.dialogue.companion import Companion
from siliconfriend.memory.records import Turn
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel

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
    """Both that name them are listed, and nothing that only has the letters."""
    first, other, last = TOLD
    listed = friend.reply(WISH)
    assert first in listed.text
    assert last in listed.text
    assert other not in listed.text
    assert set(TOLD) <= set(_words(friend))
    done = friend.reply(yes)
    assert _words(friend) == [other, yes]
    assert "Robin" not in done.text
    files = (it for it in home.rglob("*") if it.is_file())
    assert not [it for it in files if b"Robin" in it.read_bytes()]


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
