"""The history of the conversation that is going on: its last turns, read from the store.

It is never kept in a process, so that a chat that was closed and opened again, the web
page and the terminal all go on from the same words. What is older than a few hours
belongs to memory and comes back only by being recalled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from siliconfriend.clock import day_of
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.models.base import Message
from siliconfriend.models.tokens import estimate_tokens
from siliconfriend.recall.cue import Utterance

LIVE_TURNS = 30
"""Most turns of the history, while older ones wait for extraction and leave it."""
LIVE_SPAN = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class Exchange:
    """One message of the person and its answer.

    Attributes:
        query: the person's words.
        response: the companion's; empty if no answer came.
        id: the turn's; empty off the record.
    """

    query: str
    response: str
    id: str = ""


def live_turns(memory: PersonMemory, now: datetime) -> list[Turn]:
    """The turns of the conversation at ``now``, oldest first, at most :data:`LIVE_TURNS`.

    Not among them: turns whose events and facts were extracted, archived ones, and imported
    ones of which only the day is known.
    """
    today = day_of(now, memory.profile.zone)
    days = (memory.days.get(day.isoformat()) for day in (today - timedelta(days=1), today))
    return [
        turn
        for day in days
        if day is not None
        for turn in day.turns
        if turn.time is not None
        and turn.trace.archived is None
        and not turn.is_read
        and timedelta(0) <= now - turn.time <= LIVE_SPAN
    ][-LIVE_TURNS:]


def newest_within(exchanges: Sequence[Exchange], budget_tokens: int) -> list[Exchange]:
    """Choose the newest exchanges that fit into the budget; oldest first."""
    kept: list[Exchange] = []
    for exchange in reversed(exchanges):
        budget_tokens -= estimate_tokens(exchange.query) + estimate_tokens(exchange.response)
        if budget_tokens < 0:
            break
        kept.append(exchange)
    return kept[::-1]


def to_utterances(exchanges: Sequence[Exchange]) -> list[Utterance]:
    """What was said in the conversation, as recall reads it; oldest first."""
    return [
        utterance
        for exchange in exchanges
        for utterance in (
            Utterance(exchange.query, turn=exchange.id),
            Utterance(exchange.response, is_reply=True, turn=exchange.id),
        )
        if utterance.text.strip()
    ]


def to_messages(exchanges: Sequence[Exchange], query: str) -> list[Message]:
    """Build the messages of the conversation, ending with the new one.

    Words that got no reply are joined to what was said next, since many models refuse two
    messages of a person in a row, and an empty reply would teach the model to be silent.
    """
    messages: list[Message] = []
    waiting: list[str] = []
    for exchange in exchanges:
        waiting.append(exchange.query)
        if exchange.response.strip():
            messages.append(Message("user", "\n".join(dict.fromkeys(waiting))))
            messages.append(Message("assistant", exchange.response))
            waiting = []
    messages.append(Message("user", "\n".join(dict.fromkeys([*waiting, query]))))
    return messages
