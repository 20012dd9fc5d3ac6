"""Group the facts about a person as they are shown to them.

The web page and the HTTP server show the same facts under the same headings.
"""

from __future__ import annotations

from collections.abc import Iterator

from siliconfriend.memory.knowledge import Fact, FactGroup
from siliconfriend.memory.records import PersonMemory

FACT_GROUPS: dict[str, tuple[FactGroup, ...]] = {
    "you": ("attributes", "scenes"),
    "relations": ("relations",),
    "us": ("companion",),
    "around": ("named", "general"),
    "promises": ("promises",),
}
"""The groups of facts in the order of their headings, each with those of the facts themselves."""

MOST_FACTS = 50
"""Facts of a group that are shown, the last told first; all of them are among the memories."""


def grouped_facts(memory: PersonMemory) -> Iterator[tuple[str, Fact]]:
    """Yield the active facts, group by group, each with its group in :data:`FACT_GROUPS`."""
    facts = [fact for fact in memory.facts() if fact.is_active]
    facts.sort(key=lambda fact: (fact.last or fact.date, fact.id), reverse=True)
    for name, groups in FACT_GROUPS.items():
        for fact in [fact for fact in facts if fact.group in groups][:MOST_FACTS]:
            yield name, fact
