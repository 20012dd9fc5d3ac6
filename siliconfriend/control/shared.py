"""Quotations of erased memories in what other companions of the person said.

A companion that shares another's memories may have put their words into a reply. Were these
left, an erasing would reach one companion and not the friend it had told.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from siliconfriend.control.derived import Derived, after_removal, resting_on
from siliconfriend.control.quoted import without_quotes
from siliconfriend.memory.changes import Change, PutTurn
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore


def take_out_of_shared(
    store: MemoryStore,
    scope: Scope,
    gone: Collection[str],
    rewrite_index: Callable[[Scope], object],
) -> list[str]:
    """Take quotations out of what other companions of the person said.

    A companion that shares another's memories may have quoted one in a reply of its own.

    Args:
        store: where they are.
        scope: whose memories went.
        gone: their ids.
        rewrite_index: as :func:`erase` has it.

    Returns:
        Ids of the turns whose reply was taken out, and of what was made from them.
    """
    touched: list[str] = []
    gone_ids = frozenset(gone)
    for other in store.scopes():
        if other.person != scope.person or other == scope:
            continue
        found: list[str] = []

        def decide(
            memory: PersonMemory, other: Scope = other, found: list[str] = found
        ) -> Iterator[Change]:
            quoting = [
                turn
                for turn in memory.turns()
                if not gone_ids.isdisjoint(it.id for it in turn.used)
            ]
            stay = {turn.id: turn for turn in quoting}
            derived: list[Derived] = resting_on(memory, other, stay, reworded=stay) if stay else []
            found[:] = [*(turn.id for turn in quoting), *(it.id for it in derived)]
            yield from (PutTurn(without_quotes(turn, gone)) for turn in quoting)
            yield from (it.removal for it in derived)
            yield from after_removal(memory, derived)

        store.update(other, decide)
        if found:
            store.rewrite(other)
            rewrite_index(other)
            touched += found
    return touched
