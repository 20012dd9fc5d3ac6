"""Facts and events in the tools' answers: about the user, and about the companion itself.

Facts that were superseded or archived are left out.
"""

from __future__ import annotations

from collections.abc import Iterable

from siliconfriend.memory.knowledge import Event, Fact
from siliconfriend.memory.records import PersonMemory
from siliconfriend.topics.knowledge import knowledge_owner

MOST = 100
"""Entries of each sort in a profile, newest first."""


def serialize(entries: Iterable[Fact | Event]) -> list[dict[str, str]]:
    """Serialize each entry as ``knowledge``, with the last day it was said on as ``timestamp``."""
    return [{"knowledge": entry.text, "timestamp": _day(entry)} for entry in entries]


def user_knowledge(memory: PersonMemory) -> list[Fact]:
    """Active facts about the user and their world, newest first."""
    return _owned_by(memory, "user")


def assistant_knowledge(memory: PersonMemory) -> list[Fact]:
    """Active facts from what the companion said, promised and recommended, newest first."""
    return _owned_by(memory, "assistant")


def _owned_by(memory: PersonMemory, owner: str) -> list[Fact]:
    facts = [fact for fact in memory.facts() if fact.is_active and knowledge_owner(fact) == owner]
    facts.sort(key=lambda fact: (_day(fact), fact.date, fact.position), reverse=True)
    return facts[:MOST]


def _day(entry: Fact | Event) -> str:
    return (isinstance(entry, Fact) and entry.last) or entry.date
