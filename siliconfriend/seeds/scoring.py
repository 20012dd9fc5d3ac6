"""Compute the scores of generative agents, without division by zero or underflow."""

import math

import numpy as np
from numpy.typing import NDArray

from siliconfriend.recall.scoring import Numbers

DEFAULT_IMPORTANCE = 0.5
"""Importance of an unrated memory, on the scale from 0.1 to 1.0."""

FLOAT_NOISE = 1e-6  # cosines of float32 vectors that differ by less are the same


def min_max(values: Numbers, noise: float = 0.0) -> Numbers:
    """Scale values to ``(x - min) / (max - min)``, shape (n,).

    If the spread is at most ``noise``, all get 1, so that a filter such as ``relevance > 0.5`` keeps
    them.
    """
    if not len(values):
        return values
    low, high = values.min(), values.max()
    if high - low <= noise:
        return np.ones_like(values)
    scores: Numbers = (values - low) / (high - low)
    return scores


def recency_by_time(elapsed: Numbers, decay: float) -> Numbers:
    """Return the min-max of ``decay ** elapsed``, elapsed in seconds since the last access; shape (n,).

    The power is computed in log space, since 0.99 to the seconds underflows within a day: with
    ``a = (elapsed - shortest)·ln decay`` and b its minimum, the result is
    ``e^a · (e^(b-a) - 1) / (e^b - 1)``. A time in the future counts as now.
    """
    if not len(elapsed):
        return elapsed
    seconds = np.maximum(elapsed, 0.0)
    exponents = (seconds - seconds.min()) * math.log(decay)
    least = exponents.min()
    if least == 0:
        return np.ones_like(seconds)
    recency: Numbers = np.exp(exponents) * (np.expm1(least - exponents) / np.expm1(least))
    return recency + 0.0  # no -0.0


def cosines(query: NDArray[np.floating], vectors: NDArray[np.floating]) -> Numbers:
    """Return the cosine of ``query`` (d,) and each row of ``vectors`` (n, d); shape (n,).

    A zero vector gets 0. Each row is summed by itself, since a matrix product may round equal rows
    differently by their position.

    Raises:
        ValueError: the dimensions differ, or a value is not finite.
    """
    wanted = np.asarray(query, dtype=np.float64)
    rows = np.asarray(vectors, dtype=np.float64).reshape(len(vectors), -1)
    if len(rows) and rows.shape[1] != len(wanted):
        msg = f"a vector of {len(wanted)} numbers cannot be compared with ones of {rows.shape[1]}"
        raise ValueError(msg)
    if not (np.isfinite(wanted).all() and np.isfinite(rows).all()):
        msg = "a vector holds a value that is not finite"
        raise ValueError(msg)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows)) * np.sqrt(wanted @ wanted)
    products = np.einsum("ij,j->i", rows, wanted)
    found: Numbers = np.divide(products, lengths, out=np.zeros(len(rows)), where=lengths > 0)
    return found
