"""Pin, forget, restore and edit: what a person does to single memories.

Each is one update of the store, by id. Nothing here destroys words: forgetting archives,
and only :mod:`siliconfriend.control.erasing` removes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import datetime

from siliconfriend.control.by_hand import by_hand
from siliconfriend.control.derived import after_removal, resting_besides
from siliconfriend.errors import UsageError
from siliconfriend.forgetting.trace import Trace
from siliconfriend.memory.changes import Change, PutDerived, PutSummary, PutTrace, PutTurn
from siliconfriend.memory.provenance import BY_PERSON
from siliconfriend.memory.records import DaySummary, Memory, PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore


def found(memory: PersonMemory, ids: Collection[str]) -> list[Memory]:
    """The memories with these ids, in the order given and each once.

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


def edit(
    store: MemoryStore,
    scope: Scope,
    identifier: str,
    now: datetime,
    *,
    query: str | None = None,
    response: str | None = None,
    text: str | None = None,
) -> list[str]:
    """Correct the words of a turn (``query``, ``response``) or of anything else (``text``).

    What was derived from the old words is removed and made again by the next night; a
    summary corrected by hand is kept by the night for as long as its day stays the same, and
    a fact until something else is told later. A turn that was read already is read again.

    Returns:
        Ids of the derived texts that were removed.

    Raises:
        UsageError: no such memory, or words that its kind does not have.
    """
    with store.edit(scope) as change:
        (record,) = found(change.memory, [identifier])
        corrected = _corrected(record, now, query=query, response=response, text=text)
        reworded = corrected.turn if isinstance(corrected, PutTurn) else None
        gone = resting_besides(change.memory, scope, identifier, reworded)
        change.add(corrected, *(it.removal for it in gone), *after_removal(change.memory, gone))
    return [it.id for it in gone]


def _corrected(
    record: Memory, now: datetime, *, query: str | None, response: str | None, text: str | None
) -> Change:
    if isinstance(record, Turn) and text is None and (query or response):
        turn = replace(
            record,
            query=record.query if query is None else query,
            response=record.response if response is None else response,
            index_text=None,
            edited=True,
            context="pending" if record.is_read else record.context,
        )
        return PutTurn(turn)
    if isinstance(record, DaySummary) and text and query is None and response is None:
        provenance = replace(record.provenance, made_by=BY_PERSON, made_at=now)
        return PutSummary(record.date, replace(record, text=text, provenance=provenance))
    if not isinstance(record, Turn | DaySummary) and text and query is None and response is None:
        return PutDerived(by_hand(record, text, now))
    raise UsageError("edit_words", id=record.id)


def _change_traces(
    store: MemoryStore, scope: Scope, ids: Collection[str], change: Callable[[Trace], Trace]
) -> None:
    with store.edit(scope) as edit:
        for record in found(edit.memory, ids):
            trace = change(record.trace)
            if trace != record.trace:
                edit.add(PutTrace(record.id, trace))
