"""Replies on their way: one thread a reply, which goes on when its tab goes.

A reply belongs to the talk. Any tab of the person can follow it, a second message waits in line,
and only the person stops it. Whoever follows a talk is woken at each change and compares
:attr:`Talk.version` and the words of :attr:`Talk.running` with what it drew.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from siliconfriend.dialogue.companion import Companion
from siliconfriend.errors import SiliconFriendError, UsageError
from siliconfriend.installation.installation import Replies
from siliconfriend.installation.leases import Lease
from siliconfriend.memory.provenance import Used
from siliconfriend.memory.scope import Scope
from siliconfriend.person.bank import MemoryBank
from siliconfriend.texts import Language

from .markdown import growing_blocks, plain_blocks

MOST_WAITING = 8
MOST_KEYS = 32
MOST_ENDS = 256
MOST_COMPANIONS = 256
ASKED_AGAIN = 0.2
"""Seconds between two tries for the lease that another process holds on a person's replies."""

End = Literal["", "whole", "stopped", "cut", "failed"]
"""End of a reply; empty while it runs. ``failed``: before its first word."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a person.

    Attributes:
        key: drawn by the tab, so that a message sent twice is taken once.
        at: when it was taken, on the person's clock.
        off_record: nothing of it is kept, and no other tab hears of it.
        again: id of the turn that is answered once more; empty for a new message.
    """

    key: str
    words: str
    tab: str
    language: Language
    at: datetime
    off_record: bool = False
    again: str = ""

    def is_for(self, tab: str) -> bool:
        """Return True if a tab may see it."""
        return not self.off_record or self.tab == tab


@dataclass(slots=True)
class Reply:
    """A reply under way or ended.

    Attributes:
        turn: id under which the exchange is stored; empty before it is, and off the record.
        used: the memories it was given.
        trouble: a sentence about what went wrong.
        is_plain: the words are no Markdown.
    """

    message: Message
    words: str = ""
    turn: str = ""
    used: tuple[Used, ...] = ()
    end: End = ""
    trouble: str = ""
    is_plain: bool = True
    thread: threading.Thread | None = None
    is_ended: threading.Event = field(default_factory=threading.Event)
    _lease: Lease | None = None

    def take(self, lease: Lease) -> bool:
        """Wait for the right to reply; returns False if the reply was ended meanwhile."""
        self._lease = lease
        while not lease.take():
            if self.is_ended.wait(ASKED_AGAIN):
                return False
        return not self.end

    def give_back(self) -> None:
        """Let the next reply begin; a lease that cannot be given back runs out."""
        with suppress(SiliconFriendError):
            if self._lease is not None:
                self._lease.give_back()

    def blocks(self) -> tuple[str, ...]:
        """Return the words as blocks of safe HTML."""
        return (plain_blocks if self.is_plain else growing_blocks)(self.words)


class Talk:
    """One person's talk with one companion; safe between threads.

    Attributes:
        version: grows with each change but the next words of the running reply.
        running: the reply under way.
        waiting: the messages in line.
        taken: keys of the last messages that were taken since the server started.
        aside: exchanges that are in no store, by tab: off the record, and what could not be kept.
        ended: how the last replies ended, what went wrong, and their messages' keys, by turn.
        is_closed: the server ends.
    """

    def __init__(self, scope: Scope, talks: Talks) -> None:
        self.version = 0
        self.running: Reply | None = None
        self.waiting: deque[Message] = deque()
        self.taken: deque[str] = deque(maxlen=MOST_KEYS)
        self.aside: dict[str, list[Reply]] = {}
        self.ended: OrderedDict[str, tuple[End, str, str]] = OrderedDict()
        self.is_closed = False
        self._scope, self._talks = scope, talks
        self._lock = threading.RLock()
        self._unfinished: list[Reply] = []
        self._wakers: set[Callable[[], None]] = set()

    @contextmanager
    def waking(self, wake: Callable[[], None]) -> Iterator[None]:
        """Call ``wake`` at each change, in the thread that makes it."""
        self._wakers.add(wake)
        try:
            yield
        finally:
            self._wakers.discard(wake)

    def say(self, message: Message) -> None:
        """Answer a message, after those that wait; one that was taken before is not taken again.

        Raises:
            UsageError: too many wait already.
        """
        with self._lock:
            if message.key in self.taken:
                return
            if len(self.waiting) >= MOST_WAITING:
                raise UsageError("talk_full", most=MOST_WAITING)
            self.taken.append(message.key)
            self.waiting.append(message)
            self._begin_next()
        self.changed()

    def stop(self) -> None:
        """End the reply under way; what was said is kept."""
        with self._lock:
            running = self.running
            if running is not None:
                self._end(running, "stopped")
        if running is None:
            self._talks.replicas.stop(self._scope)
        else:
            running.give_back()

    def stopped_words(self, turn: str) -> str:
        """Return the words of a stopped reply whose model is still silent, so not stored yet."""
        with self._lock:
            found = (reply for reply in self._unfinished if reply.turn == turn and reply.end)
            return next((reply.words for reply in found if not reply.message.again), "")

    def changed(self) -> None:
        """Wake whoever follows: what is stored or waits is another."""
        self.version += 1
        self._wake()

    def close(self) -> list[threading.Thread]:
        """End the reply under way as cut; returns the threads that still store what was said."""
        with self._lock:
            self.waiting.clear()
            self.is_closed = True
            if self.running is not None:
                self._end(self.running, "cut")
        self._wake()
        return [reply.thread for reply in self._unfinished if reply.thread is not None]

    def _wake(self) -> None:
        for wake in list(self._wakers):
            wake()

    def _begin_next(self) -> None:
        if self.running is not None or not self.waiting:
            return
        reply = self.running = Reply(self.waiting.popleft())
        self._unfinished.append(reply)
        reply.thread = threading.Thread(
            target=self._produce, args=(reply,), name="page reply", daemon=True
        )
        reply.thread.start()

    def _produce(self, reply: Reply) -> None:
        end: End = "failed"
        try:
            self._await_stopped(reply)
            if reply.take(self._talks.replicas.turn(self._scope, self._on_lost(reply))):
                end = self._speak(reply)
        except SiliconFriendError as error:
            reply.trouble = error.message(reply.message.language)
            end = "cut" if reply.words else "failed"
        finally:
            reply.give_back()
            with self._lock:
                self._unfinished.remove(reply)
                if not reply.end:
                    self._end(reply, end)
                self._note_end(reply)
            self.changed()

    def _await_stopped(self, reply: Reply) -> None:
        """Wait until a stopped reply is stored, before the same turn is answered again."""
        again = reply.message.again
        for other in [it for it in self._unfinished if again and it is not reply]:
            if other.turn == again and other.thread is not None:
                other.thread.join()

    def _on_lost(self, reply: Reply) -> Callable[[bool], None]:
        def end(was_lost: bool) -> None:
            with self._lock:
                if not reply.end:
                    self._end(reply, "cut" if was_lost else "stopped")

        return end

    def _speak(self, reply: Reply) -> End:
        """Read the pieces until they end or are ended; returns how they did."""
        message = reply.message
        companion = self._talks.companion(self._scope, message)
        reply.is_plain = companion.chat is None

        def note(used: tuple[Used, ...]) -> None:
            reply.used, reply.turn = used, companion.last_turn
            self.changed()

        companion.on_recall = note
        pieces = companion.stream(message.words, off_record=message.off_record, again=message.again)
        try:
            with closing(pieces):
                for piece in pieces:
                    if reply.end:
                        break
                    reply.turn = companion.last_turn
                    reply.words += piece
                    self._wake()
        finally:
            self._talks.release(companion)
            reply.turn = companion.last_turn or message.again
            if companion.chat is not None and reply.words:
                self._talks.on_said(reply.words)
        said = companion.last_reply
        reply.trouble = " ".join(companion.troubles)
        return "cut" if said is None or said.interrupted else "whole"

    def _end(self, reply: Reply, end: End) -> None:
        """Note how a reply ended, and begin the next; the lock is held."""
        reply.end, self.running = end, None
        reply.is_ended.set()
        self._note_end(reply)
        message = reply.message
        if message.off_record or (end == "failed" and not reply.turn):
            self.aside.setdefault(message.tab, []).append(reply)
            del self.aside[message.tab][:-MOST_ENDS]
        self._begin_next()
        self.changed()

    def _note_end(self, reply: Reply) -> None:
        if reply.turn and not reply.message.off_record:
            self.ended[reply.turn] = (reply.end, reply.trouble, reply.message.key)
            if len(self.ended) > MOST_ENDS:
                self.ended.popitem(last=False)


class Talks:
    """The talks of everybody who uses the page; safe between threads.

    Args:
        bank: the memories, and the model that answers; may be replaced.
        replicas: the other processes of the page.
        on_said: told what a model's reply said, when it has ended.
    """

    def __init__(
        self, bank: MemoryBank, replicas: Replies, on_said: Callable[[str], object]
    ) -> None:
        self.bank, self.replicas, self.on_said = bank, replicas, on_said
        self._lock = threading.Lock()
        self._talks: dict[Scope, Talk] = {}
        self._companions: OrderedDict[tuple[Scope, str], Companion] = OrderedDict()
        self._speaking: set[int] = set()

    def talk(self, scope: Scope) -> Talk:
        """Return the talk of a person with a companion."""
        with self._lock:
            if scope not in self._talks:
                self._talks[scope] = Talk(scope, self)
            return self._talks[scope]

    def companion(self, scope: Scope, message: Message) -> Companion:
        """Return the companion of a tab; a new one while the tab's own waits for a silent model.

        Each tab has its own, since what is off the record is known in that tab alone.
        """
        key, chat = (scope, message.tab), self.bank.runtime.chat
        with self._lock:
            found = self._companions.pop(key, None)
            if found is None or id(found) in self._speaking or found.chat is not chat:
                found = self.bank.companion(
                    scope.person, scope.companion, language=message.language
                )
            self._companions[key] = found
            if len(self._companions) > MOST_COMPANIONS:
                self._companions.popitem(last=False)
            self._speaking.add(id(found))
        return found

    def release(self, companion: Companion) -> None:
        """Let the tab's next message have its companion again."""
        with self._lock:
            self._speaking.discard(id(companion))

    def changed(self, scope: Scope) -> None:
        """Wake the tabs of a person: their memory is another."""
        self.talk(scope).changed()

    def close(self, seconds: float) -> None:
        """End all replies, and wait so long for each until what was said is stored."""
        with self._lock:
            talks = list(self._talks.values())
        for thread in [thread for talk in talks for thread in talk.close()]:
            thread.join(seconds)
