"""Ranks candidates by their scores, each thing that was told once.

What a night made of a turn says the turn again: ranked beside it, the one would take the place of
something else.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from siliconfriend.recall.candidate_set import CandidateSet, Mask
from siliconfriend.recall.dates import DateSpan
from siliconfriend.recall.results import deduplicate_derived
from siliconfriend.recall.time_spans import spread_over_span

Scores = NDArray[np.float64]
"""One of each candidate."""


def rank(candidates: CandidateSet, scores: Scores, is_eligible: Mask, top: int) -> list[int]:
    """Positions of the ``top`` best eligible candidates, best first; ties are broken by id."""
    if top <= 0:
        return []
    eligible = np.flatnonzero(is_eligible)
    enough = top + np.count_nonzero(~candidates.is_turn[eligible])
    if len(eligible) > enough:
        least = -np.partition(-scores[eligible], enough - 1)[enough - 1]
        eligible = eligible[scores[eligible] >= least]
    memories = candidates.memories
    ranked = sorted(eligible.tolist(), key=lambda at: (-scores[at], memories[at].id))
    return _first(candidates, ranked, top)


def rank_within_spans(
    candidates: CandidateSet, scores: Scores, is_told: Mask, spans: Sequence[DateSpan], top: int
) -> list[int]:
    """Positions of at most ``top`` candidates, spread over spans of days.

    Args:
        candidates: of which those outside the spans are left out.
        scores: by which the best of a day comes first.
        is_told: which are no retellings. A summary made offline would, on a day of little, take
            the place of what was told on another.
        spans: that the message names.
        top: most positions.
    """
    days = np.where(is_told, candidates.day_of_span, 0)
    spread = spread_over_span(candidates.memories, days, scores, spans, top)
    return _first(candidates, spread, top)


def _first(candidates: CandidateSet, ranked: Sequence[int], top: int) -> list[int]:
    """The first ``top`` of ranked positions, without events and summaries that repeat their turns."""
    enough = top + int(np.count_nonzero(~candidates.is_turn))
    position_of = {candidates.memories[at].id: at for at in ranked[:enough]}
    kept = deduplicate_derived([candidates.memories[at] for at in position_of.values()], top)
    return [position_of[memory.id] for memory in kept]
