"""Pin, forget, restore and "don't remember this": what a person does to single memories.

Each is one edit of the store, by id. Nothing here destroys words: forgetting archives,
and only :mod:`siliconfriend.control.erasure` removes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import datetime
from typing import Literal

from siliconfriend.control.opt_out import mark_unkept
from siliconfriend.errors import UsageError
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import PutTrace
from siliconfriend.memory.records import Memory, PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore

Action = Literal["pin", "unpin", "forget", "restore", "unkeep", "rekeep"]
"""Actions that need no confirmation; each is undone by another of them."""


def act(
    store: MemoryStore, scope: Scope, action: Action, ids: Collection[str], now: datetime
) -> None:
    """Do an action to memories.

    Raises:
        UsageError: one of them is not there; nothing is changed then.
    """
    match action:
        case "pin" | "unpin":
            pin(store, scope, ids, pinned=action == "pin")
        case "unkeep" | "rekeep":
            find_memories(store.load(scope), ids)
            mark_unkept(store, scope, ids, unkept=action == "unkeep")
        case "forget":
            forget(store, scope, ids, now)
        case "restore":
            restore(store, scope, ids, now)


def find_memories(memory: PersonMemory, ids: Collection[str]) -> list[Memory]:
    """Find the memories with these ids, in the order given and each once.

    Raises:
        UsageError: one of them is not there; nothing is changed then.
    """
    records = []
    for identifier in dict.fromkeys(ids):
        record = memory.find(identifier)
        if record is None:
            raise UsageError("memory_unknown", id=identifier)
        records.append(record)
    return records


def pin(store: MemoryStore, scope: Scope, ids: Collection[str], *, pinned: bool = True) -> None:
    """Keep memories from ever fading, or with ``pinned=False`` let them fade again."""
    _change_traces(store, scope, ids, lambda trace: replace(trace, pinned=pinned))


def forget(store: MemoryStore, scope: Scope, ids: Collection[str], now: datetime) -> None:
    """Archive memories at once; :func:`restore` brings them back."""
    _change_traces(
        store, scope, ids, lambda trace: trace if trace.archived else trace.archived_at(now)
    )


def restore(store: MemoryStore, scope: Scope, ids: Collection[str], now: datetime) -> None:
    """Bring archived or fading memories back with fresh strength."""
    _change_traces(store, scope, ids, lambda trace: trace.restored_at(now))


def _change_traces(
    store: MemoryStore, scope: Scope, ids: Collection[str], change: Callable[[Trace], Trace]
) -> None:
    with store.edit(scope) as edit:
        for record in find_memories(edit.memory, ids):
            trace = change(record.trace)
            if trace != record.trace:
                edit.add(PutTrace(record.id, trace))
