"""Records an exchange that was held elsewhere as a turn of the person's day.

It is written exactly as a chat writes: on the person's day, obeying a wish not to be
remembered, and without words that were just recalled in its index text. MCP's
``add_memory``, the HTTP server and a program of one's own all come here: several ways of
writing would differ in what they let be remembered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from siliconfriend.control.opt_out import opt_out_of
from siliconfriend.dialogue.chat_history import live_turns
from siliconfriend.extraction.queue import SCENE_GAP, all_live, newly_pending
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutContext, PutTurn
from siliconfriend.memory.creation import new_turn
from siliconfriend.memory.records import Memory, PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from siliconfriend.recall.index_text import index_text_for


@dataclass(frozen=True, slots=True)
class ExternalExchange:
    """What was said and answered elsewhere.

    Attributes:
        query: the person's words.
        response: what was answered; may be empty.
        moment: when, aware and in UTC; noon where only the day is known.
        has_time: False if only the day is known.
        replied_by: who answered.
        metadata: what the program around knows about it, a JSON object.
    """

    query: str
    response: str
    moment: datetime
    has_time: bool = True
    replied_by: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RecordedExchange:
    """What became of it.

    Attributes:
        turn: as it was stored.
        unkept: ids of the turns that it asked not to remember, its own among them.
        is_to_extract: turns wait for extraction.
    """

    turn: Turn
    unkept: tuple[str, ...]
    is_to_extract: bool


def record_external_exchange(
    store: MemoryStore, scope: Scope, told: ExternalExchange, recalled: Iterable[Memory] = ()
) -> RecordedExchange:
    """Store the exchange as a turn of a person who is known.

    Args:
        store: where to.
        scope: whose memory.
        told: what was said.
        recalled: memories that were given for the answer, whose words it may repeat.

    Raises:
        UnknownPerson, StoreError: the memory cannot be read or written.
    """
    with store.edit(scope) as edit:
        newest = edit.memory
        turn = new_turn(scope, newest, told.query, now=told.moment)
        wish = opt_out_of(told.query, newest, turn.date)
        live = live_turns(newest.kept(), told.moment)
        before = live[-1:] if wish and wish.before else []
        is_late = _is_late(newest, told.moment)
        left = () if is_late else newly_pending(newest, told.moment)
        if left:
            edit.add(PutContext(left, "pending"))
        edit.add(*(PutTurn(replace(it, unkept=True)) for it in before))
        added = replace(
            turn,
            response=told.response,
            time=told.moment if told.has_time else None,
            trace=Trace(told.moment),
            replied_by=told.replied_by,
            unkept=wish is not None,
            index_text=index_text_for(told.query, told.response, recalled, day=turn.date),
            metadata=told.metadata,
            context="pending" if is_late else "live",
        )
        edit.add(PutTurn(added))
    return RecordedExchange(
        turn=added,
        unkept=() if wish is None else tuple(it.id for it in (*before, added)),
        is_to_extract=is_late or bool(left) or any(it.context == "pending" for it in live),
    )


def _is_late(memory: PersonMemory, moment: datetime) -> bool:
    """True if the exchange is older than the conversation going on, which it must not end."""
    live = [memory.find(identifier) for identifier in all_live(memory)]
    times = [turn.time for turn in live if isinstance(turn, Turn) and turn.time is not None]
    return bool(times) and times[-1] - moment >= SCENE_GAP
