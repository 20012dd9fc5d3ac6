"""The types of scores, and the ranks that they give."""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]


def ranks(scores: Numbers) -> Numbers:
    """Return 1 for the highest score, then 2, 3, …; shape (n,).

    Equal scores share the best of their ranks, so that the order they come in never matters.
    """
    places = 1 + np.searchsorted(np.sort(-scores), -scores, side="left")
    return places.astype(np.float64)
