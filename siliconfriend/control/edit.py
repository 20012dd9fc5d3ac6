"""What a person does to single memories: pin, forget, restore, and correct their words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Literal

from siliconfriend.control.dependents import dependents_of_edited, follow_up_changes
from siliconfriend.control.opt_out import mark_unkept
from siliconfriend.errors import UsageError
from siliconfriend.forgetting.trace import Trace
from siliconfriend.language.characters import fold
from siliconfriend.language.self_harm import speaks_of_self_harm
from siliconfriend.language.words import top_keywords
from siliconfriend.memory.changes import (
    Change,
    PutDerived,
    PutOverallHistory,
    PutOverallPersonality,
    PutPersonality,
    PutSummary,
    PutTrace,
    PutTurn,
)
from siliconfriend.memory.knowledge import Event, Fact, Topic
from siliconfriend.memory.provenance import BY_PERSON, Provenance
from siliconfriend.memory.records import DaySummary, Derived, Memory, Overall, PersonMemory, Turn
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


def edit_memory(
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
    with store.edit(scope) as edit:
        changes, gone = edit_changes(
            edit.memory, scope, identifier, now, query=query, response=response, text=text
        )
        edit.add(*changes)
    return gone


def edit_changes(
    memory: PersonMemory,
    scope: Scope,
    identifier: str,
    now: datetime,
    *,
    query: str | None = None,
    response: str | None = None,
    text: str | None = None,
) -> tuple[list[Change], list[str]]:
    """The changes of :func:`edit_memory` and what it returns, to be written with others.

    Raises:
        UsageError: no such memory, or words that its kind does not have.
    """
    (record,) = find_memories(memory, [identifier])
    corrected = _edited_memory(record, now, query=query, response=response, text=text)
    reworded = corrected.turn if isinstance(corrected, PutTurn) else None
    gone = dependents_of_edited(memory, scope, identifier, reworded)
    changes = [corrected, *(it.removal for it in gone), *follow_up_changes(memory, gone)]
    return changes, [it.id for it in gone]


def correct_text(
    store: MemoryStore, scope: Scope, identifier: str, text: str, now: datetime
) -> None:
    """Set the words of a derived text.

    Args:
        store: where it is.
        scope: whose it is.
        identifier: ``overall_history``, ``overall_personality``, ``personality-DATE`` or the
            id of an insight, event, fact or topic.
        text: the right words.
        now: aware.

    Raises:
        UsageError: there is no such text, or no words were given; nothing is changed.
    """
    if not text.strip():
        raise UsageError("edit_words", id=identifier)

    with store.edit(scope) as edit:
        edit.add(_corrected_text(edit.memory, identifier, text.strip(), now))
        gone = dependents_of_edited(edit.memory, scope, identifier)
        edit.add(*(it.removal for it in gone), *follow_up_changes(edit.memory, gone))


def reword(record: Derived, text: str, now: datetime) -> Derived:
    """Replace the words of a record by ``text``, made by the person.

    A fact keeps whom and what sort of thing it is about, loses its value and counts as looked at for repetitions. An event
    loses its insight and a topic the overviews of its talks, which were made of the old words.
    """
    provenance = replace(record.provenance, made_by=BY_PERSON, made_at=now)
    changed = replace(record, text=text, provenance=provenance)
    old = fold(record.text)
    match changed:
        case Fact():
            named = _without_old_words([changed.key_word], old, text) or top_keywords([text], 1)
            return replace(changed, key_word=next(iter(named), ""), value="", merged=True)
        case Event():
            place = next(iter(_without_old_words([changed.place], old, text)), "")
            words = tuple(_without_old_words(changed.key_words, old, text))
            return replace(changed, place=place, key_words=words, insight="")
        case Topic():
            words = tuple(_without_old_words(changed.key_words, old, text))
            talks = tuple(replace(it, overview="") for it in changed.talks)
            return replace(changed, key_words=words, talks=talks)
    return changed


def _edited_memory(
    record: Memory, now: datetime, *, query: str | None, response: str | None, text: str | None
) -> Change:
    if isinstance(record, Turn) and text is None and (query or response):
        turn = replace(
            record,
            query=record.query if query is None else query,
            response=record.response if response is None else response,
            index_text=None,
            edited=True,
            distress=record.distress if query is None else speaks_of_self_harm(query),
            context="pending" if record.is_read else record.context,
        )
        return PutTurn(turn)
    if isinstance(record, DaySummary) and text and query is None and response is None:
        provenance = replace(record.provenance, made_by=BY_PERSON, made_at=now)
        return PutSummary(record.date, replace(record, text=text, provenance=provenance))
    if not isinstance(record, Turn | DaySummary) and text and query is None and response is None:
        return PutDerived(reword(record, text, now))
    raise UsageError("edit_words", id=record.id)


def _corrected_text(memory: PersonMemory, identifier: str, text: str, now: datetime) -> Change:
    def by_person(provenance: Provenance) -> Provenance:
        return replace(provenance, made_by=BY_PERSON, made_at=now)

    overall = {"overall_history": memory.overall_history}
    overall["overall_personality"] = memory.overall_personality
    if (present := overall.get(identifier)) is not None:
        right = Overall(text, by_person(present.provenance))
        if identifier == "overall_history":
            return PutOverallHistory(right)
        return PutOverallPersonality(right)
    day = memory.days.get(identifier.removeprefix("personality-"))
    if day is not None and day.personality is not None:
        own = day.personality
        # The parts said what was wrong; the person's words stand for all of them.
        right_day = replace(
            own, text=text, traits="", mood="", strategy="", provenance=by_person(own.provenance)
        )
        return PutPersonality(day.date, right_day)
    record = memory.find(identifier)
    if isinstance(record, Derived):
        return PutDerived(reword(record, text, now))
    raise UsageError("memory_unknown", id=identifier)


def _without_old_words(words: Iterable[str], old: str, text: str) -> list[str]:
    """Keep the words that do not come from the old text alone."""
    new = fold(text)
    return [it for it in words if it and (fold(it) not in old or fold(it) in new)]
