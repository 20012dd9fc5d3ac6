"""``retrieve_memory``: the talk that goes on, and what a question brings back from before it.

What is handed out enters another program's prompt, so it counts as recalled and is
strengthened like what enters a prompt of our own; otherwise whoever talks through such a
program would see all their memories fade.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from siliconfriend.dialogue.live import live_turns
from siliconfriend.errors import UsageError
from siliconfriend.memory.records import Turn
from siliconfriend.models.wording import clean
from siliconfriend.service.arguments import RetrieveMemory
from siliconfriend.service.moments import shown, shown_turn
from siliconfriend.service.served import Served

WIDER = 4
"""So many times more memories are looked through than pages are wanted, since summaries and
insights stand among them."""


def retrieve(served: Served, asked: RetrieveMemory) -> dict[str, Any]:
    """What the question brings back; of a person not met yet nothing.

    Raises:
        UsageError: nothing is asked.
        StoreError: the memory cannot be read or written.
        ModelUnavailable: the embedder cannot be had.
    """
    query = clean(asked.query).strip()
    if not query:
        raise UsageError("service_nothing_asked")
    memory = served.memory()
    zone, now = memory.profile.zone, served.now(memory)
    live = live_turns(memory.kept(), now)
    pages = _pages(served, query, live, now, asked.max_results)
    return {
        "status": "success",
        "query": query,
        "timestamp": shown(now, zone),
        "relationship_with_user": asked.relationship_with_user,
        "style_hint": asked.style_hint,
        "short_term_memory": [_exchange(turn, zone) for turn in live],
        "retrieved_pages": [{**_exchange(turn, zone), "meta_info": ""} for turn in pages],
        "retrieved_user_knowledge": [],
        "retrieved_assistant_knowledge": [],
        "total_pages_found": len(pages),
        "total_user_knowledge_found": 0,
        "total_assistant_knowledge_found": 0,
    }


def _pages(
    served: Served, query: str, live: Sequence[Turn], now: datetime, most: int
) -> list[Turn]:
    """Turns from before the live talk that matter to the question, best first; strengthened."""
    if not served.store.exists(served.scope):
        return []
    found = served.recaller.recall(
        served.scope, query, now=now, top=most * WIDER, exclude={turn.id for turn in live}
    )
    turns = [it for it in found.memories if isinstance(it.memory, Turn)][:most]
    handed = replace(found, memories=tuple(turns))
    served.recaller.reinforce(served.scope, handed, now=now)
    served.handed_out = tuple(it.memory for it in turns)
    return [it.memory for it in turns if isinstance(it.memory, Turn)]


def _exchange(turn: Turn, zone: ZoneInfo) -> dict[str, Any]:
    exchange: dict[str, Any] = {
        "user_input": turn.query,
        "agent_response": turn.response,
        "timestamp": shown_turn(turn, zone),
    }
    return {**exchange, "meta_data": dict(turn.metadata)} if turn.metadata else exchange
