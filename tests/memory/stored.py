"""What Nora says in a store, and what is kept of it."""

from __future__ import annotations

from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.file_store import FileStore
from siliconfriend.memory.people import new_turn
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from tests.memory.people import NORA, NOW


def say(store: FileStore, query: str, scope: Scope = NORA) -> PersonMemory:
    """Say something; the memory then."""
    return store.update(scope, lambda memory: [PutTurn(new_turn(scope, memory, query, now=NOW))])


def queries(store: FileStore) -> list[str]:
    """All that Nora said."""
    return [turn.query for turn in store.load(NORA).turns()]
