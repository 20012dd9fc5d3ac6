"""What the companion says first: what is due, in the person's own words, once each."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pytest

from siliconfriend.config import load_settings
from siliconfriend.dialogue.companion import Companion
from siliconfriend.dialogue.first_words import FirstWords, speak_first
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.runtime import Runtime
from siliconfriend.testing import MovingClock, ScriptedChatModel
from siliconfriend.texts import Language
from tests.dialogue.people import SCOPES, holds

PLAN = "On 14 March I sit my harp exam."
WEDDING = "We got married on 14 March 2019."
REMIND = "Remind me to ring the dentist on Friday."
SPEECH = "Remind me to send Dev the draft of the speech on Thursday."
SPEECH_CN = "星期四提醒我把致辞初稿发给阿哲。"
DONE = "I rang the dentist."


@dataclass
class Friend:
    """A person and their companion, at a moment that moves."""

    runtime: Runtime
    clock: MovingClock
    scope: Scope
    chat: ScriptedChatModel

    def told(self, moment: str, *words: str) -> None:
        """Tell something at a moment, answered with a nod."""
        self.clock.set(f"{moment}+00:00")
        companion = Companion(self.scope.person, runtime=self.runtime, clock=self.clock)
        for message in words:
            companion.reply(message)

    def first(self, moment: str) -> FirstWords:
        """What is said first at a moment."""
        now = datetime.fromisoformat(f"{moment}+00:00")
        store, recaller = self.runtime.store, self.runtime.recaller
        return speak_first(store, recaller, self.scope, now=now, companion_name="Moss")

    def turns(self) -> list[Turn]:
        """Everything that was said."""
        return list(self.runtime.store.load(self.scope).turns())


@pytest.fixture
def friend(home: Path) -> Iterator[Friend]:
    """Somebody who was answered with a nod so far."""
    settings = load_settings(home=home, environ={}, timezone="UTC", embedding="none")
    clock = MovingClock()
    chat = ScriptedChatModel(otherwise=lambda _messages: "Mm.")
    runtime = Runtime(settings, clock, chat=chat)
    yield Friend(runtime, clock, SCOPES["en"], chat)
    runtime.close()


def test_a_planned_day_that_has_come_is_spoken_of_once(friend: Friend) -> None:
    """On its day, quoted; not again that day, nor in the reply to the first message."""
    friend.told("2026-02-01T12:00", PLAN)
    assert not friend.first("2026-03-01T09:00").text
    words = friend.first("2026-03-14T09:00")
    assert holds(words.text, PLAN)
    assert [matter.when for matter in words.matters] == ["today"]
    assert not friend.first("2026-03-14T15:00").text
    assert friend.turns()[0].spoken_of == ("2026-03-14",)


def test_how_it_went_is_asked_when_it_has_been(friend: Friend) -> None:
    """Once before, once on the day and once after, as a friend does; and then no more."""
    friend.told("2026-02-01T12:00", PLAN)
    days = ("2026-03-12", "2026-03-13", "2026-03-14", "2026-03-16", "2026-03-17", "2026-03-30")
    said = [friend.first(f"{day}T09:00") for day in days]
    kinds = [words.matters[0].when if words.matters else None for words in said]
    assert kinds == ["soon", None, "today", "past", None, None]


def test_a_reminder_is_said_on_its_day_alone(friend: Friend) -> None:
    """Told on a Monday for Friday: nothing before, once on Friday; nothing where it was done."""
    friend.told("2026-03-02T12:00", REMIND)
    assert not friend.first("2026-03-04T09:00").text
    words = friend.first("2026-03-06T09:00")
    assert holds(words.text, REMIND)
    assert not friend.first("2026-03-06T15:00").text
    friend.told("2026-03-09T12:00", REMIND)
    friend.told("2026-03-12T12:00", DONE)
    assert not friend.first("2026-03-13T09:00").text


def test_an_anniversary_says_how_many_years(friend: Friend) -> None:
    """On its day, with the plans of that day; and it is strengthened, to last until the next."""
    friend.told("2026-02-01T12:00", WEDDING, PLAN)
    before = friend.turns()[0].trace.strength
    words = friend.first("2026-03-14T09:00")
    assert {matter.when for matter in words.matters} == {"today", "anniversary"}
    assert "7 years" in words.text
    assert holds(words.text, WEDDING)
    assert friend.turns()[0].trace.strength > before


def test_a_reply_knows_what_was_said_first(friend: Friend) -> None:
    """A model is told what the person may be answering, and not to ask it again."""
    friend.told("2026-02-01T12:00", PLAN)
    friend.first("2026-03-14T09:00")
    friend.told("2026-03-14T10:00", "It went well!")
    asked = friend.chat.calls[-1][-1].content
    due = asked.split("<due>")[1].split("</due>")[0]
    assert due.count(PLAN) == 1
    assert "before Ada wrote" in due


def test_two_at_once_say_it_once(friend: Friend, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another process has said meanwhile is not said again."""
    friend.told("2026-02-01T12:00", PLAN)
    store = friend.runtime.store
    load = store.load

    def load_while_another_speaks(scope: Scope) -> PersonMemory:
        memory = load(scope)
        monkeypatch.setattr(store, "load", load)
        assert friend.first("2026-03-14T09:00").text
        return memory

    monkeypatch.setattr(store, "load", load_while_another_speaks)
    assert not friend.first("2026-03-14T09:00").text


def test_the_first_reply_of_the_day_holds_the_reminder(
    diary: Companion, clock: MovingClock
) -> None:
    """Without a model too, whatever is asked first; and not the second."""
    clock.set("2026-03-02T12:00+00:00")
    diary.reply(REMIND)
    clock.set("2026-03-06T09:00+00:00")
    asked = "What is my sister called?"
    assert holds(diary.reply(asked).text, REMIND)
    assert not holds(diary.reply(asked).text, REMIND)


@pytest.mark.parametrize(
    ("language", "asks", "talk"),
    [
        (
            "en",
            REMIND,
            ("not yet", "ask again", "Not yet, remind me on Friday.", "Fri 20 March", "done"),
        ),
        (
            "cn",
            "周五提醒我给牙医打电话。",
            ("还没", "再问你", "还没打，周五再提醒我。", "3月20日周五", "打了"),
        ),
    ],
)
def test_a_missed_reminder_is_asked_about_until_it_is_done(
    diary: Companion, clock: MovingClock, language: Language, asks: str, talk: tuple[str, ...]
) -> None:
    """Said in the next talk; asked again after "not yet", on the new day once put off, then no more."""
    not_yet, again, put_off, day, done = talk

    def reply(moment: str, words: str) -> str:
        clock.set(f"{moment}+00:00")
        return diary.reply(words).text

    hello = "Hello" if language == "en" else "你好"
    reply("2026-03-11T12:00", asks)
    assert holds(reply("2026-03-14T09:00", hello), asks)
    assert again in reply("2026-03-14T09:01", not_yet)
    assert holds(reply("2026-03-16T09:00", hello), asks)
    assert day in reply("2026-03-16T09:01", put_off)
    assert not holds(reply("2026-03-17T09:00", hello), asks)
    assert holds(reply("2026-03-20T09:00", hello), asks)
    assert not holds(reply("2026-03-20T09:01", done), asks)
    assert not holds(reply("2026-03-21T09:00", hello), asks)


@pytest.mark.parametrize(
    ("asks", "later", "is_settled"),
    [
        (SPEECH, "I feel lost since dad died, the speech makes it harder.", False),
        (SPEECH, "I finished the speech and sent it to Dev.", True),
        (SPEECH_CN, "爸爸走了以后，写致辞更难受了。", False),
        (SPEECH_CN, "致辞写完了，也发给阿哲了。", True),
        (REMIND, DONE, True),
    ],
)
def test_a_reminder_is_settled_by_half_of_its_words(
    friend: Friend, asks: str, later: str, is_settled: bool
) -> None:
    """A past event that merely names one thing in it does not say that it was done."""
    friend.told("2026-03-11T20:00", asks, later)
    words = friend.first("2026-03-14T09:00").text
    assert holds(words, asks) is not is_settled


@pytest.mark.parametrize(
    ("told", "corrects", "day"),
    [
        ("The interview is on the 18th.", "sorry, it's the 19th", "2026-03-19"),
        ("面试是18号上午。", "说错了，是19号", "2026-03-19"),
    ],
)
def test_a_corrected_plan_is_asked_about_with_its_matter(
    diary: Companion, clock: MovingClock, told: str, corrects: str, day: str
) -> None:
    clock.set("2026-03-11T12:00+00:00")
    diary.reply(told)
    diary.reply(corrects)
    clock.set(f"{day}T09:00+00:00")
    hello = diary.reply("Hello").text
    assert holds(hello, told)
    assert holds(hello, corrects)


def test_what_merely_begins_like_an_answer_is_kept_as_news(
    diary: Companion, clock: MovingClock
) -> None:
    clock.set("2026-03-11T12:00+00:00")
    diary.reply(REMIND)
    clock.set("2026-03-14T09:00+00:00")
    done = [
        diary.reply(words).text
        for words in ("Hello", "Finished chapter 20.", "Hello", "Finished it.")
    ]
    assert holds(done[0], REMIND)
    assert "done" not in done[1]


@pytest.mark.parametrize(
    "asks",
    ["Remind me to renew my passport before 25 March.", "提醒我3月25号之前去换护照。"],
)
def test_a_reminder_with_a_deadline_comes_before_it_until_it_is_done(
    friend: Friend, asks: str
) -> None:
    friend.told("2026-03-01T12:00", asks)
    assert not friend.first("2026-03-16T09:00").text
    assert holds(friend.first("2026-03-18T09:00").text, asks)
    friend.told("2026-03-18T09:01", "done")
    assert not friend.first("2026-03-25T09:00").text
