"""How sure a share is: fifty-six questions cannot tell 0.97 from 0.99."""

from __future__ import annotations

import math

STANDARD_SCORE = 1.959963984540054
"""Of the normal distribution, for an interval that holds the true share 95 times in 100."""


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The 95% interval of a share, between 0 and 1 (E. B. Wilson, 1927); (0, 1) without trials.

    Unlike the usual plus-or-minus it stays within 0 and 1 and has a width where all or none
    succeeded.
    """
    if trials == 0:
        return 0.0, 1.0
    share, square = successes / trials, STANDARD_SCORE**2 / trials
    middle = (share + square / 2) / (1 + square)
    half = math.sqrt(share * (1 - share) * square + square**2 / 4) / (1 + square)
    return max(0.0, middle - half), min(1.0, middle + half)
