"""Quotations of erased memories in what other companions of the person said.

A companion that shares another's memories may have put their words into a reply. Were these
left, an erasing would reach one companion and not the friend it had told.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from siliconfriend.control.derived import after_removal, resting_on
from siliconfriend.control.quoted import without_quotes
from siliconfriend.memory.changes import PutTurn
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
        with store.edit(other) as edit:
            quoting = {
                turn.id: turn
                for turn in edit.memory.turns()
                if not gone_ids.isdisjoint(it.id for it in turn.used)
            }
            if not quoting:
                continue
            derived = resting_on(edit.memory, other, quoting, reworded=quoting)
            edit.add(*(PutTurn(without_quotes(turn, gone)) for turn in quoting.values()))
            edit.add(*(it.removal for it in derived), *after_removal(edit.memory, derived))
        store.rewrite(other)
        rewrite_index(other)
        touched += [*quoting, *(it.id for it in derived)]
    return touched
