"""Bringing the insights of one memory into another.

An insight is only as good as what it rests on: one whose evidence was erased or corrected
here would bring back what the person took away, and stays out with all that rests on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from siliconfriend.memory.changes import PutInsight, apply
from siliconfriend.memory.identity import memory_id
from siliconfriend.memory.records import Insight, Memory, PersonMemory, Turn
from siliconfriend.memory.scope import Scope


def brought_insights(
    brought: PersonMemory, here: PersonMemory, scope: Scope, in_scope: Callable[[str], str]
) -> Iterator[Insight]:
    """The insights of ``brought`` that are new, as they are to stand here.

    Args:
        brought: the memory that is brought in.
        here: the memory of ``scope``, with the turns and texts of ``brought`` in it.
        scope: whose memory it becomes.
        in_scope: the id that a brought one has here.
    """
    staying = _standing(brought, here, in_scope)
    renamed: dict[str, str] = {}
    fresh: list[Insight] = []
    merged = here
    for insight in staying:
        day = here.days.get(insight.date)
        there = day.insights if day else ()
        known = next((it.id for it in there if it.text == insight.text), None)
        identifier, position = in_scope(insight.id), insight.position
        if known is None and merged.find(identifier) is not None:
            position = merged.next_position(insight.date, "insight")
            identifier = memory_id(scope, "insight", insight.date, position)
        renamed[insight.id] = known or identifier
        if known is None:
            fresh.append(replace(insight, id=identifier, position=position))
            merged = apply(merged, PutInsight(fresh[-1]))
    for insight in fresh:
        ids = tuple(renamed.get(it) or in_scope(it) for it in insight.provenance.from_ids)
        yield replace(insight, provenance=replace(insight.provenance, from_ids=ids))


def _standing(
    brought: PersonMemory, here: PersonMemory, in_scope: Callable[[str], str]
) -> list[Insight]:
    """The insights that were not erased here and whose evidence has the same words here."""

    def is_gone(identifier: str) -> bool:
        record = brought.find(identifier)
        if in_scope(identifier) in here.erased:
            return True
        if record is None or isinstance(record, Insight):
            return False
        return not _say_the_same(record, here.find(in_scope(identifier)))

    insights = list(brought.insights())
    gone = {insight.id for insight in insights if is_gone(insight.id)}
    while True:
        staying = [
            insight
            for insight in insights
            if insight.id not in gone
            and not any(it in gone or is_gone(it) for it in insight.provenance.from_ids)
        ]
        if len(staying) + len(gone) == len(insights):
            return staying
        gone = {insight.id for insight in insights} - {insight.id for insight in staying}


def _say_the_same(one: Memory, other: Memory | None) -> bool:
    if isinstance(one, Turn):
        words = (one.query, one.response)
        return isinstance(other, Turn) and words == (other.query, other.response)
    return other is not None and not isinstance(other, Turn) and one.text == other.text
