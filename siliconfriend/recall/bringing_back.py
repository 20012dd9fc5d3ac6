"""What was found, as it is brought back: with its state, its strength and what is left of it.

Facts and everything else are found in different ways; that both tell the same of themselves
is decided here, or a faded fact would be told as surely as a vivid one.
"""

from __future__ import annotations

from datetime import datetime

from siliconfriend.forgetting.curve import retention
from siliconfriend.forgetting.policy import HALF, ForgettingPolicy
from siliconfriend.memory.records import Memory, PersonMemory
from siliconfriend.recall.candidate_set import CandidateSet
from siliconfriend.recall.facts import FoundFact
from siliconfriend.recall.recipes import Scored
from siliconfriend.recall.results import Recalled


def recalled_fact(
    found: FoundFact, memory: PersonMemory, policy: ForgettingPolicy, now: datetime
) -> Recalled:
    """A fact as what was recalled: its score is how well it matches, its place its group's."""
    trace, kept = found.fact.trace, 1.0
    if policy.has_curve:
        idle = max(0.0, (now - trace.last_recall).total_seconds() / 86_400.0)
        unit = policy.unit_days("fact", trace.importance)
        kept = retention(idle, trace.strength, unit)
    return Recalled(
        found.fact,
        found.words + found.meaning,
        {"words": found.words, "meaning": found.meaning},
        _state(found.fact, kept),
        policy.strength(trace, memory.mentions(found.fact)),
        kept if policy.has_curve else None,
        found.own,
    )


def recalled_candidate(
    candidates: CandidateSet,
    at: int,
    score: float,
    parts: Scored,
    policy: ForgettingPolicy,
    *,
    own: bool,
) -> Recalled:
    """The candidate at a place of the candidates, with what its score is made of."""
    memory = candidates.memories[at]
    kept = float(candidates.retention[at])
    return Recalled(
        memory,
        score,
        {name: float(values[at]) for name, values in parts.items()},
        _state(memory, kept),
        policy.strength(memory.trace),
        kept if policy.has_curve else None,
        own,
    )


def _state(memory: Memory, retention: float) -> str:
    if memory.trace.archived is not None:
        return "archived"
    return "faded" if retention < HALF and not memory.trace.pinned else "vivid"
