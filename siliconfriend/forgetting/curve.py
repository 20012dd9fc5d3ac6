"""The forgetting curve R = e^(-t/S) of the MemoryBank paper (arXiv 2305.10250), after Ebbinghaus.

S is 1 at first; a recall adds 1 to S and sets t back to 0. The formula is written here only.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


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
    return float(retentions(days, strength, unit_days))


def retentions(days: ArrayLike, strengths: ArrayLike, unit_days: ArrayLike) -> NDArray[np.float64]:
    """Compute R of many memories at once, float64, in the shape that the arguments have together."""
    import numpy as np  # heavy import, deferred for commands that only list names

    scale = np.multiply(unit_days, strengths, dtype=np.float64)
    return np.asarray(np.exp(-np.maximum(days, 0.0) / scale))


def days_until(share: float, strength: float, unit_days: float) -> float:
    """Compute the days after the last recall until R has fallen to ``share`` (above 0, at most 1).

    The inverse of the curve: t = -ln(share) · unit_days · strength.
    """
    return -math.log(share) * unit_days * strength
