"""Facts in the groups that the portrait shows them in."""

from __future__ import annotations

from collections.abc import Iterator

from siliconfriend.memory.knowledge import Fact
from siliconfriend.memory.records import PersonMemory

GROUPS = ("you", "relations", "us", "around", "promises")
"""The person, how they are to others, the companion, others and things, what the companion
promised: the order in which facts enter a prompt."""

MOST = 50
"""Facts of a group that are shown, the last told first; all of them are among the memories."""


def grouped(memory: PersonMemory) -> Iterator[tuple[str, Fact]]:
    """The facts that hold and are not put away, each with its group, group by group."""
    facts = [it for it in memory.facts() if not it.superseded_by and it.trace.archived is None]
    facts.sort(key=lambda it: (it.last or it.date, it.id), reverse=True)
    for group in GROUPS:
        for fact in [it for it in facts if group_of(it) == group][:MOST]:
            yield group, fact


def group_of(fact: Fact) -> str:
    """The group of a fact."""
    if fact.aspect == "promise":
        return "promises"
    if fact.entity_type == "subject":
        return "us"
    if fact.entity_type == "object":
        return "relations" if fact.aspect == "relation" else "you"
    return "around"
