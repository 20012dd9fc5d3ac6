"""The talks of everybody who uses the page, and what other processes do in them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from secrets import token_hex

from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.shared.replicas import OneProcess, Replicas, TalkState
from siliconfriend.texts import Language

from .running_replies import Answer, Message, RunningReply, Talk
from .watching import Watch

MOST_TALKS = 1024
"""Talks that are kept; one that is quiet longest goes first, and loses nothing that was kept."""


class RunningReplies:
    """The talks of everybody who uses the page; safe between threads.

    Args:
        answer_for: returns what makes the replies of a person's talk.
        replicas: the other processes of the page; there are none unless given.

    Attributes:
        server: drawn at each start: the number of an event of an older one means nothing here.
    """

    def __init__(
        self, answer_for: Callable[[Scope], Answer], replicas: Replicas | None = None
    ) -> None:
        self.server = token_hex(8)
        self._answer_for = answer_for
        self._replicas = replicas or OneProcess()
        self._watch = Watch(self._replicas, self._followed)
        self._lock = threading.Lock()
        self._talks: OrderedDict[Scope, Talk] = OrderedDict()

    def talk(self, scope: Scope) -> Talk:
        """Return the talk of a person with a companion."""
        with self._lock:
            talk = self._talks.pop(scope, None) or self._begun(scope)
            self._talks[scope] = talk
            if len(self._talks) > MOST_TALKS:
                quiet = next((it for it, talk in self._talks.items() if not talk.running), None)
                if quiet is not None:
                    self._talks.pop(quiet).events.close()
        return talk

    def say(self, scope: Scope, message: Message) -> bool:
        """Answer a message, as :meth:`Talk.say`."""
        self._watch.let_go(scope)  # what this process writes is no news to its tabs
        return self.talk(scope).say(message)

    def stop(self, scope: Scope) -> None:
        """End the reply under way, here or in another process."""
        talk = self.talk(scope)
        if talk.running is None:
            self._replicas.stop(scope)
        talk.stop()

    def stands(self, scope: Scope) -> TalkState | None:
        """Return what stands of a talk for all processes, to be asked before it is shown to a tab.

        What comes after that is told to the tabs that follow. None where no other process writes.
        """
        if not self._replicas.are_several:
            return None
        state = self._replicas.states([scope]).get(scope, TalkState(0, is_answered=False))
        self._watch.note(scope, state)
        return state

    def event_id(self, number: int) -> str:
        """Return the id of an event, which holds for this start of the program alone."""
        return f"{self.server}-{number}"

    def number_of(self, identifier: str) -> int | None:
        """Return the number in an event's id; None where another start of the program gave it."""
        server, _, number = identifier.partition("-")
        return int(number) if server == self.server and number.isdecimal() else None

    def changed(self, scope: Scope) -> None:
        """Tell the tabs of a person that their talk on disk is another one."""
        with self._lock:
            talk = self._talks.get(scope)
        if talk is not None:
            talk.changed()

    def erased(self, scope: Scope) -> None:
        """Let go of all that a person's replies said, since something was erased or reworded."""
        with self._lock:
            talk = self._talks.get(scope)
        if talk is not None:
            talk.erased()

    def close(self, seconds: float) -> None:
        """End all replies and wait until what was said is kept, at most so long for each."""
        self._watch.close()
        with self._lock:
            talks = list(self._talks.values())
        for thread in [thread for talk in talks for thread in talk.close()]:
            thread.join(seconds)
        self._replicas.close()

    def _begun(self, scope: Scope) -> Talk:
        return Talk(self._answer_for(scope), lambda on_end: self._replicas.turn(scope, on_end))

    def _followed(self) -> dict[Scope, Talk]:
        with self._lock:
            return {scope: it for scope, it in self._talks.items() if it.events.is_followed}


def answered_elsewhere(
    state: TalkState | None, memory: PersonMemory | None, language: Language
) -> RunningReply | None:
    """Return the reply that another process says, as far as is known here: what it answers.

    Args:
        state: of the talk, as :meth:`RunningReplies.stands` returned it.
        memory: of the person, as it was read after that.
        language: of the page.
    """
    if state is None or not state.is_answered or memory is None:
        return None
    last = next(reversed(list(memory.turns())), None)
    if last is None or last.response or last.time is None:
        return None
    return RunningReply(Message(last.id, last.query, "", language, last.time), turn=last.id)
