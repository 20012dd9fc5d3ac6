"""Merge insights, events, facts and topics of one memory into another.

Such a record is only as good as what it rests on: one whose evidence was erased or corrected
here would bring back what the person took away, and stays out with all that rests on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from siliconfriend.memory.changes import PutDerived
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.knowledge import Fact, Topic, TopicSegment
from siliconfriend.memory.records import Derived, Memory, PersonMemory, Turn, kind_of, listed
from siliconfriend.memory.scope import Scope


def incoming_derived(
    incoming: PersonMemory, here: PersonMemory, scope: Scope, in_scope: Callable[[str], str]
) -> Iterator[Derived]:
    """The records of ``incoming`` that are new, as they are to stand here.

    Args:
        incoming: the memory that comes in.
        here: the memory of ``scope``, with the turns and texts of ``incoming`` in it.
        scope: whose memory it becomes.
        in_scope: the id that a incoming one has here.
    """
    renamed: dict[str, str] = {}
    fresh: list[Derived] = []
    merged = here
    for record in _standing(incoming, here, in_scope):
        kind, day = kind_of(record), here.days.get(record.date)
        there = listed(day, kind) if day else ()
        known = next((it.id for it in there if _words_of(it) == _words_of(record)), None)
        identifier, position = in_scope(record.id), record.position
        if known is None and merged.find(identifier) is not None:
            position = merged.next_position(record.date, kind)
            identifier = memory_id(scope, kind, record.date, position)
        renamed[record.id] = known or identifier
        if known is None:
            fresh.append(replace(record, id=identifier, position=position))
            merged = PutDerived(fresh[-1]).apply(merged)

    def here_named(identifier: str) -> str:
        return renamed.get(identifier) or in_scope(identifier)

    for record in fresh:
        yield _renamed(record, here_named)


def _standing(
    incoming: PersonMemory, here: PersonMemory, in_scope: Callable[[str], str]
) -> list[Derived]:
    """The records that were not erased here and whose evidence has the same words here."""

    def is_gone(identifier: str) -> bool:
        record = incoming.find(identifier)
        if in_scope(identifier) in here.erased:
            return True
        if record is None or isinstance(record, Derived):
            return False
        return _words_of(record) != _words_of(here.find(in_scope(identifier)))

    records = [it for day in incoming.days.values() for it in day.derived()]
    gone = {record.id for record in records if is_gone(record.id)}
    while True:
        staying = [
            record
            for record in records
            if record.id not in gone
            and not any(it in gone or is_gone(it) for it in record.provenance.from_ids)
        ]
        if len(staying) + len(gone) == len(records):
            return staying
        gone = {record.id for record in records} - {record.id for record in staying}


def _words_of(memory: Memory | None) -> tuple[str, ...]:
    """The words by which two records of one kind are duplicates."""
    match memory:
        case None:
            return ()
        case Turn():
            return (memory.query, memory.response)
        case Fact():
            return (memory.entity, memory.text)
        case _:
            return (memory.text,)


def _renamed(record: Derived, name: Callable[[str], str]) -> Derived:
    """The record with every id in it as it is here."""
    ids = tuple(name(it) for it in record.provenance.from_ids)
    record = replace(record, provenance=replace(record.provenance, from_ids=ids))
    if isinstance(record, Fact):
        superseded, topic = record.superseded_by, record.topic
        return replace(
            record,
            superseded_by=superseded and name(superseded),
            topic=topic and name(topic),
        )
    if isinstance(record, Topic):
        talks = tuple(
            TopicSegment(
                tuple(name(it) for it in talk.pages),
                talk.overview,
                talk.follows and name(talk.follows),
            )
            for talk in record.talks
        )
        return replace(record, talks=talks, analysed=tuple(name(it) for it in record.analysed))
    return record
