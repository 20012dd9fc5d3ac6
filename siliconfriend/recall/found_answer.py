"""A memory that answers a question about someone's life."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import Memory


@dataclass(frozen=True, slots=True)
class FoundAnswer:
    """A memory that answers a question.

    Attributes:
        memory: the turn or fact.
        row: its row in the index.
        score: 0 and more: the share of what is asked that it tells, of what else the question
            says that it holds, and how far it stands out by its meaning.
        is_outright: it answers whatever else is near, and no likelihood is asked.
    """

    memory: Memory
    row: int
    score: float
    is_outright: bool = False


def once(found: Sequence[FoundAnswer]) -> list[FoundAnswer]:
    """Leave out a fact that only says what a turn among the answers says in its own words."""
    turns = {it.memory.id for it in found}
    return [
        it
        for it in found
        if not isinstance(it.memory, Fact) or turns.isdisjoint(it.memory.provenance.from_ids)
    ]
