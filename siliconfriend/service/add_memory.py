"""The tool ``add_memory``: an exchange held elsewhere, stored as a turn of the user's day.

It is written exactly as a chat writes: durable before the answer, on the user's day, obeying
a wish not to be remembered, and without words that were just recalled in its index text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from siliconfriend.control.opt_out import find_opt_out
from siliconfriend.dialogue.chat_history import live_turns
from siliconfriend.errors import UsageError
from siliconfriend.extraction.queue import SCENE_GAP, all_live, newly_pending
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutContext, PutTurn
from siliconfriend.memory.codec import from_json, to_json
from siliconfriend.memory.creation import new_turn
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.models.output import clean
from siliconfriend.recall.index_text import index_text_for
from siliconfriend.service.arguments import AddMemory
from siliconfriend.service.context import ServiceContext
from siliconfriend.service.timestamps import Timestamp, format_timestamp, parse_timestamp
from siliconfriend.texts import text

REPLIED_BY = "mcp"


def add_memory(context: ServiceContext, arguments: AddMemory) -> dict[str, Any]:
    """Store the exchange; a new user begins with it.

    Raises:
        UsageError: nothing was said, the moment cannot be read, or ``meta_data`` not be kept.
        StoreError: the memory cannot be read or written.
    """
    query, response = clean(arguments.user_input).strip(), clean(arguments.agent_response).strip()
    if not query or not response:
        raise UsageError("service_nothing_said")
    metadata = _checked(arguments.meta_data or {})
    memory = context.memory()
    said = parse_timestamp(arguments.timestamp, zone=memory.profile.zone, now=context.now(memory))
    if not context.store.exists(context.scope):
        context.store.create(context.scope, memory.profile)
    unkept = _write(context, query, response, said, metadata)
    zone, language = memory.profile.zone, memory.profile.language
    message = text("service", ("added", "not_kept", "not_kept_before")[unkept], language)
    when = format_timestamp(said.moment, zone)
    return {
        "status": "success",
        "message": message,
        "timestamp": when if said.has_time else when[:10],
        "details": {
            "user_input_length": len(arguments.user_input),
            "agent_response_length": len(arguments.agent_response),
            "has_meta_data": arguments.meta_data is not None,
        },
    }


def _write(
    context: ServiceContext, query: str, response: str, said: Timestamp, metadata: Mapping[str, Any]
) -> int:
    """Write the turn; how many turns the user asked not to remember by it."""
    scope, recalled, wish = context.scope, context.pop_last_recalled(), find_opt_out(query)
    with context.store.edit(scope) as edit:
        newest = edit.memory
        turn = new_turn(scope, newest, query, now=said.moment)
        before = live_turns(newest.kept(), said.moment)[-1:] if wish and wish.before else []
        unkept = len(before) + 1 if wish else 0
        is_late = _is_late(newest, said)
        left = () if is_late else newly_pending(newest, said.moment)
        waits = any(it.context == "pending" for it in live_turns(newest.kept(), said.moment))
        is_to_extract = is_late or bool(left) or waits
        if left:
            edit.add(PutContext(left, "pending"))
        edit.add(*(PutTurn(replace(it, unkept=True)) for it in before))
        added = replace(
            turn,
            response=response,
            time=said.moment if said.has_time else None,
            trace=Trace(said.moment),
            replied_by=REPLIED_BY,
            unkept=wish is not None,
            index_text=index_text_for(query, response, recalled, day=turn.date),
            metadata=metadata,
            context="pending" if is_late else "live",
        )
        edit.add(PutTurn(added))
    if is_to_extract:
        context.extract_soon()
    return unkept


def _is_late(memory: PersonMemory, said: Timestamp) -> bool:
    """True if the exchange is older than the conversation going on, which it must not end."""
    live = [memory.find(identifier) for identifier in all_live(memory)]
    times = [turn.time for turn in live if isinstance(turn, Turn) and turn.time is not None]
    return bool(times) and times[-1] - said.moment >= SCENE_GAP


def _checked(metadata: Mapping[str, Any]) -> Mapping[str, Any]:
    """The metadata as the store will give it back.

    Raises:
        UsageError: it holds what no file of the memory can: a number beyond 64 bits, or objects
            hundreds deep.
    """
    try:
        return from_json(to_json(dict(metadata)))
    except TypeError as error:
        raise UsageError("service_metadata") from error
