"""Pin, forget, restore and correct single memories."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Literal

from siliconfriend.control.dependents import changes_after_edit
from siliconfriend.control.put_away import following_changes
from siliconfriend.errors import UsageError
from siliconfriend.forgetting.trace import Trace
from siliconfriend.language.characters import fold
from siliconfriend.language.message import read_message
from siliconfriend.language.words import top_keywords
from siliconfriend.memory.changes import (
    Change,
    PutDerived,
    PutField,
    PutPersonality,
    PutSummary,
    PutTrace,
    PutTurn,
    apply_all,
)
from siliconfriend.memory.days import OVERALL
from siliconfriend.memory.knowledge import BY_PERSON, Event, Fact, Provenance, Topic
from siliconfriend.memory.records import DaySummary, Derived, Memory, Overall, PersonMemory, Turn
from siliconfriend.memory.scope import Scope
from siliconfriend.memory.store import MemoryStore

Action = Literal["pin", "unpin", "forget", "restore", "unkeep", "rekeep"]
"""Actions without confirmation."""
Before = Mapping[str, tuple[Trace, bool]]
"""Trace and unkept flag of each memory before an action, by id."""

_NEW_TRACES: Mapping[str, Callable[[Trace, datetime], Trace]] = {
    "pin": lambda trace, _now: replace(trace, pinned=True),
    "unpin": lambda trace, _now: replace(trace, pinned=False),
    "forget": Trace.put_away_at,
    "restore": Trace.restored_at,
}


def act(
    store: MemoryStore, scope: Scope, action: Action, ids: Collection[str], now: datetime
) -> Before:
    """Apply an action; return the state for :func:`undo`; errors as :func:`find_memories`.

    ``pin`` exempts memories from fading. ``forget`` puts memories and their derived texts away.
    ``restore`` reactivates put away, archived or fading memories with new strength. ``unkeep``
    marks turns for erasure at the next night.
    """
    before = {}
    with store.edit(scope) as edit:
        for record in find_memories(edit.memory, ids):
            before[record.id] = record.trace, isinstance(record, Turn) and record.unkept
            if action in _NEW_TRACES:
                trace = _NEW_TRACES[action](record.trace, now)
                if trace != record.trace:
                    edit.add(PutTrace(record.id, trace))
            elif isinstance(record, Turn) and record.unkept != (action == "unkeep"):
                edit.add(PutTurn(replace(record, unkept=not record.unkept)))
        if action in ("forget", "restore"):
            after = apply_all(edit.memory, edit.changes)
            edit.add(*following_changes(after, ids, now))
    return before


def undo(store: MemoryStore, scope: Scope, before: Before, now: datetime) -> None:
    """Undo an action, keeping later recalls; errors as :func:`act`."""
    with store.edit(scope) as edit:
        for record in find_memories(edit.memory, before):
            was, unkept = before[record.id]
            trace = replace(was, recalls=record.trace.recalls, importance=record.trace.importance)
            edit.add(PutTrace(record.id, trace))
            if isinstance(record, Turn) and record.unkept != unkept:
                edit.add(PutTurn(replace(record, trace=trace, unkept=unkept)))
        edit.add(*following_changes(apply_all(edit.memory, edit.changes), before, now))


def find_memories(memory: PersonMemory, ids: Collection[str]) -> list[Memory]:
    """Find the memories with these ids, deduplicated, in order (UsageError: unknown id)."""
    found = {identifier: memory.find(identifier) for identifier in ids}
    for identifier, record in found.items():
        if record is None:
            raise UsageError("memory_unknown", id=identifier)
    return [record for record in found.values() if record is not None]


def edit_memory(
    store: MemoryStore, scope: Scope, identifier: str, now: datetime, **words: str | None
) -> list[str]:
    """Correct the words of a turn (``query``, ``response``) or of a derived text (``text``).

    Texts derived from the old words are removed and rebuilt by the next night. A corrected summary
    is kept until its day changes, a corrected fact until a later turn supersedes the fact. A
    corrected turn is extracted again.

    ``identifier``: a memory id, ``overall_history``, ``overall_personality`` or
    ``personality-DATE``.

    Returns the ids of the derived texts that were removed.

    Raises:
        UsageError: unknown memory, or a field that its kind does not have.
    """
    with store.edit(scope) as edit:
        changes, gone = edit_changes(edit.memory, identifier, now, **words)
        edit.add(*changes)
    return gone


def edit_changes(
    memory: PersonMemory,
    identifier: str,
    now: datetime,
    *,
    query: str | None = None,
    response: str | None = None,
    text: str | None = None,
) -> tuple[list[Change], list[str]]:
    """Return the changes of :func:`edit_memory` and its return value, without writing them."""
    record, turn = memory.find(identifier), None
    if isinstance(record, Turn):
        if text is not None or query == "" or not (query or response):
            raise UsageError("edit_words", id=identifier)
        turn = replace(
            record,
            query=record.query if query is None else query,
            response=record.response if response is None else response,
            edited=True,
            distress=record.distress if query is None else read_message(query).is_distress,
            context="pending" if record.is_read else record.context,
        )
        corrected: Change = PutTurn(turn)
    elif text is None or not text.strip() or query is not None or response is not None:
        raise UsageError("edit_words", id=identifier)
    else:
        corrected = _corrected_text(memory, identifier, text.strip(), now)
    changes, gone = changes_after_edit(memory, identifier, turn)
    return [corrected, *changes], gone


def _corrected_text(memory: PersonMemory, identifier: str, text: str, now: datetime) -> Change:
    def by_person(provenance: Provenance) -> Provenance:
        return replace(provenance, made_by=BY_PERSON, made_at=now)

    for name in OVERALL:
        overall = getattr(memory, name)
        if identifier == name and overall is not None:
            return PutField(name, Overall(text, by_person(overall.provenance)))
    day = memory.days.get(identifier.removeprefix("personality-"))
    if day is not None and day.personality is not None:
        # The person's words replace the separate parts.
        made = by_person(day.personality.provenance)
        own = replace(day.personality, text=text, traits="", mood="", strategy="", provenance=made)
        return PutPersonality(day.date, own)
    (record,) = find_memories(memory, [identifier])
    assert not isinstance(record, Turn)
    changed = replace(record, text=text, provenance=by_person(record.provenance))
    if isinstance(changed, DaySummary):
        return PutSummary(changed.date, replace(changed, checked=True))
    return PutDerived(_without_old(changed, record.text))


def _without_old(record: Derived, old: str) -> Derived:
    """Return a record without fields derived only from its old words.

    A fact keeps its entity and kind.
    """
    before, now = fold(old), fold(record.text)

    def still(*words: str) -> tuple[str, ...]:
        return tuple(
            word for word in words if word and (fold(word) not in before or fold(word) in now)
        )

    match record:
        case Fact():
            named = [*still(record.key_word), *top_keywords([record.text], 1), ""]
            return replace(record, key_word=named[0], value="")
        case Event():
            words, place = still(*record.key_words), "".join(still(record.place))
            return replace(record, place=place, key_words=words, triple=(), insight="")
        case Topic():
            talks = tuple(replace(talk, overview="") for talk in record.talks)
            return replace(record, key_words=still(*record.key_words), talks=talks)
    return record
