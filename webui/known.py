"""Facts in the groups that the portrait shows them in."""

from __future__ import annotations

from collections.abc import Iterator

from siliconfriend.memory.knowledge import Fact, FactGroup
from siliconfriend.memory.records import PersonMemory

GROUPS: dict[str, tuple[FactGroup, ...]] = {
    "you": ("attributes", "scenes"),
    "relations": ("relations",),
    "us": ("companion",),
    "around": ("named", "general"),
    "promises": ("promises",),
}
"""The person, how they are to others, the companion, others and things, what the companion
promised: the order in which facts enter a prompt."""

MOST = 50
"""Facts of a group that are shown, the last told first; all of them are among the memories."""


def grouped(memory: PersonMemory) -> Iterator[tuple[str, Fact]]:
    """The facts that hold and are not put away, each with its group, group by group."""
    facts = [fact for fact in memory.facts() if fact.is_active]
    facts.sort(key=lambda it: (it.last or it.date, it.id), reverse=True)
    for group, members in GROUPS.items():
        for fact in [it for it in facts if it.group in members][:MOST]:
            yield group, fact
