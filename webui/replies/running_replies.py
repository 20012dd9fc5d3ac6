"""Replies under way on the server, by person and companion, with the messages that wait.

A reply belongs to the talk and not to a tab: it goes on to its end when the tab goes, and any
tab of the person can follow it. Only a person's act stops it. Made in the tab's own request, it
would end with a lost connection, in the middle of a word.

Each reply is made in a thread of its own, since a model may be silent for long: stopping acts at
once, and the next message is answered, while the thread ends as soon as the model lets go.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from siliconfriend.errors import SiliconFriendError, UsageError
from siliconfriend.shared.replicas import OnEnd, ReplyTurn
from siliconfriend.texts import Language

from .answer_versions import AnswerVersions
from .events import TalkEvents
from .markdown import GrowingReply

MOST_WAITING = 8
"""Messages that may wait for the reply under way; more were written by nobody."""
MOST_KEYS = 256
"""Keys of messages that a talk remembers, so that one that is sent twice is taken once."""
MOST_ENDS = 64
"""Replies of which a talk remembers how they ended."""
ASKED_AGAIN = 0.2
"""Seconds until a reply asks again whether another process has ended its own."""

End = Literal["whole", "stopped", "cut", "failed"]
"""How a reply ended: said to its end, stopped by the person, broken off after some words, or
failed before the first."""


@dataclass(frozen=True, slots=True)
class Message:
    """What a person wants answered.

    Attributes:
        key: drawn by the tab, so that a message that is sent again is taken once.
        words: of the person.
        tab: in which it was written.
        language: of the page, for somebody who is new.
        off_record: nothing of it is kept, and no other tab hears of it.
        again: id of the turn that is answered once more; empty for a new message.
        at: when it was taken.
    """

    key: str
    words: str
    tab: str
    language: Language
    at: datetime
    off_record: bool = False
    again: str = ""

    def is_for(self, tab: str) -> bool:
        """True if a tab may hear of it."""
        return self.only_for in ("", tab)

    @property
    def document(self) -> dict[str, Any]:
        """The message as JSON."""
        return {
            "key": self.key,
            "words": self.words,
            "again": self.again,
            "off_record": self.off_record,
            "time": self.at.isoformat(),
        }

    @property
    def only_for(self) -> str:
        """The only tab that may hear of it; empty where all may."""
        return self.tab if self.off_record else ""


@dataclass(slots=True)
class RunningReply:
    """A reply under way or just ended.

    Attributes:
        message: what is answered.
        words: said so far.
        turn: id under which the message is kept; empty off the record and before it is.
        recalled: what it was given, as the page tells it, before its first word.
        end: how it ended; None while it is under way.
        growing: its Markdown, as far as it was drawn; None where its words are plain.
        told: what else the page is to know at its end, as JSON.
        thread: makes it, and keeps what was said after it was stopped.
        right: to say it, which no other process has meanwhile.
        is_ended: set when it ended.
    """

    message: Message
    words: str = ""
    turn: str = ""
    recalled: Sequence[Mapping[str, str]] = ()
    end: End | None = None
    growing: GrowingReply | None = None
    told: dict[str, Any] = field(default_factory=dict)
    thread: threading.Thread | None = None
    right: ReplyTurn | None = None
    is_ended: threading.Event = field(default_factory=threading.Event)

    @property
    def blocks(self) -> Sequence[str] | None:
        """What was said so far as HTML; None where its words are plain."""
        return None if self.growing is None else self.growing.read(self.words)

    @property
    def document(self) -> dict[str, Any]:
        """The reply as JSON, for a tab that comes in the middle of it."""
        return {
            **self.message.document,
            "turn": self.turn,
            "said": self.words,
            "blocks": self.blocks,
            "recalled": list(self.recalled),
        }


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What runs and waits at one moment, and the number of the last event until then."""

    running: RunningReply | None
    waiting: tuple[Message, ...]
    last: int


RightTo = Callable[[OnEnd], ReplyTurn]
"""Returns the right to say a reply, not taken yet, for what is to be called when it must end."""
Answer = Callable[["Talk", RunningReply], Generator[str, None, End]]
"""Makes a reply's pieces and returns how it ended; writes ``turn`` and ``told`` meanwhile."""


class Talk:
    """One person's talk with one companion on this server; safe between threads.

    Args:
        answer: makes the replies.
        right: to say each, one at a time over all processes.

    Attributes:
        events: what happens, for the tabs that follow.
        ends: how the last replies ended, by the id of their turn.
        versions: the answers that the last message has got.
    """

    def __init__(self, answer: Answer, right: RightTo) -> None:
        self.events = TalkEvents()
        self.ends: OrderedDict[str, End] = OrderedDict()
        self.versions = AnswerVersions()
        self._answer, self._right = answer, right
        self._lock = threading.RLock()
        self._running: RunningReply | None = None
        self._unfinished: list[RunningReply] = []
        self._waiting: deque[Message] = deque()
        self._keys: OrderedDict[str, None] = OrderedDict()

    @property
    def running(self) -> RunningReply | None:
        """The reply under way; None where there is none."""
        return self._running

    def blocks(self, key: str) -> Sequence[str] | None:
        """Return the reply under way to a message as HTML; None where it has ended or is plain."""
        running = self._running
        return None if running is None or running.message.key != key else running.blocks

    def snapshot(self) -> Snapshot:
        """Return what runs and waits now."""
        with self._lock:
            running = None if self._running is None else replace(self._running)
            return Snapshot(running, tuple(self._waiting), self.events.last)

    def say(self, message: Message) -> bool:
        """Answer a message, after those that wait; one that was taken before is not taken again.

        Returns:
            Whether its answer is still to come.

        Raises:
            UsageError: too many wait already.
        """
        with self._lock:
            if message.key in self._keys:
                coming = [*self._waiting, *([self._running.message] if self._running else [])]
                return any(it.key == message.key for it in coming)
            if len(self._waiting) >= MOST_WAITING:
                raise UsageError("talk_full", most=MOST_WAITING)
            self._keys[message.key] = None
            if len(self._keys) > MOST_KEYS:
                self._keys.popitem(last=False)
            self._waiting.append(message)
            if self._running is None:
                self._begin_next()
            else:
                self.events.add("waiting", message.document, message.only_for)
            return True

    def withdraw(self, key: str) -> Message | None:
        """Take a message back that still waits; None where it does not."""
        with self._lock:
            found = next((it for it in self._waiting if it.key == key), None)
            if found is not None:
                self._waiting.remove(found)
                self.events.add("withdrawn", {"key": key}, found.only_for)
            return found

    def stop(self) -> None:
        """End the reply under way after the piece that is being made; what was said is kept."""
        with self._lock:
            running = self._running
            if running is not None:
                self._end(running, "stopped")
        if running is not None:
            _give_back(running)

    def said_unstored(self, turn: str) -> str:
        """Return what was said of a stopped reply that is not stored yet; else nothing.

        Words that are stored are asked of the store alone: they may have been erased there.
        """
        with self._lock:
            found = (it for it in self._unfinished if it.turn == turn and it.end is not None)
            return next((it.words for it in found if not it.message.again), "")

    def erased(self) -> None:
        """Let go of the events and the answers that are kept, and tell all tabs.

        A reply may quote what was erased; kept here it would be shown again.
        """
        with self._lock:
            self.versions.clear()
            self.events.let_go()
        self.changed()

    def changed(self) -> None:
        """Tell all tabs that the talk on disk is another one."""
        self.events.add("changed", {})

    def tell_recalled(self, reply: RunningReply, recalled: Sequence[Mapping[str, str]]) -> None:
        """Tell what a reply was given, before its first word."""
        with self._lock:
            reply.recalled = recalled
            told = {"key": reply.message.key, "turn": reply.turn, "recalled": list(recalled)}
            if reply.end is None:
                self.events.add("recalled", told, reply.message.only_for)

    def close(self) -> list[threading.Thread]:
        """End the reply under way as one that was cut; returns the threads that still keep it."""
        with self._lock:
            self._waiting.clear()
            running = self._running
            if running is not None:
                self._end(running, "cut")
            self.events.close()
        if running is not None:
            _give_back(running)
        with self._lock:
            return [it.thread for it in self._unfinished if it.thread is not None]

    def _begin_next(self) -> None:
        """Begin the next reply, if a message waits; the lock is held."""
        if not self._waiting:
            return
        reply = self._running = RunningReply(self._waiting.popleft())
        self._unfinished.append(reply)
        if not reply.message.again:
            self.versions.clear()
        self.events.begin_reply()
        self.events.add("begun", reply.document, reply.message.only_for)
        reply.thread = threading.Thread(
            target=self._produce, args=(reply,), name="page reply", daemon=True
        )
        reply.thread.start()

    def _produce(self, reply: RunningReply) -> None:
        end: End = "failed"
        try:
            self._await_stopped(reply.message.again)
            if self._await_others(reply):
                end = self._read(reply)
        except SiliconFriendError as error:
            reply.told["message"] = error.message(reply.message.language)
        finally:
            _give_back(reply)
            with self._lock:
                self._unfinished.remove(reply)
                if reply.end is None:
                    self._end(reply, end)
                else:
                    self.changed()  # what was said until it was stopped is on disk now

    def _await_stopped(self, turn: str) -> None:
        """Wait until a stopped reply is kept, before the same turn is answered again."""
        with self._lock:
            threads = [it.thread for it in self._unfinished if turn and it.turn == turn]
        for thread in threads:
            if thread is not None:
                thread.join()

    def _await_others(self, reply: RunningReply) -> bool:
        """Wait until no other process says a reply; False where this one ended meanwhile."""

        def end(*, was_lost: bool) -> None:
            with self._lock:
                if reply.end is None:
                    self._end(reply, "cut" if was_lost else "stopped")
            _give_back(reply)

        with self._lock:
            if reply.end is not None:
                return False
            reply.right = self._right(end)
        while not reply.right.take():
            if reply.is_ended.wait(ASKED_AGAIN):
                return False
        return True

    def _read(self, reply: RunningReply) -> End:
        """Read the pieces until they end or are ended; returns how they did."""
        with closing(self._answer(self, reply)) as pieces:
            while True:
                try:
                    piece = next(pieces)
                except StopIteration as over:
                    end: End = over.value
                    return end
                with self._lock:
                    if reply.end is not None:
                        return reply.end
                    reply.words += piece
                    told = {"key": reply.message.key, "words": piece}
                    self.events.add("piece", told, reply.message.only_for)

    def _end(self, reply: RunningReply, end: End) -> None:
        """Tell how a reply ended, and begin the next; the lock is held."""
        reply.end, self._running = end, None
        reply.is_ended.set()
        if reply.turn:
            self.ends[reply.turn] = end
            self.ends.move_to_end(reply.turn)
            if len(self.ends) > MOST_ENDS:
                self.ends.popitem(last=False)
        told = {"key": reply.message.key, "turn": reply.turn, "end": end, **reply.told}
        self.events.add("ended", told, reply.message.only_for)
        self._begin_next()


def _give_back(reply: RunningReply) -> None:
    """Let other processes say a reply."""
    # Where the database cannot be reached, what is held there runs out by itself.
    with suppress(SiliconFriendError):
        if reply.right is not None:
            reply.right.give_back()
