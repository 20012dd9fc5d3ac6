"""Replies under way: they go on without a tab, messages wait in line, and a person's act stops one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable
from datetime import UTC, datetime

import pytest

from siliconfriend.errors import UsageError
from siliconfriend.memory.scope import Scope
from webui.replies.events import TalkEvent, TalkEvents
from webui.replies.running_replies import MOST_WAITING, Answer, End, Message, Talk
from webui.replies.running_replies import RunningReply as Reply
from webui.replies.talks import RunningReplies

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
ADA = Scope.of("Ada")


def message(words: str, *, tab: str = "a", off_record: bool = False) -> Message:
    """A message whose key is its words."""
    return Message(words.replace(" ", "-"), words, tab, "en", NOON, off_record)


def answering(make: Callable[[str], Iterable[str]], end: End = "whole") -> Answer:
    """Answers what a function makes of the words."""

    def answer(_talk: Talk, reply: Reply) -> Generator[str, None, End]:
        reply.turn = f"turn of {reply.message.words}"
        yield from make(reply.message.words)
        return end

    return answer


class Listener:
    """Follows a talk as a tab would.

    Attributes:
        heard: the events so far.
    """

    def __init__(self, talk: Talk) -> None:
        self.heard: list[TalkEvent] = []
        self._talk, self._changed = talk, threading.Condition()
        self._waking = talk.events.waking(self._hear)
        self._waking.__enter__()

    def _hear(self) -> None:
        with self._changed:
            last = self.heard[-1].number if self.heard else 0
            self.heard += self._talk.events.since(last) or []
            self._changed.notify_all()

    def until(self, name: str, key: str = "") -> TalkEvent:
        """Wait for an event and return it."""

        def found() -> TalkEvent | None:
            named = (it for it in self.heard if it.name == name)
            return next((it for it in named if not key or it.data.get("key") == key), None)

        with self._changed:
            assert self._changed.wait_for(found, timeout=20), [it.name for it in self.heard]
        event = found()
        assert event is not None
        return event

    def words(self, key: str) -> str:
        """What was said in answer to a message."""
        pieces = (it for it in self.heard if it.name == "piece" and it.data["key"] == key)
        return "".join(it.data["words"] for it in pieces)


def begin(answer: Answer) -> tuple[Talk, Listener]:
    """A talk that is followed."""
    talk = RunningReplies(lambda _: answer).talk(ADA)
    return talk, Listener(talk)


def test_a_reply_goes_on_to_its_end_though_nobody_follows() -> None:
    """Whoever comes later has all of it, from the state or from any number on."""
    may_go_on = threading.Event()

    def make(_: str) -> Iterable[str]:
        yield "The boat"
        assert may_go_on.wait(20)
        yield " was blue."

    talk, follower = begin(answering(make))
    talk.say(message("which"))
    first = follower.until("piece")
    now = talk.snapshot()
    assert now.running is not None
    assert (now.running.words, now.last) == ("The boat", first.number)
    may_go_on.set()
    follower.until("ended")
    later = talk.events.since(first.number)
    assert later is not None
    assert [(it.name, it.data.get("words")) for it in later] == [
        ("piece", " was blue."),
        ("ended", None),
    ]
    assert later[-1].data["end"] == "whole"
    assert talk.running is None
    assert talk.ends["turn of which"] == "whole"
    assert talk.said_unstored("turn of which") == ""


def test_a_second_message_waits_and_is_answered_next() -> None:
    """It is told to wait, can be taken back, and the next one follows by itself."""
    may_go_on = threading.Event()

    def make(words: str) -> Iterable[str]:
        if words == "one":
            assert may_go_on.wait(20)
        yield f"You said {words}."

    talk, follower = begin(answering(make))
    for words in ("one", "two", "three"):
        talk.say(message(words))
    assert follower.until("waiting", "two").data["words"] == "two"
    taken_back = talk.withdraw("two")
    assert taken_back is not None
    assert taken_back.words == "two"
    assert talk.withdraw("two") is None
    assert [it.words for it in talk.snapshot().waiting] == ["three"]
    may_go_on.set()
    follower.until("ended", "three")
    assert follower.words("three") == "You said three."
    assert [it.data["key"] for it in follower.heard if it.name == "begun"] == ["one", "three"]


def test_a_message_that_is_sent_twice_is_answered_once() -> None:
    """A tab that does not know whether it was heard sends the same key again."""
    talk, follower = begin(answering(lambda words: [words]))
    assert talk.say(message("one"))
    follower.until("ended", "one")
    assert not talk.say(message("one"))
    assert talk.say(message("two"))
    follower.until("ended", "two")
    assert [it.data["key"] for it in follower.heard if it.name == "begun"] == ["one", "two"]


def test_no_more_wait_than_there_is_room_for() -> None:
    """The one too many is refused, and can be said later."""
    may_go_on = threading.Event()

    def make(_: str) -> Iterable[str]:
        assert may_go_on.wait(20)
        yield "Yes."

    talk, follower = begin(answering(make))
    for number in range(MOST_WAITING + 1):
        talk.say(message(f"number {number}"))
    with pytest.raises(UsageError):
        talk.say(message("too many"))
    may_go_on.set()
    follower.until("ended", f"number-{MOST_WAITING}")
    talk.say(message("too many"))
    follower.until("ended", "too-many")


def test_stopping_does_not_wait_for_a_silent_model() -> None:
    """What was said stays, the next message is answered at once, and the stream is closed later."""
    may_go_on, closed = threading.Event(), threading.Event()

    def make(words: str) -> Iterable[str]:
        if words == "two":
            yield "At once."
            return
        try:
            yield "first"
            assert may_go_on.wait(20)
            yield "second"
            yield "third"
        finally:
            closed.set()

    talk, follower = begin(answering(make))
    talk.say(message("one"))
    follower.until("piece")
    talk.stop()
    assert follower.until("ended", "one").data["end"] == "stopped"
    assert talk.said_unstored("turn of one") == "first"
    talk.say(message("two"))
    follower.until("ended", "two")
    assert not closed.is_set()
    may_go_on.set()
    follower.until("changed")  # it is on disk now
    assert closed.is_set()
    assert follower.words("one") == "first"
    assert (talk.ends["turn of one"], talk.said_unstored("turn of one")) == ("stopped", "")


def test_a_turn_is_not_answered_again_before_its_stopped_reply_is_kept() -> None:
    """Else the words of the stopped one would be written over the new answer."""
    may_go_on = threading.Event()
    kept: list[str] = []

    def answer(_talk: Talk, reply: Reply) -> Generator[str, None, End]:
        reply.turn = "the turn"
        try:
            yield "first"
            if not reply.message.again:
                assert may_go_on.wait(20)
                yield "never"
            return "whole"
        finally:
            kept.append(reply.message.key)

    talk, follower = begin(answer)
    talk.say(message("one"))
    follower.until("piece")
    talk.stop()
    talk.say(Message("again", "one", "a", "en", NOON, again="the turn"))
    follower.until("begun", "again")
    assert kept == []
    may_go_on.set()
    follower.until("ended", "again")
    assert kept == ["one", "again"]


def test_what_fails_is_said_to_have_failed_and_the_next_is_answered() -> None:
    """Also where the program itself is wrong, which the console tells."""
    talk, follower = begin(answering(lambda words: [] if words == "one" else [words], "failed"))
    talk.say(message("one"))
    talk.say(message("two"))
    assert follower.until("ended", "one").data["end"] == "failed"
    follower.until("ended", "two")


def test_the_end_of_the_server_cuts_what_is_under_way() -> None:
    """What was said is kept before it ends, those who follow are let go, nothing waits any more."""
    may_go_on, kept = threading.Event(), threading.Event()

    def make(_: str) -> Iterable[str]:
        try:
            yield "The boat"
            assert may_go_on.wait(20)
            yield " was"
            yield " blue."
        finally:
            kept.set()

    replies = RunningReplies(lambda _: answering(make))
    talk = replies.talk(ADA)
    follower = Listener(talk)
    talk.say(message("one"))
    talk.say(message("two"))
    follower.until("piece")
    threading.Timer(0.01, may_go_on.set).start()
    replies.close(20)
    assert kept.is_set()
    assert follower.until("ended", "one").data["end"] == "cut"
    assert talk.events.is_closed
    assert talk.snapshot().waiting == ()


def test_two_people_share_nothing() -> None:
    """Each has a talk of their own, the same for all of their tabs."""
    replies = RunningReplies(lambda _: answering(lambda words: [words]))
    assert replies.talk(ADA) is replies.talk(ADA)
    assert replies.talk(Scope.of("Ben")) is not replies.talk(ADA)
    assert replies.talk(Scope.of("Ada", "Robin")) is not replies.talk(ADA)


def test_events_of_two_replies_are_kept() -> None:
    """A tab that heard less than that is told so, and never gets a part."""
    events = TalkEvents()
    for number in range(1, 4):
        events.begin_reply()
        events.add("begun", {"key": number})
        events.add("ended", {"key": number})
    assert [it.data["key"] for it in events.since(4) or []] == [3, 3]
    assert [it.number for it in events.since(2) or []] == [3, 4, 5, 6]
    assert events.since(1) is None
    assert events.since(6) == []
    assert events.since(7) is None


def test_words_of_replies_are_let_go_of_when_something_was_erased() -> None:
    """A reply may have quoted it: a tab that asks from before is not given it again."""
    talk, listener = begin(answering(lambda _: ["Two otters."]))
    talk.say(message("What did I see?"))
    listener.until("ended")
    talk.erased()
    listener.until("changed")
    assert talk.events.since(0) is None
    assert [it.name for it in talk.events.since(talk.events.last - 1) or []] == ["changed"]
