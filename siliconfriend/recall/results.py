"""What a recall gives back: the memories and facts, best first, each with what it is made of.

Facts and everything else are found in different ways; that both tell the same of themselves
is decided here, or a faded fact would be told as surely as a vivid one. So is that no event
and no summary of a day stands beside the turns it was made from: a place in a recall is for
something new. Offline both are words of turns and nothing else; left in, each thing that was
said would take three of the few places after a night, and what was said only once none.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np

from siliconfriend.forgetting.curve import retention
from siliconfriend.forgetting.policy import HALF, ForgettingPolicy
from siliconfriend.memory.knowledge import Event
from siliconfriend.memory.provenance import OFFLINE
from siliconfriend.memory.records import DaySummary, Memory, PersonMemory, Turn, kind_of
from siliconfriend.recall.candidate_set import CandidateSet, Mask
from siliconfriend.recall.facts import FoundFact
from siliconfriend.recall.found_answer import FoundAnswer
from siliconfriend.recall.recipes import Parts
from siliconfriend.recall.signs import Signs

OUTRIGHT = "outright"
"""The part of the score of what answers whatever else is near: how things stand by now, a family."""

DERIVED = (Event, DaySummary)
"""What is made of turns and ranked beside them."""


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
        is_relevant: it passed the relevance threshold by its own score and not a neighbour's,
            so that recalling it strengthens it.
        signs: what speaks for its being what the message calls for; None of a fact, and where
            nobody judges by them.
    """

    memory: Memory
    score: float
    parts: Mapping[str, float]
    state: str
    strength: float
    retention: float | None
    is_relevant: bool = True
    signs: Signs | None = None


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
        answers: turns and facts that answer a question about a matter of the person's life, best
            first; none where it asks about no such matter, or nothing was told of it.
        near: what lies near by itself and is not among the memories, be it below the threshold;
            in no order. None unless they were asked for.
        unembedded: texts whose meaning is not known yet; where there are any, all was found by
            words alone.
    """

    query: str
    recipe: str
    now: datetime
    memories: tuple[Recalled, ...] = ()
    facts: tuple[Recalled, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    answers: tuple[Recalled, ...] = ()
    near: tuple[Recalled, ...] = ()
    unembedded: int = 0


def with_answers(result: RecallResult, top: int) -> RecallResult:
    """The result with its answers before all else, and still at most ``top`` memories.

    What ranking found as well keeps its score; the others count as much as the best of it.
    """
    if not result.answers:
        return result
    best = max((found.score for found in result.memories), default=0.0)
    ranked = {found.memory.id: found for found in (*result.memories, *result.facts)}
    answers = [
        ranked.get(found.memory.id) or replace(found, score=max(best, found.score))
        for found in result.answers
    ]
    ids = {found.memory.id for found in answers}
    turns = [found for found in answers if isinstance(found.memory, Turn)]
    facts = [found for found in answers if not isinstance(found.memory, Turn)]
    memories = [*turns, *(it for it in result.memories if it.memory.id not in ids)]
    known = [*facts, *(it for it in result.facts if it.memory.id not in ids)]
    return replace(result, memories=tuple(memories[:top]), facts=tuple(known))


def recalled_candidate(
    candidates: CandidateSet,
    at: int,
    parts: Parts,
    policy: ForgettingPolicy,
    *,
    is_relevant: bool,
    signs: Signs | None,
) -> Recalled:
    """Build the result of the candidate at a position, with what its score is made of."""
    memory = candidates.memories[at]
    share_left = float(candidates.retention[at])
    own_parts = {name: float(values[at]) for name, values in parts.items()}
    return Recalled(
        memory,
        sum(own_parts.values()),
        own_parts,
        _state(memory, share_left),
        policy.strength(memory.trace),
        share_left if policy.has_curve else None,
        is_relevant,
        signs,
    )


def recalled_fact(
    found: FoundFact, memory: PersonMemory, policy: ForgettingPolicy, now: datetime
) -> Recalled:
    """Build the result of a fact: its score is how well it matches, its place its group's."""
    share_left = _share_left(found.fact, policy, now)
    return Recalled(
        found.fact,
        found.words + found.meaning,
        {"words": found.words, "meaning": found.meaning},
        _state(found.fact, share_left),
        policy.strength(found.fact.trace, memory.mentions(found.fact)),
        share_left if policy.has_curve else None,
        found.is_relevant,
    )


def recalled_answer(found: FoundAnswer, policy: ForgettingPolicy, now: datetime) -> Recalled:
    """Build the result of an answer; it matters by itself."""
    memory, share_left = found.memory, _share_left(found.memory, policy, now)
    return Recalled(
        memory,
        found.score,
        {OUTRIGHT if found.is_outright else "answer": found.score},
        _state(memory, share_left),
        policy.strength(memory.trace),
        share_left if policy.has_curve else None,
    )


def recalled_sequel(memory: Turn, policy: ForgettingPolicy, now: datetime) -> Recalled:
    """Build the result of what was told later of the same matter: it comes along, unasked."""
    share_left = _share_left(memory, policy, now)
    return Recalled(
        memory,
        0.0,
        {},
        _state(memory, share_left),
        policy.strength(memory.trace),
        share_left if policy.has_curve else None,
        is_relevant=False,
    )


def _share_left(memory: Memory, policy: ForgettingPolicy, now: datetime) -> float:
    """The retention of a memory at a moment; all of it where the policy has no curve."""
    if not policy.has_curve:
        return 1.0
    trace = memory.trace
    unit = policy.unit_days(kind_of(memory), trace.importance)
    return retention(trace.days_fading(now), trace.strength, unit)


def is_retelling(memories: Sequence[Memory]) -> Mask:
    """Which memories were made offline of turns that are all among them: they hold their words alone.

    Ranked for itself, each would take the place of something else, and the turn that it was made
    from would count as a repetition of it.
    """
    found = np.zeros(len(memories), dtype=np.bool_)
    derived = [(at, it) for at, it in enumerate(memories) if isinstance(it, DERIVED)]
    if not derived:
        return found
    turns = {memory.id for memory in memories if isinstance(memory, Turn)}
    for at, memory in derived:
        made = memory.provenance
        is_offline = made.made_by == OFFLINE and bool(made.from_ids)
        found[at] = is_offline and turns.issuperset(made.from_ids)
    return found


def deduplicate_derived(ranked: Sequence[Memory], top: int) -> list[Memory]:
    """The first ``top`` of ranked memories, without events and summaries that repeat their turns.

    One goes where all of its turns are among those found; one made offline, which holds their
    words alone, where any of them is.
    """
    found = list(ranked[:top])
    while True:
        shown = {memory.id for memory in found if isinstance(memory, Turn)}
        kept = [memory for memory in ranked if not _repeats(memory, shown)][:top]
        if len(kept) == len(found) and all(a is b for a, b in zip(kept, found, strict=True)):
            return kept
        found = kept


def _repeats(memory: Memory, shown: Collection[str]) -> bool:
    if not isinstance(memory, DERIVED) or not memory.provenance.from_ids:
        return False
    is_shown = [turn in shown for turn in memory.provenance.from_ids]
    return any(is_shown) if memory.provenance.made_by == OFFLINE else all(is_shown)


def _state(memory: Memory, share_left: float) -> str:
    if memory.trace.archived is not None:
        return "archived"
    return "faded" if share_left < HALF and not memory.trace.pinned else "vivid"
