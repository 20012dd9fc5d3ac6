"""The history of the present conversation: its last turns, read from the store.

The history is not kept in memory, so a chat continues after a restart. Older turns return only by
recall.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from siliconfriend.clock import CLOCK_SKEW
from siliconfriend.memory.knowledge import Used
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.models.base import Message
from siliconfriend.prompts.escape import Escaped
from siliconfriend.recall.cue import Utterance

LIVE_SPAN = timedelta(hours=6)
"""A longer pause ends a conversation."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One message of the person and its answer.

    Attributes:
        query: the person's words.
        response: the companion's; empty if no answer came.
        id: the turn's; empty off the record.
        used: the memories that the reply was given.
        time: when it was said, aware; None for a client's exchange that is not stored.
        metadata: the calling program's metadata for the turn.
    """

    query: str
    response: str
    id: str = ""
    used: tuple[Used, ...] = ()
    time: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, turn: Turn) -> Exchange:
        """Build the exchange of a stored turn."""
        return cls(turn.query, turn.response, turn.id, turn.used, turn.time, turn.metadata)


def live_turns(memory: PersonMemory, now: datetime) -> list[Turn]:
    """Return the turns of the conversation at ``now``, oldest first: those without a long pause since.

    Not among them: turns whose events and facts were extracted, those archived or put away, and imported
    ones of which only the day is known.
    """
    live, moment = list[Turn](), now
    for turn in reversed(memory.turns_since(now - 2 * timedelta(days=1))):
        if turn.time is None or turn.time > now + CLOCK_SKEW:
            continue
        if moment - turn.time > LIVE_SPAN:
            break
        moment = turn.time
        if turn.trace.is_active and not turn.is_read:
            live.append(turn)
    return live[::-1]


def to_utterances(exchanges: Sequence[Exchange]) -> list[Utterance]:
    """Return the utterances of the conversation for recall, oldest first."""
    return [
        utterance
        for exchange in exchanges
        for utterance in (
            Utterance(exchange.query, turn=exchange.id),
            Utterance(exchange.response, is_reply=True, turn=exchange.id),
        )
        if utterance.text.strip()
    ]


def as_messages(exchanges: Sequence[Exchange], words: Sequence[str]) -> list[Message]:
    """Convert exchanges and their written forms to alternating messages.

    Words that got no reply are joined to what was said next, since many models refuse two messages
    of a person in a row, and an empty reply would teach the model to be silent.
    """
    messages: list[Message] = []
    waiting: list[str] = []
    for exchange, content in zip(exchanges, words, strict=True):
        waiting.append(content)
        if exchange.response.strip():
            messages.append(Message("user", Escaped("\n\n".join(waiting))))
            messages.append(Message("assistant", exchange.response))
            waiting = []
    if waiting:
        messages.append(Message("user", Escaped("\n\n".join(waiting))))
    return messages
