"""What a recall gives back: the memories, best first, and how long finding them took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from siliconfriend.memory.records import Memory


@dataclass(frozen=True, slots=True)
class Recalled:
    """One memory that was found.

    Attributes:
        memory: the record.
        score: what it is ranked by.
        parts: what the score is made of, by name (``dense``, ``lexical``, …).
        state: ``vivid``, ``faded`` or ``archived`` at the moment of the recall.
        strength: S.
        retention: R at that moment, None where the policy has no curve.
        own: it passed the floor by its own score and not a neighbour's, so that
            recalling it strengthens it.
    """

    memory: Memory
    score: float
    parts: Mapping[str, float]
    state: str
    strength: float
    retention: float | None
    own: bool = True


@dataclass(frozen=True, slots=True)
class RecallResult:
    """The answer of a recall.

    Attributes:
        query: what was asked.
        recipe: the name of the recipe that ranked.
        now: the moment of the recall.
        memories: best first.
        facts: of what is known, what bears on the question; best first.
        timings_ms: how long each step took, by name.
    """

    query: str
    recipe: str
    now: datetime
    memories: tuple[Recalled, ...] = ()
    facts: tuple[Recalled, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
