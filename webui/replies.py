"""Running replies: one thread for each, independent of its tab.

A reply belongs to the talk. Any tab of the person can follow it, a second message waits in line,
and only the person stops it. Whoever follows a talk is woken at each change and compares
:attr:`Conversation.version` and the words of :attr:`Conversation.running` with what it drew.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, Literal

from siliconfriend.dialogue.companion import Companion
from siliconfriend.errors import SiliconFriendError, UsageError
from siliconfriend.installation.installation import Installation
from siliconfriend.installation.leases import Lease
from siliconfriend.memory.knowledge import Used
from siliconfriend.memory.scope import Scope
from siliconfriend.person.bank import MemoryBank
from siliconfriend.texts import Language

MOST_WAITING = 8
MOST_EXCHANGES = 256
MOST_COMPANIONS = 32
ASKED_AGAIN = 0.2
"""Seconds between two tries for the lease that another process holds on a person's replies."""

EntryState = Literal[
    "opening", "waiting", "running", "whole", "stopped", "cut", "failed", "unanswered", "taken_out"
]
"""State of an exchange. ``opening``: words said unasked; ``failed``: before the first word."""


@dataclass(slots=True)
class TalkEntry:
    """A message and its reply: queued, running, ended, or read from the store.

    Attributes:
        key: chosen by the tab, so that a message sent twice is stored once; else its turn's id.
        date: ISO day of ``at``, the time on the person's clock, which may be unknown.
        off_record: the exchange is not stored, and other tabs do not show it.
        again: id of the turn that is answered again; empty for a new message.
        id: of its turn; empty before it is stored, and off the record.
        used: the memories that the reply was given.
        troubles: what went wrong.
        is_plain: the reply is no Markdown.
    """

    key: str
    query: str
    state: EntryState = "waiting"
    date: str = ""
    at: datetime | None = None
    tab: str = ""
    language: Language = "en"
    off_record: bool = False
    again: str = ""
    id: str = ""
    response: str = ""
    used: Sequence[Used] = ()
    troubles: Sequence[SiliconFriendError] = ()
    is_plain: bool = True
    unkept: bool = False
    thread: threading.Thread | None = None
    is_ended: threading.Event = field(default_factory=threading.Event)
    lease: Lease | None = None

    @property
    def is_stored(self) -> bool:
        """True if the exchange is stored and can be read from there."""
        return bool(self.id) and not self.off_record

    def is_for(self, tab: str) -> bool:
        """Return True if a tab may see the exchange."""
        return not self.off_record or self.tab == tab

    def take_lease(self, lease: Lease) -> bool:
        """Acquire the lease for replying; return False if the reply was ended meanwhile."""
        self.lease = lease
        while not lease.take():
            if self.is_ended.wait(ASKED_AGAIN):
                return False
        return self.state == "running"

    def give_back_lease(self) -> None:
        """Release the lease for the next reply; if that fails, the lease expires."""
        with suppress(SiliconFriendError):
            if self.lease is not None:
                self.lease.give_back()


class LiveTalk:
    """One person's talk with one companion; thread-safe.

    Attributes:
        version: grows with each change but the next words of the running reply.
        exchanges: those since the server started, in their order; replaced at each change. Of
            those that are stored, only how they ended.
        is_closed: the server ends.
        wakers: called at each change, in the thread that makes it.
    """

    def __init__(
        self, scope: Scope, bank: Callable[[], MemoryBank], installation: Installation
    ) -> None:
        self.version = 0
        self.exchanges: Sequence[TalkEntry] = ()
        self.is_closed = False
        self._scope, self._bank, self._installation = scope, bank, installation
        self._lock = threading.RLock()
        self.wakers: set[Callable[[], None]] = set()
        self._companions: OrderedDict[str, Companion] = OrderedDict()

    @property
    def running(self) -> TalkEntry | None:
        """The exchange with the running reply."""
        return next((each for each in self.exchanges if each.state == "running"), None)

    def say(self, exchange: TalkEntry) -> None:
        """Queue a message, each key once (UsageError: the queue is full)."""
        with self._lock:
            if any(each.key == exchange.key for each in self.exchanges):
                return
            if sum(each.state == "waiting" for each in self.exchanges) >= MOST_WAITING:
                raise UsageError("talk_full", most=MOST_WAITING)
            self.exchanges = (*self.exchanges, exchange)[-MOST_EXCHANGES:]
            self._begin_next()
        self.changed()

    def stop(self) -> None:
        """Stop the running reply; its text so far is stored."""
        with self._lock:
            running = self.running
            if running is not None:
                self._end(running, "stopped")
        if running is None:
            self._installation.stop_reply(self._scope)
        else:
            running.give_back_lease()

    def changed(self) -> None:
        """Notify followers that stored or pending messages changed."""
        self.version += 1
        self._wake()

    def close(self) -> None:
        """Stop the running reply and mark it as cut."""
        with self._lock:
            self.is_closed = True
            if running := self.running:
                self._end(running, "cut")
        self._wake()

    def keep(self, seconds: float) -> None:
        """Wait until the reply is stored, and store queued messages without a reply."""
        person = self._bank().person(self._scope.person, self._scope.companion)
        for exchange in self.exchanges:
            if thread := exchange.thread:
                thread.join(seconds)
            is_new = not (exchange.id or exchange.off_record or exchange.again)
            if is_new and exchange.state in ("waiting", "cut"):
                with suppress(SiliconFriendError):
                    person.add(exchange.query, at=exchange.at)

    def _wake(self) -> None:
        for wake in list(self.wakers):
            wake()

    def _begin_next(self) -> None:
        following = next((each for each in self.exchanges if each.state == "waiting"), None)
        if self.running is None and following is not None and not self.is_closed:
            following.state = "running"
            following.thread = threading.Thread(
                target=self._produce, args=(following,), name="page reply", daemon=True
            )
            following.thread.start()

    def _produce(self, exchange: TalkEntry) -> None:
        end: EntryState = "failed"
        try:
            self._await_stopped(exchange)
            lose = partial(self._lose, exchange)
            if exchange.take_lease(self._installation.reply_lease(self._scope, lose)):
                end = self._speak(exchange)
        except SiliconFriendError as error:
            exchange.troubles = (error,)
            end = "cut" if exchange.response else "failed"
        finally:
            exchange.give_back_lease()
            with self._lock:
                exchange.thread = None
                if exchange.state == "running":
                    self._end(exchange, end)
                if exchange.is_stored:
                    exchange.query = exchange.response = ""
            self.changed()

    def _await_stopped(self, exchange: TalkEntry) -> None:
        """Wait until a stopped reply is stored, before the same turn is answered again."""
        for other in self.exchanges:
            thread = other.thread
            if exchange.again and other.id == exchange.again and thread and other is not exchange:
                thread.join()

    def _lose(self, exchange: TalkEntry, was_lost: bool) -> None:
        with self._lock:
            if exchange.state == "running":
                self._end(exchange, "cut" if was_lost else "stopped")

    def _speak(self, exchange: TalkEntry) -> EntryState:
        """Read the pieces until they end or are stopped; return how they ended."""
        companion = self._companion(exchange)
        exchange.is_plain = companion.chat is None

        def note(used: tuple[Used, ...]) -> None:
            exchange.used, exchange.id = used, companion.last_turn
            self.changed()

        companion.on_recall = note
        how: dict[str, Any] = {"off_record": exchange.off_record, "again": exchange.again}
        try:
            with closing(companion.stream(exchange.query, **how)) as pieces:
                for piece in pieces:
                    if exchange.state != "running":
                        break
                    exchange.id = companion.last_turn
                    exchange.response += piece
                    self._wake()
        finally:
            exchange.id = companion.last_turn or exchange.again
            self._companions[exchange.tab] = companion
        said = companion.last_reply
        exchange.troubles = said.troubles if said else ()
        return "cut" if said is None or said.interrupted else "whole"

    def _companion(self, exchange: TalkEntry) -> Companion:
        # A tab's own knows what was said in it off the record. While it speaks it is not in the
        # list: a tab whose model is silent gets another.
        with self._lock:
            found = self._companions.pop(exchange.tab, None)
            if len(self._companions) >= MOST_COMPANIONS:
                self._companions.popitem(last=False)
        bank = self._bank()
        if found is not None and found.chat is bank.chat:
            return found
        person = bank.person(self._scope.person, self._scope.companion)
        if not exchange.off_record:
            person.meet(language=exchange.language)
        return person.companion

    def _end(self, exchange: TalkEntry, end: EntryState) -> None:
        """Record how a reply ended and start the next; the caller holds the lock."""
        exchange.state = end
        exchange.is_ended.set()
        self._begin_next()
        self.changed()
