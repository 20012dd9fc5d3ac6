"""What Nora says in a store, and what is kept of it."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from siliconfriend.memory.changes import Change, PutTurn
from siliconfriend.memory.drafts import new_turn
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore
from tests.memory.people import NORA, NOW


def put(store: MemoryStore, scope: Scope, *changes: Change) -> PersonMemory:
    """Write changes that do not depend on the memory; the memory after them."""
    with store.edit(scope) as edit:
        edit.add(*changes)
    return edit.memory_after


def say(
    store: MemoryStore, query: str, scope: Scope = NORA, *, now: datetime = NOW
) -> PersonMemory:
    """Say something; the memory then."""
    with store.edit(scope) as edit:
        edit.add(PutTurn(new_turn(scope, edit.memory, query, now=now)))
    return edit.memory_after


def tell(store: MemoryStore, scope: Scope, query: str, *, now: datetime, **fields: Any) -> str:
    """Say something, with these fields of the turn; its id."""
    with store.edit(scope) as edit:
        turn = replace(new_turn(scope, edit.memory, query, now=now), **fields)
        edit.add(PutTurn(turn))
    return turn.id


def queries(store: MemoryStore) -> list[str]:
    """All that Nora said."""
    return [turn.query for turn in store.load(NORA).turns()]
