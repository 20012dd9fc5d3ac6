"""The tool ``add_memory``: an exchange held elsewhere, stored as a turn of the user's day.

It is written exactly as a chat writes: durable before the answer, on the user's day, obeying
a wish not to be remembered, and without words that were just recalled in its index text.
"""

from __future__ import annotations

from typing import Any

from siliconfriend.dialogue.external_exchange import ExternalExchange, record_external_exchange
from siliconfriend.errors import UsageError
from siliconfriend.memory.lookalike_names import check_newcomer
from siliconfriend.memory.metadata import validate_metadata
from siliconfriend.models.output import clean
from siliconfriend.service.arguments import AddMemory
from siliconfriend.service.context import ServiceContext
from siliconfriend.service.timestamps import format_timestamp, parse_timestamp
from siliconfriend.texts import text

REPLIED_BY = "mcp"


def add_memory(context: ServiceContext, arguments: AddMemory) -> dict[str, Any]:
    """Store the exchange; a new user begins with it.

    Raises:
        RefusedName: a new user's name looks like a known one.
        UsageError: nothing was said, the moment cannot be read, or ``meta_data`` not be kept.
        StoreError: the memory cannot be read or written.
    """
    query, response = clean(arguments.user_input).strip(), clean(arguments.agent_response).strip()
    if not query or not response:
        raise UsageError("service_nothing_said")
    metadata = validate_metadata(arguments.meta_data or {})
    memory = context.memory()
    said = parse_timestamp(arguments.timestamp, zone=memory.profile.zone, now=context.now(memory))
    if not context.store.exists(context.scope):
        check_newcomer(context.store, context.scope)
        context.store.create(context.scope, memory.profile)
    told = ExternalExchange(query, response, said.moment, said.has_time, REPLIED_BY, metadata)
    kept = record_external_exchange(context.store, context.scope, told, context.pop_last_recalled())
    if kept.is_to_extract:
        context.extract_soon()
    zone, language = memory.profile.zone, memory.profile.language
    message = text("service", ("added", "not_kept", "not_kept_before")[len(kept.unkept)], language)
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
