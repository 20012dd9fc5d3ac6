"""What the page's replies are made of: a companion's words, and what is told at their end."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Generator
from contextlib import closing

from siliconfriend.dialogue.companion import Companion
from siliconfriend.errors import SiliconFriendError
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.used import Used
from siliconfriend.runtime import Runtime

from ..cards.line_cards import told_memories, unwritten_cards
from .markdown import GrowingReply, reply_blocks
from .running_replies import Answer, End, Message, RunningReply, Talk

MOST_OPEN_TABS = 256


class Answers:
    """Makes the replies of everybody who uses the page.

    A companion is kept for each tab, since what was said off the record is known in that tab
    alone; dropping one loses nothing else.

    Args:
        runtime: what the page has open.
        on_reply: is given the words of each reply of a model, when it has ended.
    """

    def __init__(
        self, runtime: Runtime, on_reply: Callable[[str], None] = lambda _words: None
    ) -> None:
        self._runtime, self._store = runtime, runtime.store
        self._on_reply = on_reply
        self._lock = threading.Lock()
        self._open: OrderedDict[tuple[Scope, str], Companion] = OrderedDict()
        self._speaking: set[int] = set()

    def answer_for(self, scope: Scope) -> Answer:
        """Return what makes the replies of one person's talk."""

        def answer(talk: Talk, reply: RunningReply) -> Generator[str, None, End]:
            companion = self._companion(scope, reply.message)
            try:
                return (yield from self._speak(scope, companion, talk, reply))
            finally:
                with self._lock:
                    self._speaking.discard(id(companion))

        return answer

    def _companion(self, scope: Scope, message: Message) -> Companion:
        """Return the companion of the tab; another one while that still speaks to a silent model."""
        runtime = self._runtime.for_companion(scope.companion)
        language = message.language
        with self._lock:
            companion = self._open.pop((scope, message.tab), None)
            if companion is None or id(companion) in self._speaking:
                companion = Companion(scope.person, runtime=runtime, language=language)
            self._open[scope, message.tab] = companion
            while len(self._open) > MOST_OPEN_TABS:
                self._open.popitem(last=False)
            self._speaking.add(id(companion))
        return companion

    def _speak(
        self, scope: Scope, companion: Companion, talk: Talk, reply: RunningReply
    ) -> Generator[str, None, End]:
        message = reply.message
        before = self._turn(scope, message.again)
        reply.growing = None if companion.chat is None else GrowingReply()
        companion.on_recall = self._telling(scope, companion, talk, reply)
        pieces = companion.stream(message.words, off_record=message.off_record, again=message.again)
        try:
            with closing(pieces):
                for piece in pieces:
                    reply.turn = companion.last_turn
                    yield piece
            return self._tell_end(scope, companion, talk, reply, before)
        except SiliconFriendError as error:
            reply.told["message"] = error.message(message.language)
            return "cut" if reply.words else "failed"
        finally:
            reply.turn = companion.last_turn or message.again
            if companion.chat is not None and reply.words:
                self._on_reply(reply.words)
            reply.told["unkept"] = list(companion.last_unkept)
            if message.off_record:
                reply.told["cards"] = self._unwritten_cards(scope, companion, message)
                reply.told["blocks"] = None if reply.growing is None else reply_blocks(reply.words)

    def _tell_end(
        self,
        scope: Scope,
        companion: Companion,
        talk: Talk,
        reply: RunningReply,
        before: Turn | None,
    ) -> End:
        """Tell what is beside a reply that was said to its end; returns how it ended."""
        said = companion.last_reply
        reply.told["message"] = " ".join(companion.troubles)
        memory = self._memory(scope)
        if before is not None and memory is not None and said is not None and said.turn is not None:
            talk.versions.note(before, said.turn, memory.erased)
            # The words that were replaced stay in no older file of the memory.
            self._store.rewrite(scope)
            self._runtime.rewrite_index(scope)
        return "cut" if said is None or said.interrupted else "whole"

    def _telling(
        self, scope: Scope, companion: Companion, talk: Talk, reply: RunningReply
    ) -> Callable[[tuple[Used, ...]], None]:
        def tell(used: tuple[Used, ...]) -> None:
            reply.turn = companion.last_turn
            memory = self._memory(scope)
            if memory is not None:
                now = self._runtime.clock.now(memory.profile.zone)
                talk.tell_recalled(reply, told_memories(used, memory, now, reply.message.language))

        return tell

    def _unwritten_cards(self, scope: Scope, companion: Companion, message: Message) -> str:
        used = companion.last_reply.used if companion.last_reply else ()
        memory = self._memory(scope)
        now = self._runtime.clock.now(self._runtime.settings.zone)
        return unwritten_cards(used, memory, self._runtime.policy, now, message.language)

    def _memory(self, scope: Scope) -> PersonMemory | None:
        return self._store.load(scope) if self._store.exists(scope) else None

    def _turn(self, scope: Scope, identifier: str) -> Turn | None:
        memory = self._memory(scope) if identifier else None
        turn = memory.find(identifier) if memory is not None else None
        return turn if isinstance(turn, Turn) else None
