"""What a rule took out of turns goes when a model reads them after all.

Rules say little and in the person's own words; were their events and facts left beside a
model's, everything told before there was a model would be remembered twice. What the person
put right, pinned or put away stays as it is, and so does what an insight rests on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from siliconfriend.memory.changes import Change, Erase, PutDerived
from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.records import PersonMemory, Turn
from siliconfriend.recall.documents import OFFLINE


def taken_back(memory: PersonMemory, ids: Collection[str]) -> Iterator[Change]:
    """The changes that take away what rules alone made of turns that were read by rule.

    What rests on other turns as well stays and rests on those. A fact that one of them had
    replaced holds again.

    Args:
        memory: the newest snapshot.
        ids: of the turns that a model has read now.
    """
    noted = frozenset(it for it in ids if _is_noted(memory, it))
    if not noted:
        return
    cited = {source for it in memory.insights() for source in it.provenance.from_ids}
    gone: list[str] = []
    made: list[Event | Fact] = [*memory.events(), *memory.facts()]
    for record in made:
        left = _left(record, noted)
        if left is None or record.id in cited:
            continue
        if left:
            kept = replace(record.provenance, from_ids=left)
            yield PutDerived(replace(record, provenance=kept))
        else:
            gone.append(record.id)
    if not gone:
        return
    for fact in memory.facts():
        if fact.superseded_by in gone and fact.id not in gone:
            yield PutDerived(replace(fact, superseded_by="", merged=False))
    yield Erase(tuple(gone))


def _is_noted(memory: PersonMemory, identifier: str) -> bool:
    turn = memory.find(identifier)
    return isinstance(turn, Turn) and turn.context == "noted"


def _left(record: Event | Fact, noted: frozenset[str]) -> tuple[str, ...] | None:
    """What else a record rests on; None where it stays as it is."""
    made = record.provenance
    is_touched = record.trace.pinned or record.trace.archived is not None
    if made.made_by != OFFLINE or is_touched or noted.isdisjoint(made.from_ids):
        return None
    return tuple(it for it in made.from_ids if it not in noted)
