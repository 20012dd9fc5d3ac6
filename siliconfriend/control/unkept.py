"""Turns that the person asked not to remember: marked at once, removed by the next night.

Between the mark and the night nothing is told of them: they are neither recalled nor summed
up, and no prompt holds them. Until then the mark can be taken back, since a wish can be
misheard.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore


def unkept_ids(memory: PersonMemory) -> list[str]:
    """The turns that are marked, oldest first."""
    return [turn.id for turn in memory.turns() if turn.unkept]


def mark(
    store: MemoryStore, scope: Scope, ids: Collection[str], *, unkept: bool = True
) -> list[str]:
    """Mark turns as not to be remembered, or with ``unkept=False`` keep them after all.

    Returns:
        Ids of the turns whose mark changed; one that is gone already is none.
    """
    with store.edit(scope) as edit:
        turns = (edit.memory.find(identifier) for identifier in ids)
        changed = [it for it in turns if isinstance(it, Turn) and it.unkept != unkept]
        edit.add(*(PutTurn(replace(turn, unkept=unkept)) for turn in changed))
    return [turn.id for turn in changed]
