"""The forgetting curve R = e^(-t/S) of the MemoryBank paper (arXiv 2305.10250), after Ebbinghaus.

S is 1 at first; a recall adds 1 to S and sets t back to 0. The formula is written here only.
"""

import math


def retention(days: float, strength: float, unit_days: float = 1.0) -> float:
    """Compute R = e^(-days / (unit_days · strength)), from 1 (just recalled) towards 0.

    Args:
        days: since the last recall; less than 0, from a clock set back, counts as 0.
        strength: S, above 0.
        unit_days: how many days one unit of t is, above 0.

    Raises:
        ValueError: strength or unit_days is not above 0.
    """
    if not (strength > 0 and unit_days > 0):
        msg = f"strength ({strength}) and unit_days ({unit_days}) must be above 0"
        raise ValueError(msg)
    return math.exp(-max(days, 0.0) / (unit_days * strength))


def days_until(share: float, strength: float, unit_days: float) -> float:
    """Compute the days after the last recall until R has fallen to ``share`` (above 0, at most 1).

    The inverse of the curve: t = -ln(share) · unit_days · strength.
    """
    return -math.log(share) * unit_days * strength
