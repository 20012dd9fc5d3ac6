"""A person in numbers, as the command line and the HTTP server list them."""

from __future__ import annotations

from typing import Any

from siliconfriend.memory.lazy_days import outlines
from siliconfriend.memory.records import PersonMemory
from siliconfriend.memory.scope import Scope


def person_document(scope: Scope, memory: PersonMemory) -> dict[str, Any]:
    """One person with one companion, as ``users list --json`` gives them."""
    turns = {date: outline.turns for date, outline in outlines(memory.days) if outline.turns}
    return {
        "user": scope.person,
        "companion": scope.companion,
        "language": memory.profile.language,
        "timezone": memory.profile.timezone,
        "days": len(turns),
        "turns": sum(turns.values()),
        "summaries": sum(1 for _ in memory.summaries()),
        "first": min(turns, default=None),
        "last": max(turns, default=None),
    }
