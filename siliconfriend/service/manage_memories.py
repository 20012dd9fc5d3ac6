"""The tools for a person's hand on their memory: search, forget, pin, and end the scene.

What a model does here by mistake a person can undo: forgetting archives, nothing is erased.
"""

from __future__ import annotations

from typing import Any

from siliconfriend.control.actions import find_memories, forget, pin
from siliconfriend.control.listing import memory_rows, words_of
from siliconfriend.control.search import search
from siliconfriend.dialogue.recording import record_scene_end
from siliconfriend.memory.records import Memory, kind_of
from siliconfriend.models.output import clean
from siliconfriend.service.arguments import ChangeScene, ForgetMemory, PinMemory, SearchMemories
from siliconfriend.service.context import ServiceContext
from siliconfriend.texts import text


def search_memories(context: ServiceContext, arguments: SearchMemories) -> dict[str, Any]:
    """Answer with the memories that match, best first, without strengthening them.

    Raises:
        StoreError: the memory cannot be read.
        ModelUnavailable: the embedder cannot be had.
    """
    memory, scope = context.memory(), context.scope
    now, query = context.now(memory), clean(arguments.query).strip()
    found = search(lambda: context.recaller, scope, memory, query, now=now, kind=arguments.kind)
    states = {
        row.memory.id: row.prospect.state
        for row in memory_rows(memory, context.runtime.policy, now)
    }
    return {
        "status": "success",
        "query": query,
        "memories": [
            {**_described(record), "state": states[record.id], "pinned": record.trace.pinned}
            for record in found[: arguments.max_results]
        ],
        "total_found": len(found),
    }


def forget_memory(context: ServiceContext, arguments: ForgetMemory) -> dict[str, Any]:
    """Archive a memory; the person can restore it.

    Raises:
        UsageError: there is no such memory.
        StoreError: the memory cannot be read or written.
    """
    memory = context.memory()
    (record,) = find_memories(memory, [arguments.memory_id])
    forget(context.store, context.scope, [record.id], context.now(memory))
    return _done(context, "forgotten", record)


def pin_memory(context: ServiceContext, arguments: PinMemory) -> dict[str, Any]:
    """Keep a memory from ever fading, or let it fade again.

    Raises:
        UsageError: there is no such memory.
        StoreError: the memory cannot be read or written.
    """
    (record,) = find_memories(context.memory(), [arguments.memory_id])
    pin(context.store, context.scope, [record.id], pinned=arguments.pinned)
    return _done(context, "pinned" if arguments.pinned else "unpinned", record)


def change_scene(context: ServiceContext, _arguments: ChangeScene) -> dict[str, Any]:
    """End the conversation that goes on, so that it is extracted.

    Raises:
        StoreError: the memory cannot be read or written.
    """
    left = record_scene_end(context.store, context.scope)
    if left:
        context.extract_soon()
    message = text("service", "scene_changed", context.language, count=left)
    return {"status": "success", "message": message, "exchanges": left}


def _done(context: ServiceContext, key: str, record: Memory) -> dict[str, Any]:
    message = text("service", key, context.language)
    return {"status": "success", "message": message, "memory": _described(record)}


def _described(record: Memory) -> dict[str, Any]:
    return {
        "memory_id": record.id,
        "kind": kind_of(record),
        "date": record.date,
        "text": words_of(record),
    }
