"""``/why`` in a client's chat: what the last reply was based on, and what was not remembered.

A person in another program has no panel of memories beside the talk. What they type is
answered by the program and not by the model, and never remembered.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from siliconfriend.control.listing import words_of
from siliconfriend.dialogue.client_chat import last_turn_of
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.models.tokens import truncate
from siliconfriend.server.openai_door.tasks import Purpose
from siliconfriend.texts import text

COMMAND = "/why"
MOST = 1000
"""Chats of which it is known what was not remembered last; the oldest goes first."""
SHOWN_TOKENS = 60


class Unremembered:
    """Why the last message of a chat was not stored, by person and chat; safe between threads."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._last: OrderedDict[tuple[Scope, str], Purpose] = OrderedDict()

    def note(self, scope: Scope, chat: str, purpose: Purpose) -> None:
        """Note that a request was answered and not remembered."""
        with self._guard:
            self._last[scope, chat] = purpose
            self._last.move_to_end((scope, chat))
            while len(self._last) > MOST:
                self._last.popitem(last=False)

    def clear(self, scope: Scope, chat: str) -> None:
        """Note that a message was remembered."""
        with self._guard:
            self._last.pop((scope, chat), None)

    def last(self, scope: Scope, chat: str) -> Purpose | None:
        """Why the last message was not stored; None where it was."""
        with self._guard:
            return self._last.get((scope, chat))


def explain(memory: PersonMemory, chat: str, unremembered: Purpose | None) -> str:
    """Say what the last reply of a chat was based on, in the person's language."""
    language = memory.profile.language
    lines = []
    if unremembered is not None:
        lines.append(text("server", "why.unsure", language, name=unremembered.name))
    turn = last_turn_of(memory, chat)
    if turn is None:
        return "\n".join([*lines, text("server", "why.nothing_said", language)])
    lines.append(text("server", "why.reply", language, words=truncate(turn.response, SHOWN_TOKENS)))
    used = [(memory.find(it.id), it.score) for it in turn.used]
    found = [(record, score) for record, score in used if record is not None]
    if not found:
        lines.append(text("server", "why.nothing_used", language))
    for record, score in found:
        words = truncate(words_of(record), SHOWN_TOKENS)
        line = text(
            "server",
            "why.memory",
            language,
            date=record.date,
            words=words,
            score=score,
            id=record.id,
        )
        lines.append(line)
    return "\n".join(lines)
