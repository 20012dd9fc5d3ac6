"""Facts as the tools tell them: what is known of the person, and of the companion itself.

What was corrected, merged away or put away is told to nobody.
"""

from __future__ import annotations

from collections.abc import Iterable

from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.records import PersonMemory
from siliconfriend.topics.knowledge import knowledge_owner

MOST = 100
"""Entries of each sort that a profile tells, newest first."""


def told(entries: Iterable[Fact | Event]) -> list[dict[str, str]]:
    """Each entry as ``knowledge`` and its day, of a fact the last it was told on, as ``timestamp``."""
    return [{"knowledge": it.text, "timestamp": _day(it)} for it in entries]


def user_knowledge(memory: PersonMemory) -> list[Fact]:
    """What holds of the person and their world, newest first."""
    return [it for it in _holding(memory) if knowledge_owner(it) == "user"][:MOST]


def assistant_knowledge(memory: PersonMemory) -> list[Fact]:
    """What holds of the companion: all that it said itself, of whomever, promised and recommended."""
    return [it for it in _holding(memory) if knowledge_owner(it) == "assistant"][:MOST]


def _day(entry: Fact | Event) -> str:
    return (isinstance(entry, Fact) and entry.last) or entry.date


def _holding(memory: PersonMemory) -> list[Fact]:
    facts = [fact for fact in memory.facts() if fact.is_active]
    return sorted(facts, key=lambda it: (it.last or it.date, it.date, it.position), reverse=True)
