"""Scores of the query service: 0 to 1 for each query, with the relevance threshold at 0.56.

The dynamic memory of a virtual human filters by a number between 0 and 1 and takes 0.56 where
none is named. What a recall ranks by has another scale with every embedder, recipe and
question, so it is brought to that one: whatever the threshold lets through lies from 0.56 to
1, in the order of the recall, and whatever it leaves out below.
"""

from __future__ import annotations

from collections.abc import Sequence

THRESHOLD = 0.56
"""Where the relevance threshold lies."""
STEP = 0.0001
"""The best of what the threshold leaves out lies so much below it."""


def calibrate(scores: Sequence[float], relevant: int) -> list[float]:
    """Bring the scores of one query to the scale, in their order.

    Args:
        scores: those of what passed the relevance threshold, best first, then those of the
            rest, best first.
        relevant: how many passed it.
    """
    above = _spread(scores[:relevant], THRESHOLD, 1.0)
    below = _spread(scores[relevant:], 0.0, THRESHOLD - STEP)
    return [round(score, 4) for score in (*above, *below)]


def _spread(scores: Sequence[float], lowest: float, highest: float) -> list[float]:
    """The scores from ``lowest`` to ``highest``; the best has the highest, also by itself."""
    if not scores:
        return []
    least, most = min(scores), max(scores)
    if least == most:
        return [highest] * len(scores)
    share = (highest - lowest) / (most - least)
    return [lowest + (score - least) * share for score in scores]
