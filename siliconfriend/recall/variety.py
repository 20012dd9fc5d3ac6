"""Variety: one memory of each matter before a second of the same.

A question that needs two or three memories ("Which sports do I do?") is answered by what lies
apart: told on different days, in other words. Ranked by their match alone, five tellings of one
matter take the places of the others. So each memory is ranked by its match less what those
before it have said already (maximal marginal relevance, Carbonell and Goldstein 1998), reckoned
from the vectors that the index holds: no model is asked and nothing is embedded again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from siliconfriend.recall.candidate_set import Mask, Numbers
from siliconfriend.recall.embedders.base import Vectors
from siliconfriend.recall.recipes import Parts

REPEATED = 1.0
"""What a memory loses that says the very same as one before it: as much as a perfect match in
meaning. Chosen with all five of LoCoMo's conversations in view, so that none of them shows what it
gives on others; from 0.6 to 1.0 it makes little difference."""

FIRST = 3
"""So many stand by their match alone: what answers best is not exchanged for something else."""

POOL = 50
"""Of so many of the best it is looked whether they repeat each other, or three times as many as
are asked for."""

VectorsAt = Callable[[Sequence[int]], Vectors]
"""The vectors of the memories at some positions."""


DigestAt = Callable[[int], str]
"""The digest of the words of the memory at a position."""


def with_variety(
    digest_at: DigestAt, parts: Parts, is_eligible: Mask, top: int, vectors_at: VectorsAt
) -> Parts:
    """The parts of the scores, with what the best lose by repeating those before them.

    Only the first of the same words is compared.
    """
    scores = sum(parts.values(), np.zeros(len(is_eligible)))
    eligible = np.flatnonzero(is_eligible)
    first_of: dict[str, int] = {}
    for at in eligible[np.argsort(-scores[eligible], kind="stable")].tolist():
        first_of.setdefault(digest_at(at), at)
        if len(first_of) == max(POOL, 3 * top):
            break
    best = list(first_of.values())
    if len(best) <= FIRST:
        return parts
    # What says the same in the same words, and what lies farther away, stands behind all of these.
    losses = np.where(is_eligible, -REPEATED, 0.0)
    losses[best] = -REPEATED * repetition(scores[best], vectors_at(best))
    return {**parts, "repeated": losses}


def repetition(scores: Numbers, vectors: Vectors) -> Numbers:
    """How much each of n memories, best first, repeats those before it, 0 to 1; shape (n,).

    Counted from the mean cosine among them: what all have in common is the question's matter.
    """
    count = len(scores)
    cosines = np.asarray(vectors @ vectors.T, dtype=np.float64)
    mean = (cosines.sum() - np.trace(cosines)) / (count * (count - 1))
    similarity = np.clip((cosines - mean) / max(1.0 - mean, 1e-9), 0.0, 1.0)
    repeated = np.zeros(count)
    is_left = np.arange(count) >= FIRST
    repeated[is_left] = similarity[:FIRST, is_left].max(axis=0)
    left = np.where(is_left, scores, -np.inf)
    for _ in range(count - FIRST):
        first = int(np.argmax(left - REPEATED * repeated))
        left[first], is_left[first] = -np.inf, False
        np.maximum(repeated, similarity[first], out=repeated, where=is_left)
    return repeated
