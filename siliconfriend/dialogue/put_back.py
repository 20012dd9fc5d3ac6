"""Putting an earlier answer back in the place of the one that stands.

Whoever had a message answered again may find the first answer the better one. What stands in
memory is then the chosen exchange alone, with the memories that its reply was given; and what
was derived from the other one goes, as with any correction.
"""

from __future__ import annotations

from dataclasses import replace

from siliconfriend.control.dependents import dependents_of_edited, follow_up_changes
from siliconfriend.errors import UsageError
from siliconfriend.memory.changes import PutTurn
from siliconfriend.memory.records import Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore


def put_back(
    store: MemoryStore, scope: Scope, earlier: Turn, *, erased: frozenset[str]
) -> tuple[Turn, Turn]:
    """Let an earlier version of a turn stand again.

    Args:
        store: where it is.
        scope: whose it is.
        earlier: the turn as it was, with the words of the other answer or message.
        erased: the ids that were erased when it was so.

    Returns:
        The turn that stood, and the one that stands now.

    Raises:
        UsageError: the turn is gone, or something was erased meanwhile that the earlier answer
            may quote; nothing is changed then.
    """
    with store.edit(scope) as edit:
        stood = edit.memory.find(earlier.id)
        if not isinstance(stood, Turn):
            raise UsageError("memory_unknown", id=earlier.id)
        if edit.memory.erased != erased:
            raise UsageError("answer_erased")
        turn = replace(
            stood,
            query=earlier.query,
            response=earlier.response,
            interrupted=earlier.interrupted,
            used=earlier.used,
            replied_by=earlier.replied_by,
            index_text=earlier.index_text,
            edited=earlier.edited,
            distress=earlier.distress,
            context="pending" if stood.is_read else stood.context,
        )
        gone = dependents_of_edited(edit.memory, scope, turn.id, turn)
        removals = (it.removal for it in gone)
        edit.add(PutTurn(turn), *removals, *follow_up_changes(edit.memory, gone))
    return stood, turn
