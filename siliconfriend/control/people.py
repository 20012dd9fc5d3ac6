"""A person in numbers, as the command line and the HTTP server list them."""

from __future__ import annotations

from typing import Any

from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope


def person_document(scope: Scope, memory: PersonMemory) -> dict[str, Any]:
    """One person with one companion, as ``users list --json`` gives them."""
    days = [day.date for day in memory.days.values() if day.turns]
    return {
        "user": scope.person,
        "companion": scope.companion,
        "language": memory.profile.language,
        "timezone": memory.profile.timezone,
        "days": len(days),
        "turns": sum(1 for _ in memory.turns()),
        "summaries": sum(day.summary is not None for day in memory.days.values()),
        "first": min(days, default=None),
        "last": max(days, default=None),
    }
